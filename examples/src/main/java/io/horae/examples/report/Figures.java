package io.horae.examples.report;

import java.util.Locale;

/** How numbers are written. */
final class Figures {

  private Figures() {}

  static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  static String percent(double part, double whole) {
    return String.format(Locale.ROOT, "%.1f %%", whole == 0 ? 0 : 100 * part / whole);
  }

  static String percent(long part, long whole) {
    return percent((double) part, (double) whole);
  }

  static String seconds(long ms) {
    return String.format(Locale.ROOT, ms < 10_000 ? "%.1f s" : "%.0f s", ms / 1000.0);
  }
}
