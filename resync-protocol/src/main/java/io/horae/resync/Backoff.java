package io.horae.resync;

import java.util.SplittableRandom;

/** How long to wait before something is tried again: twice as long each time, with jitter. */
final class Backoff {

  private final long leastMs;
  private final long mostMs;
  private final SplittableRandom random;

  Backoff(TimerNodeOptions options) {
    this(options.retryMs(), options.retryMsMax(), options.seed());
  }

  Backoff(long leastMs, long mostMs, long seed) {
    this.leastMs = leastMs;
    this.mostMs = Math.max(leastMs, mostMs);
    random = new SplittableRandom(seed);
  }

  /** The shortest of all waits. */
  long leastWaitMs() {
    return Math.max(1, leastMs - leastMs / 4);
  }

  /**
   * The wait after so many tries that came to nothing: between three quarters and five quarters of
   * the time, so that nodes that failed together do not try again together.
   */
  long waitMs(int tries) {
    int doublings = Math.min(Math.max(0, tries - 1), 30);
    long waitMs = leastMs << doublings >> doublings == leastMs ? leastMs << doublings : mostMs;
    waitMs = Math.min(waitMs, mostMs);
    return Math.max(1, waitMs - waitMs / 4 + random.nextLong(waitMs / 2 + 1));
  }
}
