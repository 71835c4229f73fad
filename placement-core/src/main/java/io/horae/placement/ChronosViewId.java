package io.horae.placement;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The view id of Metaswitch Chronos, for services that share a cluster with it: the union of its
 * members' Bloom filters.
 *
 * <p>It is no digest: a member whose bits are all set already does not change it, and of the nodes
 * that could join a cluster of fifty, that is nineteen in twenty. Within Horae, views are told
 * apart by {@link ClusterView#id()} and {@link ClusterView#epoch()}.
 */
public final class ChronosViewId {

  private static final int SEEDS = 3;

  private ChronosViewId() {}

  /**
   * A node's Bloom filter: for each of three seeds, one bit of 64 from either half of the 128-bit
   * Murmur3 of its id.
   *
   * @param node the node
   * @return the filter, with one to six bits set
   * @throws IllegalArgumentException if {@code node} is null
   */
  public static long bloom(Node node) {
    byte[] id = Nodes.present(node, "node").id().getBytes(UTF_8);
    long bits = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      int[] words = Murmur3.x86128(id, seed);
      // A shift looks at the low six bits only.
      bits |= 1L << words[0] | 1L << words[2];
    }
    return bits;
  }

  /**
   * The view id as Chronos sends it: the members are those that stay or join.
   *
   * @param view the view
   * @return an unsigned decimal number
   * @throws IllegalArgumentException if {@code view} is null
   */
  public static String of(ClusterView view) {
    long bits = 0;
    for (Node node : Nodes.present(view, "view").after()) {
      bits |= bloom(node);
    }
    return Long.toUnsignedString(bits);
  }
}
