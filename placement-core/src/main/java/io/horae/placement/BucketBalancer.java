package io.horae.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides which buckets should be split and which should move, so that servers carry alike. It
 * changes nothing, and gives the same plan for the same table and loads.
 *
 * <p><b>{@linkplain #byCounts() By counts}</b> every bucket weighs the same. A plan has the fewest
 * moves that make the spread, the most buckets on a server less the fewest, as small as it can be:
 * 0 or 1. If there are fewer buckets than servers, nobody has more than one to give; then the
 * shallowest are split first, in the same plan. Where it has a choice, a bucket goes to a server
 * that is its backup, and need not be sent. One plan is enough: the next is empty.
 *
 * <p><b>{@linkplain #byLoads By loads}</b> the host says what each bucket weighs. Here the least
 * spread is a hard problem (it is that of partitioning numbers), so what is promised is less:
 *
 * <ul>
 *   <li>Where servers to the power of buckets that weigh something are at most 2<sup>20</sup>, such
 *       as 20 buckets on two servers, the spread is the least there is and the moves are the fewest
 *       that lead to it.
 *   <li>Beyond that, no bucket can move to the emptiest server and leave it and the giver closer
 *       together: no server carries more than the emptiest by more than the least load, above 0, of
 *       a bucket that it has. The spread is never larger than before.
 *   <li>A bucket that weighs more than {@linkplain #splitAbove some times} what is left for each
 *       other server, if one has nothing but that bucket, is split, and so are the heaviest when
 *       there are fewer buckets than servers. The parts can be weighed only then, so a plan that
 *       splits moves nothing yet.
 *   <li>As long as loads stay the same, and those of its parts add up to that of a bucket, the
 *       seventeenth plan is empty, and all that follow: a mask has sixteen digits.
 * </ul>
 *
 * <p>No plan moves a bucket twice. Weights and zones of servers play no part.
 */
public final class BucketBalancer {

  private static final double SPLIT_ABOVE_DEFAULT = 2;

  private static final BucketBalancer BY_COUNTS =
      new BucketBalancer(null, SPLIT_ABOVE_DEFAULT, HashMask.DIGITS_MAX);

  /** What a bucket weighs; null if all weigh the same. */
  private final @Nullable ToLongFunction<HashMask> loads;

  private final double splitAbove;
  private final int digitsMax;

  private BucketBalancer(
      @Nullable ToLongFunction<HashMask> loads, double splitAbove, int digitsMax) {
    this.loads = loads;
    this.splitAbove = splitAbove;
    this.digitsMax = digitsMax;
  }

  /**
   * A balancer that counts buckets.
   *
   * @return the balancer, which may split down to the deepest mask
   */
  public static BucketBalancer byCounts() {
    return BY_COUNTS;
  }

  /**
   * A balancer that weighs buckets.
   *
   * @param loads what each bucket weighs, such as items or bytes or requests; not negative, and all
   *     together a {@code long}
   * @return the balancer, which splits what weighs more than twice what is left for each other
   *     server, down to the deepest mask
   * @throws IllegalArgumentException if it is null
   */
  public static BucketBalancer byLoads(ToLongFunction<HashMask> loads) {
    return new BucketBalancer(
        Nodes.present(loads, "loads"), SPLIT_ABOVE_DEFAULT, HashMask.DIGITS_MAX);
  }

  /**
   * This balancer with another idea of what is drastically larger than the rest.
   *
   * <p>A bucket is measured by what all others come to for each other server, not by the average
   * bucket: that falls with every split, and where most buckets are empty a single item is many
   * times the average. With this measure, splits end.
   *
   * @param times how many times as much as each other server a server may carry that has nothing
   *     but this bucket, above 0; infinity to split none for its weight
   * @return the balancer
   * @throws IllegalArgumentException if it is not a number above 0
   */
  public BucketBalancer splitAbove(double times) {
    if (!(times > 0)) {
      throw new IllegalArgumentException("times must be above 0: " + times);
    }
    return new BucketBalancer(loads, times, digitsMax);
  }

  /**
   * This balancer with another limit to how deep it splits.
   *
   * @param digits the most digits of a bucket that a split makes, 0 to 16; below 2 to never split
   * @return the balancer
   * @throws IllegalArgumentException if it is another number
   */
  public BucketBalancer splitTo(int digits) {
    if (digits < 0 || digits > HashMask.DIGITS_MAX) {
      throw new IllegalArgumentException("a mask has up to 16 digits: " + digits);
    }
    return new BucketBalancer(loads, splitAbove, digits);
  }

  /**
   * What should be done.
   *
   * @param table the table
   * @return the plan; empty if all is well
   * @throws IllegalArgumentException if the table is null, a load is negative or they add up to
   *     more than a {@code long}
   */
  public BucketPlan plan(BucketTable table) {
    ToLongFunction<HashMask> weigh = loads;
    if (weigh == null) {
      List<HashMask> splits = splitsForCounts(Nodes.present(table, "table"));
      BucketTable cut = new BucketPlan(splits, List.of()).applyTo(table).table();
      return new BucketPlan(splits, EvenCounts.moves(cut));
    }
    EvenLoads even = new EvenLoads(Nodes.present(table, "table"), weigh);
    List<HashMask> splits = splitsForLoads(even);
    return splits.isEmpty()
        ? new BucketPlan(List.of(), even.moves())
        : new BucketPlan(splits, List.of());
  }

  /**
   * The moves that empty a server before it leaves, each to a server that has the fewest buckets
   * then and, among these, has a copy.
   *
   * @param table the table
   * @param server the server, by its id
   * @return the plan, without splits
   * @throws IllegalArgumentException if there is no such server or no other
   */
  public static BucketPlan emptying(BucketTable table, Node server) {
    return new BucketPlan(List.of(), BucketEdit.emptying(Nodes.present(table, "table"), server));
  }

  /** The shallowest buckets, until there are as many as servers. */
  private List<HashMask> splitsForCounts(BucketTable table) {
    if (table.size() >= table.nodes().size()) {
      return List.of();
    }
    PriorityQueue<HashMask> shallowest = new PriorityQueue<>();
    table.buckets().forEach(bucket -> shallowest.add(bucket.mask()));
    List<HashMask> splits = new ArrayList<>();
    while (shallowest.size() < table.nodes().size() && maySplit(shallowest.element())) {
      HashMask mask = shallowest.remove();
      shallowest.addAll(mask.split());
      splits.add(mask);
    }
    return splits;
  }

  private List<HashMask> splitsForLoads(EvenLoads even) {
    List<HashMask> heaviest =
        even.masks().stream()
            .filter(this::maySplit)
            .sorted(
                Comparator.comparingLong(even::load)
                    .reversed()
                    .thenComparing(Comparator.naturalOrder()))
            .toList();
    List<HashMask> splits = new ArrayList<>();
    for (HashMask mask : heaviest) {
      int buckets = even.masks().size() + splits.size() * (HashMask.PARTS - 1);
      if (buckets < even.servers() || isTooLarge(mask, even)) {
        splits.add(mask);
      }
    }
    return splits;
  }

  private boolean isTooLarge(HashMask mask, EvenLoads even) {
    double load = even.load(mask);
    return load * (even.servers() - 1) > splitAbove * (even.total() - load);
  }

  private boolean maySplit(HashMask mask) {
    return mask.digits() < digitsMax;
  }
}
