package io.horae.timer;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A count that many threads change, exact at every moment, with a maximum. It is the difference of
 * numbers that only grow, each in a cache line of its own: those who add one to it do not meet
 * those who take one off, and those who take one off under a lock do not meet the others.
 */
final class CappedCount {

  /** As far apart as a cache line and its neighbour reach. */
  private static final int STRIDE = 16;

  private static final int ADDED = STRIDE;
  private static final int REMOVED = 2 * STRIDE;
  private static final int REMOVED_LOCKED = 3 * STRIDE;

  /** What was removed when somebody last looked. It may be less than what is, but never more. */
  private static final int REMOVED_AT_LEAST = ADDED + 1;

  private final AtomicLongArray padded = new AtomicLongArray(4 * STRIDE);
  private final int max;

  CappedCount(int max) {
    this.max = max;
  }

  int value() {
    while (true) {
      long removed = removed();
      long added = padded.get(ADDED);
      // If it is unchanged now, it was the same when the other was looked at.
      if (removed() == removed) {
        return (int) (added - removed);
      }
    }
  }

  private long removed() {
    return padded.get(REMOVED) + padded.get(REMOVED_LOCKED);
  }

  /** Adds one, or returns {@code false} if the maximum is reached. */
  boolean tryIncrement() {
    long added;
    do {
      added = padded.get(ADDED);
      if (added - padded.getOpaque(REMOVED_AT_LEAST) >= max) {
        long removed = removed();
        if (added - removed >= max) {
          return false;
        }
        padded.setOpaque(REMOVED_AT_LEAST, removed);
      }
    } while (!padded.compareAndSet(ADDED, added, added + 1));
    return true;
  }

  void decrement() {
    padded.getAndIncrement(REMOVED);
  }

  /** Takes one off; for whoever holds the one lock that there is for this. */
  void decrementLocked() {
    padded.setRelease(REMOVED_LOCKED, padded.getPlain(REMOVED_LOCKED) + 1);
  }

  /** Takes a decrement back, even if the maximum was reached meanwhile. */
  void undecrement() {
    padded.getAndIncrement(ADDED);
  }
}
