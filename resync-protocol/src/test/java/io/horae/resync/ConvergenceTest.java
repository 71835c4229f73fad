package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.resync.TestCluster.Host;
import io.horae.resync.TestCluster.OutboxException;
import io.horae.timer.Cursor;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Whatever was lost on the way, the replicas of a timer end up with the same, and all of them. */
class ConvergenceTest {

  /** Long enough that every retry has been made. */
  private static final long RETRIES_MS = 200_000;

  @Test
  void delete_confirmedByAll_isNotUndoneByAnEarlierUpdate() {
    TestCluster cluster = TestCluster.of("a", "b", "x", "y");
    TimerId timer = cluster.create("a", TestCluster.every(3_600_000, 2));

    // The update reaches a, and not b.
    cluster.lose(sent -> sent.from().equals("x") && sent.to().equals("b"));
    cluster.node("x").update(cluster.nowMs, timer, TestCluster.every(7_200_000, 2));
    cluster.settle();
    cluster.node("y").delete(cluster.nowMs, timer);
    cluster.settle();
    assertEquals(2, cluster.host("y").lastConfirmation().confirmed());
    cluster.heal();
    cluster.runFor(RETRIES_MS);

    assertEquals(List.of(), cluster.holders(timer));
  }

  @Test
  void update_behindWhatTheReplicasKnow_winsAllTheSame() {
    TestCluster cluster = TestCluster.of("a", "b", "x");
    TimerId timer = cluster.create("a", TestCluster.every(3_600_000, 2));
    for (int i = 0; i < 5; i++) {
      cluster.node("a").update(cluster.nowMs, timer, TestCluster.every(3_600_000, 2));
      cluster.settle();
    }

    cluster.node("x").update(cluster.nowMs, timer, TestCluster.every(7_200_000, 2)); // stamp 1
    cluster.runFor(RETRIES_MS);

    assertEquals(2, cluster.host("x").lastConfirmation().confirmed());
    assertEquals(7_200_000, cluster.host("a").record(timer).intervalMs());
    assertEquals(7_200_000, cluster.host("b").record(timer).intervalMs());
  }

  @Test
  void delete_thatOneReplicaMissed_reachesItInTheEnd() {
    TestCluster cluster = TestCluster.of("a", "b", "x");
    TimerId timer = cluster.create("a", TestCluster.every(100_000, 2));

    cluster.cut(Set.of("b"), Set.of("a", "x"));
    cluster.node("x").delete(cluster.nowMs, timer);
    cluster.runFor(RETRIES_MS);
    cluster.heal();
    cluster.runFor(RETRIES_MS);

    assertEquals(List.of(), cluster.holders(timer));
    cluster.runFor(2_000_000); // longer than tombstones live
    assertEquals(List.of(), cluster.holders(timer));
  }

  @Test
  void resync_ofAnEmptyNodeThatWasCutOff_bringsItsTimersWhenCalledAgain() {
    TestCluster cluster = TestCluster.of("a", "b");
    TimerId timer = cluster.create("a", TestCluster.once(36_000_000, 2));

    cluster.stop("b");
    cluster.cut(Set.of("b"), Set.of("a"));
    cluster.start("b").node.resync(cluster.nowMs);
    cluster.runFor(RETRIES_MS); // all is given up
    cluster.heal();
    cluster.node("b").resync(cluster.nowMs);
    cluster.runFor(RETRIES_MS);

    assertEquals(List.of("a", "b"), cluster.holders(timer));
  }

  @Test
  void resync_ofANodeThatJoinedAndLostItsMemory_bringsWhatWasCreatedSince() {
    TestCluster cluster = TestCluster.of("a", "b");
    TimerId before = cluster.create("a", TestCluster.once(36_000_000, 3));
    cluster.change("a", "b", "d");
    cluster.runFor(RETRIES_MS);
    TimerId since = cluster.create("a", TestCluster.once(36_000_000, 3));
    assertEquals(List.of("a", "b", "d"), cluster.holders(since));

    cluster.start("d").node.resync(cluster.nowMs);
    cluster.runFor(RETRIES_MS);

    assertEquals(List.of("a", "b", "d"), cluster.holders(before));
    assertEquals(List.of("a", "b", "d"), cluster.holders(since));
  }

