package io.horae.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each method promises between advances, and what it refuses. */
class TimerWheelTest {

  private static final int ALL = Integer.MAX_VALUE;

  private final TimerWheel<String> wheel = TimerWheel.startingAt(0);
  private final FiredTimers fired = new FiredTimers();

  @AfterEach
  void checkConsistency() {
    wheel.checkConsistency();
  }

  // schedule

  @Test
  void schedule_newId_isNew() {
    assertTrue(wheel.schedule(7, 10, "a"));
    assertTrue(wheel.schedule(8, 10, "b"));
    assertEquals(2, wheel.size());
    assertEquals(10, wheel.deadline(7));
    assertEquals("a", wheel.payload(7));
    assertEquals("b", wheel.payload(8));
  }

  @Test
  void schedule_sameId_movesAndReplacesPayload() {
    wheel.schedule(7, 10, "a");
    assertFalse(wheel.schedule(7, 20, "b"));
    assertEquals(1, wheel.size());
    assertEquals(20, wheel.deadline(7));
    assertEquals("b", wheel.payload(7));
    assertEquals(0, wheel.advance(19, ALL, fired));
    assertEquals(1, wheel.advance(20, ALL, fired));
    assertEquals(List.of(new Page.Timer<>(7, 20, "b")), fired.timers());
  }

  @Test
  void schedule_sameIdEarlier_firesThenAndOnlyThen() {
    wheel.schedule(7, 70_000, "a");
    wheel.schedule(7, 5, "a");
    assertEquals(1, wheel.advance(5, ALL, fired));
    assertEquals(0, wheel.advance(Long.MAX_VALUE, ALL, fired));
  }

