package io.horae.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a handler may do to the wheel that calls it. */
class TimerWheelHandlerTest {

  private static final int ALL = Integer.MAX_VALUE;

  private final TimerWheel<String> wheel = TimerWheel.builder().ordered().build();
  private final FiredTimers fired = new FiredTimers();

  @AfterEach
  void checkConsistency() {
    wheel.checkConsistency();
  }

  /** Takes and records every timer, and acts when this one fires for the first time. */
  private ExpiryHandler<String> at(long id, Runnable action) {
    boolean[] acted = {false};
    return (firing, deadline, payload) -> {
      fired.take(firing, deadline, payload);
      if (firing == id && !acted[0]) {
        acted[0] = true;
        action.run();
      }
      return true;
    };
  }

  /** Schedules timers 1, 2, 3, … */
  private void schedule(long... deadlines) {
    for (int i = 0; i < deadlines.length; i++) {
      wheel.schedule(i + 1, deadlines[i], "p" + (i + 1));
    }
  }

  private static void fail() {
    throw new HandlerException();
  }

  private static final class HandlerException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  // Refusing

  @Test
  void take_false_keepsTheTimerAndEndsTheSweep() {
    schedule(10, 10, 20);
    assertEquals(1, wheel.advance(30, ALL, (id, deadline, payload) -> id != 2));
    assertEquals(2, wheel.size());
    assertFalse(wheel.contains(1));
    assertEquals(10, wheel.deadline(2));
    assertEquals("p2", wheel.payload(2));
    wheel.checkConsistency();
    assertEquals(2, wheel.advance(30, ALL, fired));
    assertEquals(
        List.of(new Page.Timer<>(2, 10, "p2"), new Page.Timer<>(3, 20, "p3")), fired.timers());
  }

  @Test
  void take_falseAgainAndAgain_isOfferedFirstEachTime() {
    TimerWheel<String> unordered = TimerWheel.startingAt(0);
    for (long id = 0; id < 10; id++) {
      unordered.schedule(id, 10, "a");
    }
    List<Long> offered = new ArrayList<>();
    for (long now = 10; now < 20; now++) {
      assertEquals(0, unordered.advance(now, ALL, (id, deadline, payload) -> !offered.add(id)));
    }
    assertEquals(10, unordered.advance(20, ALL, fired));
    long first = fired.ids().get(0);
    assertTrue(offered.stream().allMatch(id -> id == first), () -> offered + ", then " + first);
  }

  @Test
  void take_false_doesNotHoldBackTheTime() {
    schedule(10);
    wheel.advance(100, ALL, (id, deadline, payload) -> false);
    wheel.schedule(2, 100, "reached");
    wheel.schedule(3, 101, "ahead");
    assertEquals(2, wheel.advance(50, ALL, fired));
    assertEquals(List.of(1L, 2L), fired.ids());
  }

  // Throwing

  @Test
  void take_throws_keepsTheTimerAndPassesTheExceptionOn() {
    schedule(10, 10, 10, 20);
    HandlerException thrown = new HandlerException();
    ExpiryHandler<String> handler =
        at(
            2,
            () -> {
              throw thrown;
            });
    assertSame(thrown, assertThrows(HandlerException.class, () -> wheel.advance(30, ALL, handler)));
    assertEquals(List.of(1L, 2L), fired.ids());
    assertEquals(3, wheel.size());
    assertFalse(wheel.contains(1));
    wheel.checkConsistency();
    assertEquals(3, wheel.advance(30, ALL, fired));
    assertEquals(List.of(2L, 3L, 4L), fired.ids());
  }

  @Test
  void take_throwsAnError_leavesTheWheelUsable() {
    schedule(10);
    ExpiryHandler<String> handler =
        (id, deadline, payload) -> {
          throw new StackOverflowError();
        };
    assertThrows(StackOverflowError.class, () -> wheel.advance(10, 1, handler));
    assertTrue(wheel.schedule(2, 10, "late"));
    assertTrue(wheel.cancel(1));
    assertEquals(1, wheel.advance(10, ALL, fired));
  }

