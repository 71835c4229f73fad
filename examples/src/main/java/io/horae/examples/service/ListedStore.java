package io.horae.examples.service;

import io.horae.placement.ChronosViewId;
import io.horae.placement.Node;
import io.horae.resync.TimerId;
import io.horae.resync.TimerRecord;
import io.horae.resync.TimerStore;
import io.horae.timer.Cursor;
import io.horae.timer.Page;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory whose timers other threads can list: the node's own thread keeps a map beside
 * it, in the order of ids.
 */
final class ListedStore implements TimerStore {

  private final TimerStore store = TimerStore.inMemory();
  private final ConcurrentSkipListMap<Long, TimerRecord> alive =
      new ConcurrentSkipListMap<>(Long::compareUnsigned);

  /** The timers behind an id that have not ended, at most so many. */
  List<TimerRecord> list(long after, int limit) {
    return alive.tailMap(after, false).values().stream().limit(limit).toList();
  }

  /** A client's handle of a timer. */
  static TimerId handle(TimerRecord record) {
    long replicas = 0;
    for (String node : record.assignment().replicas()) {
      replicas |= ChronosViewId.bloom(Node.of(node));
    }
    return new TimerId(record.id(), record.replicationFactor(), replicas);
  }

  @Override
  public @Nullable TimerRecord find(long id) {
    return store.find(id);
  }

  @Override
  public void put(TimerRecord record, long atMs) {
    store.put(record, atMs);
    if (record.ended()) {
      alive.remove(record.id());
    } else {
      alive.put(record.id(), record);
    }
  }

  @Override
  public boolean remove(long id) {
    alive.remove(id);
    return store.remove(id);
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
