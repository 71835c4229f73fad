package io.horae.testkit;

/**
 * The clock of one machine: it began anywhere, runs a little fast or slow, and is set forward or
 * back now and then.
 */
final class SimulatedClock {

  /** A clock is off by no more than this many milliseconds in a million. */
  static final int DRIFT_PPM_MAX = 200;

  private final int driftPpm;
  private long offsetMs;

  SimulatedClock(long originMs, int driftPpm) {
    this.offsetMs = originMs;
    this.driftPpm = driftPpm;
  }

  /** What it shows. */
  long read(long trueMs) {
    return offsetMs + trueMs + Math.floorDiv(trueMs * driftPpm, 1_000_000L);
  }

  /** The earliest time at which it shows this much, unless it is set before that. */
  long reaches(long clockMs) {
    if (clockMs == Long.MAX_VALUE) {
      return Long.MAX_VALUE;
    }
    long trueMs = (long) ((clockMs - offsetMs) / (1 + driftPpm / 1e6)) - 2;
    while (read(trueMs) < clockMs) {
      trueMs++;
    }
    return trueMs;
  }

  /** Sets it forward, or back if negative. */
  void step(long byMs) {
    offsetMs += byMs;
  }
}
