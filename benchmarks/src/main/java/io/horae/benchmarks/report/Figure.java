package io.horae.benchmarks.report;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one subject of a question took at one size. Whatever is counted, less is better.
 *
 * @param question the question's id
 * @param subject the subject's id
 * @param size as the table shows it
 * @param value the result, in the question's unit
 * @param error half the width of its 99.9 % confidence interval; NaN if it was computed, not timed
 * @param bytes allocated for it; NaN if not known
 */
public record Figure(
    String question, String subject, String size, double value, double error, double bytes) {

  private static final Pattern LINE =
      Pattern.compile(
          "\\{\"question\":\"(.*)\",\"subject\":\"(.*)\",\"size\":\"(.*)\","
              + "\"value\":(.*),\"error\":(.*),\"bytes\":(.*)\\},?");

  /** One line of JSON. */
  String toJson() {
    return String.format(
        "{\"question\":\"%s\",\"subject\":\"%s\",\"size\":\"%s\","
            + "\"value\":%s,\"error\":%s,\"bytes\":%s}",
        question, subject, size, json(value), json(error), json(bytes));
  }

  private static String json(double number) {
    return Double.isFinite(number) ? String.format(Locale.ROOT, "%.6g", number) : "null";
  }

  /** Reads what {@link #toJson} wrote, perhaps with a comma behind. */
  static Figure parse(String line) {
    Matcher parts = LINE.matcher(line);
    if (!parts.matches()) {
      throw new IllegalArgumentException("not a figure: " + line);
    }
    return new Figure(
        parts.group(1),
        parts.group(2),
        parts.group(3),
        number(parts.group(4)),
        number(parts.group(5)),
        number(parts.group(6)));
  }

  private static double number(String json) {
    return json.equals("null") ? Double.NaN : Double.parseDouble(json);
  }

  /** The error, or none if there is none known. */
  double spread() {
    return Double.isFinite(error) ? error : 0;
  }
}
