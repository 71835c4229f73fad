package io.horae.placement;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * From one rendezvous placement to another, for keys whose replicas are known: finds those that it
 * has from now on without a look at the nodes that stay.
 *
 * <p>Only for placements by scores alone. There, taking away a node that is not a replica of a key
 * changes nothing for that key; and a node that joins either has a score among the extremes or
 * plays no part. A displaced primary does not become a backup: it has the lowest score of all that
 * were there, of which there are as many as replicas.
 */
final class RendezvousChange {

  private static final int LEAVES = -1;

  private final RendezvousPlacement after;

  /** The index after of each node before, or {@link #LEAVES}. */
  private final int[] numbers;

  /** The indexes after of the nodes that join. */
  private final int[] joining;

  private RendezvousChange(RendezvousPlacement after, int[] numbers, int[] joining) {
    this.after = after;
    this.numbers = numbers;
    this.joining = joining;
  }

  /** The change; null if it is not between placements by scores alone that score alike. */
  static @Nullable RendezvousChange between(Placement before, Placement after) {
    if (!(before instanceof RendezvousPlacement old)
        || !(after instanceof RendezvousPlacement now)
        || !old.scoresLike(now)) {
      return null;
    }
    Map<String, Integer> indexes = new HashMap<>();
    for (int i = 0; i < old.nodes().size(); i++) {
      indexes.put(old.nodes().get(i).id(), i);
    }
    int[] numbers = new int[indexes.size()];
    Arrays.fill(numbers, LEAVES);
    int[] seedsBefore = old.seeds();
    int[] seedsAfter = now.seeds();
    IntStream.Builder joining = IntStream.builder();
    for (int i = 0; i < seedsAfter.length; i++) {
      Integer known = indexes.get(now.nodes().get(i).id());
      if (known == null) {
        joining.add(i);
      } else if (seedsBefore[known] == seedsAfter[i]) {
        numbers[known] = i;
      } else {
        // A collision with another node of one cluster has changed its seed.
        return null;
      }
    }
    return new RendezvousChange(now, numbers, joining.build().toArray());
  }

  /**
   * Turns the replicas of a key before, by their indexes there, into those after. There must be as
   * many after as before.
   */
  void update(long key, int[] replicas) {
    for (int level = 0; level < replicas.length; level++) {
      int number = numbers[replicas[level]];
      if (number == LEAVES) {
        after.replicas(key, replicas);
        return;
      }
      replicas[level] = number;
    }
    for (int node : joining) {
      join(key, node, replicas);
    }
  }

  private void join(long key, int node, int[] replicas) {
    int score = after.score(key, node);
    if (Integer.compareUnsigned(score, after.score(key, replicas[0])) < 0) {
      replicas[0] = node;
      return;
    }
    int at = replicas.length;
    while (at > 1 && Integer.compareUnsigned(score, after.score(key, replicas[at - 1])) > 0) {
      at--;
    }
    if (at < replicas.length) {
      System.arraycopy(replicas, at, replicas, at + 1, replicas.length - 1 - at);
      replicas[at] = node;
    }
  }
}
