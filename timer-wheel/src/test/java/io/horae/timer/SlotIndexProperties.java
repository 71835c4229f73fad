package io.horae.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.Size;

/** The index against a {@link HashMap}, with ids that crowd together. */
class SlotIndexProperties {

  /** What ids are multiplied by, and its inverse modulo 2^64. */
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private static final long INVERSE = inverse(GOLDEN);

  private static long inverse(long odd) {
    long inverse = odd;
    for (int bits = 3; bits < 64; bits *= 2) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }

  /**
   * An id whose product has the same hex digit in all of its upper half: wherever a table of any
   * size takes its bits from there, ids of one digit collide, and those of digit 15 belong at the
   * table's end.
   */
  private static long id(int digit, int number) {
    return (digit * 0x1111_1111_0000_0000L + number) * INVERSE;
  }

  /** A slab, its index and its model. */
  private static final class Indexed {
    final Slab slab = new Slab();

    /** From little room for distances to so much that there is none for bits of the hash. */
    final List<SlotIndex> indexes =
        IntStream.of(1, 3, 28).mapToObj(bits -> new SlotIndex(slab, bits)).toList();

    final Map<Long, Integer> model = new HashMap<>();
    final Deque<Integer> free = new ArrayDeque<>();

    void add(long id) {
      if (!model.containsKey(id)) {
        int slot = free.isEmpty() ? slab.fresh() : free.pop();
        slab.fill(slot, id, 0, "p");
        indexes.forEach(index -> index.add(index.find(id), slot));
        model.put(id, slot);
      }
    }

    void remove(long id) {
      Integer slot = model.remove(id);
      if (slot != null) {
        indexes.forEach(index -> index.remove(index.find(id)));
        free.push(slot);
      }
    }

    void assertFinds(Iterable<Long> ids) {
      for (SlotIndex index : indexes) {
        assertEquals(model.size(), index.size());
        for (long id : ids) {
          int position = index.find(id);
          assertEquals(model.containsKey(id), position >= 0, () -> "of " + id);
          if (position >= 0) {
            index.expect(id);
            assertEquals(model.get(id), index.slotAt(position), () -> "of " + id);
          }
        }
      }
    }
  }

  @Example
  void theInverseIsOne() {
    assertEquals(1, GOLDEN * INVERSE);
  }

  @Property(tries = 1_000)
  void findsWhatWasAddedAndNotRemoved(
      @ForAll @Size(max = 200) List<@From("crowdedIds") Long> history) {
    Indexed indexed = new Indexed();
    for (long id : history) {
      // An id goes in and out by turns.
      if (indexed.model.containsKey(id)) {
        indexed.remove(id);
      } else {
        indexed.add(id);
      }
      indexed.assertFinds(history);
    }
  }

  @Provide
  Arbitrary<Long> crowdedIds() {
    Arbitrary<Integer> digits =
        Arbitraries.frequency(
            Tuple.of(4, 15), Tuple.of(3, 14), Tuple.of(2, 0), Tuple.of(1, 1), Tuple.of(1, 7));
    return Arbitraries.integers()
        .between(0, 9)
        .flatMap(number -> digits.map(digit -> id(digit, number)));
  }

  @Property(tries = 100, shrinking = ShrinkingMode.OFF)
  void findsThemThroughGrowth(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Indexed indexed = new Indexed();
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      ids.add(random.nextBoolean() ? id(random.nextInt(16), i) : random.nextLong());
    }
    ids.addAll(List.of(0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE));
    for (int step = 0; step < 3_000; step++) {
      long id = ids.get(random.nextInt(ids.size()));
      if (random.nextInt(3) == 0) {
        indexed.remove(id);
      } else {
        indexed.add(id);
      }
      if (step % 100 == 0) {
        indexed.assertFinds(ids);
      }
    }
    indexed.assertFinds(ids);
    for (long id : ids) {
      indexed.remove(id);
    }
    indexed.assertFinds(ids);
  }

  @Example
  void expectsNoneThatIsNotThere() {
    Indexed indexed = new Indexed();
    indexed.add(id(1, 0));
    for (SlotIndex index : indexed.indexes) {
      AssertionError error = assertThrows(AssertionError.class, () -> index.expect(4_711));
      assertTrue(error.getMessage().contains("4711"), error.getMessage());
    }
  }

  /** Across the table's end: two at the last place but one, four at the last, one at the first. */
  @Example
  void everyOrderOfRemovalLeavesTheRestToBeFound() {
    List<Long> ids =
        List.of(id(15, 0), id(14, 1), id(15, 2), id(0, 3), id(15, 4), id(14, 5), id(15, 6));
    List<List<Long>> orders = new ArrayList<>();
    permute(new ArrayList<>(), ids, orders);
    assertEquals(5_040, orders.size());
    for (List<Long> order : orders) {
      Indexed indexed = new Indexed();
      ids.forEach(indexed::add);
      for (long id : order) {
        indexed.remove(id);
        indexed.assertFinds(ids);
      }
    }
  }

  private static void permute(List<Long> chosen, List<Long> rest, List<List<Long>> orders) {
    if (rest.isEmpty()) {
      orders.add(List.copyOf(chosen));
    }
    for (Long id : rest) {
      chosen.add(id);
      permute(chosen, rest.stream().filter(other -> !other.equals(id)).toList(), orders);
      chosen.remove(id);
    }
  }
}
