package io.horae.benchmarks.report;

import java.util.Locale;

/**
 * An SVG drawing that can be read on light and on dark pages: it has a background of its own and
 * two sets of colours, of which the reader's settings choose one.
 */
final class Svg {

  /** So many series can be told apart by colour. */
  static final int COLOURS = 8;

  private static final String STYLE =
      """
      <style>
      :root{--paper:#fff;--ink:#1a1a19;--muted:#6b6a63;--grid:#e4e3dd;--c0:#2a78d6;--c1:#1baf7a;\
      --c2:#eda100;--c3:#e34948;--c4:#4a3aa7;--c5:#e87ba4;--c6:#008300;--c7:#eb6834}
      @media (prefers-color-scheme:dark){:root{--paper:#1a1a19;--ink:#f2f1ec;--muted:#a3a29a;\
      --grid:#3a3935;--c0:#3987e5;--c1:#199e70;--c2:#c98500;--c3:#e66767;--c4:#9085e9;--c5:#d55181;\
      --c6:#4ca64c;--c7:#d95926}}
      text{font:12px system-ui,sans-serif;fill:var(--ink)}
      .title{font-size:14px;font-weight:600}
      .muted{fill:var(--muted)}
      .grid{stroke:var(--grid);stroke-width:1}
      </style>
      """;

  private final StringBuilder body = new StringBuilder();
  private final int width;
  private final int height;

  Svg(int width, int height, String title) {
    this.width = width;
    this.height = height;
    body.append(
        String.format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\""
                + " height=\"%d\" role=\"img\">%n<title>%s</title>%n",
            width, height, width, height, escaped(title)));
    body.append(STYLE);
    body.append(
        String.format("<rect width=\"%d\" height=\"%d\" fill=\"var(--paper)\"/>%n", width, height));
    text(16, 24, "start", "title", title);
  }

  /** The colour of the series of this number. */
  static String colour(int series) {
    return "var(--c" + series % COLOURS + ")";
  }

  void text(double x, double y, String anchor, String style, String text) {
    add(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">%s</text>",
        x, y, anchor, style, escaped(text));
  }

  void gridLine(double x1, double y1, double x2, double y2) {
    add("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>", x1, y1, x2, y2);
  }

  void line(double x1, double y1, double x2, double y2, String colour, double thickness) {
    add(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"/>",
        x1, y1, x2, y2, colour, thickness);
  }

  void path(String points, String colour, double thickness, String dashes) {
    add(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\""
            + " stroke-linejoin=\"round\" stroke-dasharray=\"%s\"/>",
        points, colour, thickness, dashes);
  }

  void dot(double x, double y, double radius, String colour, String hint) {
    add(
        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"><title>%s</title></circle>",
        x, y, radius, colour, escaped(hint));
  }

  void bar(double x, double y, double barWidth, double barHeight, String colour) {
    add(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\" fill=\"%s\"/>",
        x, y, barWidth, barHeight, colour);
  }

  int width() {
    return width;
  }

  int height() {
    return height;
  }

  private void add(String format, Object... values) {
    body.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  /** Without Markdown's marks for code, and with XML's escapes. */
  private static String escaped(String text) {
    return text.replace("`", "").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  @Override
  public String toString() {
    return body + "</svg>\n";
  }
}
