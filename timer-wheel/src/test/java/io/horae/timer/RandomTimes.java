package io.horae.timer;

import java.util.SplittableRandom;

/** Times at every edge and in between. */
final class RandomTimes {

  private static final long[] STARTS = {
    0, -1_000, 255, Long.MIN_VALUE, Long.MIN_VALUE + 7, Long.MAX_VALUE - 100_000, Long.MAX_VALUE
  };
  private static final long[] TICKS = {1, 1, 1, 3, 10, 1_000, 1L << 40, Long.MAX_VALUE};

  private final SplittableRandom random;

  RandomTimes(SplittableRandom random) {
    this.random = random;
  }

  /** The length of a tick. */
  long tick() {
    return TICKS[random.nextInt(TICKS.length)];
  }

  /** A time to start at. */
  long start() {
    return random.nextInt(4) == 0 ? random.nextLong() : STARTS[random.nextInt(STARTS.length)];
  }

  /** A deadline, passed, near or far, seen from some time. */
  long deadline(long now, long tick) {
    long distance =
        switch (random.nextInt(7)) {
          case 0 -> -random.nextInt(1_000);
          case 1 -> 0;
          case 2 -> random.nextInt(10);
          case 3 -> random.nextInt(100_000);
          case 4 -> (1L << random.nextInt(63)) + random.nextInt(-2, 3);
          case 5 -> random.nextLong(4) * tick;
          default -> random.nextLong();
        };
    long deadline = now + distance;
    // Where that overflows, the far end it is.
    boolean overflow = ((now ^ deadline) & (distance ^ deadline)) < 0;
    return overflow ? (distance < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : deadline;
  }
}
