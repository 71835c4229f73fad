package io.horae.metrics;

import io.horae.timer.ConcurrentTimerWheel;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A {@link ConcurrentTimerWheel} as meters.
 *
 * <table>
 *   <caption>The meters</caption>
 *   <tr><th>name</th><th>kind</th><th>what it says</th></tr>
 *   <tr><td>{@code horae.wheel.timers}</td><td>gauge</td><td>timers outstanding</td></tr>
 *   <tr><td>{@code horae.wheel.lag}</td><td>time</td>
 *     <td>for how long the next timer has been due: more than a moment means that the driver, or
 *     an executor that runs tasks in its thread, does not keep up; 0 if none is due</td></tr>
 * </table>
 *
 * <p>Reading the lag takes the wheel's lock for a moment, as its driver does.
 */
public final class TimerWheelMetrics implements MeterBinder {

  private final ConcurrentTimerWheel wheel;
  private final LongSupplier clock;
  private final TimeUnit unit;
  private final Iterable<Tag> tags;

  /**
   * Meters of a wheel. The registry holds the wheel until the meters are removed.
   *
   * @param wheel the wheel
   * @param clock the clock that it is driven by
   * @param unit the unit of that clock
   * @param tags what tells this wheel's meters from others
   * @throws IllegalArgumentException if anything is null
   */
  public TimerWheelMetrics(
      ConcurrentTimerWheel wheel, LongSupplier clock, TimeUnit unit, Iterable<Tag> tags) {
    this.wheel = Meters.present(wheel, "wheel");
    this.clock = Meters.present(clock, "clock");
    this.unit = Meters.present(unit, "unit");
    this.tags = Meters.present(tags, "tags");
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    new Meters<>(registry, tags, () -> wheel)
        .gauge("horae.wheel.timers", "timers outstanding", ConcurrentTimerWheel::size);
    TimeGauge.builder("horae.wheel.lag", this::lag, unit)
        .description("for how long the next timer has been due")
        .tags(tags)
        .register(registry);
  }

  private long lag() {
    long now = clock.getAsLong();
    long next = wheel.nextAdvance();
    long lag = now - next;
    // The difference of two times can exceed the range of long.
    return next >= now ? 0 : lag < 0 ? Long.MAX_VALUE : lag;
  }
}
