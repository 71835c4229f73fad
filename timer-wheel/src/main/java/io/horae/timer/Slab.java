package io.horae.timer;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The timers themselves, without an object for any: slot after slot of an id, a deadline and the
 * links of a doubly linked list, side by side in one array so that a timer is on one cache line,
 * and the payloads in another. Slots that are free are linked as well.
 *
 * <p>A link is the slot of a neighbour, or negative where there is none; what a negative link says
 * beyond that is the wheel's affair.
 */
final class Slab {

  static final int NONE = -1;

  private static final int CAPACITY_MIN = 16;

  /** As many slots as fit into an array, on every JVM. */
  private static final int CAPACITY_MAX = (Integer.MAX_VALUE - 8) / 3;

  /**
   * From here on the slab grows by an eighth, not by half: unused slots weigh more than copying.
   */
  private static final int LARGE = 1 << 16;

  private static final int ID = 0;
  private static final int DEADLINE = 1;
  private static final int LINKS = 2;
  private static final int WORDS = 3;

  /** For each slot: the id, the deadline, and the links, the previous one in the upper half. */
  private long[] words;

  private @Nullable Object[] payloads;

  /** The first of the free slots that were used before, linked by their next links. */
  private int free;

  /** All slots from here on are free and were never used. */
  private int fresh;

  private int size;

  Slab() {
    this(CAPACITY_MIN);
  }

  private Slab(int capacity) {
    words = new long[WORDS * capacity];
    payloads = new Object[capacity];
    free = NONE;
  }

  int size() {
    return size;
  }

  int capacity() {
    return payloads.length;
  }

  /** Whether most of the room is unused. */
  boolean isRoomy() {
    return capacity() > CAPACITY_MIN && size < capacity() / 4;
  }

  int add(long id, long deadline, Object payload) {
    int slot = free;
    if (slot != NONE) {
      free = next(slot);
    } else {
      if (fresh == capacity()) {
        grow();
      }
      slot = fresh++;
    }
    words[WORDS * slot + ID] = id;
    words[WORDS * slot + DEADLINE] = deadline;
    payloads[slot] = payload;
    size++;
    return slot;
  }

  void remove(int slot) {
    payloads[slot] = null;
    link(slot, NONE, free);
    free = slot;
    size--;
  }

  private void grow() {
    if (capacity() >= CAPACITY_MAX) {
      throw new IllegalStateException("a wheel holds at most " + CAPACITY_MAX + " timers");
    }
    int more = capacity() >> (capacity() < LARGE ? 1 : 3);
    int capacity = (int) Math.min(CAPACITY_MAX, (long) capacity() + more);
    words = Arrays.copyOf(words, WORDS * capacity);
    payloads = Arrays.copyOf(payloads, capacity);
  }

  /** An empty slab with room for twice what is in this one. */
  Slab smaller() {
    return new Slab(Math.max(CAPACITY_MIN, 2 * size));
  }

  long id(int slot) {
    return words[WORDS * slot + ID];
  }

  long deadline(int slot) {
    return words[WORDS * slot + DEADLINE];
  }

  void deadline(int slot, long deadline) {
    words[WORDS * slot + DEADLINE] = deadline;
  }

  Object payload(int slot) {
    Object payload = payloads[slot];
    if (payload == null) {
      throw new AssertionError("slot " + slot + " is free");
    }
    return payload;
  }

  void payload(int slot, Object payload) {
    payloads[slot] = payload;
  }

  int next(int slot) {
    return (int) words[WORDS * slot + LINKS];
  }

  int previous(int slot) {
    return (int) (words[WORDS * slot + LINKS] >> 32);
  }

  void link(int slot, int previous, int next) {
    words[WORDS * slot + LINKS] = (long) previous << 32 | (next & 0xffff_ffffL);
  }

  void next(int slot, int next) {
    link(slot, previous(slot), next);
  }

  void previous(int slot, int previous) {
    link(slot, previous, next(slot));
  }

  /** Whether the timer in one slot comes before that in another: by deadline, then by id. */
  boolean isBefore(int slot, int other) {
    long deadline = deadline(slot);
    long otherDeadline = deadline(other);
    return deadline != otherDeadline ? deadline < otherDeadline : id(slot) < id(other);
  }

  /**
   * Sorts a list by deadline and id, merging runs of 1, 2, 4, … timers, which takes no room.
   *
   * @param first the list's first slot, or negative
   * @return the first slot afterwards; its previous link is for the caller to set
   */
  int sorted(int first) {
    int head = first;
    for (int run = 1, merges = 2; merges > 1; run *= 2) {
      int rest = head;
      int tail = NONE;
      merges = 0;
      while (rest >= 0) {
        merges++;
        int left = rest;
        int leftSize = 0;
        while (leftSize < run && rest >= 0) {
          rest = next(rest);
          leftSize++;
        }
        int rightSize = run;
        while (leftSize > 0 || (rightSize > 0 && rest >= 0)) {
          int least;
          if (leftSize > 0 && (rightSize == 0 || rest < 0 || isBefore(left, rest))) {
            least = left;
            left = next(left);
            leftSize--;
          } else {
            least = rest;
            rest = next(rest);
            rightSize--;
          }
          if (tail < 0) {
            head = least;
          } else {
            next(tail, least);
            previous(least, tail);
          }
          tail = least;
        }
      }
      if (tail >= 0) {
        next(tail, NONE);
      }
    }
    return head;
  }
}
