package io.horae.resync;

import java.util.ArrayList;
import java.util.List;

/**
 * Who may do what to a timer whose replicas change from {@code before} to {@code after}, so that at
 * every moment one node acts at each level.
 *
 * <p>A node takes its new place by itself only if that is as low as its old one or lower; then it
 * tells those of the old replicas that it displaces. A node that moves up waits until the one that
 * takes its place tells it. Not having been a replica counts as the highest level of all.
 *
 * @param before the old replicas, primary first
 * @param after the new replicas, primary first
 */
record LevelRules(List<String> before, List<String> after) {

  private static final int NONE = Integer.MAX_VALUE;

  /** Whether a node may take its place under the new list without being told. */
  boolean mayTake(String node) {
    return levelAfter(node) != NONE && levelAfter(node) <= levelBefore(node);
  }

  /** The replicas that a node has to tell of their new place once it has taken its own. */
  List<String> displacedBy(String node) {
    int level = levelAfter(node);
    List<String> displaced = new ArrayList<>();
    for (String other : before) {
      if (after.contains(other) && levelAfter(other) > level && levelBefore(other) >= level) {
        displaced.add(other);
      }
    }
    return displaced;
  }

  /** The former replicas that a node has to tell so once it has taken its place. */
  List<String> retiredBy(String node) {
    int level = levelAfter(node);
    List<String> retired = new ArrayList<>();
    for (String other : before) {
      if (!after.contains(other) && levelBefore(other) >= level) {
        retired.add(other);
      }
    }
    return retired;
  }

  private int levelBefore(String node) {
    return level(before, node);
  }

  private int levelAfter(String node) {
    return level(after, node);
  }

  private static int level(List<String> replicas, String node) {
    int level = replicas.indexOf(node);
    return level < 0 ? NONE : level;
  }
}
