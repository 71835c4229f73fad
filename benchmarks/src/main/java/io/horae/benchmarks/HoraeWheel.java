package io.horae.benchmarks;

import io.horae.timer.ExpiryHandler;
import io.horae.timer.TimerWheel;

/** Horae's wheel, with the caller's ids. A timer that is scheduled after a cancel has a new id. */
final class HoraeWheel extends Wheel {

  private static final Object PAYLOAD = new Object();

  private final TimerWheel<Object> wheel = TimerWheel.startingAt(START_MS);
  private final ExpiryHandler<Object> handler = this::fire;
  private final long[] ids;
  private long count;

  HoraeWheel(int timers) {
    ids = new long[timers];
  }

  @Override
  void schedule(int timer, long deadlineMs) {
    long id = id(++count);
    ids[timer] = id;
    wheel.schedule(id, deadlineMs, PAYLOAD);
  }

  @Override
  boolean cancel(int timer) {
    return wheel.cancel(ids[timer]);
  }

  @Override
  int advance(long nowMs) {
    return wheel.advance(nowMs, Integer.MAX_VALUE, handler);
  }

  private boolean fire(long id, long deadlineMs, Object payload) {
    long next = nextDeadline.getAsLong();
    if (next != NEVER) {
      wheel.schedule(id, next, payload);
    }
    return true;
  }

  @Override
  long size() {
    return wheel.size();
  }
}
