package io.horae.placement;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Counts what moves, key by key, without an object for a key. Nodes of both clusters are numbered
 * together: those before first, as they are numbered there, then those that join.
 */
final class MovementCount {

  private final Placement before;
  private final Placement after;

  private final int[] beforeInto;
  private final int[] afterInto;

  /** The common number of each node of the cluster after. */
  private final int[] numberOfAfter;

  private final Tally[] tallies;
  private long keys;
  private long movedBetweenStaying;

  MovementCount(Placement before, Placement after, int replicas) {
    this.before = Nodes.present(before, "placement before");
    this.after = Nodes.present(after, "placement after");
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
    int heldByStaying = 0;
    for (int level = 0; level < countBefore; level++) {
      Tally node = tallies[beforeInto[level]];
      boolean isGone = node.heldAfter != keys;
      heldByStaying += node.stays ? 1 : 0;
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
    // Whatever the placement, what the staying nodes do not have must be copied.
    int forced = countAfter - heldByStaying;
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

  List<Movement.Change> changes() {
    return Stream.of(tallies).map(Tally::change).toList();
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
