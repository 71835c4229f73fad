package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** Plans against brute force where that can be had, and against their promises everywhere. */
class BucketBalancerProperties {

  private static final BucketBalancer BY_COUNTS = BucketBalancer.byCounts();

  /** 16 buckets at random on a few servers. */
  private static BucketTable scattered(SplittableRandom random, int servers) {
    BucketTable table = BucketTable.builder().server(Node.of("s0")).backups(2).build();
    for (int i = 1; i < servers; i++) {
      table = table.join(Node.of("s" + i)).table();
    }
    int reach = 1 + random.nextInt(servers);
    for (Bucket bucket : table.buckets()) {
      for (int move = random.nextInt(3); move > 0; move--) {
        Node to = table.nodes().get(random.nextInt(reach));
        if (!to.equals(table.bucket(bucket.mask()).primary())) {
          table = table.move(bucket.mask(), to).table();
        }
      }
    }
    return table;
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void byCountsNoPlanHasFewerMovesOrALesserSpread(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int servers) {
    SplittableRandom random = new SplittableRandom(seed);
    BucketTable table = scattered(random, servers);
    BucketPlan plan = BY_COUNTS.plan(table);
    assertEquals(List.of(), plan.splits());
    assertOncePerBucket(plan);
    long[] best = bestCounts(table.counts, 16);
    BucketTable even = plan.applyTo(table).table();
    assertEquals(best[0], spread(even.counts));
    assertEquals(best[1], plan.moves().size());
    assertTrue(BY_COUNTS.plan(even).isEmpty());
  }

  /** Tries all ways to give servers so many buckets: least spread, and moves to it. */
  private static long[] bestCounts(int[] counts, int buckets) {
    long[] best = {Long.MAX_VALUE, Long.MAX_VALUE};
    tryCounts(counts, new int[counts.length], 0, buckets, best);
    return best;
  }

  private static void tryCounts(int[] counts, int[] tried, int server, int left, long[] best) {
    if (server == counts.length - 1) {
      tried[server] = left;
      long spread = spread(tried);
      long moves = 0;
      for (int i = 0; i < counts.length; i++) {
        moves += Math.max(0, counts[i] - tried[i]);
      }
      if (spread < best[0] || (spread == best[0] && moves < best[1])) {
        best[0] = spread;
        best[1] = moves;
      }
      return;
    }
    for (int count = 0; count <= left; count++) {
      tried[server] = count;
      tryCounts(counts, tried, server + 1, left - count, best);
    }
  }

  private static int spread(int[] counts) {
    return Arrays.stream(counts).max().orElseThrow() - Arrays.stream(counts).min().orElseThrow();
  }

  private static void assertOncePerBucket(BucketPlan plan) {
    Set<HashMask> seen = new HashSet<>(plan.splits());
    assertEquals(plan.splits().size(), seen.size());
    plan.moves().forEach(move -> assertTrue(seen.add(move.bucket()), "twice: " + move));
    plan.moves().forEach(move -> assertTrue(!move.from().equals(move.to())));
  }

  @Property(tries = 20, shrinking = ShrinkingMode.OFF)
  void byCountsOnePlanIsEnoughForUpToAThousandServers(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 1000) int servers) {
    SplittableRandom random = new SplittableRandom(seed);
    BucketHistory history = new BucketHistory(seed);
    for (int step = random.nextInt(40); step > 0; step--) {
      history.step();
    }
    BucketTable table = history.table;
    for (int i = table.nodes().size(); i < servers; i++) {
      table = table.join(Node.of("t" + i)).table();
    }
    BucketPlan plan = BY_COUNTS.plan(table);
    assertOncePerBucket(plan);
    BucketTable even = plan.applyTo(table).table();
    assertTrue(even.size() >= servers);
    assertTrue(spread(even.counts) <= 1, () -> Arrays.toString(even.counts));
    assertTrue(even.size() <= Math.max(table.size(), servers + 14), "more splits than needed");
    assertTrue(BY_COUNTS.plan(even).isEmpty());
  }

