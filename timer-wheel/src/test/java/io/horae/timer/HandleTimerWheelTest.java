package io.horae.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What a wheel does with handles; all else it does as {@link TimerWheelTest} has it. */
class HandleTimerWheelTest {

  private final HandleTimerWheel<String> wheel = TimerWheel.builder().buildWithHandles();

  @Test
  void cancel_staleHandle_doesNotHitTheNextTimerInItsPlace() {
    long first = wheel.schedule(10, "first");
    assertTrue(wheel.cancel(first));
    long second = wheel.schedule(10, "second");
    assertNotEquals(first, second);
    assertFalse(wheel.cancel(first));
    assertFalse(wheel.reschedule(first, 20));
    assertEquals("second", wheel.payload(second));
    assertEquals(10, wheel.deadline(second));
  }

  @Test
  void cancel_handleFromBeforeTheWheelWasCleared_isStale() {
    long before = wheel.schedule(10, "before");
    wheel.clear();
    long after = wheel.schedule(10, "after");
    assertFalse(wheel.cancel(before));
    assertTrue(wheel.contains(after));
  }

  @Test
  void cancel_handleOfNoTimer_isFalse() {
    for (long handle : new long[] {-1, 0, 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertFalse(wheel.cancel(handle), () -> "handle " + handle);
    }
    wheel.cancel(wheel.schedule(1, "gone"));
    assertFalse(wheel.cancel(-1), "what a free place has");
  }

  @Test
  void reschedule_keepsHandleAndPayload() {
    long handle = wheel.schedule(10, "call back");
    assertTrue(wheel.reschedule(handle, 5));
    List<Long> fired = new ArrayList<>();
    wheel.advance(
        5,
        1,
        (id, deadline, payload) -> {
          assertEquals("call back", payload);
          return fired.add(id);
        });
    assertEquals(List.of(handle), fired);
    assertFalse(wheel.reschedule(handle, 20));
  }

  @Test
  void advance_ordered_firesEqualDeadlinesAsTheyWereScheduled() {
    HandleTimerWheel<Integer> ordered = TimerWheel.builder().ordered().buildWithHandles();
    // Places are reused last in, first out: their order is another.
    List<Long> gone = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      gone.add(ordered.schedule(7, i));
    }
    gone.forEach(ordered::cancel);
    for (int i = 0; i < 100; i++) {
      ordered.schedule(7, i);
    }
    List<Integer> fired = new ArrayList<>();
    ordered.advance(7, Integer.MAX_VALUE, (id, deadline, payload) -> fired.add(payload));
    for (int i = 0; i < 100; i++) {
      assertEquals(i, fired.get(i));
    }
  }

  @Test
  void arrays_whenTheLastTimerGoes_areSmallAgain() {
    long small = wheel.arrayBytes();
    List<Long> handles = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      handles.add(wheel.schedule(i, "many"));
    }
    assertTrue(wheel.arrayBytes() > 28L * 100_000);
    handles.forEach(handle -> assertTrue(wheel.cancel(handle)));
    assertEquals(small, wheel.arrayBytes());
    handles.forEach(handle -> assertFalse(wheel.contains(handle)));
  }

  @Test
  void bytes_atAMillionTimersOverAnHour_areAtMostThirty() {
    int timers = 1_000_000;
    for (int i = 0; i < timers; i++) {
      wheel.schedule(1 + i * 2_654_435_761L % 3_600_000, "p");
    }
    double bytes = (double) wheel.arrayBytes() / timers;
    assertTrue(bytes <= 30, () -> bytes + " bytes a timer");
  }

  @Test
  void advance_byAHandler_isRefused() {
    long first = wheel.schedule(10, "first");
    long second = wheel.schedule(20, "second");
    List<Long> fired = new ArrayList<>();
    ExpiryHandler<String> nested =
        (handle, deadline, payload) -> {
          assertThrows(IllegalStateException.class, () -> wheel.advance(30, 1, (h, d, p) -> true));
          return fired.add(handle);
        };
    assertEquals(1, wheel.advance(19, Integer.MAX_VALUE, nested));
    assertEquals(List.of(first), fired);
    // The time that was refused was not taken in either.
    assertTrue(wheel.contains(second));
    assertEquals(1, wheel.advance(20, 1, nested));
    assertEquals(List.of(first, second), fired);
  }

  @Test
  void advanceAndScan_badArguments_areNamed() {
    assertRefused("limit", () -> wheel.advance(1, 0, (handle, deadline, payload) -> true));
    assertRefused("handler", () -> wheel.advance(1, 1, null));
    assertRefused("cursor", () -> wheel.scan(null, 1));
    assertRefused("limit", () -> wheel.scan(Cursor.START, 0));
    assertRefused("4711", () -> wheel.deadline(4_711));
    assertRefused("payload", () -> wheel.schedule(1, null));
  }

  private static void assertRefused(String named, Executable call) {
    String message = assertThrows(IllegalArgumentException.class, call).getMessage();
    assertTrue(message.contains(named), message);
  }

  @Test
  void scan_inPages_goesOnFromTheCursor() {
    List<Long> handles = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      handles.add(wheel.schedule(10, "p"));
    }
    List<Long> seen = new ArrayList<>();
    for (Cursor cursor = Cursor.START; cursor != null; ) {
      Page<String> page = wheel.scan(cursor, 3);
      page.timers().forEach(timer -> seen.add(timer.id()));
      assertTrue(seen.size() <= handles.size(), "goes on");
      cursor = page.next();
    }
    assertEquals(handles, seen);
  }

  @Test
  void schedule_allHandlesGivenOut_beginsAnewWithTheFirst() {
    Slab slab = new Slab();
    int slot = slab.fresh();
    SlotHandles handles = new SlotHandles(slab, (1L << 34) - 2);
    long last = handles.next(slot);
    assertEquals(((1L << 34) - 1) << 29 | slot, last);
    assertTrue(last > 0);
    assertEquals(slot, handles.next(slot));
  }

  @Test
  void schedule_nullPayload_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> wheel.schedule(1, null));
    assertEquals(0, wheel.size());
  }
}
