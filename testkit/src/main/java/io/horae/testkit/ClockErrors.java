package io.horae.testkit;

/** How far the simulated clocks can be off. */
final class ClockErrors {

  private ClockErrors() {}

  /** How much two clocks can differ after so long, both at their worst, and rounding. */
  static long ofMs(long elapsedMs) {
    return 10 + 2 * SimulatedClock.DRIFT_PPM_MAX * Math.max(0, elapsedMs) / 1_000_000;
  }
}
