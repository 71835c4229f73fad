package io.horae.testkit;

import io.horae.resync.TimerRecord;
import io.horae.resync.TimerStore;
import io.horae.timer.Cursor;
import io.horae.timer.Page;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A store that the judges can look into, and of which they know what its node has let go. */
final class WatchedTimers implements TimerStore {

  private final TimerStore store;
  private final LongSupplier trueMs;
  private final Map<Long, Long> letGoMs = new HashMap<>();

  WatchedTimers(TimerStore store, LongSupplier trueMs) {
    this.store = store;
    this.trueMs = trueMs;
  }

  /** Whether a timer that was there at a time has been there ever since. */
  boolean hasKept(long id, long sinceMs) {
    return letGoMs.getOrDefault(id, -1L) < sinceMs;
  }

  @Override
  public @Nullable TimerRecord find(long id) {
    return store.find(id);
  }

  @Override
  public void put(TimerRecord record, long atMs) {
    store.put(record, atMs);
  }

  @Override
  public boolean remove(long id) {
    letGoMs.put(id, trueMs.getAsLong());
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
