package io.horae.resync;

import java.util.List;

/**
 * The nodes that a timer belongs to, and the view that decided so.
 *
 * @param view the view
 * @param replicas the ids of the nodes, distinct, the primary first; at least one and at most
 *     {@value #REPLICAS_MAX}
 */
public record Assignment(ViewStamp view, List<String> replicas) {

  /** More replicas than anybody wants of a timer. */
  public static final int REPLICAS_MAX = 16;

  /**
   * Checks and copies the list.
   *
   * @param view the view
   * @param replicas the ids of the nodes, distinct, the primary first; at least one and at most
   *     {@value #REPLICAS_MAX}
   */
  public Assignment {
    replicas = List.copyOf(replicas);
    if (replicas.isEmpty() || replicas.size() > REPLICAS_MAX) {
      throw new IllegalArgumentException(
          "a timer has 1 to " + REPLICAS_MAX + " replicas: " + replicas.size());
    }
    for (String node : replicas) {
      if (node.isBlank()) {
        throw new IllegalArgumentException("a replica's id must not be blank: \"" + node + "\"");
      }
    }
    // They are few, and a set of them would cost more than all the rest of a record.
    for (int level = 1; level < replicas.size(); level++) {
      String node = replicas.get(level);
      if (replicas.indexOf(node) < level) {
        throw new IllegalArgumentException("replicas must be distinct: twice \"" + node + "\"");
      }
    }
  }

  /**
   * Where a node stands in the list.
   *
   * @param node its id
   * @return 0 for the primary, and so on; -1 if it is no replica
   */
  public int level(String node) {
    return replicas.indexOf(node);
  }

  /**
   * Whether a node is a replica.
   *
   * @param node its id
   * @return {@code true} if it is in the list
   */
  public boolean contains(String node) {
    return replicas.contains(node);
  }

  @Override
  public String toString() {
    return replicas + " of " + view;
  }
}
