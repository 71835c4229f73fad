package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.resync.TestCluster.Host;
import io.horae.resync.TestCluster.OutboxException;
import io.horae.timer.Cursor;
import io.horae.timer.Page;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a store or an outbox throws passes on; the node stays usable and nothing is lost. */
class TimerNodeExceptionsTest {

  private static final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** A store that can be told to fail. */
  private static final class FailingStore implements TimerStore {
    private final TimerStore store = TimerStore.inMemory();
    private boolean failing;

    private TimerStore store() {
      if (failing) {
        throw new StoreException();
      }
      return store;
    }

    @Override
    public TimerRecord find(long id) {
      return store.find(id);
    }

    @Override
    public void put(TimerRecord record, long atMs) {
      store().put(record, atMs);
    }

    @Override
    public boolean remove(long id) {
      return store().remove(id);
    }

    @Override
    public int size() {
      return store.size();
    }

    @Override
    public int due(long nowMs, int limit, Consumer<TimerRecord> handler) {
      return store.due(nowMs, limit, handler);
    }

    @Override
    public long nextDueMs() {
      return store.nextDueMs();
    }

    @Override
    public Page<TimerRecord> scan(Cursor from, int limit) {
      return store.scan(from, limit);
    }
  }

  private final TestCluster cluster = TestCluster.of("a", "b");
  private final FailingStore store = new FailingStore();
  private final Host a = cluster.start("a", store);

  @Test
  void create_storeThrows_nothingIsKeptOrSent() {
    int sent = cluster.sent.size();
    store.failing = true;
    TimerSpec spec = TestCluster.once(36_000_000, 2);
    assertThrows(StoreException.class, () -> a.node.create(cluster.nowMs, spec));
    store.failing = false;
    assertEquals(sent, cluster.sent.size());
    assertEquals(0, a.node.statistics().timersByLevel().get(0));
    assertEquals(0, a.node.statistics().operations());
    TimerId timer = cluster.create("a", spec);
    assertTrue(a.holdsLive(timer) && cluster.host("b").holdsLive(timer));
  }

  @Test
  void receive_storeThrows_isNotAcknowledgedAndComesAgain() {
    store.failing = true;
    TimerSpec spec = TestCluster.once(36_000_000, 2);
    cluster.node("b").create(cluster.nowMs, spec);
    assertThrows(StoreException.class, cluster::settle);
    store.failing = false;
    cluster.runFor(10_000);
    assertEquals(1, a.node.statistics().timersByLevel().get(0));
    assertEquals(2, cluster.host("b").lastConfirmation().confirmed());
  }

  @Test
  void tick_storeThrows_theTimerPopsLater() {
    cluster.stop("b");
    cluster.create("a", TestCluster.once(1_000, 2));
    store.failing = true;
    cluster.nowMs += 1_000;
    assertThrows(StoreException.class, () -> a.node.tick(cluster.nowMs));
    store.failing = false;
    cluster.runFor(60_000);
    assertEquals(1, a.pops.stream().distinct().count());
    assertEquals(0, a.node.statistics().popsInFlight());
    assertEquals(1, a.node.statistics().tombstones());
  }

  @Test
  void popped_storeThrows_theOutcomeCanBeSaidAgain() {
    a.outcome = null;
    TimerId timer = cluster.create("a", TestCluster.once(1_000, 2));
    cluster.nowMs += 1_000;
    a.node.tick(cluster.nowMs);
    store.failing = true;
    Pop pop = a.pops.get(0);
    assertThrows(StoreException.class, () -> a.node.popped(cluster.nowMs, pop, true));
    store.failing = false;
    a.node.popped(cluster.nowMs, pop, true);
    cluster.settle();
    assertTrue(a.record(timer).ended() && cluster.host("b").record(timer).ended());
    assertEquals(0, a.node.statistics().popsInFlight());
  }

  @Test
  void tick_outboxThrowsOnPop_thePopComesAgainAndOthersAreNotHeldUp() {
    cluster.stop("b");
    TimerId first = cluster.create("a", TestCluster.once(1_000, 2));
    TimerId second = cluster.create("a", TestCluster.once(1_001, 2));
    a.throwingPops = true;
    cluster.nowMs += 1_000;
    assertThrows(OutboxException.class, () -> a.node.tick(cluster.nowMs));
    a.throwingPops = false;
    cluster.runFor(1);
    assertTrue(a.record(second).ended());
    cluster.runFor(60_000);
    assertTrue(a.record(first).ended());
    assertEquals(0, a.node.statistics().popsInFlight());
  }

  @Test
  void popped_outboxThrows_theOthersAreToldInTheEnd() {
    a.outcome = null;
    TimerId timer = cluster.create("a", TestCluster.every(1_000_000, 2));
    cluster.stop("b");
    cluster.runFor(1_000_000);
    cluster.nowMs += 0;
    a.throwing = true;
    Pop pop = a.pops.get(0);
    assertThrows(OutboxException.class, () -> a.node.popped(cluster.nowMs, pop, true));
    a.throwing = false;
    assertEquals(1, a.record(timer).sequence());
    long before = cluster.sent.size();
    cluster.runFor(10_000);
    assertTrue(cluster.sent.size() > before);
  }

  @Test
  void resync_outboxThrows_goesOnWhenItWorksAgain() {
    TimerId timer = cluster.create("b", TestCluster.once(36_000_000, 2));
    Host again = cluster.start("a");
    again.throwing = true;
    assertThrows(OutboxException.class, () -> again.node.resync(cluster.nowMs));
    again.throwing = false;
    cluster.runFor(60_000);
    assertTrue(again.holdsLive(timer));
    assertTrue(again.node.statistics().resync().ended());
  }
}
