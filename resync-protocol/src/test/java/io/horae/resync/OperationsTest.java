package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.placement.ClusterView;
import io.horae.resync.TestCluster.Host;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class OperationsTest {

  private static final TimerSpec SPEC = TestCluster.once(36_000_000, 3);

  private static List<Integer> confirmed(Host host) {
    return host.confirmations.stream().map(Confirmation::confirmed).toList();
  }

  private static void assertOnlyTheLastEnds(Host host) {
    for (int i = 0; i < host.confirmations.size(); i++) {
      assertEquals(i == host.confirmations.size() - 1, host.confirmations.get(i).ended());
    }
  }

  @Test
  void create_atANodeThatIsNoReplica_isConfirmedByEachReplica() {
    TestCluster cluster = TestCluster.of("a", "b", "c", "x");
    cluster.create("x", SPEC);
    Host x = cluster.host("x");
    assertEquals(List.of(0, 1, 2, 3), confirmed(x));
    assertOnlyTheLastEnds(x);
    assertEquals(3, x.lastConfirmation().replicas());
    assertEquals(0, x.node.statistics().operations());
    assertEquals(0, x.store.size());
  }

  @Test
  void create_atAReplica_isConfirmedByItselfAtOnce() {
    TestCluster cluster = TestCluster.of("a", "b", "c");
    cluster.create("b", SPEC);
    assertEquals(List.of(1, 2, 3), confirmed(cluster.host("b")));
    assertOnlyTheLastEnds(cluster.host("b"));
  }

  @Test
  void create_withOneReplicaHere_endsAtOnce() {
    TestCluster cluster = TestCluster.of("a");
    Ticket ticket = cluster.node("a").create(cluster.nowMs, SPEC);
    Confirmation expected = new Confirmation(ticket.operation(), ticket.timer(), 1, 1, true);
    assertEquals(List.of(expected), cluster.host("a").confirmations);
    assertTrue(cluster.sent.isEmpty());
  }

  @Test
  void update_withAnOldHandle_goesToTheFormerReplicasToo() {
    TestCluster cluster = TestCluster.of("a", "b", "c", "d");
    TimerId timer = cluster.create("a", TestCluster.once(36_000_000, 2));
    cluster.view = cluster.view.next(TestCluster.nodes("c", "d", "a", "b"));
    cluster.hosts.values().forEach(host -> host.node.view(cluster.nowMs, cluster.view));
    cluster.node("d").update(cluster.nowMs, timer, TestCluster.once(72_000_000, 2));
    cluster.runFor(200_000);
    assertEquals(List.of("c", "d"), cluster.holders(timer));
  }

  @Test
  void acknowledge_twice_countsOnce() {
    TestCluster cluster = TestCluster.of("a", "b", "c");
    cluster.lose(sent -> sent.to().equals("c"));
    cluster.create("a", SPEC);
    Message again =
        cluster.sent.stream()
            .filter(sent -> sent.message() instanceof Message.Acknowledge)
            .findFirst()
            .orElseThrow()
            .message();
    cluster.deliver("b", "a", again);
    assertEquals(2, cluster.host("a").lastConfirmation().confirmed());
    assertEquals(1, cluster.host("a").rejected(Statistics.Rejection.UNEXPECTED));
  }

  @Test
  void send_unanswered_isRepeatedWithBackoffAndGivenUp() {
    TestCluster cluster = TestCluster.of("a", "b");
    cluster.lose(sent -> sent.to().equals("b"));
    Host a = cluster.host("a");
    cluster.node("a").create(cluster.nowMs, SPEC);
    List<Long> times = new ArrayList<>();
    int before = replicates(cluster);
    times.add(cluster.nowMs);
    while (!a.lastConfirmation().ended()) {
      cluster.runFor(1);
      if (replicates(cluster) > before) {
        before = replicates(cluster);
        times.add(cluster.nowMs);
      }
    }
    assertEquals(1 + cluster.options.retriesMax(), times.size());
    long waitMs = cluster.options.retryMs();
    for (int i = 1; i < times.size(); i++) {
      long waitedMs = times.get(i) - times.get(i - 1);
      assertTrue(waitedMs >= waitMs * 3 / 4 && waitedMs <= waitMs * 5 / 4, times::toString);
      waitMs = Math.min(2 * waitMs, cluster.options.retryMsMax());
    }
    assertEquals(1, a.lastConfirmation().confirmed());
    assertEquals(0, a.node.statistics().operations());
    assertEquals(1, a.node.statistics().timersUnsettled());
  }

  /** The time in which what is under way is sent again, to nodes that have the new view by then. */
  private static final long SOON_MS = 1_000;

  private static boolean isOfPop(TestCluster.Sent sent) {
    return sent.message() instanceof Message.Replicate replicate
        && replicate.records().stream().anyMatch(TimerRecord::ended);
  }

  @Test
  void view_formerReplicaMissesAPop_isNotWaitedFor() {
    TestCluster cluster = TestCluster.of("x", "b", "c", "d");
    TimerId timer = cluster.create("x", TestCluster.once(10_000, 2));
    cluster.lose(sent -> sent.to().equals("b") && isOfPop(sent));
    cluster.runFor(10_000);
    Host x = cluster.host("x");
    assertEquals(1, x.pops.size());
    assertEquals(1, x.node.statistics().operations());

    cluster.heal();
    cluster.change("c", "d", "b");
    cluster.runFor(SOON_MS);
    assertEquals(0, x.node.statistics().operations());
    assertEquals(1, x.events(Event.Drained.class).size());
    assertTrue(cluster.host("c").record(timer).ended());
    assertTrue(cluster.host("d").record(timer).ended());
  }

  @Test
  void view_replicaThatMissesAPopHasGone_isNotWaitedFor() {
    TestCluster cluster = TestCluster.of("x", "b", "c");
    TimerId timer = cluster.create("x", TestCluster.once(10_000, 2));
    cluster.stop("b");
    cluster.runFor(10_000);
    Host x = cluster.host("x");
    assertEquals(1, x.node.statistics().operations());

    cluster.view = ClusterView.of(2, TestCluster.nodes("x", "c"));
    x.node.view(cluster.nowMs, cluster.view);
    cluster.node("c").view(cluster.nowMs, cluster.view);
    cluster.runFor(SOON_MS);
    assertEquals(0, x.node.statistics().operations());
    assertTrue(cluster.host("c").record(timer).ended());
  }

  private static int replicates(TestCluster cluster) {
    return (int)
        cluster.sent.stream().filter(s -> s.message() instanceof Message.Replicate).count();
  }

  @Test
  void create_whenTooManyWait_isRejectedAndReportedAndChangesNothing() {
    TimerNodeOptions options = TimerNodeOptions.builder().operationsMax(2).build();
    TestCluster cluster = new TestCluster(options, "a", "b");
    cluster.stop("b");
    cluster.create("a", SPEC);
    TimerId second = cluster.create("a", SPEC);
    Host a = cluster.host("a");
    RejectedExecutionException rejected =
        assertThrows(RejectedExecutionException.class, () -> a.node.create(cluster.nowMs, SPEC));
    assertTrue(rejected.getMessage().contains("operationsMax"), rejected.getMessage());
    assertThrows(RejectedExecutionException.class, () -> a.node.delete(cluster.nowMs, second));
    assertTrue(a.events.contains(new Event.LimitReached("operationsMax", 2)));
    assertEquals(2, a.store.size());
    assertFalse(a.record(second).ended());
  }
}
