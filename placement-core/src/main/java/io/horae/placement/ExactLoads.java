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

  /** Servers that have none of these buckets before: two that are empty are as good as one. */
  private final boolean[] strangers;

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
    strangers = new boolean[servers];
    Arrays.fill(strangers, true);
    long sum = 0;
    for (int i = 0; i < weights.length; i++) {
      strangers[before[i]] = false;
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
    if (!mayBeBetter(bucket, moves)) {
      return;
    }
    if (bucket == weights.length) {
      best = owners.clone();
      bestSpread = max() - min();
      bestMoves = moves;
      return;
    }
    boolean hadEmptyStranger = false;
    for (int server = 0; server < totals.length; server++) {
      if (strangers[server] && totals[server] == 0) {
        if (hadEmptyStranger) {
          continue;
        }
        hadEmptyStranger = true;
      }
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
  private boolean mayBeBetter(int bucket, int moves) {
    long max = max();
    int others = totals.length - 1;
    long spread =
        bucket == weights.length ? max - min() : others == 0 ? 0 : max - (total - max) / others;
    return spread < bestSpread || (spread == bestSpread && moves < bestMoves);
  }

  // Loops: with streams a search took ten times as long.

  private long max() {
    long max = 0;
    for (long load : totals) {
      max = Math.max(max, load);
    }
    return max;
  }

  private long min() {
    long min = Long.MAX_VALUE;
    for (long load : totals) {
      min = Math.min(min, load);
    }
    return min;
  }
}
