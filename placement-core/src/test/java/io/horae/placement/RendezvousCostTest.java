package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import java.util.function.LongToIntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a lookup may cost, in memory and in hashes; time is for benchmarks. */
class RendezvousCostTest {

  private static final int LOOKUPS = 20_000;

  /** Keeps what lookups return from being optimised away. */
  @SuppressWarnings("unused")
  private static volatile int sink;

  // Memory.

  @ParameterizedTest
  @MethodSource("placements")
  void replicas_longIntoArray_allocatesNothingAfterTheFirstLookup(Placement placement) {
    int[] two = new int[2];
    assertAllocatesNothing(
        key -> {
          placement.replicas(key, two);
          return two[0];
        });
    int[] ten = new int[10];
    assertAllocatesNothing(
        key -> {
          placement.replicas(key, ten);
          return ten[9];
        });
  }

  @ParameterizedTest
  @MethodSource("placements")
  void primary_long_allocatesNothingAfterTheFirstLookup(Placement placement) {
    assertAllocatesNothing(key -> placement.primary(key).id().length());
  }

  @ParameterizedTest
  @EnumSource
  void replicas_ofPlacementsInTurn_shareTheSpaceOfTheLargest(Collisions rule) {
    Placement[] placements =
        Stream.of(100, 3, 30)
            .flatMap(size -> clusters(size).stream())
            .map(nodes -> builder(nodes, rule).build())
            .toArray(Placement[]::new);
    int[] into = new int[2];
    assertAllocatesNothing(
        key -> {
          placements[(int) key % placements.length].replicas(key, into);
          return into[0];
        });
  }

  @ParameterizedTest
  @MethodSource("placements")
  void replicas_firstOfAThread_allocatesSixteenBytesForEachNode(Placement placement) {
    int[] into = new int[2];
    LongToIntFunction lookup = key -> placement.replicas(key, into);
    allocated(lookup, 0, 1);
    // What a thread's first thread-local value and the array's header take comes on top.
    long most = 16L * placement.nodes().size() + 512;
    long bytes = allocated(lookup, 0, 1);
    assertTrue(bytes <= most, () -> bytes + " bytes, more than " + most);
  }

  @ParameterizedTest
  @MethodSource("placements")
  void replicas_longAsList_allocatesTheListAlone(Placement placement) {
    // An object with two references and an array of two numbers.
    int most = 64;
    long bytes = allocated(key -> placement.replicas(key, 2).get(1).id().length(), 1, LOOKUPS);
    assertTrue(bytes <= (most + 1L) * LOOKUPS, () -> (double) bytes / LOOKUPS + " bytes a list");
  }

  private static void assertAllocatesNothing(LongToIntFunction lookup) {
    long bytes = allocated(lookup, 1, LOOKUPS);
    // The least object has 16 bytes. The JVM's own, such as for loading a class, are few.
    assertTrue(bytes < LOOKUPS, () -> bytes + " bytes in " + LOOKUPS + " lookups");
  }

  /** The bytes that a new thread allocates for some lookups, after its first ones. */
  private static long allocated(LongToIntFunction lookup, int first, int lookups) {
    assumeTrue(
        ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean
            && bean.isThreadAllocatedMemorySupported()
            && bean.isThreadAllocatedMemoryEnabled(),
        "this JVM does not count what a thread allocates");
    ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return CompletableFuture.supplyAsync(
            () -> {
              int sum = 0;
              for (int key = 0; key < first; key++) {
                sum += lookup.applyAsInt(key);
              }
              long before = bean.getCurrentThreadAllocatedBytes();
              for (int key = 0; key < lookups; key++) {
                sum += lookup.applyAsInt(key);
              }
              long after = bean.getCurrentThreadAllocatedBytes();
              sink = sum;
              return after - before;
            },
            task -> new Thread(task).start())
        .join();
  }

  // Hashes.

  @ParameterizedTest
  @EnumSource
  void lookups_injectiveHash_hashOncePerNode(Collisions rule) {
    assertHashesOncePerNode(new CountingHash(true), rule);
  }

  @ParameterizedTest
  @EnumSource
  void lookups_otherHashWithoutTies_hashOncePerNode(Collisions rule) {
    assertHashesOncePerNode(new CountingHash(false), rule);
  }

  private static void assertHashesOncePerNode(CountingHash hash, Collisions rule) {
    for (int size : List.of(1, 3, 30, 100)) {
      for (List<Node> nodes : clusters(size)) {
        Placement placement = builder(nodes, rule).hash(hash).build();
        int[] into = new int[3];
        List<LongConsumer> lookups =
            List.of(
                key -> placement.replicas(key, into),
                key -> placement.replicas("key" + key, into),
                key -> placement.replicas(key, size),
                key -> placement.replicas("key" + key, size),
                placement::primary,
                key -> placement.primary("key" + key));
        for (int i = 0; i < lookups.size(); i++) {
          for (long key = 0; key < 100; key++) {
            hash.count = 0;
            lookups.get(i).accept(key);
            String lookup = "lookup " + i + " of key " + key + " in " + placement;
            assertEquals(size, hash.count, lookup);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void build_injectiveHash_hashesEachIdOnce(Collisions rule) {
    for (List<Node> nodes : clusters(30)) {
      CountingHash hash = new CountingHash(true);
      builder(nodes, rule).hash(hash).build();
      // Second hashes are for ties alone, and here there are none.
      assertEquals(30, hash.count);
    }
  }

  /** Murmur3, counting the seeds it is asked to hash under. */
  private static final class CountingHash implements SeededHash {

    private static final SeededHash MURMUR3 = SeededHash.murmur3();

    private final boolean injective;
    private int count;

    CountingHash(boolean injective) {
      this.injective = injective;
    }

    @Override
    public boolean injectiveInSeed() {
      return injective;
    }

    @Override
    public int hash(byte[] key, int seed) {
      count++;
      return MURMUR3.hash(key, seed);
    }

    @Override
    public int hash(long key, int seed) {
      count++;
      return MURMUR3.hash(key, seed);
    }

    @Override
    public void hashAll(byte[] key, int[] seeds, int[] hashes) {
      count += seeds.length;
      MURMUR3.hashAll(key, seeds, hashes);
    }

    @Override
    public void hashAll(long key, int[] seeds, int[] hashes) {
      count += seeds.length;
      MURMUR3.hashAll(key, seeds, hashes);
    }
  }

  // The material.

  static List<RendezvousPlacement> placements() {
    List<RendezvousPlacement> placements = new ArrayList<>();
    for (Collisions rule : Collisions.values()) {
      for (List<Node> nodes : clusters(30)) {
        placements.add(builder(nodes, rule).build());
      }
    }
    return placements;
  }

  /** One cluster of each kind: plain, with weights, with zones, with both. */
  private static List<List<Node>> clusters(int size) {
    SplittableRandom random = new SplittableRandom(size);
    List<Node> plain = Clusters.random(random, size);
    List<Node> weighted = Clusters.weighted(random, plain);
    return List.of(
        plain, weighted, Clusters.zoned(random, plain, 4), Clusters.zoned(random, weighted, 4));
  }

  private static RendezvousPlacement.Builder builder(List<Node> nodes, Collisions rule) {
    return RendezvousPlacement.builder().nodes(nodes).collisions(rule);
  }
}