  @Test
  void resync_calledAgainAndAgain_doesNotKeepTimersFromSettling() {
    TestCluster cluster = TestCluster.of("a", "b", "c");
    TimerId timer = cluster.create("a", TestCluster.once(36_000_000, 2));
    cluster.lose(sent -> sent.to().equals("c") || sent.from().equals("c")); // c is dead
    cluster.lose(sent -> Set.of(sent.to(), sent.from()).contains("c") || sent.to().equals("b"));
    cluster.node("a").update(cluster.nowMs, timer, TestCluster.once(72_000_000, 2));
    cluster.runFor(RETRIES_MS); // a owes b the update
    cluster.lose(sent -> Set.of(sent.to(), sent.from()).contains("c"));

    for (int i = 0; i < 100; i++) {
      cluster.node("a").resync(cluster.nowMs);
      cluster.runFor(5_000);
    }

    assertEquals(72_000_000, cluster.host("b").record(timer).intervalMs());
  }

  @Test
  void takeover_afterAMissedUpdate_doesNotForgetWhoMissedIt() {
    TestCluster cluster = TestCluster.of("a", "b", "c");
    TimerId timer = cluster.create("a", TestCluster.once(36_000_000, 3));
    cluster.lose(sent -> sent.to().equals("b"));
    cluster.node("a").update(cluster.nowMs, timer, TestCluster.once(72_000_000, 3));
    cluster.runFor(RETRIES_MS); // a owes b the update
    cluster.heal();
    cluster.change("a", "b", "d", "c");
    cluster.runFor(RETRIES_MS);

    assertEquals(72_000_000, cluster.host("b").record(timer).intervalMs());
    assertEquals(72_000_000, cluster.host("d").record(timer).intervalMs());
    assertEquals(List.of("a", "b", "d"), cluster.holders(timer));
  }

  @Test
  void processed_byOneThatDoesNotTakeItsPlace_doesNotMoveThePrimaryUp() {
    TestCluster cluster = TestCluster.of("a", "b", "c", "x", "y");
    TimerId timer = cluster.create("a", TestCluster.once(36_000_000, 3));

    cluster.lose(sent -> sent.to().equals("x") || sent.from().equals("x"));
    cluster.change("x", "y", "a", "b", "c");
    cluster.runFor(RETRIES_MS);

    // x cannot have the timer yet, so a still acts as its primary.
    assertFalse(cluster.host("x").holdsLive(timer));
    assertEquals(0, cluster.host("a").record(timer).assignment().level("a"));
    cluster.heal();
    cluster.runFor(RETRIES_MS);
    assertEquals(List.of("a", "x", "y"), cluster.holders(timer));
    for (String node : List.of("a", "x", "y")) {
      List<String> replicas = cluster.host(node).record(timer).assignment().replicas();
      assertEquals(List.of("x", "y", "a"), replicas, node);
    }
  }

  @Test
  void create_withAnOutboxThatThrows_reachesTheReplicasWhenItWorksAgain() {
    TestCluster cluster = TestCluster.of("a", "b");
    cluster.host("a").throwing = true;
    TimerSpec spec = TestCluster.once(36_000_000, 2);
    assertThrows(OutboxException.class, () -> cluster.node("a").create(cluster.nowMs, spec));
    cluster.host("a").throwing = false;
    cluster.runFor(RETRIES_MS);

    assertEquals(1, cluster.node("a").statistics().timersByLevel().get(0));
    assertEquals(1, cluster.node("b").statistics().timersByLevel().get(1));
  }

  @Test
  void tick_withAnOutboxThatThrowsOnOffers_offersAgainWhenItWorks() {
    TestCluster cluster = TestCluster.of("a", "b");
    TimerId timer = cluster.create("a", TestCluster.once(36_000_000, 2));
    cluster.lose(sent -> sent.to().equals("b"));
    cluster.node("a").update(cluster.nowMs, timer, TestCluster.once(72_000_000, 2));
    Host a = cluster.host("a");
    while (a.node.statistics().timersUnsettled() == 0) {
      cluster.runFor(1_000);
    }
    a.throwing = true;
    cluster.nowMs = a.node.nextTickMs();
    assertThrows(OutboxException.class, () -> a.node.tick(cluster.nowMs));
    a.throwing = false;
    cluster.heal();
    cluster.runFor(RETRIES_MS);

    assertEquals(72_000_000, cluster.host("b").record(timer).intervalMs());
    assertEquals(0, a.node.statistics().timersUnsettled());
  }

  @Test
  void drained_isNotReportedWhileAnOperationWaits() {
    TestCluster cluster = TestCluster.of("a", "b", "c");
    cluster.lose(sent -> sent.from().equals("c") && sent.message() instanceof Message.Replicate);
    cluster.node("c").create(cluster.nowMs, TestCluster.once(36_000_000, 2));
    cluster.change("a", "b");
    cluster.runFor(100);
    assertEquals(1, cluster.node("c").statistics().operations());
    assertEquals(List.of(), cluster.host("c").events(Event.Drained.class));

    cluster.heal();
    cluster.runFor(RETRIES_MS);
    assertEquals(1, cluster.host("c").events(Event.Drained.class).size());
  }

