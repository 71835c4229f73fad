package io.horae.timer;

import java.util.Arrays;

/**
 * Where in the slab the timer with an id is: a hash table of slots, open addressing with linear
 * probing. It holds no ids of its own but looks them up in the slab.
 *
 * <p>A look into the slab is a cache miss. So an entry has, beside its slot, as many bits of its
 * id's hash as there is room for: where these differ, there is no need to look. And it says how far
 * it is from the position that its id hashes to, its home: when an entry is removed, that tells
 * which of those behind it move up, so that lookups stay as short as if it had never been there.
 */
final class SlotIndex implements Index {

  private static final int EMPTY = -1;

  private static final int CAPACITY_MIN = 16;
  private static final int DISTANCE_BITS = 3;

  private final Slab slab;

  /** Entries, or {@link #EMPTY}; a power of two of them, at most three quarters used. */
  private int[] table;

  /** An entry is a slot in this many low bits, then bits of the hash, then the distance. */
  private int slotBits;

  private int hashBits;

  /** The distance that stands for itself and all beyond it. */
  private int distanceMax;

  private final int distanceBitsMax;
  private int size;

  SlotIndex(Slab slab) {
    this(slab, DISTANCE_BITS);
  }

  /** An index whose entries have another room for the distance, for tests. */
  SlotIndex(Slab slab, int distanceBitsMax) {
    this.slab = slab;
    this.distanceBitsMax = distanceBitsMax;
    allocate(CAPACITY_MIN);
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public long bytes() {
    return (long) Integer.BYTES * table.length;
  }

  /** The position of an id's entry; if there is none, the complement of where it would be. */
  @Override
  public int find(long id) {
    int[] table = this.table;
    int mask = table.length - 1;
    long hash = hash(id);
    int bits = bits(hash);
    int position = home(hash);
    for (int distance = 0; ; distance++) {
      int entry = table[position];
      if (entry == EMPTY) {
        return ~position;
      }
      if (entry >>> slotBits == tag(bits, distance) && slab.id(slot(entry)) == id) {
        return position;
      }
      position = (position + 1) & mask;
    }
  }

  @Override
  public void expect(long id) {
    // Nothing is empty from the home of an id to its entry.
    if (table[home(hash(id))] == EMPTY) {
      throw new AssertionError("there is no timer " + id);
    }
  }

  @Override
  public int slotAt(int position) {
    return slot(table[position]);
  }

  @Override
  public void add(int absent, int slot) {
    long id = slab.id(slot);
    int position = ~absent;
    if (4L * (size + 1) > 3L * table.length) {
      rehash();
      position = ~find(id);
    }
    put(position, slot, hash(id));
    size++;
  }

  @Override
  public void remove(int position) {
    int[] table = this.table;
    int mask = table.length - 1;
    int hole = position;
    // Whatever would no longer be found past the hole moves into it.
    for (int at = (hole + 1) & mask; table[at] != EMPTY; at = (at + 1) & mask) {
      int shift = (at - hole) & mask;
      int distance = table[at] >>> (slotBits + hashBits);
      if (distance == distanceMax) {
        // It is too far from home for its entry to say; its id tells.
        int slot = slot(table[at]);
        long hash = hash(slab.id(slot));
        if (((at - home(hash)) & mask) >= shift) {
          put(hole, slot, hash);
          hole = at;
        }
      } else if (distance >= shift) {
        table[hole] = table[at] - (shift << (slotBits + hashBits));
        hole = at;
      }
    }
    table[hole] = EMPTY;
    size--;
  }

  /**
   * Doubles the table. As a rule an entry itself says where it goes: its home gets one bit longer,
   * by the first of the bits of the hash that the entry has. That spares the look into the slab.
   */
  private void rehash() {
    int[] old = table;
    int oldMask = old.length - 1;
    int oldSlotBits = slotBits;
    int oldHashBits = hashBits;
    int oldDistanceMax = distanceMax;
    allocate(2 * old.length);
    boolean hasNextBit = hashBits == oldHashBits - 1;
    for (int at = 0; at < old.length; at++) {
      int entry = old[at];
      if (entry != EMPTY) {
        int slot = entry & oldMask;
        int distance = entry >>> oldSlotBits >>> oldHashBits;
        if (hasNextBit && distance < oldDistanceMax) {
          int bits = entry >>> oldSlotBits & ((1 << oldHashBits) - 1);
          int home = 2 * ((at - distance) & oldMask) + (bits >>> hashBits);
          put(emptyFrom(home), slot, home, bits & ((1 << hashBits) - 1));
        } else {
          long hash = hash(slab.id(slot));
          put(emptyFrom(home(hash)), slot, hash);
        }
      }
    }
  }

  private int emptyFrom(int home) {
    int position = home;
    while (table[position] != EMPTY) {
      position = (position + 1) & (table.length - 1);
    }
    return position;
  }

  private void allocate(int capacity) {
    table = new int[capacity];
    Arrays.fill(table, EMPTY);
    // The wheel takes a fresh slot only when none is free, so slots are numbered below the size
    // that the index was made for; and no entry looks like an empty one.
    slotBits = Integer.numberOfTrailingZeros(capacity);
    int distanceBits = Math.min(distanceBitsMax, Integer.SIZE - slotBits);
    distanceMax = (1 << distanceBits) - 1;
    hashBits = Integer.SIZE - slotBits - distanceBits;
  }

  private void put(int position, int slot, long hash) {
    put(position, slot, home(hash), bits(hash));
  }

  private void put(int position, int slot, int home, int bits) {
    int distance = (position - home) & (table.length - 1);
    table[position] = tag(bits, distance) << slotBits | slot;
  }

  private int slot(int entry) {
    return entry & ((1 << slotBits) - 1);
  }

  /** What an entry has beside its slot. */
  private int tag(int bits, int distance) {
    return Math.min(distance, distanceMax) << hashBits | bits;
  }

  /** The bits of a hash that an entry has: those next to its home. */
  private int bits(long hash) {
    return (int) (hash << slotBits >>> 1 >>> (Long.SIZE - 1 - hashBits));
  }

  private int home(long hash) {
    return (int) (hash >>> (Long.SIZE - slotBits));
  }

  /** Multiplying by the golden ratio carries every bit of an id into the highest ones. */
  private static long hash(long id) {
    return id * 0x9e3779b97f4a7c15L;
  }
}