  @Property(tries = 150, shrinking = ShrinkingMode.OFF)
  void byLoadsSmallCasesAreExact(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int servers) {
    SplittableRandom random = new SplittableRandom(seed);
    BucketTable table = scattered(random, servers);
    Map<HashMask, Long> loads = new HashMap<>();
    int weighty = 1 + random.nextInt(servers > 4 ? 5 : servers == 4 ? 6 : 8);
    for (Bucket bucket : table.buckets()) {
      boolean weighs = loads.values().stream().filter(load -> load > 0).count() < weighty;
      loads.put(bucket.mask(), weighs ? 1L + random.nextInt(1 + random.nextInt(1000)) : 0);
    }
    BucketBalancer balancer = BucketBalancer.byLoads(loads::get).splitTo(0);
    BucketPlan plan = balancer.plan(table);
    assertOncePerBucket(plan);
    List<HashMask> masks = loads.keySet().stream().filter(mask -> loads.get(mask) > 0).toList();
    long[] best = {Long.MAX_VALUE, Long.MAX_VALUE};
    tryLoads(table, masks, loads, new long[servers], 0, 0, best);
    BucketTable even = plan.applyTo(table).table();
    assertEquals(best[0], spread(even, loads::get));
    assertEquals(best[1], plan.moves().size());
    assertTrue(balancer.plan(even).isEmpty());
  }

  /** All servers without a bucket that weighs something are as good as one. */
  @Example
  void byLoadsTwoBucketsAmongAThousandServersAreExact() {
    BucketTable table = BucketTable.initial(Node.of("s0"));
    for (int i = 1; i < 1_000; i++) {
      table = table.join(Node.of("s" + i)).table();
    }
    BucketBalancer balancer = BucketBalancer.byLoads(mask -> mask.value() < 2 ? 5 : 0).splitTo(0);
    BucketPlan plan = balancer.plan(table);
    assertEquals(
        List.of("000F/0001 from s0 to s1"),
        plan.moves().stream().map(BucketPlan.Move::toString).toList());
    assertTrue(balancer.plan(plan.applyTo(table).table()).isEmpty());
  }

  private static void tryLoads(
      BucketTable table,
      List<HashMask> masks,
      Map<HashMask, Long> loads,
      long[] totals,
      int at,
      int moves,
      long[] best) {
    if (at == masks.size()) {
      long spread = spread(totals);
      if (spread < best[0] || (spread == best[0] && moves < best[1])) {
        best[0] = spread;
        best[1] = moves;
      }
      return;
    }
    HashMask mask = masks.get(at);
    for (int server = 0; server < totals.length; server++) {
      totals[server] += loads.get(mask);
      int more = table.primaryAt(mask.value()) == server ? 0 : 1;
      tryLoads(table, masks, loads, totals, at + 1, moves + more, best);
      totals[server] -= loads.get(mask);
    }
  }

  private static long spread(long[] totals) {
    return Arrays.stream(totals).max().orElseThrow() - Arrays.stream(totals).min().orElseThrow();
  }

  private static long spread(BucketTable table, ToLongFunction<HashMask> loads) {
    return spread(totals(table, loads));
  }

  private static long[] totals(BucketTable table, ToLongFunction<HashMask> loads) {
    return table.nodes().stream()
        .mapToLong(
            server ->
                table.bucketsOf(server).stream()
                    .mapToLong(bucket -> loads.applyAsLong(bucket.mask()))
                    .sum())
        .toArray();
  }

