package io.horae.examples.report;

import java.util.List;

/** The whole run: pops as they came, over the lives of the nodes. */
final class TimelinePicture {

  private static final int WIDTH = 1040;
  private static final int LEFT = 56;
  private static final int RIGHT = 12;
  private static final int TOP = 34;
  private static final int POPS_HEIGHT = 170;
  private static final int LIFE_HEIGHT = 22;
  private static final int LIVES_TOP = TOP + POPS_HEIGHT + 34;

  private final Run run;
  private final Colours colours;
  private final Axis time;
  private final int height;

  TimelinePicture(Run run, Colours colours) {
    this.run = run;
    this.colours = colours;
    time = new Axis(run.lengthMs(), LEFT, WIDTH - RIGHT);
    height = LIVES_TOP + run.lives().size() * LIFE_HEIGHT + 8;
  }

  void draw(Markup page) {
    page.open("svg", "viewBox", "0 0 " + WIDTH + " " + height, "class", "wide", "role", "img");
    page.text("title", "Pops per second, phase by phase, and when each node was in the cluster");
    drawPhases(page);
    drawPops(page);
    drawLives(page);
    page.close();
  }

  private void drawPhases(Markup page) {
    boolean shaded = false;
    for (Phase phase : run.phases()) {
      double from = time.at(phase.fromMs());
      double to = time.at(phase.toMs());
      if (shaded) {
        page.leaf("rect", "class", "band", "x", from, "y", 0, "width", to - from, "height", height);
      }
      shaded = !shaded;
      page.text("text", phase.title(), "class", "strong", "x", from + 6, "y", 17);
    }
  }

  private void drawPops(Markup page) {
    double perSecond = 1000.0 / run.binMs();
    double most = run.popsByBin().stream().mapToInt(count -> count).max().orElse(0) * perSecond;
    Axis pops = Axis.reaching(most, TOP + POPS_HEIGHT, TOP, 4);
    for (double tick : pops.ticks(4)) {
      double y = pops.at(tick);
      page.leaf("line", "class", "grid", "x1", LEFT, "x2", WIDTH - RIGHT, "y1", y, "y2", y);
      page.text("text", Figures.grouped((long) tick), "class", "end", "x", LEFT - 8, "y", y + 4);
    }
    StringBuilder area = new StringBuilder();
    List<Integer> bins = run.popsByBin();
    for (int bin = 0; bin < bins.size(); bin++) {
      double from = time.at(bin * run.binMs());
      double to = time.at(Math.min(run.lengthMs(), (bin + 1) * run.binMs()));
      String y = Markup.number(pops.at(bins.get(bin) * perSecond));
      area.append(bin == 0 ? "M" + Markup.number(from) + " " + y : "V" + y);
      area.append("H").append(Markup.number(to));
    }
    String base = Markup.number(pops.at(0));
    page.leaf("path", "class", "pops", "d", area + "V" + base + "H" + LEFT + "Z");
    double labels = TOP + POPS_HEIGHT + 18;
    for (double tick : time.ticks(10)) {
      page.text(
          "text",
          Markup.number(tick / 1000) + (tick == 0 ? " s" : ""),
          "class",
          "middle",
          "x",
          time.at(tick),
          "y",
          labels);
    }
    page.text("text", "pops/s", "class", "end", "x", LEFT - 8, "y", 17);
  }

  private void drawLives(Markup page) {
    int row = 0;
    for (Run.Life life : run.lives()) {
      double y = LIVES_TOP + row++ * LIFE_HEIGHT;
      double from = time.at(life.fromMs());
      double to = time.at(life.toMs());
      double leaving = time.at(life.leavingMs());
      String colour = colours.of(life.node());
      page.text("text", life.node(), "class", "strong end", "x", LEFT - 8, "y", y + 11);
      bar(page, colour, from, leaving, y);
      if (to > leaving) {
        bar(page, colour + " pale", leaving, to, y);
      }
      String note =
          switch (life.end()) {
            case STAYS -> "";
            case LEAVES -> "drained, left";
            case KILLED -> "killed";
          };
      if (life.end() == Run.End.KILLED) {
        double x = to;
        double middle = y + 6;
        page.leaf(
            "path",
            "class",
            "cross",
            "d",
            "M" + Markup.number(x - 6) + " " + Markup.number(middle - 6) + "l12 12m0 -12l-12 12");
      }
      page.text("text", note, "x", to + 12, "y", y + 11);
    }
  }

  private static void bar(Markup page, String style, double from, double to, double y) {
    page.leaf("rect", "class", style, "x", from, "y", y, "width", to - from, "height", 12, "rx", 3);
  }
}
