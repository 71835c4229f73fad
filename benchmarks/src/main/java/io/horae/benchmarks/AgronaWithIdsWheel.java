package io.horae.benchmarks;

import java.util.concurrent.TimeUnit;
import org.agrona.DeadlineTimerWheel;
import org.agrona.collections.Long2LongHashMap;

/**
 * Agrona's wheel and what it takes to use it with the caller's ids: Agrona's maps, from the
 * caller's id to Agrona's, to cancel by, and back, to know what has fired. Still without payloads.
 */
final class AgronaWithIdsWheel extends Wheel {

  private final DeadlineTimerWheel wheel;
  private final DeadlineTimerWheel.TimerHandler handler = this::fire;
  private final Long2LongHashMap timerIdsById = new Long2LongHashMap(-1);
  private final Long2LongHashMap idsByTimerId = new Long2LongHashMap(-1);
  private final long[] ids;
  private long count;

  AgronaWithIdsWheel(int timers, int spokes) {
    wheel = new DeadlineTimerWheel(TimeUnit.MILLISECONDS, START_MS, 1, spokes);
    ids = new long[timers];
  }

  @Override
  void schedule(int timer, long deadlineMs) {
    long id = id(++count);
    ids[timer] = id;
    schedule(id, deadlineMs);
  }

  private void schedule(long id, long deadlineMs) {
    long timerId = wheel.scheduleTimer(deadlineMs);
    timerIdsById.put(id, timerId);
    idsByTimerId.put(timerId, id);
  }

  @Override
  boolean cancel(int timer) {
    long timerId = timerIdsById.remove(ids[timer]);
    if (timerId == timerIdsById.missingValue()) {
      return false;
    }
    idsByTimerId.remove(timerId);
    return wheel.cancelTimer(timerId);
  }

  @Override
  int advance(long nowMs) {
    return AgronaWheel.poll(wheel, nowMs, handler);
  }

  private boolean fire(TimeUnit unit, long nowMs, long timerId) {
    long id = idsByTimerId.remove(timerId);
    long next = nextDeadline.getAsLong();
    if (next != NEVER) {
      schedule(id, next);
    } else {
      timerIdsById.remove(id);
    }
    return true;
  }

  @Override
  long size() {
    return timerIdsById.size();
  }
}
