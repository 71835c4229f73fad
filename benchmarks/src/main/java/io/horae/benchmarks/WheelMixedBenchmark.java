package io.horae.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What does an operation cost if half of the timers fire and half are cancelled, with so many
 * outstanding?
 *
 * <p>As in {@link WheelExpireBenchmark}, but for every timer that fires, another is cancelled and
 * replaced, as in {@link WheelScheduleCancelBenchmark}; each of the two is an operation.
 *
 * <p>Agrona's wheel alone is missing, as with it a timer that was scheduled anew when it fired
 * cannot be cancelled; and the JDK's executor, as it fires by the clock.
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="WheelMixedBenchmark -prof gc"
 * mvn -q compile -Pbenchmarks -Dexec.args="WheelMixedBenchmark -prof gc"
 * </pre>
 */
public class WheelMixedBenchmark extends WheelBenchmark {

  private static final int FIRED_PER_INVOCATION = 1_000;

  @Param({
    "horae",
    "horae-handles",
    "agronaWithIds-4096",
    "agronaWithIds-524288",
    "netty-524288",
    "kafka-20",
    "kafka-256"
  })
  private String name;

  private int fired;

  @Setup
  public void setUp() {
    create(name);
    fill();
    wheel.nextDeadline = this::deadlineInAnHourOrSo;
  }

  @Benchmark
  @OperationsPerInvocation(2 * FIRED_PER_INVOCATION)
  public void fireOneReplaceOne() {
    while (fired < FIRED_PER_INVOCATION) {
      int now = step();
      for (int i = 0; i < now; i++) {
        replaceOne(deadlineInAnHourOrSo());
      }
      fired += now;
    }
    fired -= FIRED_PER_INVOCATION;
  }

  @TearDown
  public void tearDown() {
    close(timers);
  }
}
