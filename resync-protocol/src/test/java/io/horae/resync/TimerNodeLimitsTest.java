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

  /** A settled cluster of two, whose second node has lost the timers that the first has. */
  private static TestCluster emptied(TimerNodeOptions options, int timers) {
    TestCluster cluster = new TestCluster(options, "a", "b");
    cluster.lose(sent -> sent.to().equals("b"));
    for (int i = 0; i < timers; i++) {
      cluster.create("a", TestCluster.once(36_000_000 + i, 2));
    }
    cluster.runFor(100_000); // until a has given up, and owes them to b
    cluster.sent.clear();
    cluster.host("a").events.clear();
    return cluster;
  }

  private static long count(TestCluster cluster, String by, Event event) {
    return cluster.host(by).events.stream().filter(event::equals).count();
  }

  @Test
  void offerTimersMax_isHowManyAreOnOfferAtOnce() {
    TimerNodeOptions options = options().offerTimersMax(7).retryMsMax(500).build();
    TestCluster cluster = emptied(options, 50);
    int offered = 0;
    while (offered < 50) { // nobody answers: 7 at a time, and the next when they could have
      cluster.runFor(1);
      int now =
          cluster.sent.stream()
              .mapToInt(sent -> ((Message.Offer) sent.message()).references().size())
              .sum();
      assertTrue(now <= 7, "on offer at once: " + now);
      cluster.sent.clear();
      offered += now;
    }
    assertTrue(count(cluster, "a", new Event.LimitReached("offerTimersMax", 7)) > 0);
    cluster.heal();
    cluster.runFor(5_000);
    assertEquals(50, cluster.host("b").store.size());
    assertEquals(0, cluster.node("a").statistics().timersUnsettled());
  }

  @Test
  void fetchTimersMax_isHowManyAreAskedForAtOnce() {
    TestCluster cluster = emptied(options().fetchTimersMax(7).retryMsMax(500).build(), 50);
    cluster.lose(sent -> sent.message() instanceof Message.FetchTimers);
    cluster.runFor(1_000);
    cluster.sent.removeIf(sent -> !(sent.message() instanceof Message.FetchTimers));
    assertEquals(7, ((Message.FetchTimers) cluster.sent.get(0).message()).ids().size());
    assertTrue(cluster.sent.size() < 5, cluster.sent::toString);
    assertEquals(1, count(cluster, "b", new Event.LimitReached("fetchTimersMax", 7)));
    cluster.heal();
    cluster.runFor(5_000);
    assertEquals(50, cluster.host("b").store.size());
    assertEquals(0, cluster.node("a").statistics().timersUnsettled());
  }

  @Test
  void fetchTimersMax_holdsInAResyncToo() {
    TestCluster cluster =
        new TestCluster(options().fetchTimersMax(7).retryMsMax(500).build(), "a", "b", "c");
    for (int i = 0; i < 50; i++) {
      cluster.create("a", TestCluster.once(36_000_000 + i, 3));
    }
    // b lists the timers for c, and a, which is to send them, does not: so c asks b for them.
    cluster.start("c");
    cluster.lose(sent -> sent.message() instanceof Message.Page && sent.from().equals("a"));
    cluster.node("c").resync(cluster.nowMs);
    cluster.runFor(60_000);
    assertEquals(50, cluster.host("c").store.size());
    int fetched = largest(cluster, m -> m instanceof Message.FetchTimers f ? f.ids().size() : 0);
    assertEquals(7, fetched);
    assertTrue(cluster.node("c").statistics().resync().ended());
    assertTrue(count(cluster, "c", new Event.LimitReached("fetchTimersMax", 7)) > 0);
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
