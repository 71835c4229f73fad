package io.horae.placement;

import io.horae.placement.BucketTree.Spot;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What changed in a {@link BucketTable} from one version to a later one.
 *
 * @param from the version before
 * @param to the version after
 * @param nodes the servers after
 * @param buckets the buckets after that are not the same before
 */
public record BucketDelta(long from, long to, List<Node> nodes, List<Bucket> buckets) {

  /**
   * Checks the values.
   *
   * @param from the version before, not negative
   * @param to the version after, not below that
   * @param nodes the servers after; at least one, ids unique
   * @param buckets the buckets after that are not the same before
   * @throws IllegalArgumentException if one is null, a version is negative or they are the wrong
   *     way round, or the servers do not make a cluster
   */
  public BucketDelta {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("no delta leads from version " + from + " to " + to);
    }
    nodes = Nodes.checked(Nodes.present(nodes, "nodes"));
    buckets = List.copyOf(Nodes.present(buckets, "buckets"));
  }

  static BucketDelta between(BucketTable earlier, BucketTable later) {
    if (earlier.backupsMax() != later.backupsMax()) {
      throw new IllegalArgumentException(
          "tables set up for " + earlier.backupsMax() + " and " + later.backupsMax() + " backups");
    }
    boolean sameServers = earlier.nodes().equals(later.nodes());
    List<Bucket> buckets = new ArrayList<>();
    for (Spot spot : differing(earlier.root, later.root)) {
      Bucket bucket = later.bucket(spot.mask());
      // Between the two, a server's index may stand for another.
      if (sameServers || !bucket.equals(earlier.bucketAt(bucket.mask().value()))) {
        buckets.add(bucket);
      }
    }
    return new BucketDelta(earlier.version(), later.version(), later.nodes(), buckets);
  }

  /** The buckets of a tree that another has not; what the two share is not looked at. */
  static List<Spot> differing(BucketPage before, BucketPage after) {
    List<Spot> differing = new ArrayList<>();
    collect(before, after, 0, 0, differing);
    return differing;
  }

  private static void collect(
      BucketPage before, BucketPage after, long value, int above, List<Spot> differing) {
    if (before == after) {
      return;
    }
    for (int slot = 0; slot < after.primaries.length; slot++) {
      int digits = after.digits[slot];
      if (digits == 1 && slot >= BucketPage.NARROW) {
        continue;
      }
      // A narrow page has in each slot what a wide one would have in sixteen.
      int slotBefore = slot & (before.primaries.length - 1);
      boolean isBelow = after.primaries[slot] < 0;
      boolean wasBelow = before.primaries[slotBefore] < 0;
      long longer = value | ((long) slot << (4 * above));
      if (isBelow && wasBelow) {
        collect(before.below(slotBefore), after.below(slot), longer, above + 2, differing);
      } else if (isBelow) {
        BucketTree.walk(after.below(slot), longer, above + 2, differing::add);
      } else if (wasBelow
          || before.digits[slotBefore] != digits
          || !after.isSame(slot, before, slotBefore)) {
        differing.add(new Spot(after, slot, HashMask.of(longer, above + digits)));
      }
    }
  }

  /**
   * The delta in bytes.
   *
   * @return the bytes, for {@link #fromBytes}
   */
  public byte[] toBytes() {
    return BucketCodec.encode(this);
  }

  /**
   * Reads a delta that {@link #toBytes()} wrote.
   *
   * @param bytes the bytes
   * @return the delta
   * @throws IllegalArgumentException if the bytes are not a delta, whole and unharmed
   */
  public static BucketDelta fromBytes(byte[] bytes) {
    return BucketCodec.decodeDelta(Nodes.present(bytes, "bytes"));
  }

  /**
   * The delta for people.
   *
   * @return the versions, the servers, and a line for each bucket
   */
  @Override
  public String toString() {
    return "version "
        + from
        + " to "
        + to
        + " on "
        + nodes.stream().map(Node::id).collect(Collectors.joining(", "))
        + buckets.stream().map(bucket -> "\n  " + bucket).collect(Collectors.joining());
  }
}
