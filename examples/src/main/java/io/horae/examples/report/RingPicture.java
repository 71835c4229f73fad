package io.horae.examples.report;

import io.horae.placement.ArcMovement;
import io.horae.placement.KetamaContinuum;
import io.horae.placement.Node;
import java.util.List;
import java.util.TreeSet;

/** The Ketama ring of a cluster before a change and after it, and what the change moves there. */
final class RingPicture {

  private static final double RING = 0x1p32;

  private final KetamaContinuum before;
  private final KetamaContinuum after;
  private final ArcMovement movement;
  private final Colours colours;

  RingPicture(List<Node> nodesBefore, List<Node> nodesAfter, Colours colours) {
    before = KetamaContinuum.of(nodesBefore);
    after = KetamaContinuum.of(nodesAfter);
    movement = ArcMovement.between(before, after);
    this.colours = colours;
  }

  /** What part of the ring the change moves. */
  String moved() {
    return Figures.percent((double) movement.hashesMoved(), RING);
  }

  /** The least that a ring with these shares could have moved. */
  String least() {
    return Figures.percent((double) movement.hashesMovedLeast(), RING);
  }

  String summary() {
    return moved()
        + " of the ring would move, in "
        + Figures.grouped(movement.arcs().size())
        + " arcs; the least for these shares is "
        + least();
  }

  void draw(Markup page) {
    Discs discs = new Discs();
    TreeSet<Long> ends = new TreeSet<>();
    before.points().forEach(point -> ends.add(point.hash()));
    after.points().forEach(point -> ends.add(point.hash()));
    ends.add((long) RING - 1);
    double from = 0;
    int atBefore = 0;
    int atAfter = 0;
    for (long end : ends) {
      atBefore = ceiling(before, atBefore, end);
      atAfter = ceiling(after, atAfter, end);
      double to = (end + 1) / RING;
      discs.add(from, to, owner(before, atBefore), owner(after, atAfter));
      from = to;
    }
    page.open("svg", "viewBox", "0 0 " + Discs.SIZE + " " + Discs.SIZE, "role", "img");
    page.text("title", "The Ketama ring");
    discs.draw(page);
    drawPoints(page);
    page.text(
        "text",
        Figures.grouped(after.points().size()) + " points",
        "class",
        "middle strong",
        "x",
        Discs.CENTRE,
        "y",
        Discs.CENTRE + 5);
    page.close();
  }

  /** The first point at or after a hash, from an index on; the first of all behind the last. */
  private static int ceiling(KetamaContinuum continuum, int from, long hash) {
    int at = from;
    while (at < continuum.points().size() && continuum.points().get(at).hash() < hash) {
      at++;
    }
    return at;
  }

  private String owner(KetamaContinuum continuum, int at) {
    return colours.of(continuum.points().get(at % continuum.points().size()).node().id());
  }

  /** Where the points of the ring after the change are. */
  private void drawPoints(Markup page) {
    StringBuilder ticks = new StringBuilder();
    for (KetamaContinuum.Point point : after.points()) {
      double turn = (point.hash() + 1) / RING;
      ticks.append('M').append(Discs.point(160, turn)).append('L').append(Discs.point(168, turn));
    }
    page.leaf("path", "class", "twigs", "d", ticks);
  }
}
