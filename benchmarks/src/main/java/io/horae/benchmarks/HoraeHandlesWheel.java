package io.horae.benchmarks;

import io.horae.timer.ExpiryHandler;
import io.horae.timer.HandleTimerWheel;
import io.horae.timer.TimerWheel;

/** Horae's wheel with handles, which the caller keeps. */
final class HoraeHandlesWheel extends Wheel {

  private static final Object PAYLOAD = new Object();

  private final HandleTimerWheel<Object> wheel =
      TimerWheel.builder().start(START_MS).buildWithHandles();
  private final ExpiryHandler<Object> handler = this::fire;
  private final long[] handles;

  HoraeHandlesWheel(int timers) {
    handles = new long[timers];
  }

  @Override
  void schedule(int timer, long deadlineMs) {
    handles[timer] = wheel.schedule(deadlineMs, PAYLOAD);
  }

  @Override
  boolean cancel(int timer) {
    return wheel.cancel(handles[timer]);
  }

  @Override
  int advance(long nowMs) {
    return wheel.advance(nowMs, Integer.MAX_VALUE, handler);
  }

  private boolean fire(long handle, long deadlineMs, Object payload) {
    long next = nextDeadline.getAsLong();
    if (next != NEVER) {
      wheel.reschedule(handle, next);
    }
    return true;
  }

  @Override
  long size() {
    return wheel.size();
  }
}
