package io.horae.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What does it cost to catch up, in one go, after so many hours in which nobody told the wheel the
 * time?
 *
 * <p>An invocation schedules the timers, spread evenly over the gap in no order, and then advances
 * once to its end. The result is for all timers together: it should follow the number of timers,
 * and not that of the ticks, of which an hour has 3,600,000.
 *
 * <p>Wheels that look at every tick are not asked for a year, which would take them an hour. The
 * JDK's executor is missing, as it fires by the clock.
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="WheelCatchUpBenchmark -prof gc"
 * mvn -q compile -Pbenchmarks -Dexec.args="WheelCatchUpBenchmark -prof gc"
 * mvn -q compile -Pbenchmarks -Dexec.args="WheelCatchUpBenchmark -p name=horae -p hours=8760"
 * </pre>
 */
public class WheelCatchUpBenchmark extends WheelBenchmark {

  /** Has no factor in common with any of the numbers of timers. */
  private static final long STRIDE = 7_919;

  @Param({"horae", "agrona-524288", "agronaWithIds-524288", "netty-524288", "kafka-256"})
  private String name;

  @Param({"1", "24"})
  private int hours;

  @Setup
  public void setUp() {
    create(name);
  }

  @Benchmark
  public void scheduleAndCatchUp() {
    long gapMs = hours * Wheel.HOUR_MS;
    long apartMs = gapMs / timers;
    for (int timer = 0; timer < timers; timer++) {
      wheel.schedule(timer, nowMs + timer * STRIDE % timers * apartMs + apartMs / 2);
    }
    nowMs += gapMs;
    Wheel.expect(wheel.advance(nowMs) == timers, "not all fired");
  }

  @TearDown
  public void tearDown() {
    close(0);
  }
}
