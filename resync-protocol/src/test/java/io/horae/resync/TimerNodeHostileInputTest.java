package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.resync.Statistics.Rejection;
import io.horae.resync.TestCluster.Host;
import io.horae.timer.Cursor;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Whatever a peer says, the node goes on. */
class TimerNodeHostileInputTest {

  private static final List<String> SENDERS = List.of("a", "b", "c", "d", "stranger", "");

  private final TestCluster cluster = TestCluster.of("a", "b", "c");
  private final Host a = cluster.host("a");

  private static TimerRecord record(Stamp stamp, long startMs, ViewStamp view, String... nodes) {
    return new TimerRecord(
        42,
        stamp,
        startMs,
        1_000,
        5_000,
        0,
        2,
        new Assignment(view, List.of(nodes)),
        new byte[0],
        false);
  }

  private void replicate(TimerRecord record) {
    cluster.deliver("b", "a", new Message.Replicate(9, List.of(record)));
  }

  private ViewStamp view() {
    return ViewStamp.of(cluster.view);
  }

  @Property(tries = 300)
  void noMessageMakesANodeThrow(@ForAll long seed) {
    TestCluster cluster = TestCluster.of("a", "b", "c");
    for (int i = 0; i < 5; i++) {
      cluster.create("b", TestCluster.every(10_000, 2));
    }
    cluster.runFor(10_000);
    cluster.change("c", "b", "d");
    TimerId timer = cluster.create("a", TestCluster.once(5_000_000, 2));
    List<TestCluster.Sent> heard = List.copyOf(cluster.sent);
    RandomMessages messages = new RandomMessages(seed);
    SplittableRandom random = new SplittableRandom(seed);
    cluster.hosts.values().forEach(host -> host.outcome = null);
    for (int i = 0; i < 200; i++) {
      Message message =
          random.nextBoolean()
              ? messages.next()
              : heard.get(random.nextInt(heard.size())).message();
      String to = "abcd".substring(i % 4).substring(0, 1);
      cluster.deliver(SENDERS.get(random.nextInt(SENDERS.size())), to, message);
      if (i % 10 == 0) {
        cluster.nowMs += random.nextInt(2_000);
        cluster.hosts.values().forEach(host -> host.node.tick(cluster.nowMs));
      }
    }
    for (Host host : cluster.hosts.values()) {
      assertFalse(host.node.statistics().rejected().isEmpty(), host.id);
      host.node.create(cluster.nowMs, TestCluster.once(1_000, 2));
      host.node.nextTickMs();
    }
    assertTrue(cluster.host("c").holdsLive(timer));
  }

  @Example
  void whatNobodyAskedForIsUnexpected() {
    Reference reference = new Reference(42, new Stamp(1, 1), 0, false);
    TimerRecord record = record(new Stamp(1, 1), 0, view(), "a", "b");
    cluster.deliver("b", "a", new Message.Page(99, view(), List.of(record), List.of(), null));
    cluster.deliver("b", "a", new Message.Rejected(99, Message.Reason.BUSY, view()));
    cluster.deliver("b", "a", new Message.Acknowledge(99, false, List.of(reference)));
    assertEquals(3, a.rejected(Rejection.UNEXPECTED));
    assertEquals(0, a.store.size());
  }

  @Example
  void whatWasSaidUnderAnotherViewIsCounted() {
    cluster.change("a", "b", "c");
    ViewStamp current = view();
    List<Reference> references = List.of(new Reference(42, new Stamp(1, 1), 0, false));
    cluster.deliver("b", "a", new Message.Refer(new ViewStamp(1, 5), references));
    cluster.deliver("b", "a", new Message.Retire(new ViewStamp(3, 5), references));
    cluster.deliver("b", "a", new Message.Refer(new ViewStamp(2, current.id() + 1), references));
    assertEquals(1, a.rejected(Rejection.VIEW_BEHIND));
    assertEquals(1, a.rejected(Rejection.VIEW_AHEAD));
    assertEquals(1, a.rejected(Rejection.VIEW_DIFFERS));
  }

