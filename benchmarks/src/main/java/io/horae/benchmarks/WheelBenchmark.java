package io.horae.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the questions to the timer wheels have in common. For ten million timers, {@code -p}. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {"-Xms4g", "-Xmx4g"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public abstract class WheelBenchmark {

  @Param({"1000", "100000", "1000000"})
  int timers;

  Wheel wheel;
  long nowMs = Wheel.START_MS;

  private long random = 0x2545f4914f6cdd1dL;

  final void create(String name) {
    wheel = Wheel.named(name, timers);
  }

  /** Spreads the deadlines of all timers over the next hour. */
  final void fill() {
    for (int timer = 0; timer < timers; timer++) {
      wheel.schedule(timer, deadlineWithinTheHour());
    }
  }

  final long deadlineWithinTheHour() {
    return nowMs + 1 + below((int) Wheel.HOUR_MS);
  }

  /** A deadline 30 to 90 minutes ahead, so that on average every timer fires once an hour. */
  final long deadlineInAnHourOrSo() {
    return nowMs + Wheel.HOUR_MS / 2 + below((int) Wheel.HOUR_MS);
  }

  /** Steps on to where, on average, the next timer is due; returns how many have fired. */
  final int step() {
    nowMs += Math.max(1, Wheel.HOUR_MS / timers);
    return wheel.advance(nowMs);
  }

  /** Cancels a timer, any of them, and schedules another. */
  final void replaceOne(long deadlineMs) {
    int timer = below(timers);
    Wheel.expect(wheel.cancel(timer), "cannot cancel");
    wheel.schedule(timer, deadlineMs);
  }

  /** A random number (Marsaglia's xorshift), for less than a library's takes. */
  private int below(int bound) {
    random ^= random << 13;
    random ^= random >>> 7;
    random ^= random << 17;
    return (int) (((random >>> 32) * bound) >>> 32);
  }

  final void close(int outstanding) {
    Wheel.expect(wheel.size() == outstanding, "outstanding: " + wheel.size());
    wheel.close();
  }
}
