package io.horae.timer;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Lists of timers, first in, first out. Each timer's place is the cell that it is in.
 *
 * <p>Lists are made of chunks of 16 cells, linked both ways. A timer that is removed leaves a hole,
 * and a chunk of nothing but holes leaves its list. So to remove one takes no look at any other:
 * timers of a list linked from one to the next are all over the memory. And no reference is stored
 * but when a timer is added: to store one into an old object costs some collectors dear.
 *
 * <p>Cells are in pages, so that growing copies nothing. The first page alone starts small and
 * doubles.
 */
final class TimeoutLists {

  static final int NONE = -1;

  private static final int CHUNK_BITS = 4;

  /** Cells of a chunk. */
  static final int CHUNK = 1 << CHUNK_BITS;

  private static final int CHUNKS_MIN = 8;

  /** As many as have cells that can be numbered. */
  private static final int CAPACITY_MAX = 1 << (Integer.SIZE - 1 - CHUNK_BITS);

  private static final int PAGE_BITS = 10;

  /** Chunks on a page. */
  private static final int PAGE = 1 << PAGE_BITS;

  private static final int PAGES_MIN = 4;

  // What is known of a chunk.
  private static final int BEFORE = 0;
  private static final int NEXT = 1;
  private static final int TIMERS = 2;
  private static final int LINK_BITS = 2;

  /** The first cell of each list that may have a timer, and the last that ever had one, or none. */
  private final int[] heads;

  private final int[] tails;

  /** For each page its cells, and for each chunk of it the neighbours and the number of timers. */
  private @Nullable Timeout[][] cells = new Timeout[PAGES_MIN][];

  private int[][] links = new int[PAGES_MIN][];

  /** Chunks, in use or not. */
  private int capacity;

  private int chunksInUse;

  /** The first of the free chunks that were used before; each links to the next. */
  private int free = NONE;

  /** All chunks from here on were never used. */
  private int fresh;

  TimeoutLists(int lists) {
    heads = new int[lists];
    tails = new int[lists];
    Arrays.fill(heads, NONE);
    Arrays.fill(tails, NONE);
    allocate(0, CHUNKS_MIN);
  }

  /** Chunks, in use or not. */
  int capacity() {
    return capacity;
  }

  int chunksInUse() {
    return chunksInUse;
  }

  boolean isEmpty(int list) {
    return heads[list] == NONE;
  }

  /** Adds a timer at the end of a list. */
  void add(int list, Timeout timeout) {
    int cell = tails[list] + 1;
    // Behind a full chunk, or none.
    if (cell % CHUNK == 0) {
      cell = addChunk(list) << CHUNK_BITS;
    }
    tails[list] = cell;
    put(cell, timeout);
    count(chunkOf(cell), 1);
    timeout.place = cell;
  }

  /** Removes a timer from the list that it is on. */
  void remove(int list, Timeout timeout) {
    int cell = timeout.place;
    if (!leave(cell, timeout)) {
      unlink(list, chunkOf(cell));
    }
  }

  /** Removes and returns the first timer of a list, if there is one. */
  @Nullable Timeout poll(int list) {
    int cell = first(list);
    if (cell == NONE) {
      return null;
    }
    Timeout timeout = timeout(cell);
    if (leave(cell, timeout)) {
      heads[list] = cell + 1;
    } else {
      unlink(list, chunkOf(cell));
    }
    return timeout;
  }

  /** Puts all timers of a list behind those of another. */
  void append(int from, int to) {
    if (isEmpty(from)) {
      return;
    }
    if (isEmpty(to)) {
      heads[to] = heads[from];
    } else {
      link(chunkOf(tails[to]), chunkOf(heads[from]));
    }
    tails[to] = tails[from];
    heads[from] = NONE;
    tails[from] = NONE;
  }

  /** Whether a timer that is on some list is in the first chunk of this one, or in the last. */
  boolean isAtAnEnd(int list, Timeout timeout) {
    int chunk = chunkOf(timeout.place);
    return !isEmpty(list) && (chunkOf(heads[list]) == chunk || chunkOf(tails[list]) == chunk);
  }

