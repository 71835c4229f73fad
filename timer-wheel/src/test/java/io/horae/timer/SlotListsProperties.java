package io.horae.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** Lists of slots against sets. */
class SlotListsProperties {

  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void holdWhatWasAddedAndNotRemoved(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 5) int count) {
    SplittableRandom random = new SplittableRandom(seed);
    Slab slab = new Slab();
    SlotLists lists = new SlotLists(slab, count);
    List<Set<Integer>> model = new ArrayList<>();
    for (int list = 0; list < count; list++) {
      model.add(new HashSet<>());
    }
    // Mostly adding first, and mostly removing then.
    for (int step = 0; step < 600; step++) {
      int list = random.nextInt(count);
      Set<Integer> expected = model.get(list);
      if (random.nextInt(600) >= step) {
        int slot = slab.fresh();
        lists.add(list, slot);
        expected.add(slot);
      } else if (expected.isEmpty() || random.nextInt(3) == 0) {
        int slot = lists.removeLast(list);
        assertTrue(expected.isEmpty() ? slot == Slab.NONE : expected.remove(slot), "the last");
      } else {
        List<Integer> slots = List.copyOf(expected);
        int slot = slots.get(random.nextInt(slots.size()));
        lists.remove(list, slot);
        expected.remove(slot);
      }
      assertEquals(expected, slots(slab, lists, list));
    }
    for (int list = 0; list < count; list++) {
      assertEquals(model.get(list), slots(slab, lists, list));
    }
  }

  /** All slots of a list, each of which knows its cell. */
  private static Set<Integer> slots(Slab slab, SlotLists lists, int list) {
    Set<Integer> slots = new HashSet<>();
    for (int cell = lists.last(list); cell != Slab.NONE; cell = lists.before(cell)) {
      assertTrue(slots.add(lists.slot(cell)), "twice");
      assertEquals(cell, slab.place(lists.slot(cell)));
    }
    assertEquals(slots.isEmpty(), lists.isEmpty(list));
    return slots;
  }

  @Example
  void useTheirRoomAgain() {
    Slab slab = new Slab();
    SlotLists lists = new SlotLists(slab, 4);
    for (int i = 0; i < 1_000; i++) {
      lists.add(0, slab.fresh());
    }
    int capacity = lists.capacity();
    for (int step = 0; step < 100_000; step++) {
      int from = step / 1_000 % 4;
      int slot = lists.removeLast(from);
      lists.add((from + 1) % 4, slot);
    }
    assertTrue(lists.capacity() <= capacity + 64, () -> capacity + " to " + lists.capacity());
  }

  @Example
  void holdAllAcrossPages() {
    Slab slab = new Slab();
    SlotLists lists = new SlotLists(slab, 3);
    List<Set<Integer>> model = List.of(new HashSet<>(), new HashSet<>(), new HashSet<>());
    for (int i = 0; i < 6 * SlotLists.PAGE; i++) {
      int slot = slab.fresh();
      lists.add(i % 3, slot);
      model.get(i % 3).add(slot);
    }
    for (int slot = 0; slot < 6 * SlotLists.PAGE; slot += 5) {
      lists.remove(slot % 3, slot);
      model.get(slot % 3).remove(slot);
    }
    for (int list = 0; list < 3; list++) {
      assertEquals(model.get(list), slots(slab, lists, list));
    }
  }

  @Example
  void haveLittleRoomToSpareWhenLong() {
    Slab slab = new Slab();
    SlotLists lists = new SlotLists(slab, 10);
    for (int i = 0; i < 500_000; i++) {
      lists.add(i % 10, slab.fresh());
    }
    assertTrue(
        lists.capacity() <= 500_000 * 16 / 15 + 10 * 16 + SlotLists.PAGE,
        () -> "" + lists.capacity());
  }
}
