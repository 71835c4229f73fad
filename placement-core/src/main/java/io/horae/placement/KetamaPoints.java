package io.horae.placement;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;

/**
 * The points of a continuum in ascending order, each with the index of its node.
 *
 * <p>A search starts where the upper bits of the hash say, and goes on from point to point. MD5
 * spreads points evenly, so there are two to four to each value of the upper bits, and a search
 * ends after one or two steps however many points there are.
 *
 * <p>Per point that is 4 bytes for its place, 2 for its node and at most 2 for where to start.
 * Behind the last point stands one at 2³²−1 of the node that has the first point: seen from 0 to
 * 2³²−1, the continuum is then a row of arcs, and no search has to turn back.
 */
final class KetamaPoints {

  static final int NODES_MAX = 1 << 16;
  static final int COUNT_MAX = 1 << 29;

  /** So that a comparison of signed numbers compares unsigned ones. */
  private static final int FLIP = Integer.MIN_VALUE;

  private final int[] points;
  private final char[] owners;

  /** For each value of a hash's upper bits, the first point that has them, or comes after. */
  private final int[] starts;

  private final int shift;

  private KetamaPoints(int[] points, char[] owners, int shift) {
    this.points = points;
    this.owners = owners;
    this.shift = shift;
    int count = count();
    points[count] = -1 ^ FLIP;
    owners[count] = owners[0];
    starts = new int[1 << (32 - shift)];
    int at = 0;
    for (int bucket = 0; bucket < starts.length; bucket++) {
      while (at < count && bucket(points[at], shift) < bucket) {
        at++;
      }
      starts[bucket] = at;
    }
  }

  /**
   * Hashes nodes to points.
   *
   * @param nodeKeys each node's key
   * @param digests each node's number of digests
   * @param order the indexes of the nodes; of equal points, the node that comes first here wins
   * @param keepsEqual whether points that do not win stay, behind the one that does
   */
  static KetamaPoints of(List<String> nodeKeys, int[] digests, int[] order, boolean keepsEqual) {
    int count = 4 * Arrays.stream(digests).sum();
    int[] points = new int[count];
    char[] owners = new char[count];
    int at = 0;
    for (int node : order) {
      String prefix = nodeKeys.get(node) + "-";
      for (int i = 0; i < digests[node]; i++) {
        Md5.digest((prefix + i).getBytes(UTF_8), points, at);
        Arrays.fill(owners, at, at + 4, (char) node);
        at += 4;
      }
    }
    int shift = 32 - bucketBits(count);
    int[] sorted = new int[count + 1];
    char[] sortedOwners = new char[count + 1];
    distribute(points, owners, shift, sorted, sortedOwners);
    insertionSort(sorted, sortedOwners, count);
    int kept = keepsEqual ? count : keepFirstOfEqual(sorted, sortedOwners, count);
    return kept == count
        ? new KetamaPoints(sorted, sortedOwners, shift)
        : new KetamaPoints(
            Arrays.copyOf(sorted, kept + 1), Arrays.copyOf(sortedOwners, kept + 1), shift);
  }

  /** As many as leave two points to a bucket, and four at most. */
  private static int bucketBits(int count) {
    return Math.max(1, 31 - Integer.numberOfLeadingZeros(count / 2 - 1));
  }

  private static int bucket(int flipped, int shift) {
    return (flipped ^ FLIP) >>> shift;
  }

  /** Puts points in the order of their buckets and otherwise leaves their order alone. */
  private static void distribute(
      int[] points, char[] owners, int shift, int[] sorted, char[] sortedOwners) {
    int[] next = new int[(1 << (32 - shift)) + 1];
    for (int point : points) {
      next[(point >>> shift) + 1]++;
    }
    for (int bucket = 1; bucket < next.length; bucket++) {
      next[bucket] += next[bucket - 1];
    }
    for (int i = 0; i < points.length; i++) {
      int at = next[points[i] >>> shift]++;
      sorted[at] = points[i] ^ FLIP;
      sortedOwners[at] = owners[i];
    }
  }

  /** Every point is in its bucket, so none has far to go. Equal points keep their order. */
  private static void insertionSort(int[] points, char[] owners, int count) {
    for (int i = 1; i < count; i++) {
      int point = points[i];
      char owner = owners[i];
      int at = i;
      for (; at > 0 && points[at - 1] > point; at--) {
        points[at] = points[at - 1];
        owners[at] = owners[at - 1];
      }
      points[at] = point;
      owners[at] = owner;
    }
  }

  private static int keepFirstOfEqual(int[] points, char[] owners, int count) {
    int kept = 1;
    for (int i = 1; i < count; i++) {
      if (points[i] != points[i - 1]) {
        points[kept] = points[i];
        owners[kept++] = owners[i];
      }
    }
    return kept;
  }

  int count() {
    return points.length - 1;
  }

  /** The first point at or after a hash; {@link #count()} for that behind the last. */
  int ceiling(int hash) {
    int flipped = hash ^ FLIP;
    int at = starts[hash >>> shift];
    while (points[at] < flipped) {
      at++;
    }
    return at;
  }

  /** The place of a point, {@link #count()} included. */
  long place(int at) {
    return Integer.toUnsignedLong(points[at] ^ FLIP);
  }

  /** The node of a point, {@link #count()} included. */
  int owner(int at) {
    return owners[at];
  }

  /** What the arrays hold. */
  long bytes() {
    return (long) Integer.BYTES * (points.length + starts.length)
        + (long) Character.BYTES * owners.length;
  }
}