  @Test
  void take_changesTheWheelAndThrows_keepsTheChanges() {
    schedule(10, 10, 20);
    Runnable action =
        () -> {
          wheel.cancel(2);
          wheel.schedule(3, 15, "moved");
          wheel.schedule(1, 40, "moved");
          fail();
        };
    assertThrows(HandlerException.class, () -> wheel.advance(30, ALL, at(1, action)));
    assertEquals(List.of(1L), fired.ids());
    assertEquals(1, wheel.advance(30, ALL, fired));
    assertEquals(List.of(new Page.Timer<>(3, 15, "moved")), fired.timers());
    assertEquals(1, wheel.advance(40, ALL, fired));
  }

  // Scheduling itself

  @Test
  void take_schedulesItselfLater_firesAgainInTheSameAdvance() {
    schedule(10, 15);
    assertEquals(3, wheel.advance(20, ALL, at(1, () -> wheel.schedule(1, 20, "again"))));
    assertEquals(
        List.of(
            new Page.Timer<>(1, 10, "p1"),
            new Page.Timer<>(2, 15, "p2"),
            new Page.Timer<>(1, 20, "again")),
        fired.timers());
    assertEquals(0, wheel.size());
  }

  @Test
  void take_schedulesItselfBeyondTheTime_isKept() {
    schedule(10);
    assertEquals(1, wheel.advance(20, ALL, at(1, () -> wheel.schedule(1, 21, "again"))));
    assertEquals(1, wheel.size());
    assertEquals(21, wheel.deadline(1));
    assertEquals(21, wheel.nextDeadline());
    assertEquals(1, wheel.advance(21, ALL, fired));
  }

  @Test
  void take_schedulesItselfForItsOwnTickOrEarlier_firesInTheNextAdvance() {
    schedule(110);
    for (long deadline : new long[] {110, 109, 0, -1, Long.MIN_VALUE, 110}) {
      assertEquals(1, wheel.advance(200, ALL, at(1, () -> wheel.schedule(1, deadline, "again"))));
      wheel.checkConsistency();
      assertEquals(deadline, wheel.nextDeadline());
      assertEquals(1, wheel.size());
    }
    assertEquals(1, wheel.advance(200, ALL, fired));
  }

  @Test
  void take_schedulesItselfAndRefuses_isMovedAndEndsTheSweep() {
    schedule(10, 20);
    ExpiryHandler<String> handler =
        (id, deadline, payload) -> {
          wheel.schedule(id, 25, "moved");
          return false;
        };
    assertEquals(0, wheel.advance(30, ALL, handler));
    assertEquals(2, wheel.size());
    assertEquals(2, wheel.advance(30, ALL, fired));
    assertEquals(
        List.of(new Page.Timer<>(2, 20, "p2"), new Page.Timer<>(1, 25, "moved")), fired.timers());
  }

  @Test
  void take_recurring_catchesUpWithinOneAdvance() {
    wheel.schedule(1, 100, "every 100");
    wheel.schedule(2, 150, "every 150");
    ExpiryHandler<String> recurring =
        (id, deadline, payload) -> {
          wheel.schedule(id, deadline + (id == 1 ? 100 : 150), payload);
          return fired.take(id, deadline, payload);
        };
    assertEquals(10, wheel.advance(600, ALL, recurring));
    assertEquals(List.of(1L, 2L, 1L, 1L, 2L, 1L, 2L, 1L, 1L, 2L), fired.ids());
    assertEquals(700, wheel.nextDeadline());
    assertEquals(750, wheel.deadline(2));
    // Else it would not end.
    assertEquals(50, wheel.advance(Long.MAX_VALUE, 50, recurring));
    assertEquals(2, wheel.size());
  }

  @Test
  void take_recurringEveryTick_firesEveryTick() {
    schedule(1);
    ExpiryHandler<String> recurring =
        (id, deadline, payload) -> {
          wheel.schedule(id, deadline + 1, payload);
          return true;
        };
    assertEquals(70_000, wheel.advance(70_000, ALL, recurring));
    assertEquals(70_001, wheel.nextDeadline());
  }

  // Scheduling others

