package io.horae.placement;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/** Some of a placement's nodes: the indexes a lookup found, read as a list without copying them. */
final class ReplicaList extends AbstractList<Node> implements RandomAccess {

  private final List<Node> nodes;
  private final int[] indexes;

  ReplicaList(List<Node> nodes, int[] indexes) {
    this.nodes = nodes;
    this.indexes = indexes;
  }

  /** Room for the replicas that a call for {@code count} of them returns. */
  static int[] indexes(int count, List<Node> nodes) {
    if (count < 1) {
      throw new IllegalArgumentException("count of replicas must be at least 1: " + count);
    }
    return new int[Math.min(count, nodes.size())];
  }

  @Override
  public Node get(int level) {
    return nodes.get(indexes[level]);
  }

  @Override
  public int size() {
    return indexes.length;
  }
}
