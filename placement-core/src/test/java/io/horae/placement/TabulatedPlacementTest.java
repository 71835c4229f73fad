package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

class TabulatedPlacementTest {

  private static final List<Node> NODES = Clusters.random(new SplittableRandom(1), 20);
  private static final TabulatedPlacement TABLE =
      TabulatedPlacement.of(RendezvousPlacement.of(NODES));

  @TestFactory
  Stream<DynamicTest> bad() {
    TabulatedPlacement.Builder builder = TabulatedPlacement.builder();
    List<Node> tooMany = IntStream.range(0, 65_537).mapToObj(i -> Node.of("n" + i)).toList();
    Placement large = RendezvousPlacement.of(tooMany);
    return Stream.of(
        rejected("null", "placement", () -> TabulatedPlacement.of(null)),
        rejected("none", "placement", builder::build),
        rejected("null next", "placement", () -> TABLE.next(null)),
        rejected("too many nodes", "65537", () -> TabulatedPlacement.of(large)),
        rejected("too many nodes next", "65537", () -> TABLE.next(large)),
        rejected("one partition", ": 1", () -> builder.partitions(1)),
        rejected("no partition", ": 0", () -> builder.partitions(0)),
        rejected("no power of two", ": 1000", () -> builder.partitions(1000)),
        rejected("negative", ": -2147483648", () -> builder.partitions(Integer.MIN_VALUE)),
        rejected("too many", ": 2097152", () -> builder.partitions(1 << 21)),
        rejected("no replicas", ": 0", () -> builder.replicas(0)),
        rejected("too many replicas", ": 17", () -> builder.replicas(17)),
        rejected("null key", "key", () -> TABLE.primary(null)),
        rejected("null key, replicas", "key", () -> TABLE.replicas(null, 1)),
        rejected("count", ": 0", () -> TABLE.replicas(1, 0)),
        rejected("no room", "0", () -> TABLE.replicas("k", new int[0])),
        rejected("no array", "array", () -> TABLE.replicas(1, null)));
  }

  private static DynamicTest rejected(String name, String part, Executable call) {
    return DynamicTest.dynamicTest(
        name,
        () -> {
          String message = assertThrows(IllegalArgumentException.class, call).getMessage();
          assertTrue(message.contains(part), () -> "\"" + part + "\" is not in: " + message);
        });
  }

  @Test
  void of_hasThePublishedPartitions() {
    assertEquals(1 << 14, TABLE.partitions());
    assertEquals(NODES, TABLE.nodes());
    assertTrue(TABLE.toString().startsWith("16384 partitions of Rendezvous"), TABLE::toString);
  }

  /** As other programs would compute it: fmix64, whose values here are from Python, and Murmur3. */
  @Test
  void partitionOf_isTheUpperBitsOfPublishedHashes() {
    assertEquals((int) (0xb456bcfc34c2cb2cL >>> 50), TABLE.partitionOf(1));
    assertEquals((int) (0x87cbfbfe89022ceaL >>> 50), TABLE.partitionOf(0x0123456789abcdefL));
    assertEquals((int) (0x64b5720b4b825f21L >>> 50), TABLE.partitionOf(-1));
    assertEquals(0, TABLE.partitionOf(0));
    int hash = SeededHash.murmur3().hash("a".getBytes(StandardCharsets.UTF_8), 0);
    assertEquals(hash >>> 18, TABLE.partitionOf("a"));
    TabulatedPlacement two =
        TabulatedPlacement.builder().placement(TABLE.placement()).partitions(2).build();
    assertEquals(1, two.partitionOf(1));
    assertEquals(hash >>> 31, two.partitionOf("a"));
  }

  @Test
  void next_nodeJoins_comparesItAloneWithEachPartition() {
    Counting hash = new Counting();
    TabulatedPlacement table = table(hash, NODES.subList(0, 19));
    Placement after = rendezvous(hash, NODES);
    hash.hashes = 0;
    table.next(after);
    // The node that joins, the primary, and one backup unless it is the new primary.
    assertTrue(hash.hashes > 2 * 1024 && hash.hashes <= 3 * 1024, () -> hash.hashes + " hashes");
  }

  @Test
  void next_nodeLeaves_looksUpItsPartitionsAlone() {
    Counting hash = new Counting();
    TabulatedPlacement table = table(hash, NODES);
    int held = 0;
    for (int partition = 0; partition < 1024; partition++) {
      held += table.placement().replicas(partition, 2).contains(NODES.get(3)) ? 1 : 0;
    }
    List<Node> rest = new ArrayList<>(NODES);
    rest.remove(3);
    Placement after = rendezvous(hash, rest);
    hash.hashes = 0;
    table.next(after);
    assertTrue(held > 50);
    assertEquals(19 * held, hash.hashes);
  }

  private static Placement rendezvous(SeededHash hash, List<Node> nodes) {
    return RendezvousPlacement.builder().nodes(nodes).hash(hash).build();
  }

  private static TabulatedPlacement table(SeededHash hash, List<Node> nodes) {
    Placement placement = rendezvous(hash, nodes);
    return TabulatedPlacement.builder().placement(placement).partitions(1024).build();
  }

  /** Murmur3 that counts. */
  private static final class Counting implements SeededHash {

    private int hashes;

    @Override
    public int hash(byte[] key, int seed) {
      return SeededHash.murmur3().hash(key, seed);
    }

    @Override
    public int hash(long key, int seed) {
      hashes++;
      return SeededHash.murmur3().hash(key, seed);
    }

    @Override
    public boolean injectiveInSeed() {
      return true;
    }
  }

  /** Of two nodes with one hash, the seed of the second depends on whether the first is there. */
  @Test
  void next_seedOfAStayingNodeChanges_isLookedUpAnew() {
    List<Node> nodes = new ArrayList<>(NODES);
    nodes.add(Node.of("10.1.106.84:7253"));
    nodes.add(Node.of("10.2.196.170:7253"));
    TabulatedPlacement both = TabulatedPlacement.of(RendezvousPlacement.of(nodes));
    nodes.remove(20);
    Placement one = RendezvousPlacement.of(nodes);
    TabulatedPlacement next = both.next(one);
    for (long key = 0; key < 20_000; key++) {
      assertEquals(one.replicas(next.partitionOf(key), 2), next.replicas(key, 2));
    }
  }

  @Test
  void lookups_allocateNothing() {
    assumeTrue(
        ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean
            && bean.isThreadAllocatedMemorySupported()
            && bean.isThreadAllocatedMemoryEnabled(),
        "this JVM does not count what a thread allocates");
    ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int[] into = new int[2];
    int lookups = 20_000;
    long sum = (long) TABLE.replicas(0, into) + TABLE.primary(0).id().length();
    long before = bean.getCurrentThreadAllocatedBytes();
    for (int key = 0; key < lookups; key++) {
      sum += TABLE.replicas(key, into);
      sum += TABLE.primary(key).id().length();
    }
    long bytes = bean.getCurrentThreadAllocatedBytes() - before;
    assertTrue(sum > 0);
    assertTrue(bytes < lookups, () -> bytes + " bytes in " + lookups + " lookups");
  }
}
