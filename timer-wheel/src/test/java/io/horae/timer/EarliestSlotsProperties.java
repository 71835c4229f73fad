package io.horae.timer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

class EarliestSlotsProperties {

  @Property(tries = 2_000, shrinking = ShrinkingMode.OFF)
  void takesTheFirstOfASort(
      @ForAll @IntRange(max = 60) int count,
      @ForAll @IntRange(max = 65) int room,
      @ForAll @IntRange(min = 1, max = 50) int deadlines,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Slab slab = new Slab();
    Cursor from =
        random.nextBoolean() ? Cursor.START : new Cursor(random.nextInt(deadlines), count / 2);
    EarliestSlots earliest = new EarliestSlots(slab, from, room);
    for (int id = 0; id < count; id++) {
      int slot = slab.fresh();
      slab.fill(slot, random.nextInt(4) == 0 ? -id : id, random.nextInt(deadlines), "p");
      earliest.offer(slot);
    }
    int[] expected =
        IntStream.range(0, count)
            .filter(slot -> isFrom(from, slab.deadline(slot), slab.id(slot)))
            .boxed()
            .sorted(Comparator.<Integer>comparingLong(slab::deadline).thenComparingLong(slab::id))
            .limit(room)
            .mapToInt(slot -> slot)
            .toArray();
    assertArrayEquals(expected, earliest.take());
    assertEquals(0, earliest.take().length);
  }

  private static boolean isFrom(Cursor from, long deadline, long id) {
    return deadline > from.deadline() || (deadline == from.deadline() && id >= from.id());
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void keepsToTheRoomThatIsLeft(@ForAll @IntRange(max = 30) int room, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Slab slab = new Slab();
    EarliestSlots earliest = new EarliestSlots(slab, Cursor.START, room);
    int left = room;
    for (int list = 0; list < 5; list++) {
      int count = random.nextInt(12);
      for (int i = 0; i < count; i++) {
        // Each list lies behind the one before.
        int slot = slab.fresh();
        slab.fill(slot, i, 100 * list + random.nextInt(100), "p");
        earliest.offer(slot);
      }
      int[] taken = earliest.take();
      assertEquals(Math.min(left, count), taken.length);
      for (int i = 1; i < taken.length; i++) {
        assertEquals(true, slab.isBefore(taken[i - 1], taken[i]));
      }
      left -= taken.length;
    }
  }

  @Example
  void withoutRoomTakesNothing() {
    Slab slab = new Slab();
    int slot = slab.fresh();
    slab.fill(slot, 1, 1, "p");
    EarliestSlots earliest = new EarliestSlots(slab, Cursor.START, 0);
    earliest.offer(slot);
    assertEquals(0, earliest.take().length);
  }
}
