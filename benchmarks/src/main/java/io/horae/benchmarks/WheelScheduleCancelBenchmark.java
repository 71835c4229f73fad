package io.horae.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What does it cost to cancel a timer and schedule another, with so many outstanding?
 *
 * <p>Horae and {@code agronaWithIds} find the timer by the caller's id. The others cannot: for them
 * the benchmark keeps what they handed out when the timer was scheduled, which spares them the
 * search.
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="WheelScheduleCancelBenchmark -prof gc"
 * mvn -q compile -Pbenchmarks -Dexec.args="WheelScheduleCancelBenchmark -prof gc"
 * </pre>
 */
public class WheelScheduleCancelBenchmark extends WheelBenchmark {

  @Param({
    "horae",
    "horae-handles",
    "agrona-4096",
    "agrona-524288",
    "agronaWithIds-4096",
    "agronaWithIds-524288",
    "netty-4096",
    "netty-524288",
    "kafka-20",
    "kafka-256",
    "executor"
  })
  private String name;

  @Setup
  public void setUp() {
    create(name);
    fill();
  }

  @Benchmark
  public void cancelAndSchedule() {
    replaceOne(deadlineWithinTheHour());
  }

  @TearDown
  public void tearDown() {
    close(timers);
  }
}
