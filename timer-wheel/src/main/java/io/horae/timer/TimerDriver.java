package io.horae.timer;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Drives a {@link ConcurrentTimerWheel} in a thread of the host's: it sleeps until the next timer
 * is due, not from tick to tick, and wakes when one is scheduled before that.
 *
 * <pre>{@code
 * TimerDriver driver = new TimerDriver(wheel, System::currentTimeMillis, TimeUnit.MILLISECONDS);
 * Thread thread = new Thread(driver, "timers");
 * thread.start();
 * ...
 * List<Timeout> pending = wheel.shutdown();   // ends the thread too
 * }</pre>
 *
 * <p>An exception of the executor's passes on to the thread; nothing is lost if the driver is run
 * again.
 */
public final class TimerDriver implements Runnable {

  /** Tasks handed over between two looks at the clock. */
  private static final int BATCH_MAX = 1_024;

  private final ConcurrentTimerWheel wheel;
  private final LongSupplier clock;
  private final TimeUnit unit;

  /**
   * A driver.
   *
   * @param wheel what it drives
   * @param clock tells the time that the wheel's deadlines are given in; it must not run backwards
   * @param unit the unit of that time
   * @throws IllegalArgumentException if anything is null
   */
  public TimerDriver(ConcurrentTimerWheel wheel, LongSupplier clock, TimeUnit unit) {
    if (wheel == null || clock == null || unit == null) {
      throw new IllegalArgumentException(
          (wheel == null ? "wheel" : clock == null ? "clock" : "unit") + " must not be null");
    }
    this.wheel = wheel;
    this.clock = clock;
    this.unit = unit;
  }

  /** Drives the wheel until it is shut down or the thread is interrupted. */
  @Override
  public void run() {
    while (!wheel.isShutdown() && !Thread.currentThread().isInterrupted()) {
      if (wheel.advance(clock.getAsLong(), BATCH_MAX) < BATCH_MAX) {
        long next = wheel.nextAdvance();
        long now = clock.getAsLong();
        if (next > now) {
          // The difference can exceed the range of long; it is then the longest sleep there is.
          long units = next - now < 0 ? Long.MAX_VALUE : next - now;
          wheel.sleepUntil(next, unit.toNanos(units));
        }
      }
    }
  }
}
