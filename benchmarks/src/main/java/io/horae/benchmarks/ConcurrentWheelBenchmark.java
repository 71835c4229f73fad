package io.horae.benchmarks;

import io.horae.timer.ConcurrentTimerWheel;
import io.horae.timer.TimerDriver;
import io.horae.timer.TimerWheel;
import io.netty.util.HashedWheelTimer;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost a thread to schedule a task and cancel it, as nearly every request timeout is,
 * while others do the same and many more timers are outstanding?
 *
 * <p>Each has its own thread to drive it, which competes for the processor: the whole job is in the
 * result, the callers' part and the driver's. Times are up to an hour ahead, at a tick of a
 * millisecond.
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="ConcurrentWheelBenchmark -t 2 -prof gc"
 * mvn -q compile -Pbenchmarks -Dexec.args="ConcurrentWheelBenchmark -t 2 -prof gc"
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ConcurrentWheelBenchmark {

  private static final int HOUR_MS = 3_600_000;
  private static final int MINUTE_MS = 60_000;

  @Param({"1000", "100000", "1000000"})
  private int timers;

  @Param({"horae", "netty", "executor"})
  private String wheel;

  private ScheduleAndCancel subject;

  /** One of the peers. */
  private interface ScheduleAndCancel {
    /** Schedules a timer that stays, this many milliseconds ahead. */
    void schedule(int aheadMs);

    boolean scheduleAndCancel(int aheadMs);

    void stop();
  }

  @Setup(Level.Trial)
  public void setUp() {
    subject =
        switch (wheel) {
          case "horae" -> new Horae();
          case "netty" -> new Netty();
          default -> new Executor();
        };
    for (int i = 0; i < timers; i++) {
      // None of them fires while the benchmark runs.
      subject.schedule(ThreadLocalRandom.current().nextInt(10 * MINUTE_MS, HOUR_MS));
    }
  }

  @TearDown(Level.Trial)
  public void tearDown() {
    subject.stop();
  }

  @Benchmark
  public boolean scheduleAndCancel() {
    int aheadMs = ThreadLocalRandom.current().nextInt(10 * MINUTE_MS, HOUR_MS);
    if (!subject.scheduleAndCancel(aheadMs)) {
      throw new AssertionError("not cancelled, though it was not due for long");
    }
    return true;
  }

  private static void nothing() {}

  private static final class Horae implements ScheduleAndCancel {
    private final ConcurrentTimerWheel wheel =
        new ConcurrentTimerWheel(
            TimerWheel.builder().start(now()), Runnable::run, Integer.MAX_VALUE);

    Horae() {
      Thread driver = new Thread(new TimerDriver(wheel, Horae::now, TimeUnit.MILLISECONDS));
      driver.setDaemon(true);
      driver.start();
    }

    private static long now() {
      return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    @Override
    public void schedule(int aheadMs) {
      wheel.schedule(now() + aheadMs, ConcurrentWheelBenchmark::nothing);
    }

    @Override
    public boolean scheduleAndCancel(int aheadMs) {
      return wheel.schedule(now() + aheadMs, ConcurrentWheelBenchmark::nothing).cancel();
    }

    @Override
    public void stop() {
      wheel.shutdown();
    }
  }

  private static final class Netty implements ScheduleAndCancel {
    private final HashedWheelTimer wheel = new HashedWheelTimer(1, TimeUnit.MILLISECONDS, 4_096);

    @Override
    public void schedule(int aheadMs) {
      wheel.newTimeout(timeout -> {}, aheadMs, TimeUnit.MILLISECONDS);
    }

    @Override
    public boolean scheduleAndCancel(int aheadMs) {
      return wheel.newTimeout(timeout -> {}, aheadMs, TimeUnit.MILLISECONDS).cancel();
    }

    @Override
    public void stop() {
      wheel.stop();
    }
  }

  private static final class Executor implements ScheduleAndCancel {
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);

    Executor() {
      executor.setRemoveOnCancelPolicy(true);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for these
    public void schedule(int aheadMs) {
      executor.schedule(ConcurrentWheelBenchmark::nothing, aheadMs, TimeUnit.MILLISECONDS);
    }

    @Override
    public boolean scheduleAndCancel(int aheadMs) {
      return executor
          .schedule(ConcurrentWheelBenchmark::nothing, aheadMs, TimeUnit.MILLISECONDS)
          .cancel(false);
    }

    @Override
    public void stop() {
      executor.shutdownNow();
    }
  }
}
