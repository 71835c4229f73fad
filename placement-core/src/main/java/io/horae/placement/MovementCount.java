package io.horae.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Counts what moves, key by key, without an object for a key. Nodes of both clusters are numbered
 * together: those before first, as they are numbered there, then those that join.
 */
final class MovementCount {

  private final Placement before;
  private final Placement after;
  private final int replicas;

  private final int[] beforeInto;
  private final int[] afterInto;

  /** The common number of each node of the cluster after. */
  private final int[] numberOfAfter;

  private final Tally[] tallies;
  private long keys;
  private long primariesForced;
  private long copiesForced;
  private long movedBetweenStaying;

  MovementCount(Placement before, Placement after, int replicas) {
    this.before = Nodes.present(before, "placement before");
    this.after = Nodes.present(after, "placement after");
    this.replicas = replicas;
    beforeInto = ReplicaList.indexes(replicas, before.nodes());
    afterInto = ReplicaList.indexes(replicas, after.nodes());

    List<Tally> union = new ArrayList<>();
    Map<String, Tally> byId = new HashMap<>();
    before.nodes().forEach(node -> byId.put(node.id(), added(union, node)));
    numberOfAfter = new int[after.nodes().size()];
    for (int i = 0; i < numberOfAfter.length; i++) {
      Node node = after.nodes().get(i);
      Tally known = byId.get(node.id());
      if (known == null) {
        numberOfAfter[i] = added(union, node).number;
      } else {
        known.node = node;
        known.stays = true;
        numberOfAfter[i] = known.number;
      }
    }
    tallies = union.toArray(new Tally[0]);
  }

  private static Tally added(List<Tally> union, Node node) {
    Tally tally = new Tally(node, union.size());
    union.add(tally);
    return tally;
  }

  void add(long key) {
    add(before.replicas(key, beforeInto), after.replicas(key, afterInto));
  }

  void add(String key) {
    add(before.replicas(key, beforeInto), after.replicas(key, afterInto));
  }

  private void add(int countBefore, int countAfter) {
    keys++;
    Tally primaryBefore = tallies[beforeInto[0]];
    Tally primaryAfter = tallies[numberOfAfter[afterInto[0]]];
    for (int level = 0; level < countBefore; level++) {
      tallies[beforeInto[level]].heldBefore = keys;
    }
    int gainedByStaying = 0;
    for (int level = 0; level < countAfter; level++) {
      Tally node = tallies[numberOfAfter[afterInto[level]]];
      node.heldAfter = keys;
      boolean isNew = node.heldBefore != keys;
      if (isNew) {
        node.copiesGained++;
        gainedByStaying += node.stays ? 1 : 0;
      }
      if (level > 0 && (isNew || node == primaryBefore)) {
        node.backupsGained++;
      }
    }
    int keptByStaying = 0;
    for (int level = 0; level < countBefore; level++) {
      Tally node = tallies[beforeInto[level]];
      boolean isGone = node.heldAfter != keys;
      keptByStaying += node.stays ? 1 : 0;
      if (isGone) {
        node.copiesLost++;
      }
      if (level > 0) {
        node.backupsBefore++;
        if (isGone || node == primaryAfter) {
          node.backupsLost++;
        }
      }
    }
    primaryBefore.primariesBefore++;
    if (primaryBefore != primaryAfter) {
      primaryAfter.primariesGained++;
      primaryBefore.primariesLost++;
    }
    if (!primaryBefore.stays) {
      primariesForced++;
    }
    // Whatever the placement, what the staying nodes do not have must be copied.
    int forced = Math.max(0, countAfter - keptByStaying);
    copiesForced += forced;
    boolean primaryMovedBetweenStaying =
        primaryBefore != primaryAfter && primaryBefore.stays && primaryAfter.stays;
    if (primaryMovedBetweenStaying || gainedByStaying > forced) {
      movedBetweenStaying++;
    }
  }

  long keys() {
    return keys;
  }

  long movedBetweenStaying() {
    return movedBetweenStaying;
  }

  long primariesMovedLeast() {
    return Math.max(primariesForced, fairSharesGained(1));
  }

  long copiesLeast() {
    return Math.max(copiesForced, fairSharesGained(replicas));
  }

  private long fairSharesGained(int count) {
    double[] sharesBefore = fairShares(before.nodes(), count);
    double[] sharesAfter = fairShares(after.nodes(), count);
    double gained = 0;
    for (int i = 0; i < sharesAfter.length; i++) {
      int number = numberOfAfter[i];
      double had = number < sharesBefore.length ? sharesBefore[number] : 0;
      gained += Math.max(0, sharesAfter[i] - had);
    }
    return Math.round(gained * keys);
  }

  /**
   * The part of all keys that each node should have a replica of: in proportion to its weight, but
   * not more than all of them; what that leaves over goes to the lighter nodes.
   */
  static double[] fairShares(List<Node> nodes, int count) {
    int[] heaviestFirst =
        IntStream.range(0, nodes.size())
            .boxed()
            .sorted(Comparator.comparingDouble(i -> -nodes.get(i).weight()))
            .mapToInt(i -> i)
            .toArray();
    // Relative to the heaviest, so that no sum overflows, and summed from the lightest, so that
    // none is lost beside the heaviest.
    double heaviest = nodes.get(heaviestFirst[0]).weight();
    double[] weights = new double[nodes.size()];
    double[] sumsFrom = new double[nodes.size() + 1];
    for (int i = weights.length - 1; i >= 0; i--) {
      weights[i] = nodes.get(heaviestFirst[i]).weight() / heaviest;
      sumsFrom[i] = sumsFrom[i + 1] + weights[i];
    }
    int replicas = Math.min(count, nodes.size());
    int full = 0;
    while (full < replicas && weights[full] * (replicas - full) >= sumsFrom[full]) {
      full++;
    }
    double[] shares = new double[nodes.size()];
    for (int i = 0; i < shares.length; i++) {
      shares[heaviestFirst[i]] = i < full ? 1 : weights[i] / sumsFrom[full] * (replicas - full);
    }
    return shares;
  }

  List<Movement.Change> changes() {
    return IntStream.range(0, tallies.length).mapToObj(i -> tallies[i].change()).toList();
  }

  /** One node's counts. */
  private static final class Tally {

    private final int number;
    private Node node;
    private boolean stays;

    /** The last key it was a replica of, counted from 1, before and after. */
    private long heldBefore;

    private long heldAfter;

    private long primariesBefore;
    private long primariesGained;
    private long primariesLost;
    private long backupsBefore;
    private long backupsGained;
    private long backupsLost;
    private long copiesGained;
    private long copiesLost;

    Tally(Node node, int number) {
      this.node = node;
      this.number = number;
    }

    Movement.Change change() {
      return new Movement.Change(
          node,
          primariesBefore,
          primariesGained,
          primariesLost,
          backupsBefore,
          backupsGained,
          backupsLost,
          copiesGained,
          copiesLost);
    }
  }
}
