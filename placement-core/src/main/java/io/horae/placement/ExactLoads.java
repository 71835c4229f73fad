package io.horae.placement;

import java.util.Arrays;

/**
 * The least spread of loads, and the fewest moves to it, by trying every assignment that may be
 * better than the best so far.
 */
final class ExactLoads {

  /** Heaviest first. */
  private final long[] weights;

  private final int[] before;
  private final int[] owners;
  private final long[] totals;
  private final long total;

  private int[] best;
  private long bestSpread;
  private int bestMoves;

  ExactLoads(long[] weights, int[] before, int servers) {
    this.weights = weights;
    this.before = before;
    owners = before.clone();
    totals = new long[servers];
    long sum = 0;
    for (int i = 0; i < weights.length; i++) {
      totals[before[i]] += weights[i];
      sum += weights[i];
    }
    total = sum;
    best = before.clone();
    bestSpread = max() - min();
    Arrays.fill(totals, 0);
  }

  int[] best() {
    tryFrom(0, 0);
    return best;
  }

  private void tryFrom(int bucket, int moves) {
    if (!mayBeBetter(moves)) {
      return;
    }
    if (bucket == weights.length) {
      best = owners.clone();
      bestSpread = max() - min();
      bestMoves = moves;
      return;
    }
    for (int server = 0; server < totals.length; server++) {
      owners[bucket] = server;
      totals[server] += weights[bucket];
      tryFrom(bucket + 1, moves + (server == before[bucket] ? 0 : 1));
      totals[server] -= weights[bucket];
    }
  }

  /**
   * The fullest server only gets fuller, and the emptiest of the others has no more than their
   * average of what is left to them. With all buckets assigned, the real spread is known.
   */
  private boolean mayBeBetter(int moves) {
    long max = max();
    int others = totals.length - 1;
    long assigned = Arrays.stream(totals).sum();
    long spread = assigned == total ? max - min() : others == 0 ? 0 : max - (total - max) / others;
    return spread < bestSpread || (spread == bestSpread && moves < bestMoves);
  }

  private long max() {
    return Arrays.stream(totals).max().orElse(0);
  }

  private long min() {
    return Arrays.stream(totals).min().orElse(0);
  }
}
