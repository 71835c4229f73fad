package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.placement.ClusterView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class TimerNodeBadInputTest {

  private static final TimerSpec SPEC = TestCluster.once(36_000_000, 2);

  private final TestCluster cluster = TestCluster.of("a", "b");
  private final TimerNode node = cluster.node("a");
  private final TimerId timer = cluster.create("a", SPEC);

  private static void assertIllegal(String message, Executable call) {
    assertSays(IllegalArgumentException.class, message, call);
  }

  private static <E extends Exception> void assertSays(
      Class<E> kind, String message, Executable call) {
    String said = String.valueOf(assertThrows(kind, call).getMessage());
    assertTrue(said.contains(message), said);
  }

  @Test
  void builder_badId_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> TimerNode.builder(null));
    assertThrows(IllegalArgumentException.class, () -> TimerNode.builder(" "));
  }

  @Test
  void build_withoutAPart_isRefused() {
    Outbox outbox = cluster.host("a");
    assertIllegal("outbox", () -> TimerNode.builder("a").build());
    assertIllegal("options", () -> TimerNode.builder("a").outbox(outbox).options(null).build());
    assertIllegal("store", () -> TimerNode.builder("a").outbox(outbox).store(null).build());
    assertIllegal("placement", () -> TimerNode.builder("a").outbox(outbox).placement(null).build());
  }

  @Test
  void nulls_areRefused() {
    long nowMs = cluster.nowMs;
    assertIllegal("view must not be null", () -> node.view(nowMs, null));
    assertIllegal("spec must not be null", () -> node.create(nowMs, null));
    assertIllegal("spec must not be null", () -> node.update(nowMs, timer, null));
    assertIllegal("timer must not be null", () -> node.update(nowMs, null, SPEC));
    assertIllegal("timer must not be null", () -> node.delete(nowMs, null));
    assertIllegal("pop must not be null", () -> node.popped(nowMs, null, true));
    assertIllegal("message must not be null", () -> node.receive(nowMs, "b", null));
    Message message = new Message.FetchTimers(List.of());
    assertIllegal("sender must not be null", () -> node.receive(nowMs, null, message));
  }

  @Test
  void anyCall_atAnAbsurdTime_isRefused() {
    for (long nowMs : new long[] {Long.MIN_VALUE, Long.MAX_VALUE, (1L << 61) + 1}) {
      assertIllegal("" + nowMs, () -> node.tick(nowMs));
      assertIllegal("" + nowMs, () -> node.create(nowMs, SPEC));
    }
    node.tick(cluster.nowMs);
  }

  @Test
  void anyCall_atAnEarlierTime_isAtTheLastOne() {
    node.tick(Long.MIN_VALUE / 8);
    node.create(Long.MIN_VALUE / 8, SPEC);
    cluster.runFor(100);
    assertEquals(cluster.nowMs - 100 + 36_000_000, node.nextTickMs());
  }

  @Test
  void clientCalls_beforeTheFirstView_areOutOfOrder() {
    TimerNode young = TimerNode.builder("a").outbox(cluster.host("a")).build();
    Class<IllegalStateException> kind = IllegalStateException.class;
    assertSays(kind, "call view first", () -> young.create(0, SPEC));
    assertSays(kind, "call view first", () -> young.update(0, timer, SPEC));
    assertSays(kind, "call view first", () -> young.delete(0, timer));
    assertSays(kind, "call view first", () -> young.resync(0));
    young.tick(0);
    assertEquals(Long.MAX_VALUE, young.nextTickMs());
    young.view(0, cluster.view);
    young.create(0, SPEC);
  }

  @Test
  void update_toAnotherReplicationFactor_isRefused() {
    TimerSpec three = SPEC.onReplicas(3);
    assertIllegal("cannot be changed to 3", () -> node.update(cluster.nowMs, timer, three));
  }

  @Test
  void create_tooLargeAPayload_isRefused() {
    TimerSpec large = TimerSpec.once(1, new byte[cluster.options.payloadBytesMax() + 1]);
    assertIllegal("at most 65536 bytes: 65537", () -> node.create(cluster.nowMs, large));
  }

  @Test
  void create_beyondTimersMax_isRejectedAndReported() {
    TestCluster small = new TestCluster(TimerNodeOptions.builder().timersMax(2).build(), "a", "b");
    small.create("a", SPEC);
    TimerId last = small.create("a", SPEC);
    assertSays(
        RejectedExecutionException.class,
        "timersMax",
        () -> small.node("a").create(small.nowMs, SPEC));
    assertEquals(2, small.host("a").store.size());
    assertTrue(small.host("a").events.contains(new Event.LimitReached("timersMax", 2)));
    small.node("a").delete(small.nowMs, last);
    assertTrue(small.host("a").record(last).ended());
  }

  @Test
  void view_olderOrConflicting_isRefusedAndReported() {
    cluster.change("a", "b", "c");
    cluster.host("a").events.clear();
    ViewStamp current = ViewStamp.of(cluster.view);
    ClusterView older = ClusterView.of(1, TestCluster.nodes("a"));
    ClusterView other = ClusterView.of(2, TestCluster.nodes("a"));
    node.view(cluster.nowMs, older);
    node.view(cluster.nowMs, other);
    node.view(cluster.nowMs, cluster.view);
    assertEquals(
        List.of(
            new Event.ViewRefused(ViewStamp.of(older), current, false),
            new Event.ViewRefused(ViewStamp.of(other), current, true)),
        cluster.host("a").events);
  }

  @Test
  void anyCall_fromWithinTheOutbox_isRefused() {
    List<Exception> thrown = new ArrayList<>();
    TimerNode[] self = new TimerNode[1];
    Outbox calling =
        new Outbox() {
          @Override
          public void send(String to, Message message) {}

          @Override
          public void pop(Pop pop) {}

          @Override
          public void confirmed(Confirmation confirmation) {
            thrown.add(assertThrows(IllegalStateException.class, () -> self[0].tick(0)));
          }

          @Override
          public void report(Event event) {}
        };
    self[0] = TimerNode.builder("a").outbox(calling).build();
    self[0].view(0, ClusterView.of(1, TestCluster.nodes("a")));
    self[0].create(0, SPEC);
    assertEquals(1, thrown.size());
    self[0].tick(0); // and it is usable
  }

  @Test
  void popped_whatNobodyKnows_changesNothing() {
    Pop stranger = new Pop(new TimerId(99, 2, 0), new Stamp(1, 1), 1, true, 0, new byte[0]);
    Pop wrongNumber =
        new Pop(timer, cluster.host("a").record(timer).stamp(), 7, false, 0, new byte[0]);
    Pop wrongStamp = new Pop(timer, new Stamp(99, 99), 1, false, 0, new byte[0]);
    Statistics before = node.statistics();
    for (Pop pop : List.of(stranger, wrongNumber, wrongStamp)) {
      node.popped(cluster.nowMs, pop, true);
      node.popped(cluster.nowMs, pop, false);
    }
    assertEquals(before, node.statistics());
  }
}