  @Test
  void drained_isReportedOnceTheOthersHaveEverything() {
    TestCluster cluster = TestCluster.of("c", "a", "b");
    TimerId timer = cluster.create("a", TestCluster.once(36_000_000, 2));
    TimerId deleted = cluster.create("a", TestCluster.once(36_000_000, 2));
    cluster.node("b").delete(cluster.nowMs, deleted);
    cluster.settle();
    assertEquals(List.of("c", "a"), cluster.holders(timer));

    cluster.change("b", "a");
    cluster.runFor(RETRIES_MS);

    assertEquals(List.of("a", "b"), cluster.holders(timer));
    assertEquals(1, cluster.host("c").events(Event.Drained.class).size());
    assertEquals(0, cluster.host("c").store.size());
    assertTrue(cluster.host("b").record(deleted).ended());
  }

  @Test
  void offers_toADeadReplica_areBackedOffWhileOthersAreOwedToo() {
    TimerNodeOptions options = TimerNodeOptions.builder().retriesMax(0).build();
    TestCluster cluster = new TestCluster(options, "a", "b");
    cluster.stop("b");
    long offers = 0;
    for (int i = 0; i < 600; i++) {
      cluster.create("a", TestCluster.once(36_000_000, 2));
      cluster.runFor(1_000);
    }
    for (TestCluster.Sent sent : cluster.sent) {
      offers += sent.message() instanceof Message.Offer offer ? offer.references().size() : 0;
    }
    // Ten minutes have some twenty rounds of thirty seconds, of 600 timers at most.
    assertTrue(offers < 40 * 600, "offered " + offers);
  }

  /**
   * A node that joins has heard of a timer, and not got it, when another joins to which the timer
   * belongs instead. Nobody who has mentioned it need have it still.
   */
  @Test
  void resync_mentionedBeforeTheLastView_isNotWaitedFor() {
    TestCluster cluster = TestCluster.of("a", "b");
    TimerId timer = cluster.create("a", TestCluster.once(36_000_000, 2));
    cluster.lose(sent -> (sent.to().equals("d") && sent.from().equals("a")) || isFetch(sent));
    cluster.change("d", "a", "b");
    assertFalse(cluster.host("d").holdsLive(timer));

    cluster.change("e", "a", "b", "d");
    cluster.lose(ConvergenceTest::isFetch);
    cluster.runFor(5_000);
    assertEquals(List.of("a", "e"), cluster.holders(timer));

    cluster.heal();
    cluster.runFor(5_000);
    Event.ResyncProgress resync = cluster.node("d").statistics().resync();
    assertTrue(resync.ended() && resync.view().epoch() == 3, resync::toString);
    assertEquals(0, resync.nodesGivenUp(), resync::toString);
  }

  private static boolean isFetch(TestCluster.Sent sent) {
    return sent.from().equals("d") && sent.message() instanceof Message.FetchTimers;
  }

  @Test
  void resync_withoutSomeonesAnswer_asksForAllTheNextTime() {
    TestCluster cluster = TestCluster.of("a", "b", "c");
    cluster.start("c");
    cluster.lose(sent -> sent.from().equals("a"));
    assertEquals(Set.of(Message.Extent.EVERYTHING), extents(cluster, "c"));
    cluster.heal();
    assertEquals(Set.of(Message.Extent.EVERYTHING), extents(cluster, "c"));
    assertEquals(Set.of(Message.Extent.CHANGES), extents(cluster, "c"));
  }

  /** What a node asks others for in a resync. */
  private static Set<Message.Extent> extents(TestCluster cluster, String node) {
    cluster.sent.clear();
    cluster.node(node).resync(cluster.nowMs);
    cluster.runFor(RETRIES_MS);
    return cluster.sent.stream()
        .map(sent -> sent.message() instanceof Message.FetchPage fetch ? fetch.extent() : null)
        .filter(Objects::nonNull)
        .collect(Collectors.toSet());
  }

  @Test
  void fetchPage_byAStranger_leavesNothingBehind() {
    TestCluster cluster = TestCluster.of("a", "b");
    cluster.create("a", TestCluster.once(36_000_000, 2));
    Message ask =
        new Message.FetchPage(
            1, ViewStamp.of(cluster.view), Message.Extent.EVERYTHING, Cursor.START, 100);
    cluster.deliver("stranger", "a", ask);
    List<TestCluster.Sent> sent = cluster.sent;
    assertTrue(sent.get(sent.size() - 1).message() instanceof Message.Rejected, "" + sent);
  }
}
