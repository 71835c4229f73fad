package io.horae.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** The slots that are due against sorted lists. */
class DueSlotsProperties {

  private static final int LATE = 0;

  private final Slab slab = new Slab();
  private final SlotLists lists = new SlotLists(slab, 1);

  private int slot(long id, long deadline) {
    int slot = slab.fresh();
    slab.fill(slot, id, deadline, "p");
    return slot;
  }

  /** The slots that are left, each of which knows its index. */
  private List<Integer> slots(DueSlots due) {
    List<Integer> slots = new ArrayList<>();
    for (int at = due.head(); at < due.tail(); at++) {
      if (due.slot(at) != Slab.NONE) {
        slots.add(due.slot(at));
        assertEquals(~at, slab.place(due.slot(at)));
      }
    }
    return slots;
  }

  /** Late ones come in batches, with deadlines among the others', before or behind them. */
  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void areInOrderWhatWasMerged(
      @ForAll boolean ordered,
      @ForAll @IntRange(max = 40) int count,
      @ForAll @IntRange(min = 1, max = 50) int deadlines,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    DueSlots due = new DueSlots(slab, ordered);
    Comparator<Integer> order = Comparator.comparingLong(slab::deadline);
    if (ordered) {
      order = order.thenComparingLong(slab::id);
    }
    List<Integer> model = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int slot = slot(random.nextLong(), random.nextInt(deadlines));
      due.add(slot);
      model.add(slot);
    }
    due.sort();
    model.sort(order);
    assertEquals(model, slots(due));
    for (int step = 0; step < 30; step++) {
      for (int i = random.nextInt(4); i > 0 && !model.isEmpty(); i--) {
        // More often the first than another.
        Integer slot = model.get(random.nextBoolean() ? 0 : random.nextInt(model.size()));
        assertEquals(model.get(0), due.first());
        due.remove(slot);
        model.remove(slot);
      }
      int shift = (random.nextInt(3) - 1) * deadlines;
      List<Integer> late = new ArrayList<>();
      for (int i = random.nextInt(random.nextBoolean() ? 2 : 40); i > 0; i--) {
        int slot = slot(random.nextLong(), shift + random.nextInt(deadlines));
        lists.add(LATE, slot);
        late.add(0, slot);
      }
      // Of equal ones, those that were there go first, if ids do not tell.
      model.addAll(late);
      model.sort(order);
      due.merge(lists, LATE);
      assertTrue(lists.isEmpty(LATE));
      assertEquals(model, slots(due));
    }
  }

  @Example
  void firstSkipsHoles() {
    DueSlots due = new DueSlots(slab, false);
    assertEquals(Slab.NONE, due.first());
    for (int id = 0; id < 5; id++) {
      due.add(slot(id, 0));
    }
    due.remove(1);
    assertEquals(0, due.first());
    assertTrue(due.isStillFirst(0));
    due.remove(0);
    assertFalse(due.isStillFirst(0));
    assertEquals(2, due.first());
    due.remove(4);
    due.remove(3);
    due.remove(2);
    assertFalse(due.isStillFirst(2));
    assertEquals(Slab.NONE, due.first());
    assertEquals(0, due.tail());
  }
}
