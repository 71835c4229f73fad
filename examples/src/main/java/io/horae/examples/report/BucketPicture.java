package io.horae.examples.report;

import io.horae.placement.Bucket;
import io.horae.placement.BucketTable;
import io.horae.placement.HashMask;
import java.util.List;
import java.util.Locale;

/** The tree of buckets of a cluster before a change and after it, and what the change moves. */
final class BucketPicture {

  /** How many values a hex digit has. */
  private static final int DIGITS = 16;

  private static final double TWIG = 168;
  private static final double FORK = 96;

  private final BucketTable before;
  private final BucketTable after;
  private final Colours colours;

  BucketPicture(BucketTable before, BucketTable after, Colours colours) {
    this.before = before;
    this.after = after;
    this.colours = colours;
  }

  /** What part of all hashes the change moves. */
  String moved() {
    return Figures.percent(moving().stream().mapToDouble(bucket -> width(bucket.mask())).sum(), 1);
  }

  /** The least that buckets with these shares could have moved: what the servers gain. */
  String least() {
    double gained =
        after.nodes().stream()
            .mapToDouble(node -> share(after, node.id()) - share(before, node.id()))
            .filter(gain -> gain > 0)
            .sum();
    return Figures.percent(gained, 1);
  }

  String summary() {
    return moved()
        + " of the hashes would move, in "
        + Figures.grouped(moving().size())
        + " buckets; the least for these shares is "
        + least();
  }

  private List<Bucket> moving() {
    return after.buckets().stream()
        .filter(
            bucket -> !before.bucketAt(bucket.mask().value()).primary().equals(bucket.primary()))
        .toList();
  }

  private static double share(BucketTable table, String node) {
    return table.buckets().stream()
        .filter(bucket -> bucket.primary().id().equals(node))
        .mapToDouble(bucket -> width(bucket.mask()))
        .sum();
  }

  void draw(Markup page) {
    Discs discs = new Discs();
    for (Bucket bucket : after.buckets()) {
      double from = turn(bucket.mask());
      String was = before.bucketAt(bucket.mask().value()).primary().id();
      discs.add(
          from, from + width(bucket.mask()), colours.of(was), colours.of(bucket.primary().id()));
    }
    page.open("svg", "viewBox", "0 0 " + Discs.SIZE + " " + Discs.SIZE, "role", "img");
    page.text("title", "The tree of buckets");
    drawTree(page);
    discs.draw(page);
    page.close();
  }

  private void drawTree(Markup page) {
    StringBuilder twigs = new StringBuilder();
    StringBuilder branches = new StringBuilder();
    for (Bucket bucket : after.buckets()) {
      double middle = turn(bucket.mask()) + width(bucket.mask()) / 2;
      double fork = middle(HashMask.of(bucket.mask().value(), 1));
      twigs.append('M').append(Discs.point(FORK + 10, fork));
      twigs.append('L').append(Discs.point(TWIG, middle));
    }
    for (int digit = 0; digit < DIGITS; digit++) {
      double fork = middle(HashMask.of(digit, 1));
      branches.append('M').append(Discs.point(14, fork)).append('L');
      branches.append(Discs.point(FORK - 10, fork));
    }
    page.leaf("path", "class", "twigs", "d", twigs);
    page.leaf("path", "class", "twigs branches", "d", branches);
    for (int digit = 0; digit < DIGITS; digit++) {
      HashMask mask = HashMask.of(digit, 1);
      page.text(
          "text",
          Integer.toHexString(digit).toUpperCase(Locale.ROOT),
          "class",
          "middle strong",
          "x",
          Discs.x(FORK, middle(mask)),
          "y",
          Discs.y(FORK, middle(mask)) + 4.5);
    }
    page.leaf("circle", "class", "root", "cx", Discs.CENTRE, "cy", Discs.CENTRE, "r", 5);
  }

  private static double middle(HashMask mask) {
    return turn(mask) + width(mask) / 2;
  }

  /** The part of all hashes that a mask covers. */
  private static double width(HashMask mask) {
    return Math.pow(DIGITS, -mask.digits());
  }

  /** Where a bucket begins, so that the parts of a bucket are where it is: its last digit first. */
  private static double turn(HashMask mask) {
    double turn = 0;
    for (int digit = 0; digit < mask.digits(); digit++) {
      turn += (mask.value() >>> (4 * digit) & 0xf) * Math.pow(DIGITS, -(digit + 1));
    }
    return turn;
  }
}
