package io.horae.benchmarks;

import io.horae.placement.Bucket;
import io.horae.placement.BucketBalancer;
import io.horae.placement.BucketPlan;
import io.horae.placement.BucketTable;
import io.horae.placement.HashMask;
import io.horae.placement.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to find the owner of a hash among so many buckets?
 *
 * <p>The array is one read, {@code owners[hash & mask]}, as deep as the deepest bucket but with no
 * more than 65,536 slots: no table that can change is faster. The map is the plain way to keep
 * buckets of different depths: a {@link HashMap} for each depth, asked from the shallowest on. All
 * give the same answer, which the set-up checks, but for the array where buckets are deeper than it
 * is: a ragged table begins with 256 buckets, of which one in 17 is split again and again, down to
 * eight digits, and hashes are drawn bucket by bucket, so that the deep ones are hit too.
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="BucketBenchmark -prof gc"
 * mvn -q compile -Pbenchmarks -Dexec.args="BucketBenchmark -prof gc"
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class BucketBenchmark {

  private static final int SERVERS = 100;
  private static final int HASHES = 1 << 12;
  private static final int ARRAY_DIGITS_MAX = 4;

  @Param({"16", "256", "4096", "65536", "ragged"})
  private String buckets;

  private BucketTable table;
  private int[] owners;
  private List<Map<Long, Integer>> maps;
  private final long[] hashes = new SplittableRandom(1).longs(HASHES).toArray();
  private int next;

  @Setup
  public void setUp() {
    boolean isRagged = buckets.equals("ragged");
    table = BucketTable.initial(Node.of("server 0"));
    for (int i = 1; i < SERVERS; i++) {
      table = table.join(Node.of("server " + i)).table();
    }
    int most = isRagged ? 256 : Integer.parseInt(buckets);
    while (table.size() < most) {
      split(table.buckets());
    }
    while (isRagged && table.buckets().get(table.size() - 1).mask().digits() < 8) {
      List<Bucket> all = table.buckets();
      int deepest = all.get(all.size() - 1).mask().digits();
      split(
          all.stream()
              .filter(bucket -> bucket.mask().digits() == deepest)
              .filter(bucket -> bucket.mask().value() % 17 == 3)
              .limit(64)
              .toList());
    }
    table = BucketBalancer.byCounts().splitTo(0).plan(table).applyTo(table).table();
    if (isRagged) {
      drawFromBuckets(table.buckets());
    }
    copy();
    for (int i = 0; i < HASHES; i++) {
      check();
    }
  }

  private void split(List<Bucket> some) {
    List<HashMask> masks = some.stream().map(Bucket::mask).toList();
    table = new BucketPlan(masks, List.of()).applyTo(table).table();
  }

  private void drawFromBuckets(List<Bucket> all) {
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < HASHES; i++) {
      HashMask mask = all.get(random.nextInt(all.size())).mask();
      hashes[i] = mask.value() | (random.nextLong() & ~mask.mask());
    }
  }

  private void copy() {
    int digits = 1;
    maps = new ArrayList<>();
    for (Bucket bucket : table.buckets()) {
      digits = Math.max(digits, bucket.mask().digits());
      while (maps.size() < digits) {
        maps.add(new HashMap<>());
      }
      long value = bucket.mask().value();
      maps.get(bucket.mask().digits() - 1).put(value, table.primaryAt(value));
    }
    owners = new int[1 << (4 * Math.min(digits, ARRAY_DIGITS_MAX))];
    for (int slot = 0; slot < owners.length; slot++) {
      owners[slot] = table.primaryAt(slot);
    }
  }

  private void check() {
    int before = next;
    int expected = horae();
    next = before;
    if (map() != expected) {
      throw new AssertionError("the map says otherwise");
    }
    next = before;
    if (array() != expected && !buckets.equals("ragged")) {
      throw new AssertionError("the array says otherwise");
    }
  }

  private long nextHash() {
    next = (next + 1) & (HASHES - 1);
    return hashes[next];
  }

  @Benchmark
  public int horae() {
    return table.primaryAt(nextHash());
  }

  @Benchmark
  public int array() {
    return owners[(int) nextHash() & (owners.length - 1)];
  }

  @Benchmark
  public int map() {
    long hash = nextHash();
    for (int digits = 1; digits <= maps.size(); digits++) {
      Integer owner = maps.get(digits - 1).get(hash & (-1L >>> (64 - 4 * digits)));
      if (owner != null) {
        return owner;
      }
    }
    throw new AssertionError("a hash in no bucket");
  }
}
