package io.horae.examples.report;

import java.util.Collections;
import java.util.List;

/**
 * How late pops were: a pair of columns for each bin, one for the phase of the kill and one for all
 * others. The scale is that of powers of ten, as the few that are late are what one looks for.
 */
final class LatenessPicture {

  private static final int WIDTH = 1040;
  private static final int LEFT = 56;
  private static final int RIGHT = 12;
  private static final int TOP = 24;
  private static final int BOTTOM = 230;

  private final Lateness calm;
  private final Lateness killed;

  LatenessPicture(List<Phase> phases) {
    calm = sum(phases, false);
    killed = sum(phases, true);
  }

  private static Lateness sum(List<Phase> phases, boolean killed) {
    return phases.stream()
        .filter(phase -> phase.change().filter(Change::killed).isPresent() == killed)
        .map(Phase::lateness)
        .reduce(new Lateness(Collections.nCopies(Lateness.FROM_MS.size(), 0)), Lateness::plus);
  }

  void draw(Markup page) {
    double decades = Math.max(2, Math.ceil(Math.log10(Math.max(most(calm), most(killed)) + 1.0)));
    // One timer is to be seen as well: the axis begins below it.
    Axis axis = new Axis(decades + 0.3, BOTTOM, TOP);
    page.open(
        "svg", "viewBox", "0 0 " + WIDTH + " " + (BOTTOM + 28), "class", "wide", "role", "img");
    page.text("title", "How many pops came how late");
    for (int decade = 0; decade <= decades; decade++) {
      double y = axis.at(decade + 0.3);
      page.leaf("line", "class", "grid", "x1", LEFT, "x2", WIDTH - RIGHT, "y1", y, "y2", y);
      String label = Figures.grouped((long) Math.pow(10, decade));
      page.text("text", label, "class", "end", "x", LEFT - 8, "y", y + 4);
    }
    int bins = Lateness.FROM_MS.size();
    double width = (WIDTH - RIGHT - LEFT) / (double) bins;
    for (int bin = 0; bin < bins; bin++) {
      double x = LEFT + bin * width;
      column(page, axis, "calm", x + 5, width / 2 - 7, calm.counts().get(bin));
      column(page, axis, "kill", x + width / 2 + 2, width / 2 - 7, killed.counts().get(bin));
      page.text(
          "text",
          Lateness.label(bin),
          "class",
          "middle tiny",
          "x",
          x + width / 2,
          "y",
          BOTTOM + 18);
    }
    page.leaf("line", "class", "base", "x1", LEFT, "x2", WIDTH - RIGHT, "y1", BOTTOM, "y2", BOTTOM);
    page.close();
  }

  private static void column(
      Markup page, Axis axis, String style, double x, double width, int count) {
    if (count == 0) {
      return;
    }
    double y = axis.at(Math.log10(count) + 0.3);
    page.leaf(
        "rect", "class", style, "x", x, "y", y, "width", width, "height", BOTTOM - y, "rx", 2);
    page.text(
        "text", Figures.grouped(count), "class", "middle tiny", "x", x + width / 2, "y", y - 5);
  }

  private static int most(Lateness lateness) {
    return Collections.max(lateness.counts());
  }
}
