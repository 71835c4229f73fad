package io.horae.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The fewest moves to the least spread of counts.
 *
 * <p>Of n buckets on s servers, n mod s servers must have one more than the others. Those that have
 * the most already are to be these, since each gives one bucket less. All that a server has beyond
 * its quota must move, and that is all that moves.
 */
final class EvenCounts {

  private final BucketTable table;

  /** How many buckets each server has beyond its quota, or lacks if negative. */
  private final int[] surplus;

  private final List<BucketPlan.Move> moves = new ArrayList<>();

  private EvenCounts(BucketTable table) {
    this.table = table;
    int servers = table.nodes().size();
    surplus = table.counts.clone();
    List<Integer> fullestFirst =
        IntStream.range(0, servers)
            .boxed()
            .sorted(Comparator.comparingInt((Integer i) -> -table.counts[i]))
            .toList();
    int larger = table.size() % servers;
    for (int rank = 0; rank < servers; rank++) {
      surplus[fullestFirst.get(rank)] -= table.size() / servers + (rank < larger ? 1 : 0);
    }
  }

  static List<BucketPlan.Move> moves(BucketTable table) {
    EvenCounts even = new EvenCounts(table);
    int receiver = 0;
    for (int giver = 0; giver < even.surplus.length; giver++) {
      if (even.surplus[giver] > 0) {
        for (Bucket bucket : even.beyondCopies(giver)) {
          while (even.surplus[receiver] >= 0) {
            receiver++;
          }
          even.move(bucket, giver, receiver);
        }
      }
    }
    return even.moves;
  }

  /** Moves what can go to a backup; returns what else must go. */
  private List<Bucket> beyondCopies(int giver) {
    List<Bucket> others = new ArrayList<>();
    for (Bucket bucket : table.bucketsOf(table.nodes().get(giver))) {
      int backup = surplus[giver] == 0 ? -1 : backupThatLacks(bucket);
      if (backup >= 0) {
        move(bucket, giver, backup);
      } else {
        others.add(bucket);
      }
    }
    return others.subList(0, surplus[giver]);
  }

  private int backupThatLacks(Bucket bucket) {
    for (Node backup : bucket.backups()) {
      int index = table.servers.index(backup);
      if (surplus[index] < 0) {
        return index;
      }
    }
    return -1;
  }

  private void move(Bucket bucket, int giver, int receiver) {
    surplus[giver]--;
    surplus[receiver]++;
    List<Node> nodes = table.nodes();
    moves.add(new BucketPlan.Move(bucket.mask(), nodes.get(giver), nodes.get(receiver)));
  }
}
