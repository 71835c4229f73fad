package io.horae.timer;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The timers themselves, without an object for any: slot after slot of an id and a deadline, side
 * by side so that both are on one cache line, and in arrays of their own the places, which are also
 * written when neither is looked at, and the payloads.
 *
 * <p>The arrays are in pages, so that growing copies nothing and leaves at most a page to spare.
 * The first page alone starts small and doubles.
 *
 * <p>A place says where the slot stands in the wheel, so that it can be taken from there: a cell of
 * {@link SlotLists}, or the complement of an index in {@link DueSlots}.
 */
final class Slab {

  static final int NONE = -1;

  private static final int CAPACITY_MIN = 64;

  /** As many slots as the cells of the lists that they are on can be numbered for. */
  private static final int CAPACITY_MAX = 1 << 29;

  private static final int PAGE_BITS = 13;

  /** Slots on a page. */
  static final int PAGE = 1 << PAGE_BITS;

  private static final int PAGES_MIN = 4;

  /** For each slot the id and the deadline. */
  private long[][] idsAndDeadlines = new long[PAGES_MIN][];

  private int[][] places = new int[PAGES_MIN][];
  private @Nullable Object[][] payloads = new Object[PAGES_MIN][];

  private int capacity;

  /** All slots from here on were never used. */
  private int fresh;

  Slab() {
    allocate(0, CAPACITY_MIN);
  }

  int capacity() {
    return capacity;
  }

  long bytes() {
    return (2L * Long.BYTES + 2L * Integer.BYTES) * capacity + 3L * Integer.BYTES * places.length;
  }

  /** A slot that was never used. */
  int fresh() {
    if (fresh == capacity) {
      grow();
    }
    return fresh++;
  }

  /** All slots before this one were used. */
  int used() {
    return fresh;
  }

  private void grow() {
    if (capacity >= CAPACITY_MAX) {
      throw new IllegalStateException("a wheel holds at most " + CAPACITY_MAX + " timers");
    }
    if (capacity < PAGE) {
      capacity *= 2;
      idsAndDeadlines[0] = Arrays.copyOf(idsAndDeadlines[0], 2 * capacity);
      places[0] = Arrays.copyOf(places[0], capacity);
      payloads[0] = Arrays.copyOf(payloads[0], capacity);
    } else {
      int page = capacity / PAGE;
      if (page == places.length) {
        idsAndDeadlines = Arrays.copyOf(idsAndDeadlines, 2 * page);
        places = Arrays.copyOf(places, 2 * page);
        payloads = Arrays.copyOf(payloads, 2 * page);
      }
      allocate(page, PAGE);
    }
  }

  /** Gives a page, the last, so many slots, all of them new. */
  private void allocate(int page, int slots) {
    idsAndDeadlines[page] = new long[2 * slots];
    places[page] = new int[slots];
    payloads[page] = new Object[slots];
    capacity = page * PAGE + slots;
  }

  void fill(int slot, long id, long deadline, Object payload) {
    long[] page = idsAndDeadlines[slot >>> PAGE_BITS];
    int at = slot & (PAGE - 1);
    page[2 * at] = id;
    page[2 * at + 1] = deadline;
    payloads[slot >>> PAGE_BITS][at] = payload;
  }

  /** Lets the payload go. */
  void release(int slot) {
    payloads[slot >>> PAGE_BITS][slot & (PAGE - 1)] = null;
  }

  long id(int slot) {
    return idsAndDeadlines[slot >>> PAGE_BITS][2 * (slot & (PAGE - 1))];
  }

  void id(int slot, long id) {
    idsAndDeadlines[slot >>> PAGE_BITS][2 * (slot & (PAGE - 1))] = id;
  }

  long deadline(int slot) {
    return idsAndDeadlines[slot >>> PAGE_BITS][2 * (slot & (PAGE - 1)) + 1];
  }

  void deadline(int slot, long deadline) {
    idsAndDeadlines[slot >>> PAGE_BITS][2 * (slot & (PAGE - 1)) + 1] = deadline;
  }

  int place(int slot) {
    return places[slot >>> PAGE_BITS][slot & (PAGE - 1)];
  }

  void place(int slot, int place) {
    places[slot >>> PAGE_BITS][slot & (PAGE - 1)] = place;
  }

  boolean isFree(int slot) {
    return payloads[slot >>> PAGE_BITS][slot & (PAGE - 1)] == null;
  }

  Object payload(int slot) {
    Object payload = payloads[slot >>> PAGE_BITS][slot & (PAGE - 1)];
    if (payload == null) {
      throw new AssertionError("slot " + slot + " is free");
    }
    return payload;
  }

  void payload(int slot, Object payload) {
    Object[] page = payloads[slot >>> PAGE_BITS];
    int at = slot & (PAGE - 1);
    // To store a reference costs more than to look whether it is there.
    if (page[at] != payload) {
      page[at] = payload;
    }
  }

  /** Whether the timer in one slot comes before that in another: by deadline, then by id. */
  boolean isBefore(int slot, int other) {
    long deadline = deadline(slot);
    long otherDeadline = deadline(other);
    return deadline != otherDeadline ? deadline < otherDeadline : id(slot) < id(other);
  }
}