  // To go through a list: from its first cell on, until none is left.

  /** The first cell of a list with a timer. */
  int first(int list) {
    int cell = heads[list];
    return cell == NONE || timeout(cell) != null ? cell : next(list, cell);
  }

  /** The next cell of a list with a timer. */
  int next(int list, int cell) {
    int next = cell;
    do {
      if (next == tails[list]) {
        return NONE;
      }
      next = (next + 1) % CHUNK == 0 ? known(chunkOf(next), NEXT) << CHUNK_BITS : next + 1;
    } while (timeout(next) == null);
    return next;
  }

  Timeout timeout(int cell) {
    return cells[cell >>> (PAGE_BITS + CHUNK_BITS)][cell & (PAGE * CHUNK - 1)];
  }

  /** Makes a cell a hole; returns whether there are other timers in its chunk. */
  private boolean leave(int cell, Timeout timeout) {
    put(cell, null);
    timeout.place = NONE;
    return count(chunkOf(cell), -1) > 0;
  }

  private void put(int cell, @Nullable Timeout timeout) {
    cells[cell >>> (PAGE_BITS + CHUNK_BITS)][cell & (PAGE * CHUNK - 1)] = timeout;
  }

  // Chunks.

  private static int chunkOf(int cell) {
    return cell >>> CHUNK_BITS;
  }

  private int addChunk(int list) {
    int chunk = free;
    if (chunk != NONE) {
      free = known(chunk, NEXT);
    } else {
      if (fresh == capacity) {
        grow();
      }
      chunk = fresh++;
    }
    chunksInUse++;
    know(chunk, NEXT, NONE);
    know(chunk, BEFORE, NONE);
    if (isEmpty(list)) {
      heads[list] = chunk << CHUNK_BITS;
    } else {
      link(chunkOf(tails[list]), chunk);
    }
    return chunk;
  }

  private void link(int chunk, int next) {
    know(chunk, NEXT, next);
    know(next, BEFORE, chunk);
  }

  /** Takes a chunk without timers out of its list. */
  private void unlink(int list, int chunk) {
    int before = known(chunk, BEFORE);
    int next = known(chunk, NEXT);
    if (before == NONE) {
      heads[list] = next == NONE ? NONE : next << CHUNK_BITS;
    } else {
      know(before, NEXT, next);
    }
    if (next == NONE) {
      tails[list] = before == NONE ? NONE : before * CHUNK + CHUNK - 1;
    } else {
      know(next, BEFORE, before);
    }
    know(chunk, NEXT, free);
    free = chunk;
    chunksInUse--;
  }

  private int count(int chunk, int more) {
    int[] page = links[chunk >>> PAGE_BITS];
    int at = ((chunk & (PAGE - 1)) << LINK_BITS) + TIMERS;
    page[at] += more;
    return page[at];
  }

  private int known(int chunk, int what) {
    return links[chunk >>> PAGE_BITS][((chunk & (PAGE - 1)) << LINK_BITS) + what];
  }

  private void know(int chunk, int what, int value) {
    links[chunk >>> PAGE_BITS][((chunk & (PAGE - 1)) << LINK_BITS) + what] = value;
  }

  private void grow() {
    if (capacity == CAPACITY_MAX) {
      throw new IllegalStateException("a wheel has at most " + CAPACITY_MAX + " chunks of timers");
    }
    if (capacity < PAGE) {
      capacity *= 2;
      cells[0] = Arrays.copyOf(cells[0], capacity << CHUNK_BITS);
      links[0] = Arrays.copyOf(links[0], capacity << LINK_BITS);
    } else {
      int page = capacity / PAGE;
      if (page == cells.length) {
        cells = Arrays.copyOf(cells, 2 * page);
        links = Arrays.copyOf(links, 2 * page);
      }
      allocate(page, PAGE);
    }
  }

  /** Gives a page, the last, so many chunks, all of them new. */
  private void allocate(int page, int chunks) {
    cells[page] = new Timeout[chunks << CHUNK_BITS];
    links[page] = new int[chunks << LINK_BITS];
    capacity = page * PAGE + chunks;
  }
}
