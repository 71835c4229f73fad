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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Many threads at once: what a lost, doubled or revived timer would show up in. */
class ConcurrentTimerWheelStressTest {

  private static final int SCHEDULERS = 4;
  private static final int TIMERS_EACH = 20_000;

  private static final int TIMERS_TO_MEET_AT = 100_000;

  /** So many timers are there for all threads to cancel. */
  private static final int RECENT = 4_096;

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
    AtomicReferenceArray<Timeout> recent = new AtomicReferenceArray<>(RECENT);
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
              start.await();
              for (int n = 0; n < TIMERS_EACH; n++) {
                Task task = new Task();
                try {
                  Timeout timeout = wheel.schedule(clock.get() + random.nextInt(-2, 300), task);
                  // The first ones are cancelled soon, the last ones long after.
                  recent.set(random.nextInt(random.nextInt(1, RECENT)), timeout);
                } catch (RejectedExecutionException e) {
                  break;
                }
                scheduled.add(task);
                if (random.nextInt(3) > 0) {
                  Timeout victim = recent.get(random.nextInt(random.nextInt(1, RECENT)));
                  if (victim != null && victim.cancel()) {
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

  /** Two threads meet at every timer, as nearly as they can, and both cancel it. */
  @RepeatedTest(5)
  void onlyOneOfTwoCancellationsSucceeds() throws Exception {
    ConcurrentTimerWheel wheel =
        new ConcurrentTimerWheel(TimerWheel.builder(), Runnable::run, TIMERS_TO_MEET_AT);
    Timeout[] timeouts = new Timeout[TIMERS_TO_MEET_AT];
    for (int i = 0; i < timeouts.length; i++) {
      timeouts[i] = wheel.schedule(1, () -> {});
    }
    AtomicInteger[] reached = {new AtomicInteger(), new AtomicInteger()};
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<Integer>> cancellers = new ArrayList<>();
      for (int me = 0; me < 2; me++) {
        AtomicInteger mine = reached[me];
        AtomicInteger other = reached[1 - me];
        cancellers.add(
            threads.submit(
                () -> {
                  int cancelled = 0;
                  for (int i = 0; i < timeouts.length; i++) {
                    mine.set(i);
                    awaitBriefly(other, i);
                    cancelled += timeouts[i].cancel() ? 1 : 0;
                  }
                  mine.set(timeouts.length);
                  return cancelled;
                }));
      }
      assertEquals(timeouts.length, cancellers.get(0).get() + cancellers.get(1).get());
      assertEquals(0, wheel.size());
      assertEquals(0, wheel.advance(1, timeouts.length));
    } finally {
      threads.shutdownNow();
    }
  }

  /** One thread cancels each timer at about the time when the other gets to it and fires it. */
  @RepeatedTest(5)
  void aTimerIsEitherCancelledOrFired() throws Exception {
    ConcurrentTimerWheel wheel =
        new ConcurrentTimerWheel(TimerWheel.builder().ordered(), Runnable::run, TIMERS_TO_MEET_AT);
    Timeout[] timeouts = new Timeout[TIMERS_TO_MEET_AT];
    AtomicInteger fired = new AtomicInteger(-1);
    int[] runs = new int[timeouts.length];
    for (int i = 0; i < timeouts.length; i++) {
      int number = i;
      timeouts[i] =
          wheel.schedule(
              1,
              () -> {
                runs[number]++;
                fired.set(number);
              });
    }
    wheel.nextAdvance(); // the wheel has them all: from here on expiry and cancellation compete
    CountDownLatch started = new CountDownLatch(1);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<boolean[]> canceller =
          threads.submit(
              () -> {
                boolean[] cancelled = new boolean[timeouts.length];
                started.countDown();
                for (int i = 1; i < timeouts.length; i = Math.max(i + 2, fired.get() + 1)) {
                  awaitBriefly(fired, i - 1);
                  cancelled[i] = timeouts[i].cancel();
                }
                return cancelled;
              });
      started.await();
      int handedOver = wheel.advance(1, timeouts.length);
      boolean[] cancelled = canceller.get();
      int ends = handedOver;
      for (int i = 0; i < timeouts.length; i++) {
        assertEquals(1, runs[i] + (cancelled[i] ? 1 : 0), "ends of one timer");
        ends += cancelled[i] ? 1 : 0;
      }
      assertEquals(timeouts.length, ends);
      assertEquals(0, wheel.size());
    } finally {
      threads.shutdownNow();
    }
  }

  /** Waits until a number is reached, but not for long: the other may be without a processor. */
  private static void awaitBriefly(AtomicInteger number, int least) {
    for (int spins = 0; spins < 1_000 && number.get() < least; spins++) {
      Thread.onSpinWait();
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
                    int size = wheel.size();
                    assertTrue(size >= 1 && size <= cap, "one is its own: " + size);
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

  /** An earlier timer is scheduled at about the time when the driving thread goes to sleep. */
  @Test
  void noWakeUpIsLost() throws Exception {
    int rounds = 2_000;
    ConcurrentTimerWheel wheel =
        new ConcurrentTimerWheel(TimerWheel.builder(), Runnable::run, 1_000);
    AtomicInteger asleep = new AtomicInteger(-1);
    Semaphore awake = new Semaphore(0);
    Thread sleeper =
        new Thread(
            () -> {
              for (int round = 0; round < rounds; round++) {
                asleep.set(round);
                wheel.sleepUntil(100, TimeUnit.HOURS.toNanos(1));
                awake.release();
                while (awake.availablePermits() > 0) {
                  Thread.onSpinWait();
                }
              }
            });
    sleeper.setDaemon(true);
    sleeper.start();
    SplittableRandom random = new SplittableRandom(0);
    for (int round = 0; round < rounds; round++) {
      while (asleep.get() < round) {
        Thread.onSpinWait();
      }
      for (int spins = random.nextInt(60); spins > 0; spins--) {
        Thread.onSpinWait();
      }
      Timeout earlier = wheel.schedule(99, () -> {});
      assertTrue(awake.tryAcquire(60, TimeUnit.SECONDS), "woke for the earlier one");
      assertTrue(earlier.cancel());
    }
    sleeper.join();
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
    for (int i = 0; i < 5_000; i++) {
      while (i % 10 == 0 && thread.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      CountDownLatch ran = new CountDownLatch(1);
      wheel.schedule(System.nanoTime() + i % 100 * 1_000L, ran::countDown);
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