  @Test
  void schedule_sameIdSameDeadline_changesPayloadOnly() {
    wheel.schedule(7, 10, "a");
    assertFalse(wheel.schedule(7, 10, "b"));
    assertEquals(1, wheel.advance(10, ALL, fired));
    assertEquals(List.of(new Page.Timer<>(7, 10, "b")), fired.timers());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE})
  void schedule_anyId_isThatId(long id) {
    assertTrue(wheel.schedule(id, 10, "a"));
    assertTrue(wheel.contains(id));
    assertFalse(wheel.contains(id ^ 1));
    assertFalse(wheel.contains(~id));
    wheel.advance(10, ALL, fired);
    assertEquals(List.of(new Page.Timer<>(id, 10, "a")), fired.timers());
    assertFalse(wheel.contains(id));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -42, Long.MIN_VALUE, Long.MAX_VALUE})
  void schedule_nullPayload_refusedByIdAndWithoutEffect(long id) {
    wheel.schedule(1, 5, "kept");
    assertRefused(String.valueOf(id), () -> wheel.schedule(id, 10, null));
    assertFalse(wheel.contains(id));
    assertRefused("1", () -> wheel.schedule(1, 10, null));
    assertEquals(5, wheel.deadline(1));
    assertEquals("kept", wheel.payload(1));
    assertEquals(1, wheel.size());
  }

  @Test
  void schedule_passedDeadline_firesAtTheNextAdvanceWhateverItsTime() {
    wheel.advance(1_000, ALL, fired);
    wheel.schedule(1, 1_000, "now");
    wheel.schedule(2, 999, "before");
    wheel.schedule(3, Long.MIN_VALUE, "long ago");
    assertEquals(3, wheel.size());
    assertEquals(Long.MIN_VALUE, wheel.nextDeadline());
    assertEquals(3, wheel.advance(0, ALL, fired));
    assertEquals(List.of(3L, 2L, 1L), fired.ids());
  }

  @Test
  void schedule_lateThenMovedAhead_waitsForItsNewDeadline() {
    wheel.schedule(1, -5, "a");
    wheel.schedule(2, -5, "b");
    wheel.schedule(1, 300, "a");
    assertEquals(1, wheel.advance(299, ALL, fired));
    assertEquals(List.of(2L), fired.ids());
    assertEquals(1, wheel.advance(300, ALL, fired));
  }

  // cancel, contains, deadline, payload, size

  @Test
  void cancel_outstanding_neverFires() {
    wheel.schedule(1, 10, "a");
    wheel.schedule(2, 10, "b");
    wheel.schedule(3, 10, "c");
    assertTrue(wheel.cancel(2));
    assertFalse(wheel.cancel(2));
    assertFalse(wheel.contains(2));
    assertNull(wheel.payload(2));
    assertEquals(2, wheel.size());
    assertEquals(2, wheel.advance(Long.MAX_VALUE, ALL, fired));
    assertEquals(List.of(1L, 3L), fired.ids().stream().sorted().toList());
  }

  @Test
  void cancel_late_neverFires() {
    wheel.schedule(1, -1, "a");
    wheel.schedule(2, -2, "b");
    assertTrue(wheel.cancel(1));
    assertEquals(1, wheel.advance(0, ALL, fired));
    assertEquals(List.of(2L), fired.ids());
  }

  @Test
  void cancel_leftOverByTheLimit_neverFires() {
    for (long id = 0; id < 4; id++) {
      wheel.schedule(id, 10, "a");
    }
    wheel.advance(10, 1, fired);
    long first = fired.ids().get(0);
    for (long id = 0; id < 4; id++) {
      assertEquals(id != first, wheel.cancel(id));
      wheel.checkConsistency();
    }
    assertEquals(0, wheel.advance(10, ALL, fired));
  }

  @Test
  void cancel_fired_isFalseAndHitsNobodyElse() {
    wheel.schedule(1, 10, "a");
    wheel.advance(10, ALL, fired);
    // Takes the room that the first one left.
    wheel.schedule(2, 20, "b");
    assertFalse(wheel.cancel(1));
    assertTrue(wheel.contains(2));
    assertEquals(1, wheel.advance(20, ALL, fired));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 4_711, Long.MIN_VALUE, Long.MAX_VALUE})
  void deadline_unknownId_refusedByName(long id) {
    wheel.schedule(1, 5, "other");
    assertRefused(String.valueOf(id), () -> wheel.deadline(id));
    assertNull(wheel.payload(id));
    assertFalse(wheel.contains(id));
    assertFalse(wheel.cancel(id));
  }

  @Test
  void deadline_withTicks_isWhatWasAskedFor() {
    TimerWheel<String> coarse = TimerWheel.builder().tick(1_000).build();
    coarse.schedule(1, 1_234, "a");
    assertEquals(1_234, coarse.deadline(1));
    coarse.advance(2_000, ALL, fired);
    assertEquals(List.of(new Page.Timer<>(1, 1_234, "a")), fired.timers());
  }

  @Test
  void payload_anyObject_isHandedBackAsIs() {
    TimerWheel<Object> objects = TimerWheel.startingAt(0);
    Object payload = new Object();
    objects.schedule(1, 10, payload);
    assertSame(payload, objects.payload(1));
    List<Object> taken = new ArrayList<>();
    objects.advance(10, 1, (id, deadline, object) -> taken.add(object));
    assertSame(payload, taken.get(0));
  }

  // nextDeadline

  @Test
  void nextDeadline_empty_isTheEndOfTime() {
    assertEquals(Long.MAX_VALUE, wheel.nextDeadline());
    wheel.schedule(1, Long.MAX_VALUE, "a");
    assertEquals(Long.MAX_VALUE, wheel.nextDeadline());
    wheel.schedule(2, Long.MAX_VALUE - 1, "b");
    assertEquals(Long.MAX_VALUE - 1, wheel.nextDeadline());
    wheel.cancel(1);
    wheel.cancel(2);
    assertEquals(Long.MAX_VALUE, wheel.nextDeadline());
  }

  @Test
  void nextDeadline_afterEveryKindOfChange_isTheEarliest() {
    wheel.schedule(1, 500, "a");
    assertEquals(500, wheel.nextDeadline());
    wheel.schedule(2, 600, "later");
    assertEquals(500, wheel.nextDeadline());
    wheel.schedule(3, 400, "earlier");
    assertEquals(400, wheel.nextDeadline());
    wheel.schedule(4, 400, "as early");
    wheel.cancel(3);
    assertEquals(400, wheel.nextDeadline());
    wheel.schedule(4, 550, "moved back");
    assertEquals(500, wheel.nextDeadline());
    wheel.schedule(2, 450, "moved forward");
    assertEquals(450, wheel.nextDeadline());
    wheel.schedule(2, 460, "moved back, still first");
    assertEquals(460, wheel.nextDeadline());
    wheel.cancel(1);
    assertEquals(460, wheel.nextDeadline());
    wheel.advance(459, ALL, fired);
    assertEquals(460, wheel.nextDeadline());
    wheel.advance(460, ALL, fired);
    assertEquals(550, wheel.nextDeadline());
    wheel.schedule(5, -3, "late");
    assertEquals(-3, wheel.nextDeadline());
    wheel.advance(460, ALL, fired);
    assertEquals(550, wheel.nextDeadline());
    wheel.clear();
    assertEquals(Long.MAX_VALUE, wheel.nextDeadline());
    wheel.schedule(6, 700, "after all");
    assertEquals(700, wheel.nextDeadline());
  }

  @Test
  void nextDeadline_onlyTimerMoved_followsIt() {
    wheel.schedule(1, 10, "a");
    assertEquals(10, wheel.nextDeadline());
    wheel.schedule(1, 1L << 50, "a");
    assertEquals(1L << 50, wheel.nextDeadline());
    wheel.schedule(1, Long.MIN_VALUE, "a");
    assertEquals(Long.MIN_VALUE, wheel.nextDeadline());
    wheel.schedule(1, Long.MAX_VALUE, "a");
    assertEquals(Long.MAX_VALUE, wheel.nextDeadline());
  }

  @Test
  void nextDeadline_amongManyOnOneSpoke_isTheLeast() {
    for (long id = 0; id < 100; id++) {
      wheel.schedule(id, 65_536 + (id * 37 + 50) % 100, "a");
    }
    for (long next = 65_536; next < 65_636; next++) {
      assertEquals(next, wheel.nextDeadline());
      wheel.cancel(wheel.scan(Cursor.START, 1).timers().get(0).id());
    }
  }

  @Test
  void nextDeadline_leftOverByTheLimit_hasPassed() {
    wheel.schedule(1, 10, "a");
    wheel.schedule(2, 20, "b");
    wheel.schedule(3, 30, "c");
    wheel.advance(100, 1, fired);
    assertEquals(20, wheel.nextDeadline());
    wheel.advance(100, 1, fired);
    assertEquals(30, wheel.nextDeadline());
    wheel.schedule(4, 25, "d");
    assertEquals(25, wheel.nextDeadline());
    wheel.schedule(4, 35, "d");
    assertEquals(30, wheel.nextDeadline());
  }

  @Test
  void nextDeadline_lateAndLeftOver_isTheEarlierOfBoth() {
    wheel.schedule(1, 10, "a");
    wheel.advance(10, ALL, (id, deadline, payload) -> false);
    wheel.schedule(2, 5, "b");
    assertEquals(5, wheel.nextDeadline());
    wheel.cancel(2);
    wheel.schedule(2, 12, "b");
    assertEquals(10, wheel.nextDeadline());
    wheel.schedule(3, 10, "c");
    wheel.cancel(1);
    assertEquals(10, wheel.nextDeadline());
  }

  @Test
  void nextDeadline_afterRefusalOrException_isThatTimers() {
    wheel.schedule(1, 10, "a");
    wheel.schedule(2, 20, "b");
    assertEquals(10, wheel.nextDeadline());
    wheel.advance(15, ALL, (id, deadline, payload) -> false);
    assertEquals(10, wheel.nextDeadline());
    ExpiryHandler<String> throwing =
        (id, deadline, payload) -> {
          throw new IllegalStateException();
        };
    assertThrows(IllegalStateException.class, () -> wheel.advance(15, ALL, throwing));
    assertEquals(10, wheel.nextDeadline());
  }

  // clear

  @Test
  void clear_always_forgetsTheTimersButNotTheTime() {
    wheel.advance(100, ALL, fired);
    wheel.schedule(1, 50, "late");
    wheel.schedule(2, 200, "near");
    wheel.schedule(3, Long.MAX_VALUE, "far");
    wheel.clear();
    assertEquals(0, wheel.size());
    assertFalse(wheel.contains(1));
    assertFalse(wheel.contains(2));
    assertNull(wheel.payload(3));
    assertEquals(List.of(), wheel.scan(Cursor.START, 10).timers());
    wheel.checkConsistency();
    assertTrue(wheel.schedule(1, 90, "still late"));
    assertEquals(1, wheel.advance(0, ALL, fired));
    assertEquals(0, wheel.advance(Long.MAX_VALUE, ALL, fired));
  }

  @Test
  void clear_leftOverByTheLimit_forgetsThem() {
    for (long id = 0; id < 10; id++) {
      wheel.schedule(id, 10, "a");
    }
    wheel.advance(10, 3, fired);
    wheel.clear();
    assertEquals(0, wheel.advance(10, ALL, fired));
  }

  // Bad values

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void tick_notPositive_refusedByName(long length) {
    assertRefused(String.valueOf(length), () -> TimerWheel.builder().tick(length));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void advance_limitNotPositive_refusedByNameAndWithoutEffect(int limit) {
    assertRefused(String.valueOf(limit), () -> wheel.advance(10, limit, fired));
    assertTimeIsStillZero();
  }

  @Test
  void advance_nullHandler_refusedWithoutEffect() {
    assertRefused("handler", () -> wheel.advance(10, 1, null));
    assertTimeIsStillZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void scan_limitNotPositive_refusedByName(int limit) {
    assertRefused(String.valueOf(limit), () -> wheel.scan(Cursor.START, limit));
  }

  @Test
  void scan_nullCursor_refused() {
    assertRefused("cursor", () -> wheel.scan(null, 1));
  }

  private static void assertRefused(String named, Executable call) {
    String message = assertThrows(IllegalArgumentException.class, call).getMessage();
    assertTrue(message.contains(named), message);
  }

  private void assertTimeIsStillZero() {
    wheel.schedule(99, 1, "probe");
    assertEquals(0, wheel.advance(0, ALL, fired));
    assertEquals(1, wheel.advance(1, ALL, fired));
  }

  // Storage

  @Test
  void schedule_oneAtATimeForLong_usesRoomAgain() {
    for (long id = 0; id < 10_000; id++) {
      wheel.schedule(id, id + 300, "a");
      if (id % 3 == 0) {
        assertTrue(wheel.cancel(id));
      }
      wheel.advance(id, ALL, fired);
      assertTrue(wheel.size() <= 300);
    }
    wheel.advance(20_000, ALL, fired);
    assertEquals(6_666, fired.ids().size());
  }

  @Test
  void cancel_untilFewAreLeft_keepsThose() {
    for (long id = 0; id < 100_000; id++) {
      wheel.schedule(id, (id * 7_919) % 1_000_003 - 500, "p" + id);
    }
    for (long id = 0; id < 100_000; id++) {
      if (id % 1_000 != 17) {
        assertTrue(wheel.cancel(id));
      }
    }
    wheel.checkConsistency();
    assertEquals(100, wheel.size());
    for (long id = 17; id < 100_000; id += 1_000) {
      assertEquals((id * 7_919) % 1_000_003 - 500, wheel.deadline(id));
      assertEquals("p" + id, wheel.payload(id));
    }
    assertEquals(100, wheel.advance(Long.MAX_VALUE, ALL, fired));
  }

  @Test
  void advance_withLeftOversAndLateOnesWhileShrinking_losesNone() {
    for (long id = 0; id < 1_000; id++) {
      wheel.schedule(id, 10, "due");
    }
    wheel.advance(10, 600, fired);
    for (long id = 2_000; id < 2_050; id++) {
      wheel.schedule(id, -id, "late");
    }
    for (long id = 3_000; id < 3_050; id++) {
      wheel.schedule(id, id, "ahead");
    }
    List<Long> due = new ArrayList<>(fired.ids());
    for (long id = 0; id < 1_000; id++) {
      // Shrinks with timers on lists of all kinds.
      if (id % 10 != 3 && wheel.cancel(id)) {
        due.add(id);
      }
    }
    wheel.checkConsistency();
    int left = 1_000 - due.size();
    assertEquals(left + 100, wheel.size());
    assertEquals(50, wheel.advance(10, 50, fired));
    List<Long> late = fired.ids();
    assertEquals(2_049, late.get(0));
    assertEquals(2_000, late.get(49));
    assertEquals(left, wheel.advance(10, ALL, fired));
    assertEquals(50, wheel.advance(3_049, ALL, fired));
  }
}
