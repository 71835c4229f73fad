package io.horae.placement;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * How many digests, of four points each, a node puts on the continuum.
 *
 * <p>The clients with weights compute a node's share in {@code float}s, each in its own order of
 * operations. What is lost by that is part of the dialect.
 */
@FunctionalInterface
interface DigestCount {

  int DEFAULT = 40;

  /** The digests of each node. */
  int[] of(List<Node> nodes);

  /** The same for all. */
  static DigestCount same(int perNode) {
    return nodes -> {
      int[] counts = new int[nodes.size()];
      Arrays.fill(counts, perNode);
      return counts;
    };
  }

  /** In proportion to weights, {@code perNode} on average, at least one. */
  static DigestCount proportional(int perNode) {
    return nodes -> {
      double total = total(nodes);
      double all = (double) perNode * nodes.size();
      // Rounding must not take a digest from nodes whose weights are all the same.
      return counts(nodes, weight -> Math.max(1, Math.floor(weight / total * all * (1 + 0x1p-40))));
    };
  }

  static int[] libketama(List<Node> nodes) {
    float total = (float) wholeTotal(nodes);
    return counts(
        nodes,
        weight -> {
          float share = (float) weight / total;
          return Math.floor((float) (share * 40.0 * nodes.size()));
        });
  }

  static int[] twemproxy(List<Node> nodes) {
    float total = (float) wholeTotal(nodes);
    return counts(
        nodes,
        weight -> {
          float share = (float) weight / total;
          return Math.floor((float) (share * 160f / 4f * (float) nodes.size() + 1e-10));
        });
  }

  /** As twemproxy, but that spymemcached knows clusters without weights. */
  static int[] spymemcached(List<Node> nodes) {
    return nodes.stream().allMatch(node -> node.weight() == 1)
        ? same(DEFAULT).of(nodes)
        : twemproxy(nodes);
  }

  private static int[] counts(List<Node> nodes, DoubleUnaryOperator count) {
    return nodes.stream().mapToInt(node -> (int) count.applyAsDouble(node.weight())).toArray();
  }

  private static double wholeTotal(List<Node> nodes) {
    for (Node node : nodes) {
      double weight = node.weight();
      if (weight != Math.rint(weight) || weight > Integer.MAX_VALUE) {
        throw new IllegalArgumentException(
            "weight of node "
                + Node.quoted(node.id())
                + " must be a whole number below 2^31 in this dialect: "
                + weight);
      }
    }
    return total(nodes);
  }

  private static double total(List<Node> nodes) {
    return nodes.stream().mapToDouble(Node::weight).sum();
  }
}
