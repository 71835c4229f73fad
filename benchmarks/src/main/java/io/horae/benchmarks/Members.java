package io.horae.benchmarks;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.horae.placement.Node;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.ishugaliy.allgood.consistent.hash.HashRing;
import org.ishugaliy.allgood.consistent.hash.node.SimpleNode;

/** The same members of a cluster for every placement. */
final class Members {

  /** Steps through all numbers without two neighbours looking alike. */
  static final long KEY_STEP = 0x9e3779b97f4a7c15L;

  /** As many points for each node as Ketama has. */
  static final int POINTS = 160;

  private Members() {}

  static String id(int node) {
    return "10.0." + (node >> 8) + "." + (node & 255) + ":7253";
  }

  static List<Node> of(int count) {
    return IntStream.range(0, count).mapToObj(node -> Node.of(id(node))).toList();
  }

  /** Weights 1 to 4 in turn. */
  static List<Node> weighted(int count) {
    return IntStream.range(0, count)
        .mapToObj(node -> Node.of(id(node)).withWeight(1 + node % 4))
        .toList();
  }

  /** Three zones in turn. */
  static List<Node> zoned(int count) {
    return IntStream.range(0, count)
        .mapToObj(node -> Node.of(id(node)).withZone("zone-" + node % 3))
        .toList();
  }

  /** Guava's Murmur3 under the seed of each node: what Horae scores with, spelt with Guava. */
  static HashFunction[] guava(List<Node> nodes) {
    HashFunction murmur3 = Hashing.murmur3_32_fixed();
    return nodes.stream()
        .map(
            node ->
                Hashing.murmur3_32_fixed(
                    murmur3.hashString(node.id(), StandardCharsets.UTF_8).asInt()))
        .toArray(HashFunction[]::new);
  }

  /** Allgood's ring, with as many points as Ketama's. */
  static HashRing<SimpleNode> allgood(List<Node> nodes) {
    return HashRing.<SimpleNode>newBuilder()
        .partitionRate(POINTS)
        .nodes(nodes.stream().map(node -> SimpleNode.of(node.id())).toList())
        .build();
  }
}
