package io.horae.timer;

import java.util.Arrays;

/**
 * Where in the slab the timer with an id is: a hash table of slots, open addressing with linear
 * probing. It holds no ids of its own but looks them up in the slab.
 *
 * <p>A removed entry leaves no mark: the entries behind it move up, so that lookups stay as short
 * as if it had never been there.
 */
final class SlotIndex {

  static final int ABSENT = -1;

  private static final int CAPACITY_MIN = 16;

  private final Slab slab;

  /** Slots, or {@link #ABSENT}; a power of two of them, at most three quarters used. */
  private int[] table;

  private int size;

  SlotIndex(Slab slab) {
    this.slab = slab;
    clear();
  }

  int find(long id) {
    int[] table = this.table;
    int mask = table.length - 1;
    for (int at = home(id, mask); ; at = (at + 1) & mask) {
      int slot = table[at];
      if (slot == ABSENT || slab.id(slot) == id) {
        return slot;
      }
    }
  }

  /** Adds a slot whose id is not in the index yet. */
  void add(int slot) {
    if (4 * (size + 1) > 3 * table.length) {
      rehash(2 * table.length);
    }
    insert(slot);
    size++;
  }

  private void insert(int slot) {
    int mask = table.length - 1;
    int at = home(slab.id(slot), mask);
    while (table[at] != ABSENT) {
      at = (at + 1) & mask;
    }
    table[at] = slot;
  }

  /** Removes a slot that is in the index. */
  void remove(int slot) {
    int mask = table.length - 1;
    int hole = home(slab.id(slot), mask);
    while (table[hole] != slot) {
      hole = (hole + 1) & mask;
    }
    // Whatever would no longer be found past the hole moves into it.
    for (int at = (hole + 1) & mask; table[at] != ABSENT; at = (at + 1) & mask) {
      int home = home(slab.id(table[at]), mask);
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        table[hole] = table[at];
        hole = at;
      }
    }
    table[hole] = ABSENT;
    size--;
  }

  void clear() {
    table = new int[CAPACITY_MIN];
    Arrays.fill(table, ABSENT);
    size = 0;
  }

  private void rehash(int capacity) {
    int[] old = table;
    table = new int[capacity];
    Arrays.fill(table, ABSENT);
    for (int slot : old) {
      if (slot != ABSENT) {
        insert(slot);
      }
    }
  }

  /** Ids are often consecutive; multiplying by the golden ratio scatters them evenly. */
  private static int home(long id, int mask) {
    long scattered = id * 0x9e3779b97f4a7c15L;
    return (int) (scattered >>> 32) & mask;
  }
}
