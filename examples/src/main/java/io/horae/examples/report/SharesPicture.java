package io.horae.examples.report;

import java.util.ArrayList;
import java.util.List;

/** What each node holds before a change and after it: primaries full, backups pale. */
final class SharesPicture {

  private static final int WIDTH = 500;
  private static final int LEFT = 40;
  private static final int RIGHT = 112;
  private static final int ROW = 42;
  private static final int BAR = 13;

  private final Change change;
  private final Colours colours;
  private final Axis timers;

  /**
   * The picture of a change.
   *
   * @param most what the longest bar of all changes stands for
   */
  SharesPicture(Change change, Colours colours, int most) {
    this.change = change;
    this.colours = colours;
    timers = new Axis(Math.max(1, most), LEFT, WIDTH - RIGHT);
  }

  /** The most that a node holds before or after. */
  static int most(Change change) {
    List<Change.Holding> all = new ArrayList<>(change.holdingsBefore());
    all.addAll(change.holdingsAfter());
    return all.stream().mapToInt(held -> held.primaries() + held.backups()).max().orElse(0);
  }

  void draw(Markup page) {
    List<String> nodes = new ArrayList<>();
    change.holdingsBefore().forEach(held -> nodes.add(held.node()));
    change.holdingsAfter().stream()
        .map(Change.Holding::node)
        .filter(node -> !nodes.contains(node))
        .forEach(nodes::add);
    page.open("svg", "viewBox", "0 0 " + WIDTH + " " + (nodes.size() * ROW + 4), "role", "img");
    page.text("title", "Timers on each node, " + change.title());
    for (int row = 0; row < nodes.size(); row++) {
      String node = nodes.get(row);
      double y = row * ROW + 4;
      page.text("text", node, "class", "strong end", "x", LEFT - 10, "y", y + BAR + 5);
      drawBar(page, node, change.holdingsBefore(), y, "before");
      drawBar(page, node, change.holdingsAfter(), y + BAR + 2, "after");
    }
    page.close();
  }

  private void drawBar(
      Markup page, String node, List<Change.Holding> holdings, double y, String when) {
    Change.Holding held =
        holdings.stream()
            .filter(holding -> holding.node().equals(node))
            .findFirst()
            .orElse(new Change.Holding(node, 0, 0));
    int copies = held.primaries() + held.backups();
    double primaries = timers.at(held.primaries());
    double end = timers.at(copies);
    String colour = colours.of(node);
    boolean before = when.equals("before");
    page.open("g", "class", before ? "before" : "after");
    page.text(
        "title",
        node
            + " "
            + when
            + ": primary of "
            + Figures.grouped(held.primaries())
            + ", backup of "
            + Figures.grouped(held.backups()));
    page.leaf("rect", "class", colour, "x", LEFT, "y", y, "width", primaries - LEFT, "height", BAR);
    page.leaf(
        "rect",
        "class",
        colour + " pale",
        "x",
        primaries,
        "y",
        y,
        "width",
        end - primaries,
        "height",
        BAR);
    int all = holdings.stream().mapToInt(Change.Holding::primaries).sum();
    page.text(
        "text",
        copies == 0
            ? "–"
            : Figures.grouped(held.primaries()) + " · " + Figures.percent(held.primaries(), all),
        "class",
        before ? "tiny" : "small strong",
        "x",
        end + 7,
        "y",
        y + BAR - 2.5);
    page.close();
  }
}
