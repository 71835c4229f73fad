package io.horae.placement;

import java.util.Arrays;

/**
 * Finds the nodes with the lowest and the highest Murmur3 score of a key, which are its primary and
 * its first backup, from the scores alone.
 *
 * <p>To carry a node's index along with its score is what a search for extremes spends most of its
 * time on: minima and maxima of bare numbers are vector code, or at least free of branches. And the
 * index is not needed: {@linkplain Murmur3 the hash is a bijection of its seed}, so a score leads
 * back to the seed that it was made with, and a table from there to the node.
 *
 * <p>In a small cluster it pays more to keep the index in the low bits of a score.
 */
final class RendezvousExtremes {

  /** The largest cluster that is searched with indexes. */
  private static final int SMALL_MAX = Murmur3.SHORT_LOOP_MAX;

  /** The room that an index takes beside a score: six bits hold more than {@link #SMALL_MAX}. */
  private static final int INDEX_BITS = 6;

  private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;

  /** So that a comparison of signed numbers compares unsigned ones. */
  private static final int FLIP = Integer.MIN_VALUE;

  private static final int NONE = -1;

  /**
   * The largest cluster that is searched without branches, where the JIT makes no vector code of
   * minima: up to JDK 20.
   */
  private static final int SCALAR_MINIMUM_MAX = 256;

  private static final int FIRST_JDK_WITH_VECTOR_MINIMUM = 21;

  private final int[] seeds;

  /** The largest cluster that is searched without branches. */
  private final int minimumMax;

  /**
   * The node of each seed: where the seed's upper bits say, or in the first places after that. At
   * most half of it is in use; empty for a small cluster.
   */
  private final int[] nodes;

  private final int shift;

  /** For seeds that all differ, of two nodes at least. */
  static RendezvousExtremes of(int[] seeds) {
    boolean vectors = Runtime.version().feature() >= FIRST_JDK_WITH_VECTOR_MINIMUM;
    return new RendezvousExtremes(seeds, vectors ? Integer.MAX_VALUE : SCALAR_MINIMUM_MAX);
  }

  RendezvousExtremes(int[] seeds, int minimumMax) {
    this.seeds = seeds;
    this.minimumMax = minimumMax;
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(2 * seeds.length - 1);
    shift = Integer.SIZE - bits;
    nodes = new int[seeds.length > SMALL_MAX ? 1 << bits : 0];
    Arrays.fill(nodes, NONE);
    for (int node = 0; node < seeds.length && nodes.length > 0; node++) {
      int at = seeds[node] >>> shift;
      while (nodes[at] != NONE) {
        at = next(at);
      }
      nodes[at] = node;
    }
  }

  /** The node with the lowest score and, in the low half, the one with the highest. */
  long find(long key) {
    int low = Murmur3.mix((int) key);
    int high = Murmur3.mix((int) (key >>> Integer.SIZE));
    if (nodes.length == 0) {
      return findInSmall(low, high);
    }
    int[] scores = RendezvousPlacement.space(seeds.length);
    score(low, high, seeds, scores);
    long extremes =
        seeds.length <= minimumMax
            ? byMinimum(scores, seeds.length)
            : byBranch(scores, seeds.length);
    int lowest = Murmur3.seed(low, high, (int) (extremes >>> Integer.SIZE) ^ FLIP);
    int highest = Murmur3.seed(low, high, (int) extremes ^ FLIP);
    return (long) node(lowest) << Integer.SIZE | node(highest);
  }

  private long findInSmall(int keyLow, int keyHigh) {
    long low = Long.MAX_VALUE >>> 1;
    long high = 0;
    for (int i = 0; i < seeds.length; i++) {
      long score = Integer.toUnsignedLong(Murmur3.hash(keyLow, keyHigh, seeds[i]));
      long indexed = score << INDEX_BITS | i;
      // Minimum and maximum without a branch, which nobody could predict.
      long less = indexed - low;
      low += less & (less >> (Long.SIZE - 1));
      long more = high - indexed;
      high -= more & (more >> (Long.SIZE - 1));
    }
    return (low & INDEX_MASK) << Integer.SIZE | (high & INDEX_MASK);
  }

  /** Scores a number, given as its halves mixed, flipped so that signed comparisons do. */
  private static void score(int keyLow, int keyHigh, int[] seeds, int[] scores) {
    for (int i = 0; i < seeds.length; i++) {
      scores[i] = Murmur3.hash(keyLow, keyHigh, seeds[i]) ^ FLIP;
    }
  }

  /**
   * The lowest score and, in the low half, the highest. By twos, since each minimum waits for the
   * one before where the JIT makes no vector code of this.
   */
  private static long byMinimum(int[] scores, int count) {
    int half = count >>> 1;
    int low = scores[count - 1];
    int high = low;
    for (int i = 0; i < half; i++) {
      low = Math.min(low, Math.min(scores[i], scores[i + half]));
      high = Math.max(high, Math.max(scores[i], scores[i + half]));
    }
    return (long) low << Integer.SIZE | Integer.toUnsignedLong(high);
  }

  /** The same, by branches, which the more scores have been seen the less often are taken. */
  private static long byBranch(int[] scores, int count) {
    int low = scores[0];
    int high = low;
    // One comparison for both ends, as in RendezvousPlacement.
    int shift = low + Integer.MIN_VALUE;
    int range = high - shift;
    for (int i = 1; i < count; i++) {
      int score = scores[i];
      if (score - shift > range) {
        if (score < low) {
          low = score;
        } else {
          high = score;
        }
        shift = low + Integer.MIN_VALUE;
        range = high - shift;
      }
    }
    return (long) low << Integer.SIZE | Integer.toUnsignedLong(high);
  }

  private int node(int seed) {
    int at = seed >>> shift;
    while (seeds[nodes[at]] != seed) {
      at = next(at);
    }
    return nodes[at];
  }

  private int next(int at) {
    return at + 1 & (nodes.length - 1);
  }
}
