package io.horae.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlabTest {

  private final Slab slab = new Slab();

  private int add(long id, long deadline, String payload) {
    int slot = slab.fresh();
    slab.fill(slot, id, deadline, payload);
    return slot;
  }

  @Test
  void fill_extremeValues_areKept() {
    long[] values = {Long.MIN_VALUE, Integer.MIN_VALUE, -1, 0, 1, 1L << 31, Long.MAX_VALUE};
    int[] places = {Integer.MIN_VALUE, -1, 0, Integer.MAX_VALUE};
    for (long id : values) {
      for (long deadline : values) {
        for (int place : places) {
          int slot = add(id, deadline, "p");
          slab.place(slot, place);
          assertEquals(id, slab.id(slot));
          assertEquals(deadline, slab.deadline(slot));
          assertEquals(place, slab.place(slot));
          assertEquals("p", slab.payload(slot));
        }
      }
    }
  }

  @Test
  void fresh_many_doublesThenAddsPagesAndKeepsAll() {
    int capacity = slab.capacity();
    for (int i = 0; i < 100_000; i++) {
      int slot = add(i, -i, "p" + i);
      assertEquals(i, slot);
      slab.place(slot, ~i);
      if (slab.capacity() != capacity) {
        // Not before it is full.
        assertEquals(capacity, i);
        assertEquals(capacity + Math.min(capacity, Slab.PAGE), slab.capacity());
        capacity = slab.capacity();
      }
    }
    for (int slot = 0; slot < 100_000; slot++) {
      assertEquals(slot, slab.id(slot));
      assertEquals(-slot, slab.deadline(slot));
      assertEquals(~slot, slab.place(slot));
      assertEquals("p" + slot, slab.payload(slot));
    }
  }

  @Test
  void release_always_letsThePayloadGo() {
    int slot = add(1, 2, "p");
    slab.release(slot);
    AssertionError error = assertThrows(AssertionError.class, () -> slab.payload(slot));
    assertTrue(error.getMessage().contains("slot " + slot), error.getMessage());
  }

  @Test
  void deadlineAndPayloadAndPlace_set_changeNothingElse() {
    add(-1, -1, "before");
    int slot = add(1, 2, "p");
    add(-1, -1, "behind");
    slab.place(slot, -5);
    slab.deadline(slot, Long.MIN_VALUE);
    slab.payload(slot, "q");
    assertEquals(1, slab.id(slot));
    assertEquals(Long.MIN_VALUE, slab.deadline(slot));
    assertEquals("q", slab.payload(slot));
    assertEquals(-5, slab.place(slot));
    for (int other : new int[] {slot - 1, slot + 1}) {
      assertEquals(-1, slab.id(other));
      assertEquals(-1, slab.deadline(other));
      assertEquals(0, slab.place(other));
    }
  }

  @Test
  void isBefore_anyValues_comparesByDeadlineThenId() {
    long[] values = {Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE};
    List<Integer> slots = new ArrayList<>();
    for (long deadline : values) {
      for (long id : values) {
        slots.add(add(id, deadline, "p"));
      }
    }
    // They were added in order.
    for (int one : slots) {
      for (int two : slots) {
        assertEquals(one < two, slab.isBefore(one, two));
      }
    }
  }
}
