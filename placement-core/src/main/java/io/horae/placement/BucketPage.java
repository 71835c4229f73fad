package io.horae.placement;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A node of the tree that a {@link BucketTable} is: one or two hex digits of the hash lead to a
 * bucket or to a page below.
 *
 * <p>A narrow page has 16 slots, one for each value of a digit, and buckets in all of them. A wide
 * page has 256, for two digits, the lower one first. There a bucket that compares only the first
 * has the 16 slots that its digit leads to, each with the same content, so that a lookup need not
 * know how deep a bucket is; and there alone are pages below. A page is wide exactly if a bucket
 * below one of its first digits was split, so the same buckets always make the same pages.
 *
 * <p>Pages are filled by a {@link BucketEdit} and never change once a table has them.
 */
final class BucketPage {

  static final int NARROW = 16;
  static final int WIDE = 256;

  /** The bits that lead through a wide page to one below. */
  static final int WIDE_BITS = 8;

  /** In place of a primary: look at the page below. */
  static final int BELOW = -1;

  /** In place of a backup: there is none, nor any after it. */
  static final int NONE = -1;

  /** Each slot's primary by index, or {@link #BELOW}. */
  final int[] primaries;

  /** Each slot's backups by index, a fixed number, filled up with {@link #NONE}. */
  final int[] backups;

  final long[] epochs;

  /** How many of this page's digits each slot's bucket compares: 1 or 2. */
  final byte[] digits;

  /** The page below each slot; null if there is none. */
  final @Nullable BucketPage @Nullable [] below;

  private BucketPage(
      int[] primaries,
      int[] backups,
      long[] epochs,
      byte[] digits,
      @Nullable BucketPage @Nullable [] below) {
    this.primaries = primaries;
    this.backups = backups;
    this.epochs = epochs;
    this.digits = digits;
    this.below = below;
  }

  /** A page of buckets alone, all with the same content. */
  static BucketPage filled(int slots, Cell cell) {
    BucketPage page =
        new BucketPage(
            new int[slots],
            new int[slots * cell.backups().length],
            new long[slots],
            new byte[slots],
            null);
    for (int slot = 0; slot < slots; slot++) {
      page.put(slot, slots == NARROW ? 1 : 2, cell);
    }
    return page;
  }

  /** What a slot holds: indexes of servers, and an epoch. Never changes. */
  static final class Cell {

    private final int primary;
    private final int[] backups;
    private final long epoch;

    Cell(int primary, int[] backups, long epoch) {
      this.primary = primary;
      this.backups = backups;
      this.epoch = epoch;
    }

    int primary() {
      return primary;
    }

    /** As in {@link BucketPage#backups}. */
    int[] backups() {
      return backups;
    }

    long epoch() {
      return epoch;
    }

    boolean has(int server) {
      if (primary == server) {
        return true;
      }
      for (int backup : backups) {
        if (backup == server) {
          return true;
        }
      }
      return false;
    }

    Cell at(long newEpoch) {
      return new Cell(primary, backups, newEpoch);
    }
  }

  boolean isWide() {
    return primaries.length == WIDE;
  }

  /** The slot that a hash leads to, once the digits of the pages above are shifted out. */
  int slot(long rest) {
    return (int) rest & (primaries.length - 1);
  }

  int backupsMax() {
    return backups.length / primaries.length;
  }

  BucketPage below(int slot) {
    BucketPage page = below == null ? null : below[slot];
    if (page == null) {
      throw new AssertionError("no page below slot " + slot);
    }
    return page;
  }

  /**
   * The primaries of the pages below, for this page's slots; where there is none, the bucket's in
   * an array of its own. So two reads find the owner of a hash by four digits, whatever is split,
   * if each array is asked for as many bits as it is long. A page with nothing below is all there
   * is.
   */
  int[][] owners() {
    if (below == null) {
      return new int[][] {primaries};
    }
    int[][] owners = new int[WIDE][];
    for (int slot = 0; slot < WIDE; slot++) {
      BucketPage page = below[slot];
      owners[slot] = page == null ? new int[] {primaries[slot]} : page.primaries;
    }
    return owners;
  }

  /** The owner of a hash whose bucket compares more than the four digits of {@link #owners()}. */
  int primaryBelow(long hash) {
    BucketPage page = below((int) hash & (WIDE - 1));
    long rest = hash >>> WIDE_BITS;
    int primary;
    do {
      page = page.below((int) rest & (WIDE - 1));
      rest >>>= WIDE_BITS;
      int[] owners = page.primaries;
      primary = owners[(int) rest & (owners.length - 1)];
    } while (primary < 0);
    return primary;
  }

  Cell cell(int slot) {
    int most = backupsMax();
    return new Cell(
        primaries[slot], Arrays.copyOfRange(backups, slot * most, (slot + 1) * most), epochs[slot]);
  }

  /** Whether a server is primary or backup of a slot's bucket. */
  boolean has(int slot, int server) {
    if (primaries[slot] == server) {
      return true;
    }
    int most = backupsMax();
    for (int i = slot * most; i < (slot + 1) * most; i++) {
      if (backups[i] == server) {
        return true;
      }
    }
    return false;
  }

  /** Whether two slots of this page and another one hold the same; neither leads below. */
  boolean isSame(int slot, BucketPage other, int otherSlot) {
    int most = backupsMax();
    return primaries[slot] == other.primaries[otherSlot]
        && epochs[slot] == other.epochs[otherSlot]
        && Arrays.equals(
            backups,
            slot * most,
            (slot + 1) * most,
            other.backups,
            otherSlot * most,
            (otherSlot + 1) * most);
  }

  // From here on for a BucketEdit, on pages of its own.

  BucketPage copy() {
    return new BucketPage(
        primaries.clone(),
        backups.clone(),
        epochs.clone(),
        digits.clone(),
        below == null ? null : below.clone());
  }

  /** A wide page with the same buckets as this narrow one. */
  BucketPage widened() {
    return resized(WIDE);
  }

  /** A narrow page with the same buckets as this wide one, all of which compare one digit. */
  BucketPage narrowed() {
    return resized(NARROW);
  }

  private BucketPage resized(int slots) {
    int most = backupsMax();
    BucketPage page =
        new BucketPage(
            new int[slots], new int[slots * most], new long[slots], new byte[slots], null);
    for (int slot = 0; slot < slots; slot++) {
      page.put(slot, 1, cell(slot & (NARROW - 1)));
    }
    return page;
  }

  /** A copy with room for pages below. */
  BucketPage withRoomBelow() {
    return new BucketPage(primaries, backups, epochs, digits, new BucketPage[WIDE]);
  }

  /** Puts a bucket into one slot. */
  void put(int slot, int digitCount, Cell cell) {
    primaries[slot] = cell.primary();
    System.arraycopy(
        cell.backups(), 0, backups, slot * cell.backups().length, cell.backups().length);
    epochs[slot] = cell.epoch();
    digits[slot] = (byte) digitCount;
    if (below != null) {
      below[slot] = null;
    }
  }

  /** Puts a page into one slot. */
  void putBelow(int slot, BucketPage page) {
    int most = backupsMax();
    primaries[slot] = BELOW;
    Arrays.fill(backups, slot * most, (slot + 1) * most, NONE);
    epochs[slot] = 0;
    digits[slot] = 2;
    if (below == null) {
      throw new AssertionError("no room for a page below");
    }
    below[slot] = page;
  }

  boolean comparesOneDigitEverywhere() {
    for (byte count : digits) {
      if (count != 1) {
        return false;
      }
    }
    return true;
  }
}