  @Example
  void absurdTimesAndVersionsAreMalformed() {
    for (long startMs : new long[] {Long.MIN_VALUE, Long.MAX_VALUE, 1L << 60, -(1L << 60)}) {
      replicate(record(new Stamp(1, 1), startMs, view(), "a", "b"));
    }
    replicate(record(new Stamp(Long.MAX_VALUE, 1), 0, view(), "a", "b"));
    assertEquals(5, a.rejected(Rejection.MALFORMED));
    assertEquals(0, a.store.size());
    cluster.create("a", TestCluster.once(1_000, 2));
  }

  @Example
  void anAcknowledgementOfAnAbsurdVersionDoesNoHarm() {
    cluster.lose(sent -> true);
    long operation = a.node.create(cluster.nowMs, TestCluster.once(9_000, 2)).operation();
    TimerRecord held = a.store.scan(Cursor.START, 1).timers().get(0).payload();
    Reference known = new Reference(held.id(), new Stamp(Long.MAX_VALUE, 1), 0, false);
    cluster.deliver("b", "a", new Message.Acknowledge(operation, false, List.of(known)));
    cluster.create("a", TestCluster.once(1_000, 2));
    assertEquals(2, a.store.size());
  }

  @Example
  void aPageOfNothingIsMalformedAndAnsweredSo() {
    Message ask = new Message.FetchPage(7, view(), Message.Extent.CHANGES, Cursor.START, 0);
    cluster.deliver("b", "a", ask);
    assertEquals(1, a.rejected(Rejection.MALFORMED));
    assertEquals(
        new Message.Rejected(7, Message.Reason.MALFORMED, view()),
        cluster.sent.get(cluster.sent.size() - 1).message());
  }

  @Example
  void aTimerOfNobodyKnownIsNotKept() {
    replicate(record(new Stamp(1, 1), 0, new ViewStamp(99, 1), "y", "z"));
    assertEquals(0, a.store.size());
  }

  @Example
  void aMessageFromItselfMakesNoNodeSendToItself() {
    TimerRecord record = record(new Stamp(1, 1), 0, view(), "a", "b");
    cluster.deliver("a", "a", new Message.Replicate(9, List.of(record)));
    cluster.deliver("a", "a", new Message.FetchTimers(List.of(42L)));
    cluster.deliver(
        "a", "a", new Message.FetchPage(7, view(), Message.Extent.EVERYTHING, Cursor.START, 9));
    cluster.sent.forEach(sent -> assertFalse(sent.from().equals(sent.to()), sent::toString));
  }

  @Example
  void anyMessageBeforeTheFirstViewDoesNoHarm() {
    for (int kind = 0; kind < RandomMessages.KINDS; kind++) {
      TimerNode young = TimerNode.builder("a").outbox(a).build();
      for (long seed = 0; seed < 20; seed++) {
        young.receive(0, "b", new RandomMessages(seed).next(kind));
      }
      young.tick(0);
    }
  }

  @Example
  void aPageThatLeadsNowhereDoesNotKeepAResyncGoing() {
    cluster.lose(sent -> true);
    cluster.node("a").resync(cluster.nowMs);
    int answered = 0;
    for (int i = 0; i < 2_000 && a.node.statistics().resync() != null; i++) {
      TestCluster.Sent last = lastFetch();
      if (last == null || a.node.statistics().resync().ended()) {
        break;
      }
      Message.FetchPage ask = (Message.FetchPage) last.message();
      int before = cluster.sent.size();
      cluster.deliver(
          last.to(),
          "a",
          new Message.Page(ask.request(), ask.view(), List.of(), List.of(), Cursor.START));
      answered++;
      if (cluster.sent.size() == before) {
        break;
      }
    }
    assertTrue(answered < 100, "still asking after " + answered + " pages that lead nowhere");
  }

  private TestCluster.Sent lastFetch() {
    for (int i = cluster.sent.size() - 1; i >= 0; i--) {
      TestCluster.Sent sent = cluster.sent.get(i);
      if (sent.from().equals("a") && sent.message() instanceof Message.FetchPage) {
        return sent;
      }
    }
    return null;
  }
}
