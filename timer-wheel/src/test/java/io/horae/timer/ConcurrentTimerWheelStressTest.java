package io.horae.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Many threads at once: what a lost, doubled or revived timer would show up in. */
class ConcurrentTimerWheelStressTest {

  private static final int SCHEDULERS = 4;
  private static final int TIMERS_EACH = 20_000;

  /** A task that counts its runs, and what became of its timer. */
  private static final class Task implements Runnable {
    private final AtomicInteger runs = new AtomicInteger();
    private volatile boolean cancelled;

    @Override
    public void run() {
      runs.incrementAndGet();
      assertFalse(cancelled, "ran after it was cancelled");
    }
  }

  /**
   * Threads schedule and cancel, their own timers and each other's; one drives; in the end one
   * shuts the wheel down while all the others are still at it. Every timer must have come to
   * exactly one end.
   */
  @RepeatedTest(5)
  void everyTimerComesToExactlyOneEnd() throws Exception {
    AtomicLong clock = new AtomicLong();
    ConcurrentTimerWheel wheel =
        new ConcurrentTimerWheel(TimerWheel.builder(), Runnable::run, Integer.MAX_VALUE);
    CyclicBarrier start = new CyclicBarrier(SCHEDULERS + 1);
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger cancellations = new AtomicInteger();
    List<Task> tasks = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(SCHEDULERS + 1);
    try {
      List<Future<List<Task>>> schedulers = new ArrayList<>();
      for (int i = 0; i < SCHEDULERS; i++) {
        int seed = i;
        Callable<List<Task>> scheduler =
            () -> {
              SplittableRandom random = new SplittableRandom(seed);
              List<Task> scheduled = new ArrayList<>();
              List<Timeout> mine = new ArrayList<>();
              start.await();
              for (int n = 0; n < TIMERS_EACH; n++) {
                Task task = new Task();
                try {
                  mine.add(wheel.schedule(clock.get() + random.nextInt(-2, 300), task));
                } catch (RejectedExecutionException e) {
                  break;
                }
                scheduled.add(task);
                if (random.nextInt(3) > 0) {
                  Timeout victim = mine.get(random.nextInt(mine.size()));
                  if (victim.cancel()) {
                    ((Task) victim.task()).cancelled = true;
                    cancellations.incrementAndGet();
                  }
                }
              }
              return scheduled;
            };
        schedulers.add(threads.submit(scheduler));
      }
      Future<Integer> driver =
          threads.submit(
              () -> {
                int fired = 0;
                start.await();
                while (!done.get()) {
                  fired += wheel.advance(clock.addAndGet(3), 500);
                }
                return fired;
              });
      // Shut down about when half the work is done, whenever that is.
      while (clock.get() < 3_000 && schedulers.stream().anyMatch(future -> !future.isDone())) {
        Thread.onSpinWait();
      }
      Set<Timeout> returned = new HashSet<>(wheel.shutdown());
      for (Future<List<Task>> scheduler : schedulers) {
        tasks.addAll(scheduler.get());
      }
      done.set(true);
      driver.get();

      Set<Runnable> returnedTasks = new HashSet<>();
      returned.forEach(timeout -> returnedTasks.add(timeout.task()));
      int ran = 0;
      for (Task task : tasks) {
        int ends =
            task.runs.get() + (task.cancelled ? 1 : 0) + (returnedTasks.contains(task) ? 1 : 0);
        assertEquals(1, ends, "ends of one timer");
        ran += task.runs.get();
      }
      assertEquals(tasks.size(), ran + cancellations.get() + returned.size());
      assertEquals(0, wheel.size());
    } finally {
      threads.shutdownNow();
    }
  }