  /** What is promised of cases too large to be exact. */
  @Property(tries = 40, shrinking = ShrinkingMode.OFF)
  void byLoadsNoServerHasAnythingLeftToGiveToTheEmptiest(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 60) int servers) {
    SplittableRandom random = new SplittableRandom(seed);
    BucketTable table = BucketTable.builder().server(Node.of("s0")).buckets(256).build();
    for (int i = 1; i < servers; i++) {
      table = table.join(Node.of("s" + i)).table();
    }
    for (Bucket bucket : table.buckets()) {
      int to = random.nextInt(servers);
      if (to > 0 && random.nextBoolean()) {
        table = table.move(bucket.mask(), table.nodes().get(to)).table();
      }
    }
    int most = 1 + random.nextInt(100_000);
    Map<HashMask, Long> loads = new HashMap<>();
    table.buckets().forEach(b -> loads.put(b.mask(), (long) random.nextInt(most)));
    if (random.nextBoolean()) {
      // More than all others together: who has it can give nothing, the rest must be even.
      loads.put(HashMask.of(random.nextInt(), 2), 256L * most);
    }
    BucketBalancer balancer = BucketBalancer.byLoads(loads::get).splitTo(0);
    BucketPlan plan = balancer.plan(table);
    assertOncePerBucket(plan);
    BucketTable even = plan.applyTo(table).table();
    long[] totals = totals(even, loads::get);
    assertNothingLeftToGive(even, totals, loads::get);
    assertTrue(spread(totals) <= spread(table, loads::get));
    assertTrue(balancer.plan(even).isEmpty());
  }

  private static void assertNothingLeftToGive(
      BucketTable table, long[] totals, ToLongFunction<HashMask> loads) {
    long emptiest = Arrays.stream(totals).min().orElseThrow();
    for (int i = 0; i < totals.length; i++) {
      long above = totals[i] - emptiest;
      for (Bucket bucket : table.bucketsOf(table.nodes().get(i))) {
        long load = loads.applyAsLong(bucket.mask());
        assertTrue(load == 0 || above <= load, () -> above + " above the emptiest, with " + load);
      }
    }
  }

  @Property(tries = 40, shrinking = ShrinkingMode.OFF)
  void byEqualLoadsAsByCounts(@ForAll long seed, @ForAll @IntRange(min = 2, max = 12) int servers) {
    BucketTable table = scattered(new SplittableRandom(seed), servers);
    BucketPlan plan = BucketBalancer.byLoads(mask -> 7).splitTo(0).plan(table);
    assertEquals(BY_COUNTS.plan(table).moves().size(), plan.moves().size());
    assertTrue(spread(plan.applyTo(table).table().counts) <= 1);
  }

  /** Loads are items that stay where their hashes are, so that parts add up to the whole. */
  @Property(tries = 25, shrinking = ShrinkingMode.OFF)
  void byLoadsTheSeventeenthPlanIsEmptyForUpToAThousandServers(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 1000) int servers) {
    SplittableRandom random = new SplittableRandom(seed);
    int items = 1 + random.nextInt(4_000);
    long[] hashes = random.longs(items).toArray();
    // Some hot hashes among many: all the way down, splitting does not help against those.
    Arrays.fill(hashes, 0, random.nextInt(items), hashes[0]);
    Map<HashMask, Long> weights = new HashMap<>();
    for (long hash : hashes) {
      for (int digits = 1; digits <= 16; digits++) {
        weights.merge(HashMask.of(hash, digits), 1L, Long::sum);
      }
    }
    ToLongFunction<HashMask> loads = mask -> weights.getOrDefault(mask, 0L);
    BucketBalancer balancer = BucketBalancer.byLoads(loads);
    BucketTable table = scattered(random, servers);
    int plans = 1;
    for (BucketPlan plan = balancer.plan(table); !plan.isEmpty(); plans++) {
      assertTrue(plans <= 16, plans + " plans and no end");
      assertOncePerBucket(plan);
      assertTrue(plan.splits().isEmpty() || plan.moves().isEmpty());
      table = plan.applyTo(table).table();
      plan = balancer.plan(table);
    }
    assertTrue(table.size() >= servers);
    for (Bucket bucket : table.buckets()) {
      long load = loads.applyAsLong(bucket.mask());
      assertTrue(
          load * (servers - 1) <= 2 * (items - load) || bucket.mask().digits() == 16,
          () -> bucket + " is too large");
    }
    long weighty = table.buckets().stream().filter(b -> loads.applyAsLong(b.mask()) > 0).count();
    if (Math.pow(servers, (double) weighty) > 1 << 20) {
      // Short of that the spread is the least, which is another promise.
      assertNothingLeftToGive(table, totals(table, loads), loads);
    }
  }

  /** The second server's one bucket is all it could give, and outweighs all the others. */
  @Property(tries = 20, shrinking = ShrinkingMode.OFF)
  void aServerWithOneBucketToGiveSplitsIt(@ForAll @IntRange(min = 31, max = 1000) int weight) {
    HashMask heavy = HashMask.parse("000F/0004");
    BucketTable table = BucketTable.initial(Node.of("a")).join(Node.of("b")).table();
    table = table.move(heavy, Node.of("b")).table();
    ToLongFunction<HashMask> loads = mask -> mask.equals(heavy) ? weight : 1;
    assertEquals(List.of(heavy), BucketBalancer.byLoads(loads).plan(table).splits());
    BucketBalancer patient = BucketBalancer.byLoads(loads).splitAbove((weight + 1) / 15.0);
    assertEquals(List.of(), patient.plan(table).splits());
  }
}
