package io.horae.benchmarks;

import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.TimerTask;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;

/**
 * Netty's wheel, with its worker's work done by the calling thread.
 *
 * <p>Netty only queues what is scheduled and cancelled; its worker does the rest at the next tick,
 * asleep in between. Here the worker's thread has nothing to do, and its two steps are called after
 * every {@value #OPERATIONS_PER_TICK} operations, as many as a tick of a millisecond sees at a
 * million a second, and before every tick that an advance goes through. All work is done and
 * counted, without what a second thread costs.
 *
 * <p>Netty reads the clock when it schedules. Its clock's origin is moved with every such step, so
 * that the wheel's time stands still while the benchmark's does; between steps it runs, so timers
 * may fire some ticks late.
 */
final class NettyWheel extends Wheel {

  private static final int OPERATIONS_PER_TICK = 1_000;
  private static final long TICK_NANOS = 1_000_000;

  private static final VarHandle START_TIME;
  private static final VarHandle TICK;
  private static final MethodHandle WORKER;
  private static final MethodHandle BUCKETS;
  private static final MethodHandle PROCESS_CANCELLED_TASKS;
  private static final MethodHandle TRANSFER_TIMEOUTS_TO_BUCKETS;
  private static final MethodHandle EXPIRE_TIMEOUTS;

  static {
    try {
      MethodHandles.Lookup timer =
          MethodHandles.privateLookupIn(HashedWheelTimer.class, MethodHandles.lookup());
      Class<?> workerType = timer.findClass(HashedWheelTimer.class.getName() + "$Worker");
      Class<?> bucketType =
          timer.findClass(HashedWheelTimer.class.getName() + "$HashedWheelBucket");
      MethodHandles.Lookup worker = MethodHandles.privateLookupIn(workerType, timer);
      MethodHandles.Lookup bucket = MethodHandles.privateLookupIn(bucketType, timer);
      MethodType step = MethodType.methodType(void.class);
      MethodType stepOfAny = MethodType.methodType(void.class, Object.class);
      START_TIME = timer.findVarHandle(HashedWheelTimer.class, "startTime", long.class);
      TICK = worker.findVarHandle(workerType, "tick", long.class);
      WORKER =
          timer
              .findGetter(HashedWheelTimer.class, "worker", workerType)
              .asType(MethodType.methodType(Object.class, HashedWheelTimer.class));
      BUCKETS =
          timer
              .findGetter(HashedWheelTimer.class, "wheel", bucketType.arrayType())
              .asType(MethodType.methodType(Object[].class, HashedWheelTimer.class));
      PROCESS_CANCELLED_TASKS =
          worker.findVirtual(workerType, "processCancelledTasks", step).asType(stepOfAny);
      TRANSFER_TIMEOUTS_TO_BUCKETS =
          worker.findVirtual(workerType, "transferTimeoutsToBuckets", step).asType(stepOfAny);
      EXPIRE_TIMEOUTS =
          bucket
              .findVirtual(bucketType, "expireTimeouts", step.appendParameterTypes(long.class))
              .asType(stepOfAny.appendParameterTypes(long.class));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("not the Netty that this was written for", e);
    }
  }

  private final HashedWheelTimer timer;
  private final Object worker;
  private final Object[] buckets;
  private final Task[] tasks;
  private int untilTick = OPERATIONS_PER_TICK;
  private long tick;
  private int fired;

  NettyWheel(int timers, int spokes) {
    timer = new HashedWheelTimer(r -> new Thread(), 1, TimeUnit.MILLISECONDS, spokes, false);
    try {
      worker = (Object) WORKER.invokeExact(timer);
      buckets = (Object[]) BUCKETS.invokeExact(timer);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    stopClock();
    tasks = new Task[timers];
    for (int i = 0; i < timers; i++) {
      tasks[i] = new Task();
    }
  }

  /** The caller's record of a timer. */
  private final class Task implements TimerTask {

    Timeout timeout;

    @Override
    public void run(Timeout timeout) {
      fired++;
      long next = nextDeadline.getAsLong();
      if (next != NEVER) {
        schedule(this, next);
      }
    }
  }

  @Override
  void schedule(int timer, long deadlineMs) {
    schedule(tasks[timer], deadlineMs);
    count();
  }

  private void schedule(Task task, long deadlineMs) {
    task.timeout = timer.newTimeout(task, deadlineMs - START_MS - tick, TimeUnit.MILLISECONDS);
  }

  @Override
  boolean cancel(int timer) {
    boolean cancelled = tasks[timer].timeout.cancel();
    count();
    return cancelled;
  }

  private void count() {
    if (--untilTick == 0) {
      queuesToBuckets();
    }
  }

  /** What the worker does at a tick, but for firing. */
  private void queuesToBuckets() {
    try {
      PROCESS_CANCELLED_TASKS.invokeExact(worker);
      TRANSFER_TIMEOUTS_TO_BUCKETS.invokeExact(worker);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    untilTick = OPERATIONS_PER_TICK;
    stopClock();
  }

  private void stopClock() {
    START_TIME.setVolatile(timer, System.nanoTime() - tick * TICK_NANOS);
  }

  @Override
  int advance(long nowMs) {
    fired = 0;
    while (tick < nowMs - START_MS) {
      queuesToBuckets();
      try {
        EXPIRE_TIMEOUTS.invokeExact(
            buckets[(int) tick & (buckets.length - 1)], (tick + 1) * TICK_NANOS);
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
      TICK.set(worker, ++tick);
    }
    return fired;
  }

  @Override
  long size() {
    queuesToBuckets(); // what is cancelled counts as pending until then
    return timer.pendingTimeouts();
  }

  @Override
  Object handle(int timer) {
    return tasks[timer].timeout;
  }

  @Override
  void close() {
    timer.stop();
  }
}
