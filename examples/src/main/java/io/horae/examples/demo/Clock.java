package io.horae.examples.demo;

/** The clock of the run. */
final class Clock {

  private Clock() {}

  static long nowMs() {
    return System.nanoTime() / 1_000_000;
  }
}
