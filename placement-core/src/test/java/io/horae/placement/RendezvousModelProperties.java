package io.horae.placement;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** The real placement against {@link NaiveRendezvous}: 40 lookups for each of 4,000 clusters. */
class RendezvousModelProperties {

  private static final int CASES = 4_000;
  private static final int LOOKUPS = 40;

  @Property(tries = CASES / 4, shrinking = ShrinkingMode.OFF)
  void agreesOnRealHashes(@ForAll Collisions rule, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    agree(rule, random, Clusters.random(random, 1 + random.nextInt(60)), SeededHash.murmur3());
  }

  @Property(tries = CASES / 4, shrinking = ShrinkingMode.OFF)
  void agreesOnForcedCollisions(@ForAll Collisions rule, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    agree(rule, random, Clusters.random(random, 1 + random.nextInt(40)), collidingHash(random));
  }

  @Property(tries = CASES / 4, shrinking = ShrinkingMode.OFF)
  void agreesOnWeights(@ForAll Collisions rule, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> nodes = Clusters.random(random, 1 + random.nextInt(40));
    nodes =
        random.nextBoolean()
            ? Clusters.weighted(random, nodes)
            : Clusters.weightedExtremely(random, nodes);
    agree(rule, random, nodes, anyHash(random));
  }

  @Property(tries = CASES / 4, shrinking = ShrinkingMode.OFF)
  void agreesOnZones(@ForAll Collisions rule, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> nodes = Clusters.random(random, 1 + random.nextInt(40));
    nodes = Clusters.zoned(random, nodes, 1 + random.nextInt(6));
    agree(
        rule,
        random,
        random.nextBoolean() ? nodes : Clusters.weighted(random, nodes),
        anyHash(random));
  }

  private static SeededHash anyHash(SplittableRandom random) {
    return random.nextBoolean() ? SeededHash.murmur3() : collidingHash(random);
  }

  private static SeededHash collidingHash(SplittableRandom random) {
    int[] firsts = {0, 1_000_000, Integer.MAX_VALUE - 10, -1, -20, -300};
    int[] spreads = {1, 3, 30, 300, 10_000, 1 << 20};
    return Clusters.coarse(
        firsts[random.nextInt(firsts.length)], spreads[random.nextInt(spreads.length)]);
  }

  private static void agree(
      Collisions rule, SplittableRandom random, List<Node> nodes, SeededHash hash) {
    NaiveRendezvous naive = new NaiveRendezvous(nodes, hash, rule);
    RendezvousPlacement real =
        RendezvousPlacement.builder().nodes(nodes).hash(hash).collisions(rule).build();
    assertEquals(
        naive.seeds(), Arrays.stream(real.seeds()).mapToObj(Integer::toUnsignedLong).toList());
    for (int i = 0; i < LOOKUPS; i++) {
      // Mostly few replicas, sometimes all of them and more.
      int count = 1 + random.nextInt(random.nextInt(4) == 0 ? nodes.size() + 2 : 5);
      if (random.nextBoolean()) {
        long key = random.nextBoolean() ? random.nextLong() : i;
        byte[] bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(key).array();
        List<Node> expected = naive.replicas(bytes, count);
        assertEquals(expected, real.replicas(key, count), () -> rule + " " + key);
        assertEquals(expected.get(0), real.primary(key));
      } else {
        String key = "key-" + "x".repeat(random.nextInt(9)) + random.nextInt();
        List<Node> expected = naive.replicas(key.getBytes(UTF_8), count);
        assertEquals(expected, real.replicas(key, count), () -> rule + " " + key);
        assertEquals(expected.get(0), real.primary(key));
      }
    }
  }
}
