package io.horae.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * The wheel for many threads, in one, against a list of what is pending, over long random
 * histories. What several threads may do to each other is in {@link
 * ConcurrentTimerWheelStressTest}.
 */
class ConcurrentTimerWheelProperties {

  private static final int STEPS = 120;

  @Property(tries = 800, shrinking = ShrinkingMode.OFF)
  void agreesWithAList(@ForAll long seed) {
    new History(seed, 60).run();
  }

  /** With so many timers at times that lists grow beyond the size from which on they shrink. */
  @Property(tries = 8, shrinking = ShrinkingMode.OFF)
  void agreesWithAListWhileListsGrowAndShrink(@ForAll long seed) {
    new History(seed, 12_000).run();
  }

  private static final class TaskException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** One wheel and the list, driven by a seed. */
  private static final class History {

    private static final Comparator<Timeout> BY_DEADLINE =
        Comparator.comparingLong(Timeout::deadline);

    private final SplittableRandom random;
    private final RandomTimes times;
    private final int manyMax;
    private final long tick;
    private final WheelModel clock;
    private final boolean ordered;
    private final int cap;
    private final ConcurrentTimerWheel wheel;

    /** As they were scheduled. */
    private final List<Timeout> pending = new ArrayList<>();

    /** All that ever were, some of them. */
    private final List<Timeout> some = new ArrayList<>();

    private long now;

    /** What is due when an advance begins, in order, as far as it has not fired. */
    private final List<Timeout> due = new ArrayList<>();

    private boolean hasEnded;

    /** How many have begun or ended: odd while there is one. */
    private int turns;

    History(long seed, int manyMax) {
      random = new SplittableRandom(seed);
      times = new RandomTimes(random);
      this.manyMax = manyMax;
      tick = times.tick();
      clock = new WheelModel(tick);
      ordered = random.nextBoolean();
      now = times.start();
      cap = random.nextInt(4) == 0 ? 30 : Integer.MAX_VALUE;
      TimerWheel.Builder builder = TimerWheel.builder().start(now).tick(tick);
      wheel = new ConcurrentTimerWheel(ordered ? builder.ordered() : builder, this::execute, cap);
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(10)) {
          case 0, 1, 2 -> schedule();
          case 3 -> scheduleMany();
          case 4 -> cancel();
          case 5 -> cancelMany();
          default -> advance();
        }
        if (random.nextBoolean()) {
          wheel.checkConsistency();
          checkNextAdvance();
        }
        assertEquals(pending.size(), wheel.size());
      }
      assertEquals(new HashSet<>(pending), new HashSet<>(wheel.shutdown()));
      assertEquals(0, wheel.size());
      wheel.checkConsistency();
      assertEquals(0, wheel.advance(Long.MAX_VALUE, 1));
    }

    private boolean isDue(Timeout timeout) {
      return clock.tickOf(timeout.deadline()) <= clock.tickReached(now);
    }

    private void checkNextAdvance() {
      long next = wheel.nextAdvance();
      if (pending.isEmpty()) {
        assertEquals(Long.MAX_VALUE, next);
      } else if (pending.stream().anyMatch(this::isDue)) {
        assertTrue(next <= now, () -> next + " at " + now);
      } else {
        long first = pending.stream().mapToLong(Timeout::deadline).min().getAsLong();
        long end = clock.tickOf(first);
        assertEquals(end > Long.MAX_VALUE / tick ? Long.MAX_VALUE : end * tick, next);
      }
    }

    private void schedule() {
      long deadline = times.deadline(now, tick);
      if (pending.size() >= cap) {
        assertThrows(RejectedExecutionException.class, () -> wheel.schedule(deadline, () -> {}));
        return;
      }
      Task task = new Task(turns);
      task.timeout = wheel.schedule(deadline, task);
      pending.add(task.timeout);
      if (some.size() < 100) {
        some.add(task.timeout);
      } else {
        some.set(random.nextInt(some.size()), task.timeout);
      }
    }

    private void scheduleMany() {
      for (int many = random.nextInt(manyMax); many > 0; many--) {
        schedule();
      }
    }

    private void cancel() {
      if (!some.isEmpty()) {
        cancel(some.get(random.nextInt(some.size())));
      }
    }

    private void cancel(Timeout timeout) {
      boolean isPending = pending.remove(timeout);
      assertEquals(isPending, timeout.cancel());
      due.remove(timeout);
    }

    private void cancelMany() {
      int keep = 1 + random.nextInt(20);
      List<Timeout> left = new ArrayList<>();
      for (Timeout timeout : pending) {
        if (random.nextInt(keep) == 0) {
          left.add(timeout);
        } else {
          assertTrue(timeout.cancel());
        }
      }
      pending.clear();
      pending.addAll(left);
    }

    private void advance() {
      long time = times.deadline(now, tick);
      now = Math.max(now, time);
      due.clear();
      pending.stream().filter(this::isDue).sorted(BY_DEADLINE).forEach(due::add);
      int limit = random.nextInt(3) == 0 ? 1 + random.nextInt(5) : Integer.MAX_VALUE;
      hasEnded = false;
      turns++;
      try {
        int count = wheel.advance(time, limit);
        assertFalse(hasEnded);
        assertTrue(count <= limit);
        assertTrue(count == limit || due.isEmpty(), () -> "left behind: " + due);
      } catch (RejectedExecutionException | TaskException e) {
        assertTrue(hasEnded);
      }
      due.clear();
      turns++;
    }

    private void execute(Runnable handover) {
      assertFalse(hasEnded, "after a task failed");
      if (random.nextInt(12) == 0) {
        hasEnded = true;
        throw new RejectedExecutionException();
      }
      handover.run();
    }

    /** Does what a task may do to the wheel that is being advanced. */
    private final class Task implements Runnable {

      private Timeout timeout;

      /** When it was scheduled. */
      private final int scheduled;

      Task(int scheduled) {
        this.scheduled = scheduled;
      }

      @Override
      public void run() {
        assertTrue(pending.remove(timeout), () -> "not pending: " + timeout);
        assertTrue(isDue(timeout), () -> "early: " + timeout);
        // What was scheduled since the advance began may fire, too.
        int turn = due.indexOf(timeout);
        assertTrue(
            turn >= 0 || scheduled == turns, () -> "not due when the advance began: " + timeout);
        if (turn >= 0) {
          assertTrue(turn == 0 || !ordered, () -> timeout + " before " + due.get(0));
          due.remove(turn);
        }
        assertTrue(timeout.isExpired());
        assertFalse(timeout.cancel());
        switch (random.nextInt(15)) {
          case 0 -> {
            hasEnded = true;
            throw new TaskException();
          }
          case 1 -> assertThrows(IllegalStateException.class, () -> wheel.advance(now, 1));
          case 2, 3 -> schedule();
          case 4 -> cancel();
          case 5 -> checkNextAdvance();
          default -> {}
        }
        assertEquals(pending.size(), wheel.size());
      }
    }
  }
}
