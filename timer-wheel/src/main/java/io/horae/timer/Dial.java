package io.horae.timer;

import java.util.Arrays;

/**
 * A hierarchical timer wheel without its timers: on which spoke one belongs, and which spoke is
 * next.
 *
 * <p>After Varghese and Lauck, "Hashed and Hierarchical Timing Wheels" (1987). A tick number is
 * read as eight digits to the base 256, and for each digit there is a ring of 256 spokes. A timer
 * hangs on the ring of the highest digit in which its tick differs from the wheel's position, on
 * the spoke of its own value of that digit. So a ring's occupied spokes all lie ahead of the
 * position, everything on a lower ring is due before anything on a higher one, and a bit set of
 * occupied spokes leads to the next timer at once, however far ahead. When the position reaches a
 * spoke of a higher ring, its timers move on to lower ones: a timer moves at most once for each
 * ring.
 *
 * <p>Spokes are numbered through, ring by ring: of any two that are in use, the one with the lower
 * number is due first.
 */
final class Dial {

  static final int NONE = -1;

  private static final int RINGS = 8;
  private static final int DIGIT_BITS = 8;
  private static final int RING = 1 << DIGIT_BITS;
  private static final int RING_WORDS = RING / Long.SIZE;

  /** The number of spokes. */
  static final int SPOKES = RINGS * RING;

  private final long tick;

  /** Every timer of a tick up to this one has fired, or is due. */
  private long position;

  /** The last tick that is to be reached. */
  private long target;

  /** A bit for each spoke that is in use, and one for each ring that has any such spoke. */
  private final long[] spokesInUse = new long[SPOKES / Long.SIZE];

  private int ringsInUse;

  Dial(long start, long tick) {
    this.tick = tick;
    position = tickReached(start);
    target = position;
  }

  // Ticks.

  /** The last tick that has begun by a time; the end of time ends the tick that it cuts short. */
  long tickReached(long time) {
    if (tick == 1 || time == Long.MAX_VALUE) {
      return tickOf(time);
    }
    return Math.floorDiv(time, tick);
  }

  /** The first tick that begins at or after a time. */
  private long tickOf(long deadline) {
    if (tick == 1) {
      return deadline;
    }
    long reached = Math.floorDiv(deadline, tick);
    return reached * tick == deadline ? reached : reached + 1;
  }

  /** When a timer with this deadline fires: the time at which its tick begins. */
  long firesAt(long deadline) {
    return timeOf(tickOf(deadline));
  }

  /** The time at which a tick begins; an end of time if it is beyond that. */
  private long timeOf(long tickNumber) {
    if (tickNumber > Long.MAX_VALUE / tick) {
      return Long.MAX_VALUE;
    }
    return tickNumber < Long.MIN_VALUE / tick ? Long.MIN_VALUE : tickNumber * tick;
  }

  /** Maps ticks to numbers of the same order when read as unsigned, and back. */
  private static long unsigned(long tickNumber) {
    return tickNumber ^ Long.MIN_VALUE;
  }

  // The position.

  /** The time of the position. */
  long now() {
    return timeOf(position);
  }

  /** Sets the time to be reached by {@link #turn}, unless a later one is set. */
  void reach(long now) {
    target = Math.max(target, tickReached(now));
  }

  /**
   * Turns to the next spoke in use whose time has come, and marks it unused: its timers are to be
   * put on others, or are due.
   *
   * @return the spoke; {@link #NONE} if there is none, and the time is reached
   */
  int turn() {
    int spoke = first();
    if (spoke != NONE) {
      long start = firstTick(spoke);
      if (start <= target) {
        position = start;
        markUnused(spoke);
        return spoke;
      }
    }
    position = target;
    return NONE;
  }

  // Spokes.

  /** The spoke that a timer belongs on; {@link #NONE} if it is due. */
  int spokeFor(long deadline) {
    long end = tickOf(deadline);
    if (end <= position) {
      return NONE;
    }
    int ring = (Long.SIZE - 1 - Long.numberOfLeadingZeros(end ^ position)) / DIGIT_BITS;
    return ring * RING + ((int) (unsigned(end) >>> (ring * DIGIT_BITS)) & (RING - 1));
  }

  /** The first spoke in use; {@link #NONE} if there is none. */
  int first() {
    if (ringsInUse == 0) {
      return NONE;
    }
    int word = Integer.numberOfTrailingZeros(ringsInUse) * RING_WORDS;
    while (spokesInUse[word] == 0) {
      word++;
    }
    return word * Long.SIZE + Long.numberOfTrailingZeros(spokesInUse[word]);
  }

  /** The first spoke in use from this one on; {@link #NONE} if there is none. */
  int nextFrom(int spoke) {
    for (int word = spoke / Long.SIZE; word < spokesInUse.length; word++) {
      long bits = spokesInUse[word] & (word == spoke / Long.SIZE ? -1L << spoke : -1L);
      if (bits != 0) {
        return word * Long.SIZE + Long.numberOfTrailingZeros(bits);
      }
    }
    return NONE;
  }

  /** The first tick of a spoke: the position's higher digits, the spoke's own, then zeros. */
  private long firstTick(int spoke) {
    int shift = spoke / RING * DIGIT_BITS;
    // Two shifts, so that nothing is left above the highest digit.
    long higher = unsigned(position) & (-1L << shift << DIGIT_BITS);
    return unsigned(higher | (long) (spoke % RING) << shift);
  }

  /** The last tick of a spoke. */
  long lastTick(int spoke) {
    return firstTick(spoke) | ~(-1L << (spoke / RING * DIGIT_BITS));
  }

  /** Whether all timers of a spoke fire at once: then its number tells when. */
  boolean isSingleTick(int spoke) {
    return spoke < RING;
  }

  /** Whether the timers of a spoke will be due at once, or else move to spokes of a single tick. */
  boolean isNextToLast(int spoke) {
    return spoke / RING == 1;
  }

  /** When the first timer of a spoke fires at the earliest. */
  long firesAt(int spoke) {
    return timeOf(firstTick(spoke));
  }

  /** A spoke of a single tick has a single deadline where a tick is a single unit of time. */
  boolean isSingleDeadline(int spoke) {
    return tick == 1 && isSingleTick(spoke);
  }

  void markUsed(int spoke) {
    spokesInUse[spoke / Long.SIZE] |= 1L << spoke;
    ringsInUse |= 1 << (spoke / RING);
  }

  void markUnused(int spoke) {
    spokesInUse[spoke / Long.SIZE] &= ~(1L << spoke);
    int word = spoke / RING * RING_WORDS;
    if ((spokesInUse[word] | spokesInUse[word + 1] | spokesInUse[word + 2] | spokesInUse[word + 3])
        == 0) {
      ringsInUse &= ~(1 << (spoke / RING));
    }
  }

  boolean isUsed(int spoke) {
    return (spokesInUse[spoke / Long.SIZE] >>> spoke & 1) == 1;
  }

  void markAllUnused() {
    Arrays.fill(spokesInUse, 0);
    ringsInUse = 0;
  }

  /** Checks what must hold of the marks; for tests. */
  void checkConsistency() {
    for (int ring = 0; ring < RINGS; ring++) {
      int first = nextFrom(ring * RING);
      boolean inUse = first >= 0 && first < (ring + 1) * RING;
      if ((ringsInUse >> ring & 1) == 1 != inUse) {
        throw new AssertionError("mark of ring " + ring);
      }
    }
  }
}
