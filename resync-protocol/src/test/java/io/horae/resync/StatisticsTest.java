package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class StatisticsTest {

  private static Statistics of(TestCluster cluster, String node) {
    return cluster.node(node).statistics();
  }

  @Test
  void timersByLevel_andTombstones_followTheTimers() {
    TestCluster cluster = TestCluster.of("a", "b");
    TimerId timer = cluster.create("a", TestCluster.once(36_000_000, 2));
    cluster.create("b", TestCluster.once(36_000_000, 2));
    cluster.create("b", TestCluster.once(36_000_000, 1));
    assertEquals(List.of(3, 0), of(cluster, "a").timersByLevel().subList(0, 2));
    assertEquals(List.of(0, 2), of(cluster, "b").timersByLevel().subList(0, 2));
    cluster.node("b").delete(cluster.nowMs, timer);
    cluster.settle();
    assertEquals(2, of(cluster, "a").timersByLevel().get(0));
    assertEquals(1, of(cluster, "a").tombstones());
    assertEquals(1, of(cluster, "b").tombstones());
    cluster.runFor(cluster.options.tombstoneMs());
    assertEquals(0, of(cluster, "a").tombstones() + of(cluster, "b").tombstones());
  }

  @Test
  void counts_ofAStoreWithTimersInIt_startWithThem() {
    TestCluster cluster = TestCluster.of("a", "b");
    cluster.create("a", TestCluster.once(36_000_000, 2));
    TimerId deleted = cluster.create("a", TestCluster.once(36_000_000, 2));
    cluster.node("a").delete(cluster.nowMs, deleted);
    cluster.settle();
    cluster.start("b", cluster.host("b").store);
    assertEquals(1, of(cluster, "b").timersByLevel().get(1));
    assertEquals(1, of(cluster, "b").tombstones());
  }

  @Test
  void pops_andFailures_areCounted() {
    TestCluster cluster = TestCluster.of("a", "b");
    cluster.host("a").outcome = false;
    cluster.create("a", TestCluster.once(10_000, 2));
    cluster.runFor(10_000);
    assertEquals(1, of(cluster, "a").pops());
    assertEquals(1, of(cluster, "a").popsFailed());
    cluster.runFor(10_000);
    assertEquals(1, of(cluster, "b").pops());
    assertEquals(0, of(cluster, "b").popsFailed());
  }

  @Test
  void dueMs_ofAPop_isTheDeadlineAtEveryLevel() {
    TestCluster cluster = TestCluster.of("a", "b");
    cluster.host("a").outcome = false;
    long dueMs = cluster.nowMs + 10_000;
    cluster.create("a", TestCluster.once(10_000, 2));
    cluster.runFor(20_000);
    assertEquals(dueMs, cluster.host("a").pops.get(0).dueMs());
    assertEquals(dueMs, cluster.host("b").pops.get(0).dueMs());
    assertTrue(cluster.host("b").popTimes.get(0) > dueMs, "a backup pops later");
  }

  @Test
  void duplicatesSuppressed_countsPopsThatAnotherWasFirstWith() {
    TestCluster cluster = TestCluster.of("a", "b");
    cluster.host("a").outcome = null;
    cluster.create("a", TestCluster.once(10_000, 2));
    cluster.runFor(10_000);
    assertEquals(1, of(cluster, "a").popsInFlight());
    cluster.runFor(5_000); // b pops
    assertEquals(1, of(cluster, "a").duplicatesSuppressed());
    assertEquals(1, of(cluster, "a").popsInFlight(), "the host has it still");
    assertEquals(0, of(cluster, "b").duplicatesSuppressed());
    cluster.runFor(TimerNodeOptions.defaults().popTimeoutMs());
    cluster.create("a", TestCluster.once(10_000, 2));
    assertEquals(0, of(cluster, "a").popsInFlight(), "it has taken too long");
  }

  @Test
  void resync_isTheProgressOfTheLast() {
    TestCluster cluster = TestCluster.of("a", "b");
    for (int i = 0; i < 10; i++) {
      cluster.create("a", TestCluster.once(36_000_000, 2));
    }
    cluster.change("a", "c", "b");
    cluster.runFor(300_000);
    Statistics c = of(cluster, "c");
    assertEquals(10, c.timersFetched());
    assertTrue(c.resync().ended());
    assertEquals(new ViewStamp(2, cluster.view.id()), c.resync().view());
    assertEquals(2, c.resync().nodesDone());
    assertEquals(0, c.resync().nodesLeft() + c.resync().nodesGivenUp());
    assertEquals(10, of(cluster, "b").timersLetGo());
    assertEquals(0, of(cluster, "b").timersOfOthers());
    assertEquals(0, of(cluster, "a").timersUnsettled() + c.timersUnsettled());
  }

  @Test
  void timersOfOthers_areThoseHeldUntilTheReplicasHaveThem() {
    TestCluster cluster = TestCluster.of("a", "b");
    TimerId timer = cluster.create("a", TestCluster.once(36_000_000, 1));
    cluster.lose(sent -> sent.to().equals("b"));
    cluster.change("b", "a");
    cluster.runFor(300_000);
    assertTrue(cluster.host("a").holdsLive(timer));
    assertEquals(1, of(cluster, "a").timersUnsettled());
    cluster.heal();
    cluster.runFor(300_000);
    assertEquals(List.of("b"), cluster.holders(timer));
  }
}