  /** Two threads cancel the same timers, in the same order, while they expire. */
  @Test
  void cancellationAndExpiryCompeteForEachTimer() throws Exception {
    int rounds = 300;
    int timers = 1_000;
    ConcurrentTimerWheel wheel =
        new ConcurrentTimerWheel(TimerWheel.builder().ordered(), Runnable::run, timers);
    AtomicInteger[] ends = new AtomicInteger[timers];
    Timeout[] timeouts = new Timeout[timers];
    CyclicBarrier start = new CyclicBarrier(3);
    CyclicBarrier end = new CyclicBarrier(3);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Callable<Void> canceller =
          () -> {
            for (int round = 0; round < rounds; round++) {
              start.await();
              for (int i = 0; i < timers; i++) {
                if (timeouts[i].cancel()) {
                  ends[i].incrementAndGet();
                }
              }
              end.await();
            }
            return null;
          };
      List<Future<Void>> cancellers = List.of(threads.submit(canceller), threads.submit(canceller));
      for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < timers; i++) {
          AtomicInteger count = new AtomicInteger();
          ends[i] = count;
          timeouts[i] = wheel.schedule(round, count::incrementAndGet);
        }
        start.await();
        wheel.advance(round, timers);
        end.await();
        assertEquals(0, wheel.size());
        for (AtomicInteger count : ends) {
          assertEquals(1, count.get(), "ends of one timer");
        }
      }
      for (Future<Void> future : cancellers) {
        future.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Whether the cap holds, and the count is exact, when threads compete for the last places. */
  @Test
  void theCapHoldsWhenThreadsCompete() throws Exception {
    int cap = 50;
    ConcurrentTimerWheel wheel = new ConcurrentTimerWheel(TimerWheel.builder(), Runnable::run, cap);
    AtomicInteger held = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(SCHEDULERS);
    CyclicBarrier start = new CyclicBarrier(SCHEDULERS);
    try {
      List<Future<?>> futures = new ArrayList<>();
      for (int i = 0; i < SCHEDULERS; i++) {
        int seed = i;
        Callable<Void> work =
            () -> {
              SplittableRandom random = new SplittableRandom(seed);
              List<Timeout> mine = new ArrayList<>();
              start.await();
              for (int n = 0; n < 50_000; n++) {
                if (mine.isEmpty() || random.nextInt(100) < 60) {
                  try {
                    mine.add(wheel.schedule(1_000, () -> {}));
                    // Counted after it is scheduled and before it is cancelled: never too many.
                    assertTrue(held.incrementAndGet() <= cap, "above the cap");
                  } catch (RejectedExecutionException e) {
                    // The cap is reached; others are at it too.
                  }
                } else {
                  held.decrementAndGet();
                  assertTrue(mine.remove(random.nextInt(mine.size())).cancel());
                }
              }
              held.addAndGet(-mine.size());
              mine.forEach(timeout -> assertTrue(timeout.cancel()));
              return null;
            };
        futures.add(threads.submit(work));
      }
      for (Future<?> future : futures) {
        future.get();
      }
      assertEquals(0, wheel.size());
      assertEquals(0, wheel.advance(1_000, 100));
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void driver_sleepsUntilTheNextAndWakesForAnEarlierOne() throws Exception {
    ConcurrentTimerWheel wheel =
        new ConcurrentTimerWheel(
            TimerWheel.builder().start(System.nanoTime()), Runnable::run, 1_000);
    Thread thread = new Thread(new TimerDriver(wheel, System::nanoTime, TimeUnit.NANOSECONDS));
    thread.setDaemon(true);
    thread.start();
    wheel.schedule(System.nanoTime() + TimeUnit.HOURS.toNanos(1), () -> {});
    for (int i = 0; i < 200; i++) {
      while (i % 10 == 0 && thread.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      CountDownLatch ran = new CountDownLatch(1);
      wheel.schedule(System.nanoTime() + i * 1_000L, ran::countDown);
      // Far more than enough; without the wake-up it would take the hour.
      assertTrue(ran.await(60, TimeUnit.SECONDS), "woke for the earlier one");
    }
    assertEquals(1, wheel.shutdown().size());
    thread.join(TimeUnit.SECONDS.toMillis(60));
    assertFalse(thread.isAlive(), "ends with the wheel");
  }

  @Test
  void driver_interrupted_ends() throws Exception {
    ConcurrentTimerWheel wheel =
        new ConcurrentTimerWheel(TimerWheel.builder(), Runnable::run, 1_000);
    Thread thread = new Thread(new TimerDriver(wheel, System::nanoTime, TimeUnit.NANOSECONDS));
    thread.setDaemon(true);
    thread.start();
    thread.interrupt();
    thread.join(TimeUnit.SECONDS.toMillis(60));
    assertFalse(thread.isAlive());
  }
}
