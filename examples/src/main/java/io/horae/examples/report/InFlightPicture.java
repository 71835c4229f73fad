package io.horae.examples.report;

import java.util.Comparator;
import java.util.List;

/** The timers that are not yet in place, from the beginning of a change until all are. */
final class InFlightPicture {

  private static final int WIDTH = 500;
  private static final int LEFT = 58;
  private static final int RIGHT = 16;
  private static final int TOP = 22;
  private static final int BOTTOM = 170;

  private final Change change;
  private final Axis time;
  private final Axis timers;

  private static final int LABEL_WIDTH = 130;

  /**
   * The picture of a change.
   *
   * @param mostTimers how many timers the picture has room for
   * @param mostMs how much time it has room for
   */
  InFlightPicture(Change change, long mostTimers, long mostMs) {
    this.change = change;
    time = Axis.reaching((double) mostMs, LEFT, WIDTH - RIGHT, 5);
    timers = Axis.reaching((double) mostTimers, BOTTOM, TOP, 4);
  }

  void draw(Markup page) {
    page.open("svg", "viewBox", "0 0 " + WIDTH + " " + (BOTTOM + 24), "role", "img");
    page.text("title", "Timers in flight, " + change.title());
    for (double tick : timers.ticks(4)) {
      double y = timers.at(tick);
      page.leaf("line", "class", "grid", "x1", LEFT, "x2", WIDTH - RIGHT, "y1", y, "y2", y);
      page.text("text", Figures.grouped((long) tick), "class", "end", "x", LEFT - 8, "y", y + 4);
    }
    for (double tick : time.ticks(5)) {
      String label = Markup.number(tick / 1000) + (tick == 0 ? " s" : "");
      page.text("text", label, "class", "middle", "x", time.at(tick), "y", BOTTOM + 18);
    }
    List<Change.InFlight> samples = change.inFlight();
    if (!samples.isEmpty()) {
      StringBuilder line = new StringBuilder();
      for (Change.InFlight sample : samples) {
        line.append(line.isEmpty() ? "M" : "L");
        line.append(Markup.number(time.at(sample.atMs()))).append(' ');
        line.append(Markup.number(timers.at(sample.timers())));
      }
      double first = time.at(samples.get(0).atMs());
      double last = time.at(samples.get(samples.size() - 1).atMs());
      String base = "V" + BOTTOM + "H" + Markup.number(first) + "Z";
      page.leaf("path", "class", "flight area", "d", line + base);
      page.leaf("path", "class", "flight line", "d", line);
      mark(
          page,
          time.at(change.settledMs()),
          "all in place, " + Figures.seconds(change.settledMs()));
      drawPeak(page, samples, last);
    }
    page.close();
  }

  private void drawPeak(Markup page, List<Change.InFlight> samples, double last) {
    Change.InFlight peak =
        samples.stream().max(Comparator.comparingLong(Change.InFlight::timers)).orElseThrow();
    double x = time.at(peak.atMs());
    double y = timers.at(peak.timers());
    page.leaf("circle", "class", "flight dot", "cx", x, "cy", y, "r", 3.5);
    boolean right = x < (last + WIDTH) / 2;
    page.text(
        "text",
        "peak " + Figures.grouped(peak.timers()),
        "class",
        "strong" + (right ? "" : " end"),
        "x",
        right ? x + 8 : x - 8,
        "y",
        Math.max(TOP - 6, y - 6));
  }

  /** A line at the end, and what it is, above what is drawn there. */
  private void mark(Markup page, double x, String label) {
    boolean right = x < WIDTH * 0.6;
    double from = right ? x : x - LABEL_WIDTH;
    double highest =
        change.inFlight().stream()
            .filter(sample -> time.at(sample.atMs()) >= from)
            .filter(sample -> time.at(sample.atMs()) <= from + LABEL_WIDTH)
            .mapToDouble(sample -> timers.at(sample.timers()))
            .min()
            .orElse(BOTTOM);
    double y = Math.max(TOP, Math.min(BOTTOM - 48, highest - 24));
    page.leaf("line", "class", "mark", "x1", x, "x2", x, "y1", y - 10, "y2", BOTTOM);
    page.text(
        "text", label, "class", right ? "small" : "small end", "x", right ? x + 6 : x - 6, "y", y);
  }
}