  @Test
  void take_schedulesAnotherLater_firesInTheSameAdvanceInItsTurn() {
    schedule(10, 20, 30);
    Runnable action =
        () -> {
          wheel.schedule(11, 11, "next tick");
          wheel.schedule(12, 25, "between");
          wheel.schedule(13, 30, "with the last");
          wheel.schedule(14, 31, "beyond");
        };
    assertEquals(6, wheel.advance(30, ALL, at(1, action)));
    assertEquals(List.of(1L, 11L, 2L, 12L, 3L, 13L), fired.ids());
    assertEquals(1, wheel.size());
  }

  @Test
  void take_schedulesAnotherForItsOwnTickOrEarlier_firesInTheNextAdvance() {
    schedule(10, 20);
    Runnable action =
        () -> {
          wheel.schedule(11, 10, "same tick");
          wheel.schedule(12, 9, "earlier");
          wheel.schedule(13, Long.MIN_VALUE, "long ago");
        };
    assertEquals(2, wheel.advance(30, ALL, at(1, action)));
    assertEquals(List.of(1L, 2L), fired.ids());
    assertEquals(3, wheel.advance(30, ALL, fired));
    assertEquals(List.of(13L, 12L, 11L), fired.ids());
  }

  @Test
  void take_schedulesWithinItsTick_countsTheTickAndNotTheDeadline() {
    TimerWheel<String> coarse = TimerWheel.builder().tick(10).build();
    coarse.schedule(1, 11, "a");
    Runnable action =
        () -> {
          coarse.schedule(2, 20, "same tick");
          coarse.schedule(3, 21, "next tick");
        };
    assertEquals(2, coarse.advance(30, ALL, at(1, action)));
    assertEquals(List.of(1L, 3L), fired.ids());
    assertEquals(1, coarse.advance(30, ALL, fired));
  }

  @Test
  void take_movesAnotherOfItsTick_firesWhereItWasMovedTo() {
    schedule(10, 10, 10, 10);
    Runnable action =
        () -> {
          assertFalse(wheel.schedule(2, 20, "later"));
          assertFalse(wheel.schedule(3, 10, "same tick"));
        };
    assertEquals(3, wheel.advance(30, ALL, at(1, action)));
    assertEquals(List.of(1L, 4L, 2L), fired.ids());
    assertEquals(1, wheel.advance(30, ALL, fired));
    assertEquals(List.of(new Page.Timer<>(3, 10, "same tick")), fired.timers());
  }

  @Test
  void take_movesALaterOne_firesWhereItWasMovedTo() {
    schedule(10, 20, 300, 400);
    Runnable action =
        () -> {
          wheel.schedule(2, 10, "to this tick");
          wheel.schedule(3, 15, "forward");
          wheel.schedule(4, 1_000, "beyond");
        };
    assertEquals(2, wheel.advance(500, ALL, at(1, action)));
    assertEquals(List.of(1L, 3L), fired.ids());
    assertEquals(10, wheel.nextDeadline());
    assertEquals(1, wheel.advance(500, ALL, fired));
    assertEquals(1_000, wheel.nextDeadline());
  }

  @Test
  void take_schedulesThousands_growsWhileFiring() {
    schedule(10, 10, 20);
    Runnable action =
        () -> {
          for (long id = 1_000; id < 11_000; id++) {
            wheel.schedule(id, 5 + id % 100, "a");
          }
        };
    // Of every hundred, the six for ticks 5 to 10 are late.
    assertEquals(3 + 9_400, wheel.advance(104, ALL, at(2, action)));
    assertEquals(600, wheel.size());
    assertEquals(600, wheel.advance(104, ALL, fired));
  }

  // Cancelling

  @Test
  void take_cancelsItself_isTakenOnce() {
    schedule(10, 20);
    assertEquals(2, wheel.advance(30, ALL, at(1, () -> assertTrue(wheel.cancel(1)))));
    assertEquals(List.of(1L, 2L), fired.ids());
    assertEquals(0, wheel.size());
  }

  @Test
  void take_cancelsItselfAndRefuses_isGone() {
    schedule(10, 20);
    assertEquals(0, wheel.advance(30, ALL, (id, deadline, payload) -> !wheel.cancel(id)));
    assertEquals(1, wheel.size());
    assertFalse(wheel.contains(1));
  }

