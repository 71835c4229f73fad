package io.horae.benchmarks;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.server.util.timer.TimerTask;
import org.apache.kafka.server.util.timer.TimerTaskEntry;
import org.apache.kafka.server.util.timer.TimingWheel;

/**
 * Kafka's timing wheel and its queue of buckets, driven as its {@code SystemTimer} does it, but in
 * the benchmark's time instead of the clock's, and without its lock and without handing what is due
 * to its executor. All of that spares it work.
 */
final class KafkaWheel extends Wheel {

  private static final MethodHandle NEW_WHEEL;
  private static final MethodHandle EXPIRATION;
  private static final MethodHandle FLUSH;

  static {
    try {
      MethodHandles.Lookup timer =
          MethodHandles.privateLookupIn(TimingWheel.class, MethodHandles.lookup());
      Class<?> bucketType = timer.findClass(TimingWheel.class.getPackageName() + ".TimerTaskList");
      NEW_WHEEL =
          timer.findConstructor(
              TimingWheel.class,
              MethodType.methodType(
                  void.class,
                  long.class,
                  int.class,
                  long.class,
                  AtomicInteger.class,
                  DelayQueue.class));
      EXPIRATION =
          timer
              .findVirtual(bucketType, "getExpiration", MethodType.methodType(long.class))
              .asType(MethodType.methodType(long.class, Delayed.class));
      FLUSH =
          timer
              .findVirtual(bucketType, "flush", MethodType.methodType(void.class, Consumer.class))
              .asType(MethodType.methodType(void.class, Delayed.class, Consumer.class));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("not the Kafka that this was written for", e);
    }
  }

  private final AtomicInteger size = new AtomicInteger();
  private final DelayQueue<Delayed> buckets = new DelayQueue<>();
  private final Consumer<TimerTaskEntry> add = this::add;
  private final TimingWheel wheel;
  private final Task[] tasks;
  private int fired;

  KafkaWheel(int timers, int spokes) {
    try {
      wheel = (TimingWheel) NEW_WHEEL.invokeExact(1L, spokes, START_MS, size, buckets);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    tasks = new Task[timers];
  }

  /** A task has its delay for life, so there is a new one whenever a timer is scheduled. */
  private final class Task extends TimerTask {

    private final int timer;

    Task(int timer) {
      super(0);
      this.timer = timer;
    }

    @Override
    public void run() {
      fired++;
      long next = nextDeadline.getAsLong();
      if (next != NEVER) {
        schedule(timer, next);
      }
    }
  }

  @Override
  void schedule(int timer, long deadlineMs) {
    Task task = new Task(timer);
    tasks[timer] = task;
    add(new TimerTaskEntry(task, deadlineMs));
  }

  private void add(TimerTaskEntry entry) {
    if (!wheel.add(entry) && !entry.cancelled()) {
      entry.timerTask.run();
    }
  }

  /** Kafka does not say whether there was something to cancel; its count does. */
  @Override
  boolean cancel(int timer) {
    int before = size.get();
    tasks[timer].cancel();
    return size.get() < before;
  }

  @Override
  int advance(long nowMs) {
    fired = 0;
    try {
      Delayed bucket = buckets.peek();
      while (bucket != null) {
        long expiration = (long) EXPIRATION.invokeExact(bucket);
        if (expiration > nowMs) {
          break;
        }
        // Kafka polls; that asks the clock. The bucket is the first, where remove looks first.
        buckets.remove(bucket);
        wheel.advanceClock(expiration);
        FLUSH.invokeExact(bucket, add);
        bucket = buckets.peek();
      }
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    return fired;
  }

  @Override
  long size() {
    return size.get();
  }

  @Override
  Object handle(int timer) {
    return tasks[timer];
  }
}
