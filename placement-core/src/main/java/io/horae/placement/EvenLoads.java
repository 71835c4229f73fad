package io.horae.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Moves that even out loads: exact where there are few buckets and servers, else step by step. */
final class EvenLoads {

  /** The most ways to assign buckets to servers of which the best is looked for. */
  private static final int EXACT_WAYS_MAX = 1 << 20;

  private final BucketTable table;
  private final int servers;
  private final List<HashMask> masks = new ArrayList<>();
  private final Map<HashMask, Long> loads = new HashMap<>();
  private final long total;

  EvenLoads(BucketTable table, ToLongFunction<HashMask> weigh) {
    this.table = table;
    servers = table.nodes().size();
    long sum = 0;
    for (Bucket bucket : table.buckets()) {
      long load = weigh.applyAsLong(bucket.mask());
      if (load < 0 || sum + load < 0) {
        throw new IllegalArgumentException(
            "load of "
                + bucket.mask()
                + (load < 0 ? " must not be negative: " : " makes the total too large: ")
                + load);
      }
      sum += load;
      masks.add(bucket.mask());
      loads.put(bucket.mask(), load);
    }
    total = sum;
  }

  List<HashMask> masks() {
    return masks;
  }

  int servers() {
    return servers;
  }

  long total() {
    return total;
  }

  long load(HashMask mask) {
    Long load = loads.get(mask);
    if (load == null) {
      throw new AssertionError("not weighed: " + mask);
    }
    return load;
  }

  List<BucketPlan.Move> moves() {
    // The heaviest first, which lets the exact search see early what cannot do.
    HashMask[] weighty =
        masks.stream()
            .filter(mask -> load(mask) > 0)
            .sorted(Comparator.comparingLong(this::load).reversed())
            .toArray(HashMask[]::new);
    long[] weights = Arrays.stream(weighty).mapToLong(this::load).toArray();
    int[] before = Arrays.stream(weighty).mapToInt(mask -> table.primaryAt(mask.value())).toArray();
    int[] after =
        Math.pow(servers, weighty.length) <= EXACT_WAYS_MAX
            ? new ExactLoads(weights, before, servers).best()
            : stepByStep(weights, before, servers);
    List<BucketPlan.Move> moves = new ArrayList<>();
    for (int i = 0; i < weighty.length; i++) {
      if (before[i] != after[i]) {
        List<Node> nodes = table.nodes();
        moves.add(new BucketPlan.Move(weighty[i], nodes.get(before[i]), nodes.get(after[i])));
      }
    }
    moves.sort(Comparator.comparing(BucketPlan.Move::bucket));
    return moves;
  }

  /**
   * Again and again a bucket goes from the fullest server that can give to the emptiest, one that
   * comes closest to half of what is between them. Where all of them end up is what counts: what
   * went on, or came back, moves once or not at all.
   *
   * <p>Each step leaves the two servers that it touches closer together and their sum as it was, so
   * the sum of all squares falls, and the steps end. The emptiest is never emptier than before: a
   * server that can give it nothing cannot later, unless it gets something itself.
   */
  private static int[] stepByStep(long[] weights, int[] before, int servers) {
    int[] owners = before.clone();
    long[] totals = new long[servers];
    List<TreeSet<Weighed>> owned = new ArrayList<>();
    for (int server = 0; server < servers; server++) {
      owned.add(new TreeSet<>());
    }
    for (int i = 0; i < owners.length; i++) {
      owned.get(owners[i]).add(new Weighed(weights[i], i));
      totals[owners[i]] += weights[i];
    }
    TreeSet<Weighed> byTotal = new TreeSet<>();
    for (int server = 0; server < servers; server++) {
      byTotal.add(new Weighed(totals[server], server));
    }
    TreeSet<Weighed> givers = new TreeSet<>(byTotal);
    while (!givers.isEmpty()) {
      Weighed fullest = givers.last();
      Weighed emptiest = byTotal.first();
      TreeSet<Weighed> offered = owned.get(fullest.index);
      Weighed bucket = closestToHalf(offered, fullest.weight - emptiest.weight);
      givers.remove(fullest);
      if (bucket == null) {
        continue;
      }
      offered.remove(bucket);
      owned.get(emptiest.index).add(bucket);
      owners[bucket.index] = emptiest.index;
      Weighed lighter = new Weighed(fullest.weight - bucket.weight, fullest.index);
      Weighed heavier = new Weighed(emptiest.weight + bucket.weight, emptiest.index);
      givers.remove(emptiest);
      byTotal.removeAll(List.of(fullest, emptiest));
      byTotal.addAll(List.of(lighter, heavier));
      givers.addAll(List.of(lighter, heavier));
    }
    return owners;
  }

  /** A bucket or a server, with what it weighs. */
  private record Weighed(long weight, int index) implements Comparable<Weighed> {

    @Override
    public int compareTo(Weighed other) {
      int byWeight = Long.compare(weight, other.weight);
      return byWeight != 0 ? byWeight : Integer.compare(index, other.index);
    }
  }

  /** The bucket whose move leaves the least between two servers; null if none makes it less. */
  private static @Nullable Weighed closestToHalf(NavigableSet<Weighed> buckets, long between) {
    Weighed below = buckets.floor(new Weighed(between / 2, Integer.MAX_VALUE));
    Weighed above = buckets.higher(new Weighed(between / 2, Integer.MAX_VALUE));
    if (above == null || above.weight >= between) {
      return below;
    }
    return below == null || between - below.weight > above.weight ? above : below;
  }
}
