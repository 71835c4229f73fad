package io.horae.placement;

import java.util.List;

/**
 * Where keys live: an ordered list of distinct nodes for every key, the primary first.
 *
 * <p>A placement is immutable and safe to share between threads, and depends on nothing but its
 * nodes and settings: two processes that build it alike get the same answers. A key is a {@code
 * long} or a text; the two never stand for each other.
 *
 * <p>The calls that fill an {@code int[]} are for hot paths. They name nodes by their index in
 * {@link #nodes()}, and the calls that return lists are made from them.
 */
public interface Placement {

  /**
   * The cluster, in the order it was given in.
   *
   * @return the nodes, at least one, ids unique; an unmodifiable list
   */
  List<Node> nodes();

  /**
   * Writes the replicas of a key into an array.
   *
   * @param key the key
   * @param into receives the indexes of the replicas in {@link #nodes()}, primary first; its length
   *     is the number of replicas asked for, and what is left of it stays as it was
   * @return how many were written: {@code min(into.length, nodes().size())}
   * @throws IllegalArgumentException if {@code into} is null or empty
   */
  int replicas(long key, int[] into);

  /**
   * Writes the replicas of a key into an array.
   *
   * @param key the key
   * @param into receives the indexes of the replicas in {@link #nodes()}, primary first; its length
   *     is the number of replicas asked for, and what is left of it stays as it was
   * @return how many were written: {@code min(into.length, nodes().size())}
   * @throws IllegalArgumentException if {@code key} is null or {@code into} is null or empty
   */
  int replicas(String key, int[] into);

  /**
   * The replicas of a key.
   *
   * @param key the key
   * @param count how many, at least 1
   * @return {@code min(count, nodes().size())} distinct nodes, primary first; an unmodifiable list
   * @throws IllegalArgumentException if {@code count} is below 1
   */
  default List<Node> replicas(long key, int count) {
    int[] indexes = ReplicaList.indexes(count, nodes());
    replicas(key, indexes);
    return new ReplicaList(nodes(), indexes);
  }

  /**
   * The replicas of a key.
   *
   * @param key the key
   * @param count how many, at least 1
   * @return {@code min(count, nodes().size())} distinct nodes, primary first; an unmodifiable list
   * @throws IllegalArgumentException if {@code key} is null or {@code count} is below 1
   */
  default List<Node> replicas(String key, int count) {
    int[] indexes = ReplicaList.indexes(count, nodes());
    replicas(key, indexes);
    return new ReplicaList(nodes(), indexes);
  }

  /**
   * The node that owns a key.
   *
   * @param key the key
   * @return the first of its replicas
   */
  default Node primary(long key) {
    return replicas(key, 1).get(0);
  }

  /**
   * The node that owns a key.
   *
   * @param key the key
   * @return the first of its replicas
   * @throws IllegalArgumentException if {@code key} is null
   */
  default Node primary(String key) {
    return replicas(key, 1).get(0);
  }
}
