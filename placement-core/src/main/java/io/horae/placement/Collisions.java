package io.horae.placement;

import java.util.HashSet;
import java.util.Set;

/**
 * What rendezvous placement does when two hashes are equal: those of two node ids, or the scores
 * that one key has on two nodes.
 *
 * <p>All three rules give the same answers where nothing collides. Between the nodes of a cluster
 * of 1,000 a collision has a chance of one in 8,600; of 100 nodes, one in 870,000. With a hash that
 * is {@linkplain SeededHash#injectiveInSeed() injective in its seed}, as Murmur3 is, scores never
 * collide unless node hashes do.
 *
 * <p>{@link #INCREMENT} and {@link #DECREMENT} favour the node listed first, so every member must
 * build its placement from the same list in the same order. {@link #STABLE} needs no such care and
 * is the better choice where nothing has to agree with Chronos.
 */
public enum Collisions {
  /**
   * The rule of the Chronos design: in list order, a hash that is taken is incremented until it is
   * unique. When one of two colliding nodes leaves, the other's hash changes, and keys can move
   * between nodes that stay.
   */
  INCREMENT(1),

  /**
   * The rule of the Chronos program: like {@link #INCREMENT}, but a node's hash is decremented
   * instead. Equal scores are still incremented. Placements are those of Chronos, bit for bit.
   */
  DECREMENT(-1),

  /**
   * No hash is ever changed; of equal scores, a second hash under another seed of the node decides,
   * and should that be equal too, the node id. The order of the list plays no part, and when one of
   * two colliding nodes leaves, only its own keys move. Until then the two share, evenly, the keys
   * of one; if their weights differ, the heavier has the primaries.
   */
  STABLE(0);

  private final int step;

  Collisions(int step) {
    this.step = step;
  }

  /** Makes node hashes unique, if that is the rule. */
  void settleSeeds(int[] seeds) {
    if (step != 0 && !Nodes.distinct(seeds)) {
      settle(seeds, seeds.length, step);
    }
  }

  /** Makes the first {@code count} scores of a key unique: the rule of the Chronos design. */
  static void settleScores(int[] scores, int count) {
    settle(scores, count, 1);
  }

  private static void settle(int[] values, int count, int step) {
    Set<Integer> taken = new HashSet<>(2 * count);
    for (int i = 0; i < count; i++) {
      while (!taken.add(values[i])) {
        values[i] += step;
      }
    }
  }
}
