package io.horae.placement;

import java.util.ArrayList;
import java.util.List;

/** How the pages of a table are read. */
final class BucketTree {

  private BucketTree() {}

  /** Where a bucket is: its first slot in a page, and what it is a bucket of. */
  record Spot(BucketPage page, int slot, HashMask mask) {

    BucketPage.Cell cell() {
      return page.cell(slot);
    }

    long epoch() {
      return page.epochs[slot];
    }
  }

  /** Sees buckets one by one. */
  interface Visitor {
    void bucket(Spot spot);
  }

  /** The bucket that a hash falls in. */
  static Spot locate(BucketPage root, long hash) {
    BucketPage page = root;
    long rest = hash;
    int above = 0;
    int slot = page.slot(rest);
    while (page.primaries[slot] < 0) {
      page = page.below(slot);
      rest >>>= BucketPage.WIDE_BITS;
      above += 2;
      slot = page.slot(rest);
    }
    return new Spot(page, slot, HashMask.of(hash, above + page.digits[slot]));
  }

  /** Visits every bucket, digit by digit, so that the parts of a split follow each other. */
  static void walk(BucketPage root, Visitor visitor) {
    walk(root, 0, 0, visitor);
  }

  static void walk(BucketPage page, long value, int above, Visitor visitor) {
    for (int first = 0; first < BucketPage.NARROW; first++) {
      if (page.digits[first] == 1) {
        visit(page, first, value, above, visitor);
      } else {
        walkSecond(page, first, value, above, visitor);
      }
    }
  }

  private static void walkSecond(
      BucketPage page, int first, long value, int above, Visitor visitor) {
    for (int slot = first; slot < BucketPage.WIDE; slot += BucketPage.NARROW) {
      visit(page, slot, value, above, visitor);
    }
  }

  private static void visit(BucketPage page, int slot, long value, int above, Visitor visitor) {
    long longer = value | ((long) slot << (4 * above));
    if (page.primaries[slot] < 0) {
      walk(page.below(slot), longer, above + 2, visitor);
    } else {
      visitor.bucket(new Spot(page, slot, HashMask.of(longer, above + page.digits[slot])));
    }
  }

  /** Visits the buckets that a hashmask has a share in: its parts, or what it is a part of. */
  static void walkWithin(BucketPage root, HashMask mask, Visitor visitor) {
    BucketPage page = root;
    long rest = mask.value();
    int above = 0;
    int slot = page.slot(rest);
    while (mask.digits() - above > 1 && page.primaries[slot] < 0) {
      if (mask.digits() - above == 2) {
        visit(page, slot, mask.value() & HashMask.mask(above), above, visitor);
        return;
      }
      page = page.below(slot);
      rest >>>= BucketPage.WIDE_BITS;
      above += 2;
      slot = page.slot(rest);
    }
    long value = mask.value() & HashMask.mask(above);
    if (mask.digits() - above == 1 && page.digits[slot] == 2) {
      walkSecond(page, slot & (BucketPage.NARROW - 1), value, above, visitor);
    } else {
      visit(page, slot, value, above, visitor);
    }
  }

  static List<Spot> within(BucketPage root, HashMask mask) {
    List<Spot> spots = new ArrayList<>();
    walkWithin(root, mask, spots::add);
    return spots;
  }

  /**
   * The buckets that are children of one hashmask, or, in the case of {@code digits} 0, those of
   * one digit.
   */
  static List<Spot> children(BucketPage root, long value, int digits) {
    return children(root, value, digits, (page, slot) -> true);
  }

  /** Those of the children that a server holds; for the others nothing is allocated. */
  static List<Spot> childrenHeldBy(BucketPage root, long value, int digits, int server) {
    return children(root, value, digits, (page, slot) -> page.has(slot, server));
  }

  private interface Filter {
    boolean accepts(BucketPage page, int slot);
  }

  private static List<Spot> children(BucketPage root, long value, int digits, Filter filter) {
    BucketPage page = root;
    long rest = value;
    int left = digits;
    for (; left >= 2; left -= 2) {
      int slot = page.slot(rest);
      if (page.primaries[slot] >= 0) {
        return List.of();
      }
      page = page.below(slot);
      rest >>>= BucketPage.WIDE_BITS;
    }
    // Siblings that differ in a page's second digit are as far apart as the first digit has values.
    int first = left == 0 ? 0 : (int) rest & (BucketPage.NARROW - 1);
    int step = left == 0 ? 1 : BucketPage.NARROW;
    List<Spot> children = new ArrayList<>();
    for (int slot = first; slot < step * BucketPage.NARROW; slot += step) {
      if (slot < page.primaries.length
          && page.digits[slot] == left + 1
          && page.primaries[slot] >= 0
          && filter.accepts(page, slot)) {
        long longer = value | ((long) slot << (4 * (digits - left)));
        children.add(new Spot(page, slot, HashMask.of(longer, digits + 1)));
      }
    }
    return children;
  }
}
