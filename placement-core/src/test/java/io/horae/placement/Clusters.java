package io.horae.placement;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Random clusters and hashes, decided by a seed. */
final class Clusters {

  private Clusters() {}

  static List<Node> random(SplittableRandom random, int size) {
    Set<String> ids = new LinkedHashSet<>();
    while (ids.size() < size) {
      ids.add("10." + random.nextInt(256) + "." + random.nextInt(256) + ".1:7253");
    }
    return ids.stream().map(Node::of).toList();
  }

  static List<Node> weighted(SplittableRandom random, List<Node> nodes) {
    return weighted(random, nodes, 1, 1, 2, 0.5, 3.7, 100, 1e-3);
  }

  /** Weights at which costs overflow, underflow or lose their digits. */
  static List<Node> weightedExtremely(SplittableRandom random, List<Node> nodes) {
    return weighted(random, nodes, 1e-300, 1e-309, Double.MIN_VALUE, 1e300, Double.MAX_VALUE);
  }

  private static List<Node> weighted(SplittableRandom random, List<Node> nodes, double... weights) {
    return nodes.stream()
        .map(node -> node.withWeight(weights[random.nextInt(weights.length)]))
        .toList();
  }

  static List<Node> zoned(SplittableRandom random, List<Node> nodes, int zones) {
    return nodes.stream()
        .map(node -> random.nextInt(10) == 0 ? node : node.withZone("z" + random.nextInt(zones)))
        .toList();
  }

  static List<Node> shuffled(SplittableRandom random, List<Node> nodes) {
    List<Node> shuffled = new ArrayList<>(nodes);
    for (int i = shuffled.size() - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      shuffled.set(i, shuffled.set(other, shuffled.get(i)));
    }
    return shuffled;
  }

  /**
   * A hash with a few values only, next to each other from {@code first} on: node seeds and scores
   * collide, in chains, and past the end of the range if {@code first} is near it.
   */
  static SeededHash coarse(int first, int values) {
    return (key, seed) ->
        first + Integer.remainderUnsigned(SeededHash.murmur3().hash(key, seed), values);
  }
}