  @Test
  void take_cancelsItselfAndSchedulesAnother_keepsTheOther() {
    schedule(10);
    Runnable action =
        () -> {
          wheel.cancel(1);
          // In the room that was left just now.
          wheel.schedule(2, 20, "other");
        };
    assertEquals(1, wheel.advance(10, ALL, at(1, action)));
    assertEquals(1, wheel.size());
    assertEquals("other", wheel.payload(2));
  }

  @Test
  void take_cancelsItselfAndSchedulesItself_isKept() {
    schedule(10);
    Runnable action =
        () -> {
          assertTrue(wheel.cancel(1));
          assertTrue(wheel.schedule(1, 10, "again"));
        };
    assertEquals(1, wheel.advance(10, ALL, at(1, action)));
    assertEquals("again", wheel.payload(1));
    assertEquals(1, wheel.advance(10, ALL, fired));
    assertEquals(0, wheel.size());
  }

  @Test
  void take_cancelsOthers_theyDoNotFire() {
    schedule(10, 10, 10, 20, 70_000);
    wheel.schedule(6, 30, "kept");
    Runnable action =
        () -> {
          assertTrue(wheel.cancel(3));
          assertTrue(wheel.cancel(2));
          assertTrue(wheel.cancel(4));
          assertTrue(wheel.cancel(5));
        };
    assertEquals(2, wheel.advance(100_000, ALL, at(1, action)));
    assertEquals(List.of(1L, 6L), fired.ids());
    assertEquals(0, wheel.size());
  }

  @Test
  void take_cancelsWhatItScheduledLate_doesNotFire() {
    schedule(10);
    Runnable action =
        () -> {
          wheel.schedule(2, 5, "late");
          wheel.schedule(3, 6, "late");
          assertTrue(wheel.cancel(2));
        };
    assertEquals(1, wheel.advance(10, ALL, at(1, action)));
    assertEquals(List.of(1L), fired.ids());
    assertEquals(1, wheel.advance(10, ALL, fired));
    assertEquals(List.of(3L), fired.ids());
  }

  @Test
  void take_cancelsMostOfMany_losesNoneOfTheRest() {
    for (long id = 0; id < 10_000; id++) {
      wheel.schedule(id, 10 + id / 5_000, "p" + id);
    }
    Runnable action =
        () -> {
          for (long id = 1; id < 10_000; id++) {
            if (id % 100 != 0) {
              wheel.cancel(id);
            }
          }
        };
    assertEquals(100, wheel.advance(11, ALL, at(0, action)));
    for (Page.Timer<String> timer : fired.timers()) {
      assertEquals("p" + timer.id(), timer.payload());
    }
    assertEquals(0, wheel.size());
  }

  // Clearing

  @Test
  void take_clears_endsWithNothing() {
    schedule(10, 10, 20, 70_000);
    assertEquals(1, wheel.advance(100_000, ALL, at(1, wheel::clear)));
    assertEquals(0, wheel.size());
    assertEquals(0, wheel.advance(100_000, ALL, fired));
  }

  @Test
  void take_clearsAndSchedules_firesTheNewOnes() {
    schedule(10, 10, 20);
    Runnable action =
        () -> {
          wheel.clear();
          // The first of them takes the room of the timer that is being fired.
          wheel.schedule(12, 10, "own tick");
          wheel.schedule(11, 15, "later");
          wheel.schedule(1, 25, "same id");
        };
    assertEquals(3, wheel.advance(30, ALL, at(1, action)));
    assertEquals(List.of(1L, 11L, 1L), fired.ids());
    assertEquals(1, wheel.advance(30, ALL, fired));
    assertEquals(List.of(12L), fired.ids());
  }

  @Test
  void take_clearsAndRefusesOrThrows_keepsNothing() {
    ExpiryHandler<String> refusing =
        (id, deadline, payload) -> {
          wheel.clear();
          return false;
        };
    schedule(10, 20);
    assertEquals(0, wheel.advance(30, ALL, refusing));
    assertEquals(0, wheel.size());
    Runnable action =
        () -> {
          wheel.clear();
          fail();
        };
    schedule(40);
    assertThrows(HandlerException.class, () -> wheel.advance(40, ALL, at(1, action)));
    assertEquals(0, wheel.size());
    assertEquals(0, wheel.advance(50, ALL, fired));
  }

