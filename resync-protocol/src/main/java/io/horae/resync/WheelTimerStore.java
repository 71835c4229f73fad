package io.horae.resync;

import io.horae.timer.Cursor;
import io.horae.timer.Page;
import io.horae.timer.TimerWheel;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Timers in memory, on a timer wheel. */
final class WheelTimerStore implements TimerStore {

  private final TimerWheel<TimerRecord> wheel = TimerWheel.startingAt(Long.MIN_VALUE);

  @Override
  public @Nullable TimerRecord find(long id) {
    return wheel.payload(id);
  }

  @Override
  public void put(TimerRecord record, long atMs) {
    wheel.schedule(record.id(), atMs, record);
  }

  @Override
  public boolean remove(long id) {
    return wheel.cancel(id);
  }

  @Override
  public int size() {
    return wheel.size();
  }

  @Override
  public int due(long nowMs, int limit, Consumer<TimerRecord> handler) {
    return wheel.advance(
        nowMs,
        limit,
        (id, atMs, record) -> {
          handler.accept(record);
          TimerRecord left = wheel.payload(id);
          if (left != null && wheel.deadline(id) == atMs) {
            wheel.schedule(id, atMs, left); // late now, so for the next time
          }
          return true;
        });
  }

  @Override
  public long nextDueMs() {
    return wheel.nextDeadline();
  }

  @Override
  public Page<TimerRecord> scan(Cursor from, int limit) {
    return wheel.scan(from, limit);
  }
}
