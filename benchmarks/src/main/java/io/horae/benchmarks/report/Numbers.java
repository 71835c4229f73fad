package io.horae.benchmarks.report;

import java.util.Locale;

/** How pages write numbers. */
final class Numbers {

  private Numbers() {}

  /** Three digits or all that are before the point: 0.47, 1.40, 23.1, 1,044. */
  static String of(double value) {
    double size = Math.abs(value);
    String format = size < 10 ? "%.2f" : size < 100 ? "%.1f" : "%,.0f";
    return String.format(Locale.ROOT, format, Math.abs(value) < 0.005 ? 0 : value);
  }

  /** An error, with as many digits as the value that it belongs to has. */
  static String error(double error, double value) {
    double size = Math.abs(value);
    String format = size < 10 ? "%.2f" : size < 100 ? "%.1f" : "%,.0f";
    return String.format(Locale.ROOT, format, error);
  }

  static String of(Figure figure) {
    return Double.isFinite(figure.error())
        ? of(figure.value()) + " ± " + error(figure.error(), figure.value())
        : of(figure.value());
  }

  static String of(Answer.Ratio ratio) {
    String text = of(ratio.value());
    return ratio.error() > 0 ? text + " ± " + error(ratio.error(), ratio.value()) : text;
  }

  /** A size with its thousands apart, if it is a whole number. */
  static String size(String size) {
    double number = Answer.number(size);
    return number == Math.rint(number) && Double.isFinite(number)
        ? String.format(Locale.ROOT, "%,.0f", number)
        : size;
  }
}
