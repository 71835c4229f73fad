package io.horae.timer;

import java.util.Arrays;

/**
 * Lists of slots, in no order: a slot is added at the end of its list, and when one is removed, the
 * last takes its place. Each slot's place is the cell that it is in.
 *
 * <p>Lists are made of chunks of 16 cells: a link to the last cell of the chunk before, and 15
 * slots. So whoever goes through a list finds many slots on a cache line, and can look at one
 * before the last has come from memory, which a list linked from slot to slot does not allow. And
 * to remove a slot takes no look at its neighbours: cells are written but not read.
 *
 * <p>Cells are in pages, like the slots of a {@link Slab}.
 */
final class SlotLists {

  private static final int NONE = Slab.NONE;

  private static final int CHUNK = 16;
  private static final int CHUNKS_MIN = 8;

  private static final int PAGE_BITS = 14;

  /** Cells on a page. */
  static final int PAGE = 1 << PAGE_BITS;

  private static final int PAGES_MIN = 4;

  private final Slab slab;

  /** The cell of the last slot of each list, or none. */
  private final int[] tails;

  private int[][] pages = new int[PAGES_MIN][];

  private int capacity = CHUNKS_MIN * CHUNK;

  /** The first of the free chunks that were used before; each links to the next. */
  private int free = NONE;

  /** All cells from here on were never used. */
  private int fresh;

  SlotLists(Slab slab, int lists) {
    this.slab = slab;
    tails = new int[lists];
    Arrays.fill(tails, NONE);
    pages[0] = new int[capacity];
  }

  int capacity() {
    return capacity;
  }

  long bytes() {
    return (long) Integer.BYTES * (capacity + tails.length + pages.length);
  }

  boolean isEmpty(int list) {
    return tails[list] == NONE;
  }

  void add(int list, int slot) {
    int tail = tails[list];
    int cell = tail + 1;
    // There is no cell 0 and none behind a full chunk: these are for links.
    if (cell % CHUNK == 0) {
      cell = chunk(tail) + 1;
    }
    put(cell, slot);
    tails[list] = cell;
    slab.place(slot, cell);
  }

  /** Removes a slot from the list that it is on. */
  void remove(int list, int slot) {
    int last = removeLast(list);
    if (last != slot) {
      int cell = slab.place(slot);
      put(cell, last);
      slab.place(last, cell);
    }
  }

  /** Removes and returns the last slot of a list, if there is one. */
  int removeLast(int list) {
    int cell = tails[list];
    if (cell == NONE) {
      return NONE;
    }
    int slot = slot(cell);
    tails[list] = before(cell);
    if (cell % CHUNK == 1) {
      put(cell - 1, free);
      free = cell - 1;
    }
    return slot;
  }

  // To go through a list, from its last cell to its first.

  int last(int list) {
    return tails[list];
  }

  int before(int cell) {
    return cell % CHUNK == 1 ? slot(cell - 1) : cell - 1;
  }

  /** What is in a cell: a slot or, in the first of a chunk, a link. */
  int slot(int cell) {
    return pages[cell >>> PAGE_BITS][cell & (PAGE - 1)];
  }

  /** Takes a chunk into use, behind a full one or none; returns the cell of its link. */
  private int chunk(int before) {
    int chunk = free;
    if (chunk != NONE) {
      free = slot(chunk);
    } else {
      if (fresh == capacity) {
        grow();
      }
      chunk = fresh;
      fresh += CHUNK;
    }
    put(chunk, before);
    return chunk;
  }

  private void put(int cell, int value) {
    pages[cell >>> PAGE_BITS][cell & (PAGE - 1)] = value;
  }

  private void grow() {
    if (capacity < PAGE) {
      capacity *= 2;
      pages[0] = Arrays.copyOf(pages[0], capacity);
    } else {
      int page = capacity / PAGE;
      if (page == pages.length) {
        pages = Arrays.copyOf(pages, 2 * page);
      }
      pages[page] = new int[PAGE];
      capacity += PAGE;
    }
  }
}
