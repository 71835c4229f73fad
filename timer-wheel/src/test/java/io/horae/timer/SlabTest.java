package io.horae.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SlabTest {

  private final Slab slab = new Slab();

  @Test
  void add_extremeValues_areKept() {
    long[] values = {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE};
    for (long id : values) {
      for (long deadline : values) {
        int slot = slab.add(id, deadline, "p");
        slab.link(slot, Integer.MIN_VALUE, Integer.MAX_VALUE);
        assertEquals(id, slab.id(slot));
        assertEquals(deadline, slab.deadline(slot));
        assertEquals("p", slab.payload(slot));
      }
    }
    assertEquals(25, slab.size());
  }

  @Test
  void add_many_growsByHalfThenByAnEighthAndKeepsAll() {
    int capacity = slab.capacity();
    for (int i = 0; i < 100_000; i++) {
      int slot = slab.add(i, -i, "p");
      assertEquals(i, slot);
      slab.link(slot, ~i, i + 1);
      if (slab.capacity() != capacity) {
        // Not before it is full.
        assertEquals(capacity, i);
        assertEquals(capacity + capacity / (capacity < 65_536 ? 2 : 8), slab.capacity());
        capacity = slab.capacity();
      }
    }
    for (int slot = 0; slot < 100_000; slot++) {
      assertEquals(slot, slab.id(slot));
      assertEquals(-slot, slab.deadline(slot));
      assertEquals(~slot, slab.previous(slot));
      assertEquals(slot + 1, slab.next(slot));
    }
  }

  @Test
  void remove_thenAdd_usesTheRoomAgain() {
    Set<Integer> slots = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      slots.add(slab.add(i, i, "p"));
    }
    int capacity = slab.capacity();
    for (int round = 0; round < 100; round++) {
      for (int slot = 0; slot < 10; slot += 2) {
        slab.remove(slot);
      }
      assertEquals(5, slab.size());
      Set<Integer> again = new HashSet<>();
      for (int i = 0; i < 5; i++) {
        again.add(slab.add(100 + i, 0, "q"));
      }
      assertEquals(Set.of(0, 2, 4, 6, 8), again);
      assertEquals(10, slab.size());
    }
    assertEquals(10, slots.size());
    assertEquals(capacity, slab.capacity());
    assertEquals(1, slab.id(1));
  }

  @Test
  void payload_ofAFreeSlot_isLetGo() {
    int slot = slab.add(1, 2, "p");
    slab.remove(slot);
    AssertionError error = assertThrows(AssertionError.class, () -> slab.payload(slot));
    assertTrue(error.getMessage().contains("slot " + slot), error.getMessage());
  }

  @Test
  void deadlineAndPayload_set_changeNothingElse() {
    int slot = slab.add(1, 2, "p");
    slab.link(slot, -5, 7);
    slab.deadline(slot, Long.MIN_VALUE);
    slab.payload(slot, "q");
    assertEquals(1, slab.id(slot));
    assertEquals(Long.MIN_VALUE, slab.deadline(slot));
    assertEquals("q", slab.payload(slot));
    assertEquals(-5, slab.previous(slot));
    assertEquals(7, slab.next(slot));
  }

  @Test
  void link_anySigns_keepsTheHalvesApart() {
    int slot = slab.add(1, 2, "p");
    int[] links = {Integer.MIN_VALUE, -2_050, -1, 0, 1, Integer.MAX_VALUE};
    for (int previous : links) {
      for (int next : links) {
        slab.link(slot, previous, next);
        assertEquals(previous, slab.previous(slot));
        assertEquals(next, slab.next(slot));
        slab.next(slot, ~next);
        assertEquals(previous, slab.previous(slot));
        assertEquals(~next, slab.next(slot));
        slab.previous(slot, ~previous);
        assertEquals(~previous, slab.previous(slot));
        assertEquals(~next, slab.next(slot));
      }
    }
  }

  @Test
  void isRoomy_belowAQuarter_onceItHasGrown() {
    assertFalse(slab.isRoomy(), "as small as it gets");
    for (int i = 0; i < 1_000; i++) {
      slab.add(i, i, "p");
    }
    int quarter = slab.capacity() / 4;
    for (int slot = 999; slot >= quarter; slot--) {
      assertFalse(slab.isRoomy(), () -> slab.size() + " of " + slab.capacity());
      slab.remove(slot);
    }
    assertEquals(quarter, slab.size());
    assertFalse(slab.isRoomy());
    slab.remove(0);
    assertTrue(slab.isRoomy());
  }

  @Test
  void smaller_roomy_hasRoomForTwice() {
    for (int i = 0; i < 1_000; i++) {
      slab.add(i, i, "p");
    }
    for (int slot = 100; slot < 1_000; slot++) {
      slab.remove(slot);
    }
    Slab smaller = slab.smaller();
    assertEquals(0, smaller.size());
    assertEquals(200, smaller.capacity());
    assertFalse(new Slab().smaller().capacity() < new Slab().capacity());
  }

  @Test
  void smaller_thenFilled_isNotRoomyAndDoesNotGrow() {
    // Else a wheel at that size would copy its timers back and forth.
    for (int i = 0; i < 10_000; i++) {
      slab.add(i, i, "p");
    }
    for (int slot = 9_999; !slab.isRoomy(); slot--) {
      slab.remove(slot);
    }
    Slab smaller = slab.smaller();
    int capacity = smaller.capacity();
    for (int i = 0; i < slab.size(); i++) {
      smaller.add(i, i, "p");
    }
    assertFalse(smaller.isRoomy());
    assertEquals(capacity, smaller.capacity());
  }

  @Test
  void isBefore_anyValues_comparesByDeadlineThenId() {
    long[] values = {Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE};
    List<Integer> slots = new ArrayList<>();
    for (long deadline : values) {
      for (long id : values) {
        slots.add(slab.add(id, deadline, "p"));
      }
    }
    // They were added in order.
    for (int one : slots) {
      for (int two : slots) {
        assertEquals(one < two, slab.isBefore(one, two));
      }
    }
  }

  @Test
  void sorted_listsOfAnyLength_areInOrderAndLinkedBothWays() {
    SplittableRandom random = new SplittableRandom(8);
    for (int length = 0; length < 140; length++) {
      for (int deadlines : new int[] {1, 3, 1_000}) {
        Slab slab = new Slab();
        List<Integer> slots = new ArrayList<>();
        int first = Slab.NONE;
        for (int i = 0; i < length; i++) {
          int slot = slab.add(random.nextLong(), random.nextInt(deadlines) - 1, "p");
          slab.link(slot, -77, first);
          if (first >= 0) {
            slab.previous(first, slot);
          }
          first = slot;
          slots.add(slot);
        }
        slots.sort(Comparator.<Integer>comparingLong(slab::deadline).thenComparingLong(slab::id));
        assertEquals(slots, list(slab, slab.sorted(first)));
      }
    }
  }

  private static List<Integer> list(Slab slab, int first) {
    List<Integer> list = new ArrayList<>();
    for (int slot = first, previous = -1; slot >= 0; slot = slab.next(slot)) {
      if (previous >= 0) {
        assertEquals(previous, slab.previous(slot));
      }
      assertNotEquals(slab.size(), list.size(), "a loop");
      list.add(slot);
      previous = slot;
    }
    return list;
  }
}
