package io.horae.benchmarks;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The JDK's executor, which removes what is cancelled at once. It fires by the clock alone, so it
 * cannot be made to advance; all deadlines are put off by a day for none to fire meanwhile.
 */
final class ExecutorWheel extends Wheel {

  private static final long DAY_MS = 24 * HOUR_MS;

  private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);
  private final Future<?>[] futures;

  ExecutorWheel(int timers) {
    executor.setRemoveOnCancelPolicy(true);
    futures = new Future<?>[timers];
  }

  @Override
  void schedule(int timer, long deadlineMs) {
    long delayMs = deadlineMs - START_MS + DAY_MS;
    futures[timer] = executor.schedule(ExecutorWheel::fire, delayMs, TimeUnit.MILLISECONDS);
  }

  private static void fire() {}

  @Override
  boolean cancel(int timer) {
    return futures[timer].cancel(false);
  }

  @Override
  int advance(long nowMs) {
    throw new UnsupportedOperationException("fires by the clock");
  }

  @Override
  boolean canAdvance() {
    return false;
  }

  @Override
  long size() {
    return executor.getQueue().size();
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // nothing is to come of it
  Object handle(int timer) {
    return futures[timer];
  }

  @Override
  void close() {
    executor.shutdownNow();
  }
}
