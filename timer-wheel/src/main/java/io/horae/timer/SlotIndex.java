package io.horae.timer;

import java.util.Arrays;

/**
 * Where in the slab the timer with an id is: a hash table of slots, open addressing with linear
 * probing. It holds no ids of its own but looks them up in the slab.
 *
 * <p>A look into the slab is a cache miss, so an entry also says how far it is from the place that
 * its id hashes to, its home. At distance d from the home of an id, only an entry that says d can
 * be the one. And when one is removed, the distances tell which of those behind it move up, so that
 * lookups stay as short as if it had never been there.
 */
final class SlotIndex {

  static final int ABSENT = -1;

  private static final int CAPACITY_MIN = 16;

  private final Slab slab;

  /** Entries, or {@link #ABSENT}; a power of two of them, at most three quarters used. */
  private int[] table;

  /** An entry is a slot in this many low bits, and a distance above them, all but the sign. */
  private int slotBits;

  /** The distance that stands for itself and all beyond it. */
  private int distanceMax;

  private final int distanceLimit;
  private int size;

  SlotIndex(Slab slab) {
    this(slab, Integer.MAX_VALUE);
  }

  /** An index that stores no distance above a limit, for tests; large ones store little anyway. */
  SlotIndex(Slab slab, int distanceLimit) {
    this.slab = slab;
    this.distanceLimit = distanceLimit;
    allocate(CAPACITY_MIN);
  }

  int capacity() {
    return table.length;
  }

  int find(long id) {
    int[] table = this.table;
    int mask = table.length - 1;
    int home = home(id);
    for (int distance = 0; ; distance++) {
      int entry = table[(home + distance) & mask];
      if (entry == ABSENT) {
        return ABSENT;
      }
      if (entry >>> slotBits == stored(distance) && slab.id(slot(entry)) == id) {
        return slot(entry);
      }
    }
  }

  /** Adds a slot whose id is not in the index yet. */
  void add(int slot) {
    if (4L * (size + 1) > 3L * table.length) {
      rehash();
    }
    insert(slot);
    size++;
  }

  private void insert(int slot) {
    int mask = table.length - 1;
    int home = home(slab.id(slot));
    int distance = 0;
    while (table[(home + distance) & mask] != ABSENT) {
      distance++;
    }
    table[(home + distance) & mask] = entry(slot, distance);
  }

  /** Removes a slot that is in the index. */
  void remove(int slot) {
    int mask = table.length - 1;
    int hole = home(slab.id(slot));
    while (slot(table[hole]) != slot || table[hole] == ABSENT) {
      hole = (hole + 1) & mask;
    }
    // Whatever would no longer be found past the hole moves into it.
    for (int at = (hole + 1) & mask; table[at] != ABSENT; at = (at + 1) & mask) {
      int moved = slot(table[at]);
      int distance = distance(at, mask);
      int shift = (at - hole) & mask;
      if (distance >= shift) {
        table[hole] = entry(moved, distance - shift);
        hole = at;
      }
    }
    table[hole] = ABSENT;
    size--;
  }

  /** How far an entry is from its home; if that is too far to be stored, its id tells. */
  private int distance(int at, int mask) {
    int stored = table[at] >>> slotBits;
    return stored < distanceMax ? stored : (at - home(slab.id(slot(table[at])))) & mask;
  }

  private void rehash() {
    int[] old = table;
    int oldSlotBits = slotBits;
    allocate(2 * old.length);
    for (int entry : old) {
      if (entry != ABSENT) {
        insert(entry & ((1 << oldSlotBits) - 1));
      }
    }
  }

  private void allocate(int capacity) {
    table = new int[capacity];
    Arrays.fill(table, ABSENT);
    // The slab takes a fresh slot only when none is free, so slots are numbered below the size that
    // the index was made for.
    slotBits = Integer.numberOfTrailingZeros(capacity);
    distanceMax = Math.min(distanceLimit, (1 << (Integer.SIZE - 1 - slotBits)) - 1);
  }

  private int entry(int slot, int distance) {
    return stored(distance) << slotBits | slot;
  }

  private int slot(int entry) {
    return entry & ((1 << slotBits) - 1);
  }

  private int stored(int distance) {
    return Math.min(distance, distanceMax);
  }

  /** Multiplying by the golden ratio carries every bit of an id into the highest ones. */
  private int home(long id) {
    return (int) ((id * 0x9e3779b97f4a7c15L) >>> (Long.SIZE - slotBits));
  }
}
