package io.horae.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class ConcurrentTimerWheelTest {

  private final Queue<Runnable> executed = new ArrayDeque<>();
  private final ConcurrentTimerWheel wheel = wheel(10);

  private ConcurrentTimerWheel wheel(int timersMax) {
    return new ConcurrentTimerWheel(TimerWheel.builder(), executed::add, timersMax);
  }

  private static void nothing() {}

  @Test
  void advance_handsOverWhatIsDueAndNothingElse() {
    List<String> ran = new ArrayList<>();
    Timeout first = wheel.schedule(10, () -> ran.add("soon"));
    Timeout second = wheel.schedule(20, () -> ran.add("later"));
    assertEquals(2, wheel.size());
    assertEquals(0, wheel.advance(9, 100));
    assertEquals(1, wheel.advance(10, 100));
    executed.remove().run();
    assertEquals(List.of("soon"), ran);
    assertTrue(first.isExpired());
    assertFalse(second.isExpired());
    assertEquals(1, wheel.size());
    assertEquals(1, wheel.advance(1_000, 100));
    executed.remove().run();
    assertEquals(List.of("soon", "later"), ran);
    assertEquals(0, wheel.size());
  }

  @Test
  void advance_limit_goesOnTheNextTime() {
    for (int i = 0; i < 5; i++) {
      wheel.schedule(i, ConcurrentTimerWheelTest::nothing);
    }
    assertEquals(3, wheel.advance(100, 3));
    assertEquals(2, wheel.size());
    assertEquals(2, wheel.advance(100, 3));
  }

  @Test
  void cancel_beforeAndAfterTheWheelHasTakenIt() {
    Timeout early = wheel.schedule(10, ConcurrentTimerWheelTest::nothing);
    assertTrue(early.cancel());
    assertFalse(early.cancel(), "a second time");
    Timeout taken = wheel.schedule(10, ConcurrentTimerWheelTest::nothing);
    wheel.advance(0, 1);
    assertTrue(taken.cancel());
    assertTrue(taken.isCancelled());
    assertEquals(0, wheel.size());
    assertEquals(0, wheel.advance(10, 100));
    assertTrue(executed.isEmpty());
  }

  @Test
  void cancel_afterItExpired_isTooLate() {
    Timeout timeout = wheel.schedule(10, ConcurrentTimerWheelTest::nothing);
    wheel.advance(10, 1);
    assertFalse(timeout.cancel());
    assertFalse(timeout.isCancelled());
    assertEquals(0, wheel.size());
  }

  @Test
  void nextAdvance_isTheEarliestPending() {
    assertEquals(Long.MAX_VALUE, wheel.nextAdvance());
    Timeout first = wheel.schedule(10, ConcurrentTimerWheelTest::nothing);
    wheel.schedule(20, ConcurrentTimerWheelTest::nothing);
    assertEquals(10, wheel.nextAdvance());
    first.cancel();
    assertEquals(20, wheel.nextAdvance());
    wheel.schedule(5, ConcurrentTimerWheelTest::nothing).cancel();
    assertEquals(20, wheel.nextAdvance(), "the wheel never had the last one");
  }

  @Test
  void nextAdvance_coarseTick_isTheEndOfTheTick() {
    ConcurrentTimerWheel coarse =
        new ConcurrentTimerWheel(TimerWheel.builder().tick(100), executed::add, 1);
    coarse.schedule(101, ConcurrentTimerWheelTest::nothing);
    assertEquals(200, coarse.nextAdvance());
    assertEquals(0, coarse.advance(199, 1));
    assertEquals(1, coarse.advance(200, 1));
  }

  @Test
  void nextAdvance_orderedAndOnlyCancelledOnesDue_isTheEarliestPending() {
    ConcurrentTimerWheel ordered =
        new ConcurrentTimerWheel(TimerWheel.builder().ordered(), executed::add, 10);
    ordered.schedule(5, ConcurrentTimerWheelTest::nothing);
    ordered.schedule(5, ConcurrentTimerWheelTest::nothing);
    Timeout last = ordered.schedule(5, ConcurrentTimerWheelTest::nothing);
    assertEquals(1, ordered.advance(10, 1));
    last.cancel();
    assertEquals(1, ordered.advance(10, 1));
    assertEquals(Long.MAX_VALUE, ordered.nextAdvance());
    ordered.schedule(20, ConcurrentTimerWheelTest::nothing);
    assertEquals(20, ordered.nextAdvance());
  }

  @Test
  void schedule_atTheCap_isRejectedUntilOneIsGone() {
    ConcurrentTimerWheel two = wheel(2);
    Timeout first = two.schedule(10, ConcurrentTimerWheelTest::nothing);
    two.schedule(10, ConcurrentTimerWheelTest::nothing);
    RejectedExecutionException refusal =
        assertThrows(
            RejectedExecutionException.class,
            () -> two.schedule(10, ConcurrentTimerWheelTest::nothing));
    assertTrue(refusal.getMessage().contains("2 timers"), refusal.getMessage());
    assertEquals(2, two.size());
    first.cancel();
    two.schedule(10, ConcurrentTimerWheelTest::nothing);
    assertEquals(2, two.advance(10, 100));
    two.schedule(10, ConcurrentTimerWheelTest::nothing);
  }

  @Test
  void schedule_byATaskAtTheCap_findsItsOwnPlaceFree() {
    List<Long> ran = new ArrayList<>();
    ConcurrentTimerWheel one = new ConcurrentTimerWheel(TimerWheel.builder(), Runnable::run, 1);
    one.schedule(1, () -> one.schedule(2, () -> ran.add(2L)));
    assertEquals(1, one.advance(10, 100));
    assertEquals(1, one.size());
    assertEquals(1, one.advance(10, 100));
    assertEquals(List.of(2L), ran);
  }

  @Test
  void advance_executorThrows_keepsTheTimer() {
    boolean[] refuses = {true};
    ConcurrentTimerWheel moody =
        new ConcurrentTimerWheel(
            TimerWheel.builder(),
            task -> {
              if (refuses[0]) {
                throw new RejectedExecutionException("full");
              }
              executed.add(task);
            },
            10);
    Timeout timeout = moody.schedule(10, ConcurrentTimerWheelTest::nothing);
    moody.schedule(10, ConcurrentTimerWheelTest::nothing);
    assertThrows(RejectedExecutionException.class, () -> moody.advance(10, 100));
    assertEquals(2, moody.size());
    assertFalse(timeout.isExpired());
    assertTrue(timeout.cancel());
    refuses[0] = false;
    assertEquals(1, moody.advance(10, 100));
    assertEquals(1, executed.size());
    assertEquals(0, moody.size());
  }

  @Test
  void advance_taskThrows_isNotHandedOverAgain() {
    int[] runs = {0};
    ConcurrentTimerWheel direct = new ConcurrentTimerWheel(TimerWheel.builder(), Runnable::run, 10);
    Timeout timeout =
        direct.schedule(
            1,
            () -> {
              runs[0]++;
              throw new IllegalStateException("of the task");
            });
    direct.schedule(2, () -> runs[0]++);
    assertThrows(IllegalStateException.class, () -> direct.advance(5, 10));
    assertTrue(timeout.isExpired());
    assertEquals(1, direct.size());
    assertEquals(1, direct.advance(5, 10));
    assertEquals(2, runs[0]);
    assertEquals(0, direct.size());
  }

  /** A rejection by another executor, or by this wheel at its cap, says nothing of the task. */
  @Test
  void advance_taskIsRejectedElsewhere_isNotRunAgain() {
    int[] runs = {0};
    ConcurrentTimerWheel one = new ConcurrentTimerWheel(TimerWheel.builder(), Runnable::run, 1);
    Timeout timeout =
        one.schedule(
            1,
            () -> {
              runs[0]++;
              one.schedule(2, ConcurrentTimerWheelTest::nothing);
              one.schedule(2, ConcurrentTimerWheelTest::nothing);
            });
    assertThrows(RejectedExecutionException.class, () -> one.advance(1, 10));
    assertTrue(timeout.isExpired());
    assertEquals(1, one.size(), "its successor");
    assertEquals(1, one.advance(5, 10));
    assertEquals(1, runs[0]);
    assertEquals(0, one.size());
  }

  @Test
  void advance_cancelledMeanwhile_isNotCounted() {
    ConcurrentTimerWheel direct =
        new ConcurrentTimerWheel(TimerWheel.builder().ordered(), Runnable::run, 10);
    Timeout[] second = new Timeout[1];
    direct.schedule(1, () -> assertTrue(second[0].cancel()));
    second[0] = direct.schedule(1, ConcurrentTimerWheelTest::nothing);
    assertEquals(1, direct.advance(1, 10));
    assertEquals(0, direct.size());
  }

  @Test
  void advance_executorShutsDownAndRejects_nothingIsLeft() {
    ConcurrentTimerWheel[] itself = new ConcurrentTimerWheel[1];
    itself[0] =
        new ConcurrentTimerWheel(
            TimerWheel.builder(),
            task -> {
              itself[0].shutdown();
              throw new RejectedExecutionException("closed");
            },
            10);
    itself[0].schedule(1, ConcurrentTimerWheelTest::nothing);
    assertThrows(RejectedExecutionException.class, () -> itself[0].advance(1, 10));
    assertEquals(0, itself[0].size());
    assertEquals(0, itself[0].advance(1, 10));
  }

  @Test
  void advance_byATask_isRefused() {
    ConcurrentTimerWheel direct = new ConcurrentTimerWheel(TimerWheel.builder(), Runnable::run, 10);
    direct.schedule(1, () -> assertThrows(IllegalStateException.class, () -> direct.advance(5, 1)));
    assertEquals(1, direct.advance(1, 10));
  }

  @Test
  void schedule_deepStack_isCarriedOverByTheThreadThatSchedules() {
    ConcurrentTimerWheel large = wheel(100_000);
    List<Timeout> timeouts = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      timeouts.add(large.schedule(i, ConcurrentTimerWheelTest::nothing));
    }
    assertEquals(0, timeouts.get(0).depth(), "the wheel has it, though nobody drove it");
    timeouts.forEach(timeout -> assertTrue(timeout.cancel()));
    int deepest = timeouts.stream().mapToInt(Timeout::depth).max().getAsInt();
    assertTrue(deepest < 10_000, "deepest: " + deepest);
    assertEquals(0, large.size());
    assertEquals(0, large.advance(100_000, 100_000));
  }

  @Test
  void schedule_afterOneWasCancelled_takesItsPlace() {
    Timeout below = wheel.schedule(10, ConcurrentTimerWheelTest::nothing);
    for (int i = 0; i < 100; i++) {
      Timeout timeout = wheel.schedule(10, ConcurrentTimerWheelTest::nothing);
      assertEquals(2, timeout.depth(), "itself and the one below");
      assertTrue(timeout.cancel());
    }
    assertEquals(1, wheel.advance(10, 100), "the one below is not lost");
    assertTrue(below.isExpired());
  }

  @Test
  void cancel_manyWhileNobodyDrives_doNotPileUp() {
    ConcurrentTimerWheel large = wheel(100_000);
    Queue<Timeout> outstanding = new ArrayDeque<>();
    int deepest = 0;
    for (int i = 0; i < 100_000; i++) {
      Timeout timeout = large.schedule(1_000_000, ConcurrentTimerWheelTest::nothing);
      deepest = Math.max(deepest, timeout.depth());
      outstanding.add(timeout);
      if (outstanding.size() > 100 + i % 5_000) {
        Timeout oldest = outstanding.remove();
        assertTrue(oldest.cancel());
        deepest = Math.max(deepest, oldest.depth());
      }
    }
    assertTrue(deepest < 10_000, "deepest: " + deepest);
    assertEquals(outstanding.size(), large.size());
    assertEquals(outstanding.size(), large.advance(1_000_000, 100_000));
  }

  @Test
  void sleepUntil_earlierTimerThatNobodyCarriedOver_doesNotSleep() {
    wheel.schedule(99, ConcurrentTimerWheelTest::nothing);
    assertTimeoutPreemptively(
        Duration.ofMinutes(1), () -> wheel.sleepUntil(100, TimeUnit.HOURS.toNanos(1)));
  }

  @Test
  void sleepUntil_shutdownBefore_doesNotSleep() {
    wheel.shutdown();
    assertTimeoutPreemptively(
        Duration.ofMinutes(1), () -> wheel.sleepUntil(100, TimeUnit.HOURS.toNanos(1)));
  }

  @Test
  void sleepUntil_laterTimers_sleepsOn() throws InterruptedException {
    wheel.schedule(101, ConcurrentTimerWheelTest::nothing);
    Thread sleeper = new Thread(() -> wheel.sleepUntil(100, TimeUnit.HOURS.toNanos(1)));
    sleeper.setDaemon(true);
    sleeper.start();
    while (sleeper.getState() != Thread.State.TIMED_WAITING) {
      assertTrue(sleeper.isAlive(), "sleeps, though timers are on the stacks");
      Thread.onSpinWait();
    }
    wheel.schedule(99, ConcurrentTimerWheelTest::nothing);
    sleeper.join(TimeUnit.MINUTES.toMillis(1));
    assertFalse(sleeper.isAlive(), "woke for the earlier one");
  }

  /** A call to wake up that finds the sleeper waiting for the lock must not be lost. */
  @Test
  void sleepUntil_wokenWhileItWaitsForTheLock_doesNotSleep() throws InterruptedException {
    Semaphore holdsLock = new Semaphore(0);
    Semaphore mayGoOn = new Semaphore(0);
    ConcurrentTimerWheel large =
        new ConcurrentTimerWheel(
            TimerWheel.builder(),
            task -> {
              holdsLock.release();
              mayGoOn.acquireUninterruptibly();
            },
            10_000);
    large.schedule(1, ConcurrentTimerWheelTest::nothing);
    Thread advancing = new Thread(() -> large.advance(1, 1));
    advancing.start();
    holdsLock.acquire();
    Thread sleeper = new Thread(() -> large.sleepUntil(100, TimeUnit.HOURS.toNanos(1)));
    sleeper.setDaemon(true);
    sleeper.start();
    while (sleeper.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    // So many that it is woken to carry them over; from then on nobody wakes it again.
    for (int i = 0; i < 2_000; i++) {
      large.schedule(200, ConcurrentTimerWheelTest::nothing);
    }
    mayGoOn.release();
    assertTimeoutPreemptively(Duration.ofMinutes(1), () -> sleeper.join());
    advancing.join();
  }

  @Test
  void sleepUntil_deepStack_wakesToCarryItOver() throws InterruptedException {
    ConcurrentTimerWheel large = wheel(10_000);
    Thread sleeper = new Thread(() -> large.sleepUntil(100, TimeUnit.HOURS.toNanos(1)));
    sleeper.setDaemon(true);
    sleeper.start();
    while (sleeper.getState() != Thread.State.TIMED_WAITING) {
      assertTrue(sleeper.isAlive(), "sleeps");
      Thread.onSpinWait();
    }
    for (int i = 0; i < 1_023; i++) {
      large.schedule(101, ConcurrentTimerWheelTest::nothing);
    }
    assertEquals(Thread.State.TIMED_WAITING, sleeper.getState(), "sleeps on");
    large.schedule(101, ConcurrentTimerWheelTest::nothing);
    sleeper.join(TimeUnit.MINUTES.toMillis(1));
    assertFalse(sleeper.isAlive(), "woke for the deep stack");
  }

  /** The executor rejects a task while a shutdown waits for the advance to end. */
  @Test
  void shutdown_waitingWhileATaskIsRejected_returnsItsTimer() throws InterruptedException {
    ConcurrentTimerWheel[] itself = new ConcurrentTimerWheel[1];
    List<Timeout> returned = new ArrayList<>();
    Thread shutdown = new Thread(() -> returned.addAll(itself[0].shutdown()));
    itself[0] =
        new ConcurrentTimerWheel(
            TimerWheel.builder(),
            task -> {
              shutdown.start();
              while (!itself[0].isShutdown()) {
                Thread.onSpinWait();
              }
              throw new RejectedExecutionException("closed");
            },
            10);
    Timeout timeout = itself[0].schedule(1, ConcurrentTimerWheelTest::nothing);
    assertThrows(RejectedExecutionException.class, () -> itself[0].advance(1, 10));
    shutdown.join();
    assertEquals(List.of(timeout), returned);
    assertEquals(0, itself[0].size());
  }

  @Test
  void shutdown_returnsExactlyWhatIsPending() {
    Timeout expired = wheel.schedule(1, ConcurrentTimerWheelTest::nothing);
    Timeout taken = wheel.schedule(100, ConcurrentTimerWheelTest::nothing);
    Timeout takenAndCancelled = wheel.schedule(100, ConcurrentTimerWheelTest::nothing);
    wheel.advance(10, 100);
    takenAndCancelled.cancel();
    Timeout fresh = wheel.schedule(200, ConcurrentTimerWheelTest::nothing);
    Timeout cancelled = wheel.schedule(200, ConcurrentTimerWheelTest::nothing);
    cancelled.cancel();
    assertFalse(wheel.isShutdown());

    assertEquals(Set.of(taken, fresh), new HashSet<>(wheel.shutdown()));
    assertTrue(wheel.isShutdown());
    assertEquals(0, wheel.size());
    assertFalse(taken.cancel(), "it was returned");
    assertFalse(fresh.isExpired());
    assertTrue(expired.isExpired());
    assertEquals(0, wheel.advance(1_000, 100));
    assertEquals(List.of(), wheel.shutdown(), "a second time");
    assertThrows(
        RejectedExecutionException.class,
        () -> wheel.schedule(1, ConcurrentTimerWheelTest::nothing));
    assertEquals(0, wheel.size());
  }

  @Test
  void shutdown_timersOfManyThreads_returnsThemAllAndTakesNoMore() throws InterruptedException {
    ConcurrentTimerWheel large = wheel(100);
    Set<Timeout> scheduled = new HashSet<>();
    List<RuntimeException> refusals = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Thread thread =
          new Thread(
              () -> {
                scheduled.add(large.schedule(10, ConcurrentTimerWheelTest::nothing));
              });
      thread.start();
      thread.join();
    }
    assertEquals(scheduled, new HashSet<>(large.shutdown()));
    for (int i = 0; i < 100; i++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  large.schedule(10, ConcurrentTimerWheelTest::nothing);
                } catch (RejectedExecutionException e) {
                  refusals.add(e);
                }
              });
      thread.start();
      thread.join();
    }
    assertEquals(100, refusals.size());
    assertEquals(0, large.size());
  }

  @Test
  void shutdown_byATask_returnsTheOthers() {
    List<Timeout> returned = new ArrayList<>();
    ConcurrentTimerWheel direct = new ConcurrentTimerWheel(TimerWheel.builder(), Runnable::run, 10);
    direct.schedule(1, () -> returned.addAll(direct.shutdown()));
    Timeout later = direct.schedule(2, ConcurrentTimerWheelTest::nothing);
    assertEquals(1, direct.advance(5, 10));
    assertEquals(List.of(later), returned);
    assertEquals(0, direct.size());
  }

  @Test
  void ordered_equalDeadlines_fireAsTheyWereScheduled() {
    List<Integer> ran = new ArrayList<>();
    ConcurrentTimerWheel ordered =
        new ConcurrentTimerWheel(TimerWheel.builder().ordered(), Runnable::run, 100);
    for (int i = 0; i < 50; i++) {
      int number = i;
      ordered.schedule(7, () -> ran.add(number));
    }
    ordered.advance(7, 100);
    assertEquals(50, ran.size());
    for (int i = 0; i < 50; i++) {
      assertEquals(i, ran.get(i));
    }
  }

  @Test
  void new_badArguments_areNamed() {
    TimerWheel.Builder builder = TimerWheel.builder();
    assertMessage("wheel", () -> new ConcurrentTimerWheel(null, executed::add, 1));
    assertMessage("executor", () -> new ConcurrentTimerWheel(builder, null, 1));
    assertMessage("0", () -> new ConcurrentTimerWheel(builder, executed::add, 0));
    assertMessage("task", () -> wheel.schedule(1, null));
    assertMessage("limit", () -> wheel.advance(1, 0));
    assertMessage("wheel", () -> new TimerDriver(null, () -> 0, TimeUnit.SECONDS));
    assertMessage("clock", () -> new TimerDriver(wheel, null, TimeUnit.SECONDS));
    assertMessage("unit", () -> new TimerDriver(wheel, () -> 0, null));
    assertMessage("wheel", () -> new VirtualTimeDriver(null, 0));
    VirtualTimeDriver time = new VirtualTimeDriver(wheel, 5);
    assertMessage("-1", () -> time.advanceBy(-1));
    assertMessage("4", () -> time.advanceTo(4));
    assertMessage("from 5: " + Long.MAX_VALUE, () -> time.advanceBy(Long.MAX_VALUE));
  }

  private static void assertMessage(String part, Runnable call) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call::run);
    assertTrue(e.getMessage().contains(part), e.getMessage());
  }

  @Test
  void virtualTime_everyTaskRunsAtItsTime() {
    List<String> log = new ArrayList<>();
    ConcurrentTimerWheel direct = new ConcurrentTimerWheel(TimerWheel.builder(), Runnable::run, 10);
    VirtualTimeDriver time = new VirtualTimeDriver(direct, 0);
    direct.schedule(2_000, () -> log.add("a at " + time.now()));
    direct.schedule(
        1_000,
        () -> {
          log.add("b at " + time.now());
          direct.schedule(time.now() + 500, () -> log.add("c at " + time.now()));
        });
    assertEquals(0, time.advanceBy(999));
    assertEquals(3, time.advanceBy(3_000));
    assertEquals(List.of("b at 1000", "c at 1500", "a at 2000"), log);
    assertEquals(3_999, time.now());
    assertEquals(0, time.advanceTo(3_999));
  }

  @Test
  void virtualTime_lateTimers_doNotTurnItBack() {
    List<String> log = new ArrayList<>();
    ConcurrentTimerWheel direct = new ConcurrentTimerWheel(TimerWheel.builder(), Runnable::run, 10);
    VirtualTimeDriver time = new VirtualTimeDriver(direct, 100);
    direct.schedule(10, () -> log.add("late at " + time.now()));
    direct.schedule(20, () -> log.add("late at " + time.now()));
    assertEquals(2, time.advanceBy(0));
    assertEquals(List.of("late at 100", "late at 100"), log);
    assertEquals(100, time.now());
  }

  @Test
  void virtualTime_endOfTime_isReached() {
    ConcurrentTimerWheel direct = new ConcurrentTimerWheel(TimerWheel.builder(), Runnable::run, 10);
    VirtualTimeDriver time = new VirtualTimeDriver(direct, Long.MIN_VALUE);
    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> {
          assertEquals(0, time.advanceTo(Long.MAX_VALUE));
          direct.schedule(Long.MAX_VALUE, ConcurrentTimerWheelTest::nothing);
          assertEquals(1, time.advanceTo(Long.MAX_VALUE));
        });
    assertEquals(Long.MAX_VALUE, time.now());
  }

  // The driver

  private static Thread started(TimerDriver driver) {
    Thread thread = new Thread(driver);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void awaitSleep(Thread thread) {
    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> {
          while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
          }
        });
  }

  @Test
  void driver_nextTimerFurtherAheadThanALongCanTell_sleeps() throws InterruptedException {
    ConcurrentTimerWheel ages =
        new ConcurrentTimerWheel(TimerWheel.builder().start(Long.MIN_VALUE), executed::add, 10);
    ages.schedule(Long.MAX_VALUE, ConcurrentTimerWheelTest::nothing);
    Thread thread = started(new TimerDriver(ages, () -> Long.MIN_VALUE, TimeUnit.NANOSECONDS));
    awaitSleep(thread);
    assertEquals(1, ages.shutdown().size());
    thread.join(TimeUnit.MINUTES.toMillis(1));
    assertFalse(thread.isAlive(), "woke for the shutdown");
  }

  @Test
  void driver_nothingDueForHours_doesNotLookAtTheClock() throws InterruptedException {
    AtomicInteger looks = new AtomicInteger();
    LongSupplier clock =
        () -> {
          looks.incrementAndGet();
          return 0;
        };
    wheel.schedule(2, ConcurrentTimerWheelTest::nothing);
    Thread thread = started(new TimerDriver(wheel, clock, TimeUnit.HOURS));
    awaitSleep(thread);
    int before = looks.get();
    for (int spins = 0; spins < 1_000_000; spins++) {
      Thread.onSpinWait();
    }
    // It may wake now and then for no reason.
    assertTrue(looks.get() <= before + 5, () -> before + " looks and then " + looks.get());
    assertEquals(1, wheel.shutdown().size());
    thread.join(TimeUnit.MINUTES.toMillis(1));
    assertFalse(thread.isAlive(), "woke for the shutdown");
  }
}
