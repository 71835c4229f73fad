package io.horae.benchmarks;

import io.horae.timer.ConcurrentTimerWheel;
import io.horae.timer.TimerDriver;
import io.horae.timer.TimerWheel;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.TimerTask;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * What does a timer cost where many threads have timers of one wheel? Three answers, while many
 * more timers are outstanding:
 *
 * <ul>
 *   <li>{@code scheduleAndCancel}: a thread schedules a task and cancels it at once, as a request
 *       that is answered at once does with its timeout;
 *   <li>{@code replace}: it cancels one of the many that are outstanding, any of them, and
 *       schedules another in its place, as a request does that is answered later;
 *   <li>{@code scheduleAndExpire}: it schedules tasks due within milliseconds and waits until they
 *       have run.
 * </ul>
 *
 * <p>Each wheel has its own thread to drive it, which competes for the processor: the whole job is
 * in the result, the callers' part and the driver's. What a wheel puts off must not grow, or it
 * would be left out: Netty's driver unlinks what was cancelled, and {@code pendingTimeouts} tells
 * how much it has yet to do; a caller that finds more than {@link #BACKLOG_MAX} of it lets the
 * driver work until it is less. Horae's callers wake the driver for a thousand timers, and do what
 * is put off themselves if it is more than eight thousand; the JDK's executor puts nothing off.
 * Tasks run in the driver's thread.
 *
 * <p>Times are up to an hour ahead, at a tick of a millisecond; Netty's wheel has 4,096 spokes.
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

  /** So many cancelled timers may wait for the driver. */
  private static final int BACKLOG_MAX = 100_000;

  /** A thread looks at the backlog whenever it has done so many operations. */
  private static final int LOOK_EVERY = 1_024;

  /** So many tasks expire in one go, within so many milliseconds. */
  private static final int TASKS = 200_000;

  private static final int WITHIN_MS = 5;

  @Param({"1000", "100000", "1000000"})
  private int timers;

  @Param({"horae", "netty", "executor"})
  private String wheel;

  private Subject subject;
  private Object[] outstanding;
  private final AtomicInteger threads = new AtomicInteger();

  /** One of the peers. */
  private interface Subject {
    Object schedule(int aheadMs, Task task);

    boolean cancel(Object timer);

    /** How many cancelled timers it has yet to let go of. */
    long backlog(int outstanding);

    void stop();
  }

  /** Counts down how often it has yet to run. */
  private static final class Task implements Runnable, TimerTask {
    private final AtomicInteger left = new AtomicInteger();
    private final Semaphore done = new Semaphore(0);

    @Override
    public void run() {
      if (left.decrementAndGet() == 0) {
        done.release();
      }
    }

    @Override
    public void run(Timeout timeout) {
      run();
    }
  }

  /** What one thread has: every so many-th timer of those outstanding. */
  @State(Scope.Thread)
  public static class Caller {
    private final Task task = new Task();
    private int number;
    private int stride;
    private int operations;

    @Setup(Level.Trial)
    public void setUp(ConcurrentWheelBenchmark benchmark, BenchmarkParams params) {
      number = benchmark.threads.getAndIncrement();
      stride = params.getThreads();
    }

    /** The index of a timer that is this thread's, at random. */
    int any(int timers) {
      return ThreadLocalRandom.current().nextInt(timers / stride) * stride + number;
    }
  }

  @Setup(Level.Trial)
  public void setUp() {
    subject =
        switch (wheel) {
          case "horae" -> new Horae();
          case "netty" -> new Netty();
          default -> new JdkExecutor();
        };
    Task never = new Task();
    outstanding = new Object[timers];
    for (int i = 0; i < timers; i++) {
      outstanding[i] = subject.schedule(laterMs(), never);
    }
  }

  @TearDown(Level.Trial)
  public void tearDown() {
    subject.stop();
  }

  /** None of these fires while the benchmark runs. */
  private static int laterMs() {
    return ThreadLocalRandom.current().nextInt(10 * MINUTE_MS, HOUR_MS);
  }

  @Benchmark
  public void scheduleAndCancel(Caller caller) {
    cancel(subject.schedule(laterMs(), caller.task));
    letTheDriverKeepUp(caller);
  }

  @Benchmark
  public void replace(Caller caller) {
    int timer = caller.any(timers);
    cancel(outstanding[timer]);
    outstanding[timer] = subject.schedule(laterMs(), caller.task);
    letTheDriverKeepUp(caller);
  }

  private void cancel(Object timer) {
    if (!subject.cancel(timer)) {
      throw new AssertionError("not cancelled, though it was not due for long");
    }
  }

  private void letTheDriverKeepUp(Caller caller) {
    if (++caller.operations % LOOK_EVERY == 0) {
      while (subject.backlog(timers) > BACKLOG_MAX) {
        LockSupport.parkNanos(100_000);
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(TASKS)
  public void scheduleAndExpire(Caller caller) throws InterruptedException {
    caller.task.left.set(TASKS);
    for (int i = 0; i < TASKS; i++) {
      subject.schedule(ThreadLocalRandom.current().nextInt(1, WITHIN_MS + 1), caller.task);
    }
    caller.task.done.acquire();
  }

  private static final class Horae implements Subject {
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
    public Object schedule(int aheadMs, Task task) {
      return wheel.schedule(now() + aheadMs, task);
    }

    @Override
    public boolean cancel(Object timer) {
      return ((io.horae.timer.Timeout) timer).cancel();
    }

    @Override
    public long backlog(int outstanding) {
      return 0;
    }

    @Override
    public void stop() {
      wheel.shutdown();
    }
  }

  private static final class Netty implements Subject {
    private final HashedWheelTimer wheel = new HashedWheelTimer(1, TimeUnit.MILLISECONDS, 4_096);

    @Override
    public Object schedule(int aheadMs, Task task) {
      return wheel.newTimeout(task, aheadMs, TimeUnit.MILLISECONDS);
    }

    @Override
    public boolean cancel(Object timer) {
      return ((Timeout) timer).cancel();
    }

    @Override
    public long backlog(int outstanding) {
      return wheel.pendingTimeouts() - outstanding;
    }

    @Override
    public void stop() {
      wheel.stop();
    }
  }

  private static final class JdkExecutor implements Subject {
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);

    JdkExecutor() {
      executor.setRemoveOnCancelPolicy(true);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for these
    public Object schedule(int aheadMs, Task task) {
      return executor.schedule((Runnable) task, aheadMs, TimeUnit.MILLISECONDS);
    }

    @Override
    public boolean cancel(Object timer) {
      return ((Future<?>) timer).cancel(false);
    }

    @Override
    public long backlog(int outstanding) {
      return 0;
    }

    @Override
    public void stop() {
      executor.shutdownNow();
    }
  }
}
