package io.horae.timer;

/**
 * The slots of the timers that are due, in the order in which they fire. Each slot's place is the
 * complement of its index; one that is removed leaves a hole.
 */
final class DueSlots {

  private static final int NONE = Slab.NONE;

  private static final int CAPACITY_MIN = 16;

  /** A larger array is not kept when the last slot has gone. */
  private static final int CAPACITY_KEPT = 1 << 12;

  private final Slab slab;
  private final boolean ordered;

  private int[] slots = new int[CAPACITY_MIN];

  /** The slots, with holes among them, are from the head on, and before the tail. */
  private int head;

  private int tail;

  /** Where slots are kept while they are merged. */
  private int[] spare = new int[CAPACITY_MIN];

  /**
   * No slots.
   *
   * @param slab tells their deadlines, and is told their places
   * @param ordered whether equal deadlines are to be in the order of ids
   */
  DueSlots(Slab slab, boolean ordered) {
    this.slab = slab;
    this.ordered = ordered;
  }

  long bytes() {
    return (long) Integer.BYTES * (slots.length + spare.length);
  }

  /** The first slot, or none. */
  int first() {
    while (head < tail) {
      if (slots[head] != NONE) {
        return slots[head];
      }
      head++;
    }
    if (slots.length > CAPACITY_KEPT) {
      slots = new int[CAPACITY_MIN];
      spare = new int[CAPACITY_MIN];
    }
    head = 0;
    tail = 0;
    return NONE;
  }

  /** Whether a slot is still the first that it was when {@link #first} was last called. */
  boolean isStillFirst(int slot) {
    return head < tail && slots[head] == slot;
  }

  void add(int slot) {
    if (tail == slots.length) {
      move(0, 2 * (tail - head));
    }
    put(tail++, slot);
  }

  void remove(int slot) {
    slots[~slab.place(slot)] = NONE;
  }

  // To go through them all, from the head to before the tail.

  int head() {
    return head;
  }

  int tail() {
    return tail;
  }

  /** The slot at an index, or none. */
  int slot(int at) {
    return slots[at];
  }

  void sort() {
    sort(head);
  }

  /**
   * Adds a list of slots, emptying it, where they belong among those that are there. If they all go
   * to one end, it costs nothing, or on average little, for the others.
   */
  void merge(SlotLists lists, int list) {
    int first = first();
    int size = tail - head;
    for (int slot = lists.removeLast(list); slot != NONE; slot = lists.removeLast(list)) {
      add(slot);
    }
    int middle = head + size;
    sort(middle);
    if (first != NONE && middle < tail) {
      if (isBefore(slots[tail - 1], first)) {
        rotate(middle);
      } else {
        merge(head, middle, tail);
      }
    }
  }

  private void sort(int from) {
    for (int run = 1; run < tail - from; run *= 2) {
      for (int left = from; left < tail - run; left += 2 * run) {
        merge(left, left + run, Math.min(tail, left + 2 * run));
      }
    }
  }

  /** Merges two runs, of which the second has no holes. */
  private void merge(int left, int middle, int right) {
    int second = copyToSpare(middle, right);
    int first = middle;
    // From behind, until the rest of the first run is in its place.
    for (int at = right - 1; second > 0; at--) {
      int slot = first > left ? slots[first - 1] : NONE;
      if (first > left && (slot == NONE || isBefore(spare[second - 1], slot))) {
        put(at, slot);
        first--;
      } else {
        put(at, spare[--second]);
      }
    }
  }

  /** Brings the slots from an index on to the front. */
  private void rotate(int middle) {
    int count = copyToSpare(middle, tail);
    tail = middle;
    if (head < count) {
      // With as much room again, so that on average this is rare.
      int size = tail - head;
      move(count + size, 2 * (count + size));
    }
    head -= count;
    for (int i = 0; i < count; i++) {
      put(head + i, spare[i]);
    }
  }

  private int copyToSpare(int from, int to) {
    if (spare.length < to - from) {
      spare = new int[slots.length];
    }
    System.arraycopy(slots, from, spare, 0, to - from);
    return to - from;
  }

  private boolean isBefore(int slot, int other) {
    return ordered ? slab.isBefore(slot, other) : slab.deadline(slot) < slab.deadline(other);
  }

  private void put(int at, int slot) {
    slots[at] = slot;
    if (slot != NONE) {
      slab.place(slot, ~at);
    }
  }

  /** Moves all slots, within the array if that has the capacity. */
  private void move(int newHead, int capacity) {
    int[] to = capacity <= slots.length ? slots : new int[capacity];
    System.arraycopy(slots, head, to, newHead, tail - head);
    tail += newHead - head;
    head = newHead;
    slots = to;
    for (int at = head; at < tail; at++) {
      put(at, slots[at]);
    }
  }
}
