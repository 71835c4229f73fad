package io.horae.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What does it cost to fire a timer and schedule it anew, with so many outstanding?
 *
 * <p>Time goes on in steps in which one timer is due on average, a millisecond at least, and what
 * fires is due again in 30 to 90 minutes. An operation is a timer that fires: an invocation goes on
 * until a thousand have, and counts those in excess for the next. So where a wheel looks at every
 * tick, its operation has all the ticks from a timer to the next in it, 3,600 of them with a
 * thousand timers.
 *
 * <p>{@code agrona} does not know whose timer has fired; {@code agronaWithIds} and the others do.
 * Netty has many spokes only: at every tick it visits all timers on a spoke, whether they are due
 * or hours ahead. The JDK's executor is missing, as it fires by the clock.
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="WheelExpireBenchmark -prof gc"
 * mvn -q compile -Pbenchmarks -Dexec.args="WheelExpireBenchmark -prof gc"
 * </pre>
 */
public class WheelExpireBenchmark extends WheelBenchmark {

  private static final int FIRED_PER_INVOCATION = 1_000;

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

  private int fired;

  @Setup
  public void setUp() {
    create(name);
    fill();
    wheel.nextDeadline = this::deadlineInAnHourOrSo;
  }

  @Benchmark
  @OperationsPerInvocation(FIRED_PER_INVOCATION)
  public void fireAndSchedule() {
    while (fired < FIRED_PER_INVOCATION) {
      fired += step();
    }
    fired -= FIRED_PER_INVOCATION;
  }

  @TearDown
  public void tearDown() {
    close(timers);
  }
}
