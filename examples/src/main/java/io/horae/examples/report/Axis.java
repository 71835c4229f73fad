package io.horae.examples.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Where values stand in a picture.
 *
 * @param max the value at the end; the axis begins with 0
 * @param from the place of 0
 * @param to the place of the end
 */
record Axis(double max, double from, double to) {

  /** An axis whose end is no less than a value, and a multiple of a round step. */
  static Axis reaching(double value, double from, double to, int steps) {
    double step = step(Math.max(value, 1), steps);
    return new Axis(Math.ceil(Math.max(value, 1) / step) * step, from, to);
  }

  double at(double value) {
    return from + (to - from) * value / max;
  }

  double at(long value) {
    return at((double) value);
  }

  /** Round values from 0 to the end, about as many as asked for. */
  List<Double> ticks(int steps) {
    double step = step(max, steps);
    List<Double> ticks = new ArrayList<>();
    for (int i = 0; i * step <= max * 1.000_001; i++) {
      ticks.add(i * step);
    }
    return ticks;
  }

  /** 1, 2 or 5 times a power of ten. */
  private static double step(double max, int steps) {
    double least = max / steps;
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    for (double factor : new double[] {1, 2, 5}) {
      if (factor * power >= least * 0.999_999) {
        return factor * power;
      }
    }
    return 10 * power;
  }
}
