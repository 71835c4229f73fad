package io.horae.timer;

/**
 * Drives a {@link ConcurrentTimerWheel} through time that passes only when a test says so. Every
 * timer is handed over at the very time it is due, in order, and so are those that tasks schedule
 * meanwhile, if the executor runs tasks at once:
 *
 * <pre>{@code
 * ConcurrentTimerWheel wheel = new ConcurrentTimerWheel(TimerWheel.builder(), Runnable::run, 100);
 * VirtualTimeDriver time = new VirtualTimeDriver(wheel, 0);
 * wheel.schedule(2_000, () -> log.add("at " + time.now()));
 * time.advanceBy(3_000);   // the log says: at 2000
 * }</pre>
 *
 * <p>Not safe for use by several threads.
 */
public final class VirtualTimeDriver {

  private final ConcurrentTimerWheel wheel;
  private long now;

  /**
   * A driver.
   *
   * @param wheel what it drives
   * @param start the time to start at
   * @throws IllegalArgumentException if the wheel is null
   */
  public VirtualTimeDriver(ConcurrentTimerWheel wheel, long start) {
    if (wheel == null) {
      throw new IllegalArgumentException("wheel must not be null");
    }
    this.wheel = wheel;
    now = start;
  }

  /**
   * The time: while a task runs, that at which it was due.
   *
   * @return the time
   */
  public long now() {
    return now;
  }

  /**
   * Lets time pass.
   *
   * @param duration how much, not negative
   * @return how many tasks were handed over
   * @throws IllegalArgumentException if the duration is negative, or leads beyond the end of time
   */
  public int advanceBy(long duration) {
    if (duration < 0) {
      throw new IllegalArgumentException("duration must not be negative: " + duration);
    }
    if (now + duration < now) {
      throw new IllegalArgumentException(
          "duration must not lead beyond " + Long.MAX_VALUE + " from " + now + ": " + duration);
    }
    return advanceTo(now + duration);
  }

  /**
   * Lets time pass.
   *
   * @param time until when, not before {@link #now()}
   * @return how many tasks were handed over
   * @throws IllegalArgumentException if the time has passed
   */
  public int advanceTo(long time) {
    if (time < now) {
      throw new IllegalArgumentException("time must not be before " + now + ": " + time);
    }
    int fired = 0;
    while (true) {
      long next = wheel.nextAdvance();
      if (wheel.size() == 0 || next > time) {
        now = time;
        return fired + wheel.advance(time, Integer.MAX_VALUE);
      }
      now = Math.max(now, next);
      fired += wheel.advance(now, Integer.MAX_VALUE);
    }
  }
}
