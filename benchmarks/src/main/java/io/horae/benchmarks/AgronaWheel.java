package io.horae.benchmarks;

import java.util.concurrent.TimeUnit;
import org.agrona.DeadlineTimerWheel;

/**
 * Agrona's wheel alone, which has ids of its own, keeps no payloads, and reuses an id as soon as
 * its timer is gone. So whose timer it is that fires, it cannot say, and one that is scheduled
 * again when it fires is lost to {@link #cancel}.
 */
final class AgronaWheel extends Wheel {

  private final DeadlineTimerWheel wheel;
  private final DeadlineTimerWheel.TimerHandler handler = this::fire;
  private final long[] timerIds;

  AgronaWheel(int timers, int spokes) {
    wheel = new DeadlineTimerWheel(TimeUnit.MILLISECONDS, START_MS, 1, spokes);
    timerIds = new long[timers];
  }

  @Override
  void schedule(int timer, long deadlineMs) {
    timerIds[timer] = wheel.scheduleTimer(deadlineMs);
  }

  @Override
  boolean cancel(int timer) {
    return wheel.cancelTimer(timerIds[timer]);
  }

  @Override
  int advance(long nowMs) {
    return poll(wheel, nowMs, handler);
  }

  /** A poll looks at a single tick, so one for each tick that has passed and one for this. */
  static int poll(DeadlineTimerWheel wheel, long nowMs, DeadlineTimerWheel.TimerHandler handler) {
    int fired = 0;
    long tick;
    do {
      tick = wheel.currentTickTime();
      fired += wheel.poll(nowMs, handler, Integer.MAX_VALUE);
    } while (wheel.currentTickTime() != tick);
    return fired;
  }

  private boolean fire(TimeUnit unit, long nowMs, long timerId) {
    long next = nextDeadline.getAsLong();
    if (next != NEVER) {
      wheel.scheduleTimer(next);
    }
    return true;
  }

  @Override
  long size() {
    return wheel.timerCount();
  }
}