  // Advancing

  @Test
  void take_advances_isRefusedAndHarmsNothing() {
    schedule(10, 20, 30);
    Runnable action =
        () -> assertThrows(IllegalStateException.class, () -> wheel.advance(30, ALL, fired));
    assertEquals(2, wheel.advance(20, ALL, at(1, action)));
    assertEquals(List.of(1L, 2L), fired.ids());
    // The time that was refused was not taken in either.
    assertEquals(0, wheel.advance(29, ALL, fired));
    assertEquals(1, wheel.advance(30, ALL, fired));
  }

  @Test
  void take_advancesTwice_isRefusedTwice() {
    schedule(10);
    Runnable action =
        () -> {
          assertThrows(IllegalStateException.class, () -> wheel.advance(30, ALL, fired));
          assertThrows(IllegalStateException.class, () -> wheel.advance(30, ALL, fired));
        };
    assertEquals(1, wheel.advance(20, ALL, at(1, action)));
  }

  @Test
  void take_advancesAndLetsItThrow_keepsTheTimer() {
    schedule(10, 20);
    ExpiryHandler<String> nested = at(1, () -> wheel.advance(10, 1, fired));
    assertThrows(IllegalStateException.class, () -> wheel.advance(20, ALL, nested));
    assertEquals(List.of(1L), fired.ids());
    assertEquals(2, wheel.advance(20, ALL, fired));
    assertEquals(List.of(1L, 2L), fired.ids());
  }

  @Test
  void take_advancesAnotherWheel_mayDoSo() {
    TimerWheel<String> other = TimerWheel.startingAt(0);
    other.schedule(7, 5, "other");
    schedule(10);
    assertEquals(1, wheel.advance(10, ALL, at(1, () -> other.advance(5, ALL, fired))));
    assertEquals(List.of(1L, 7L), fired.ids());
  }

  // Reading

  @Test
  void take_reads_seesItsOwnTimerStillThere() {
    schedule(10, 10, 20);
    Runnable action =
        () -> {
          assertFalse(wheel.contains(1));
          assertTrue(wheel.contains(2));
          assertEquals(10, wheel.deadline(2));
          assertEquals("p2", wheel.payload(2));
          assertEquals(2, wheel.size());
          assertEquals(10, wheel.nextDeadline());
        };
    assertEquals(3, wheel.advance(20, ALL, at(2, action)));
    assertEquals(Long.MAX_VALUE, wheel.nextDeadline());
  }

  @Test
  void take_readsNextDeadline_seesEveryChange() {
    schedule(10, 20, 30);
    List<Long> next = new ArrayList<>();
    Runnable action =
        () -> {
          next.add(wheel.nextDeadline());
          wheel.cancel(2);
          next.add(wheel.nextDeadline());
          wheel.schedule(4, 5, "late");
          next.add(wheel.nextDeadline());
          wheel.cancel(4);
          next.add(wheel.nextDeadline());
          wheel.schedule(5, 25, "later");
          next.add(wheel.nextDeadline());
        };
    wheel.advance(20, ALL, at(2, action));
    assertEquals(List.of(20L, 30L, 5L, 30L, 25L), next);
    assertEquals(25, wheel.nextDeadline());
  }

  @Test
  void take_scans_seesWhatIsOutstanding() {
    schedule(10, 10, 10, 20, 70_000);
    wheel.schedule(9, -1, "late");
    List<Long> seen = new ArrayList<>();
    Runnable action =
        () -> {
          wheel.schedule(6, 3, "late again");
          for (Cursor cursor = Cursor.START; cursor != null; ) {
            Page<String> page = wheel.scan(cursor, 2);
            page.timers().forEach(timer -> seen.add(timer.id()));
            cursor = page.next();
          }
        };
    wheel.advance(20, ALL, at(2, action));
    assertEquals(List.of(6L, 2L, 3L, 4L, 5L), seen);
  }
}
