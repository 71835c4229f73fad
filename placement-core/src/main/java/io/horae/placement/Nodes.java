package io.horae.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What every placement asks of the nodes it is given. */
final class Nodes {

  private Nodes() {}

  /** The nodes as an immutable list, if they make a cluster. */
  static List<Node> checked(Collection<Node> nodes) {
    // Copied first: a collection may change while it is looked at, and may hold null.
    List<Node> copy = new ArrayList<>(nodes);
    if (copy.isEmpty()) {
      throw new IllegalArgumentException("a cluster needs at least one node: " + copy);
    }
    Set<String> ids = new HashSet<>();
    for (Node node : copy) {
      if (!ids.add(present(node, "node " + ids.size() + " of the cluster").id())) {
        throw new IllegalArgumentException("duplicate node id: " + Node.quoted(node.id()));
      }
    }
    return List.copyOf(copy);
  }

  /** How many replicas a lookup into this array returns. */
  static int checkedCount(int[] into, List<Node> nodes) {
    return checkedCount(into, nodes.size());
  }

  /** How many replicas a lookup into this array returns, of so many nodes. */
  static int checkedCount(int[] into, int nodes) {
    if (present(into, "array for the replicas").length == 0) {
      throw new IllegalArgumentException("array for the replicas must have room: its length is 0");
    }
    return Math.min(into.length, nodes);
  }

  static <T> T present(@Nullable T value, String name) {
    if (value == null) {
      throw new IllegalArgumentException(name + " must not be null");
    }
    return value;
  }

  /** The weights, or null if all are the same and so play no part. */
  static double @Nullable [] weights(List<Node> nodes) {
    double[] weights = nodes.stream().mapToDouble(Node::weight).toArray();
    return Arrays.stream(weights).allMatch(weight -> weight == weights[0]) ? null : weights;
  }

  /** The zones, numbered from 0, or null if each node has its own and they play no part. */
  static int @Nullable [] zones(List<Node> nodes) {
    Map<String, Integer> numbers = new HashMap<>();
    int[] zones = new int[nodes.size()];
    int count = 0;
    for (int i = 0; i < zones.length; i++) {
      String zone = nodes.get(i).zone();
      Integer known = zone == null ? null : numbers.putIfAbsent(zone, count);
      zones[i] = known == null ? count++ : known;
    }
    return count == zones.length ? null : zones;
  }

  static boolean distinct(int[] values) {
    int[] sorted = values.clone();
    Arrays.sort(sorted);
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] == sorted[i - 1]) {
        return false;
      }
    }
    return true;
  }
}
