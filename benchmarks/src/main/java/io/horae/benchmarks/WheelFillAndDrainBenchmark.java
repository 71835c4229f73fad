package io.horae.benchmarks;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What does a timer cost that fires once, when so many are scheduled over an hour and none is added
 * until the last has fired?
 *
 * <p>Time goes on as in {@link WheelExpireBenchmark}. The result itself is for all timers together;
 * the one called {@code timer} is for each.
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="WheelFillAndDrainBenchmark -prof gc"
 * mvn -q compile -Pbenchmarks -Dexec.args="WheelFillAndDrainBenchmark -prof gc"
 * </pre>
 */
public class WheelFillAndDrainBenchmark extends WheelBenchmark {

  @Param({
    "horae",
    "horae-handles",
    "agrona-4096",
    "agrona-524288",
    "agronaWithIds-4096",
    "agronaWithIds-524288",
    "netty-524288",
    "kafka-20",
    "kafka-256"
  })
  private String name;

  /** Counts the timers of an iteration. */
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  @State(Scope.Thread)
  public static class Fired {
    public long timer;
  }

  @Setup
  public void setUp() {
    create(name);
  }

  @Benchmark
  public void fillAndDrain(Fired fired) {
    fill();
    for (int left = timers; left > 0; ) {
      left -= step();
    }
    fired.timer += timers;
  }

  @TearDown
  public void tearDown() {
    close(0);
  }
}
