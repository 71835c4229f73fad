package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.resync.TestCluster.Host;
import java.util.List;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

/** Each limit is kept, and reached. */
class TimerNodeLimitsTest {

  private static TimerNodeOptions.Builder options() {
    return TimerNodeOptions.builder();
  }

  private static int largest(TestCluster cluster, ToIntFunction<Message> size) {
    return cluster.sent.stream().mapToInt(sent -> size.applyAsInt(sent.message())).max().orElse(0);
  }

  private static TestCluster grown(TimerNodeOptions options) {
    TestCluster cluster = new TestCluster(options, "a", "b");
    for (int i = 0; i < 50; i++) {
      cluster.create("a", TestCluster.once(36_000_000 + i, 2));
    }
    cluster.change("c", "d", "a", "b");
    cluster.runFor(300_000);
    assertEquals(50, cluster.node("c").statistics().timersByLevel().get(0));
    assertEquals(50, cluster.node("d").statistics().timersByLevel().get(1));
    assertEquals(0, cluster.host("a").store.size());
    return cluster;
  }

  @Test
  void pageTimersMax_isTheLargestPage() {
    TestCluster cluster = grown(options().pageTimersMax(7).build());
    int page =
        largest(
            cluster,
            message ->
                message instanceof Message.Page p ? p.records().size() + p.references().size() : 0);
    assertEquals(7, page);
    int fetched = largest(cluster, m -> m instanceof Message.FetchTimers f ? f.ids().size() : 0);
    assertTrue(fetched <= 7, "fetched by name: " + fetched);
    int replicated =
        largest(cluster, m -> m instanceof Message.Replicate r ? r.records().size() : 0);
    assertTrue(replicated <= 7, "replicated: " + replicated);
  }

  @Test
  void pageTimersMax_holdsForAnAskerThatWantsMore() {
    TestCluster cluster = new TestCluster(options().pageTimersMax(7).build(), "a", "b");
    for (int i = 0; i < 50; i++) {
      cluster.create("a", TestCluster.once(36_000_000 + i, 2));
    }
    Message ask =
        new Message.FetchPage(
            5,
            ViewStamp.of(cluster.view),
            Message.Extent.EVERYTHING,
            io.horae.timer.Cursor.START,
            Integer.MAX_VALUE);
    cluster.deliver("b", "a", ask);
    int page = largest(cluster, m -> m instanceof Message.Page p ? p.records().size() : 0);
    assertEquals(7, page);
  }

  @Test
  void referencesPerMessageMax_isTheMostReferences() {
    TestCluster cluster = grown(options().referencesPerMessageMax(3).build());
    int references =
        largest(
            cluster,
            message ->
                message instanceof Message.Processed p
                    ? p.references().size()
                    : message instanceof Message.Retire r
                        ? r.references().size()
                        : message instanceof Message.Offer o ? o.references().size() : 0);
    assertEquals(3, references);
  }

  @Test
  void fetchesInFlightMax_isHowManyAreAskedAtOnce() {
    TestCluster cluster =
        new TestCluster(options().fetchesInFlightMax(2).build(), "a", "b", "c", "d", "e", "f");
    cluster.sent.clear();
    cluster.lose(sent -> true);
    cluster.node("a").resync(cluster.nowMs);
    assertEquals(List.of("b", "c"), cluster.sent.stream().map(TestCluster.Sent::to).toList());
  }

  @Test
  void popsInFlightMax_isHowManyTheHostHasAtOnce() {
    TestCluster cluster = new TestCluster(options().popsInFlightMax(3).build(), "a");
    Host a = cluster.host("a");
    for (int i = 0; i < 10; i++) {
      cluster.create("a", TestCluster.once(1_000, 1));
    }
    a.outcome = null;
    cluster.runFor(1_000);
    assertEquals(3, a.pops.size());
    assertEquals(3, a.node.statistics().popsInFlight());
    assertTrue(a.events.contains(new Event.LimitReached("popsInFlightMax", 3)));
    a.outcome = true;
    cluster.runFor(60_000);
    assertEquals(10, a.pops.stream().distinct().count());
    assertEquals(0, a.node.statistics().popsInFlight());
  }

  @Test
  void sweepTimersMax_isHowManyATickPops() {
    TestCluster cluster = new TestCluster(options().sweepTimersMax(4).build(), "a");
    for (int i = 0; i < 10; i++) {
      cluster.create("a", TestCluster.once(1_000, 1));
    }
    cluster.nowMs += 1_000;
    Host a = cluster.host("a");
    for (int popped : new int[] {4, 8, 10}) {
      assertTrue(a.node.nextTickMs() <= cluster.nowMs);
      a.node.tick(cluster.nowMs);
      assertEquals(popped, a.pops.size());
    }
  }

  @Test
  void sweepTimersMax_spreadsAResyncAndLosesNothing() {
    grown(options().sweepTimersMax(1).build());
  }

  @Test
  void retriesMax_isHowOftenASilentNodeIsAskedAgain() {
    TestCluster cluster = new TestCluster(options().retriesMax(2).build(), "a", "b");
    cluster.stop("b");
    cluster.sent.clear();
    cluster.node("a").resync(cluster.nowMs);
    cluster.runFor(100_000);
    assertEquals(3, cluster.sent.size());
    Host a = cluster.host("a");
    assertTrue(a.events.contains(new Event.Unreachable(List.of("b"))));
    assertTrue(a.node.statistics().resync().ended());
    assertEquals(1, a.node.statistics().resync().nodesGivenUp());
  }
}
