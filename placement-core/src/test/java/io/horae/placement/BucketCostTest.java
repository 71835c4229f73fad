package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What tables, lookups and changes may cost in memory; time is for benchmarks. */
class BucketCostTest {

  private static final int SERVERS = 1_000;
  private static final BucketTable LARGE = large();

  @SuppressWarnings("unused")
  private static volatile int sink;

  /** 65,536 buckets, each with a backup, on 1,000 servers. */
  private static BucketTable large() {
    BucketTable table = BucketTable.builder().server(Node.of("server-0")).buckets(256).build();
    List<HashMask> splits = new ArrayList<>();
    table.buckets().forEach(bucket -> splits.add(bucket.mask()));
    table.buckets().forEach(bucket -> splits.addAll(bucket.mask().split()));
    table = new BucketPlan(splits, List.of()).applyTo(table).table();
    for (int i = 1; i < SERVERS; i++) {
      table = table.join(Node.of("server-" + i)).table();
    }
    List<BucketPlan.Move> moves = new ArrayList<>();
    for (int owner = 0; owner < 2; owner++) {
      for (Bucket bucket : table.buckets()) {
        long mixed = ((bucket.mask().value() + 1) * 0x9e3779b97f4a7c15L) >>> 33;
        Node to = table.nodes().get(1 + (int) ((mixed + 331L * owner) % (SERVERS - 1)));
        moves.add(new BucketPlan.Move(bucket.mask(), bucket.primary(), to));
      }
    }
    return new BucketPlan(List.of(), moves).applyTo(table).table();
  }

  @Test
  void bytes_atMostFortyABucket() {
    assertEquals(65_536, LARGE.size());
    assertTrue(LARGE.buckets().stream().allMatch(bucket -> bucket.backups().size() == 1));
    double bytes = (double) bytes(LARGE) / LARGE.size();
    assertTrue(bytes <= 40, () -> bytes + " bytes a bucket");
  }

  /** Everything reachable but the nodes themselves: objects and arrays with their headers. */
  private static long bytes(BucketTable table) {
    long bytes = array(table.counts.length, 4) + array(table.holdings.length, 4);
    for (long[] groups : table.holdings) {
      bytes += array(groups.length, 8);
    }
    // The list of nodes, and their order by id.
    bytes += 2 * array(table.nodes().size(), 4);
    // The primaries of pages are shared by this; the rest is its own.
    int[][] owners = table.root.owners();
    bytes += array(owners.length, 4);
    bytes += Arrays.stream(owners).filter(one -> one.length == 1).count() * array(1, 4);
    Set<BucketPage> pages = Collections.newSetFromMap(new IdentityHashMap<>());
    collect(table.root, pages);
    for (BucketPage page : pages) {
      bytes += 40 + array(page.primaries.length, 4) + array(page.backups.length, 4);
      bytes += array(page.epochs.length, 8) + array(page.digits.length, 1);
      bytes += page.below == null ? 0 : array(page.below.length, 4);
    }
    return bytes;
  }

  private static void collect(BucketPage page, Set<BucketPage> pages) {
    pages.add(page);
    for (int slot = 0; page.below != null && slot < page.below.length; slot++) {
      if (page.primaries[slot] < 0) {
        collect(page.below(slot), pages);
      }
    }
  }

  private static long array(int length, int bytesEach) {
    return (16 + (long) length * bytesEach + 7) / 8 * 8;
  }

  @Test
  void lookups_allocateNothing() {
    BucketTable ragged = BucketTable.initial(Node.of("a"));
    while (ragged.bucketAt(7).mask().digits() < 16) {
      ragged = ragged.split(ragged.bucketAt(7).mask()).table();
    }
    BucketTable deep = ragged;
    int[] two = new int[2];
    for (Runnable lookups :
        List.<Runnable>of(
            () -> IntStream.range(0, 20_000).forEach(i -> sink = LARGE.primaryAt(i * 77L)),
            () -> IntStream.range(0, 20_000).forEach(i -> sink = deep.primaryAt(i & 7)),
            () -> IntStream.range(0, 20_000).forEach(i -> sink = deep.primaryAt(7L << (i & 63))),
            () -> IntStream.range(0, 20_000).forEach(i -> sink = LARGE.replicas((long) i, two)))) {
      lookups.run();
      long bytes = allocated(lookups);
      assertTrue(bytes < 20_000, () -> bytes + " bytes in 20,000 lookups");
    }
  }

  @Test
  void changes_costWhatTheyChange() {
    HashMask bucket = HashMask.of(0x1234, 4);
    Node other = LARGE.nodes().get(5);
    // Of a table of 2.3 megabytes. Before they are compiled, changes allocate most.
    assertCosts(60_000, () -> LARGE.move(bucket, other));
    assertCosts(60_000, () -> LARGE.split(bucket));
    assertCosts(60_000, () -> LARGE.join(Node.of("new")));
    // Some 130 buckets in 100 of the 257 pages, and as many of the last server's.
    assertCosts(1_500_000, () -> LARGE.fail(Node.of("server-17")));
    assertCosts(1_200_000, () -> LARGE.fail(Node.of("server-999")));
    assertCosts(1_500_000, () -> LARGE.leave(Node.of("server-17")));
    BucketTable cut = LARGE.split(bucket).table();
    assertCosts(60_000, () -> cut.merge(bucket));
    assertCosts(60_000, () -> cut.move(HashMask.of(0x1234, 5), other));
    assertCosts(60_000, () -> cut.split(HashMask.of(0x1234, 5)));
    BucketTable moved = LARGE.move(bucket, other).table();
    assertCosts(400_000, () -> moved.since(LARGE));
    assertCosts(60_000, () -> LARGE.learn(List.of(moved.bucket(bucket))));
  }

  /** A page is shared unless something in it changed. */
  @Test
  void fail_copiesOnlyThePagesOfItsBuckets() {
    Node server = LARGE.nodes().get(17);
    BucketTable after = LARGE.fail(server).table();
    Set<BucketPage> before = Collections.newSetFromMap(new IdentityHashMap<>());
    collect(LARGE.root, before);
    Set<BucketPage> now = Collections.newSetFromMap(new IdentityHashMap<>());
    collect(after.root, now);
    now.removeAll(before);
    Set<Long> touched = new java.util.HashSet<>();
    for (Bucket bucket : LARGE.buckets()) {
      Node last = LARGE.nodes().get(SERVERS - 1);
      if (bucket.primary().equals(server)
          || bucket.backups().contains(server)
          || bucket.primary().equals(last)
          || bucket.backups().contains(last)) {
        touched.add(bucket.mask().value() & 0xff);
      }
    }
    assertEquals(touched.size() + 1, now.size());
    assertTrue(now.size() < before.size());
  }

  private static void assertCosts(long bytesMax, Runnable change) {
    change.run();
    long bytes = allocated(change);
    assertTrue(bytes <= bytesMax, () -> bytes + " bytes, more than " + bytesMax);
  }

  private static long allocated(Runnable run) {
    assumeTrue(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    run.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }
}
