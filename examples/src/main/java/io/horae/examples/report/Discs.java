package io.horae.examples.report;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Stretches of a circle in two rings: outside who owns them after a change, inside who did before.
 * Those that stayed are faint, so that those that moved are what one sees.
 */
final class Discs {

  static final int SIZE = 480;
  static final double CENTRE = SIZE / 2.0;
  private static final double AFTER = 212;
  private static final double BEFORE = 186;

  /** By style, the stretches drawn in it: one path for many arcs keeps the page small. */
  private final Map<String, StringBuilder> paths = new LinkedHashMap<>();

  /**
   * Adds a stretch.
   *
   * @param from where it begins, 0 to 1 clockwise from the top
   * @param to where it ends
   * @param before the colour of its owner before
   * @param after the colour of its owner after
   */
  void add(double from, double to, String before, String after) {
    String kept = before.equals(after) ? " kept" : "";
    arc(before + kept, BEFORE, from, to);
    arc(after + kept, AFTER, from, to);
  }

  private void arc(String style, double radius, double from, double to) {
    StringBuilder path = paths.computeIfAbsent(style, unknown -> new StringBuilder());
    path.append('M').append(point(radius, from));
    path.append('A').append(Markup.number(radius)).append(' ').append(Markup.number(radius));
    path.append(to - from > 0.5 ? " 0 1 1 " : " 0 0 1 ").append(point(radius, to));
  }

  /** A place on a circle around the middle, as paths have it. */
  static String point(double radius, double turn) {
    return Markup.number(x(radius, turn)) + " " + Markup.number(y(radius, turn));
  }

  static double x(double radius, double turn) {
    return CENTRE + radius * Math.sin(2 * Math.PI * turn);
  }

  static double y(double radius, double turn) {
    return CENTRE - radius * Math.cos(2 * Math.PI * turn);
  }

  void draw(Markup page) {
    paths.forEach((style, path) -> page.leaf("path", "class", "arc " + style, "d", path));
  }
}
