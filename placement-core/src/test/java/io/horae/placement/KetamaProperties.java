package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The promises of the continuum over random clusters. */
class KetamaProperties {

  private static final int KEYS = 100;

  /** Two nodes that have a point in common. */
  private static final List<Node> TWINS =
      List.of(Node.of("10.50.3.119:11210"), Node.of("10.50.7.69:11210"));

  @Property(tries = 200)
  void aNodeThatJoinsOnlyTakesAndOneThatLeavesOnlyGives(
      @ForAll KetamaDialect.EqualPoints rule,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 60) int size) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> nodes = cluster(random, size);
    KetamaDialect dialect = KetamaDialect.builder().equalPoints(rule).build();
    KetamaContinuum large = continuum(dialect, nodes);
    Node one = nodes.get(random.nextInt(nodes.size()));
    List<Node> others = nodes.stream().filter(node -> !node.equals(one)).toList();
    KetamaContinuum small = continuum(dialect, others);

    ArcMovement joining = ArcMovement.between(small, large);
    ArcMovement leaving = ArcMovement.between(large, small);
    assertTrue(joining.arcs().stream().allMatch(arc -> arc.to().equals(one)));
    assertTrue(leaving.arcs().stream().allMatch(arc -> arc.from().equals(one)));
    for (ArcMovement movement : List.of(joining, leaving)) {
      assertEquals(0, movement.hashesMovedBetweenStaying());
      assertEquals(movement.hashesMovedLeast(), movement.hashesMoved());
      assertEquals(hashes(large, one), movement.hashesMoved());
      assertEquals(hashes(large, one) / 0x1p32, movement.fractionMoved());
    }
    assertEquals(
        joining.arcs(),
        leaving.arcs().stream()
            .map(arc -> new ArcMovement.Arc(arc.first(), arc.last(), arc.to(), arc.from()))
            .toList());
    Movement keys = Movement.between(small, large, random.longs(KEYS), 3);
    assertEquals(0, keys.movedBetweenStaying());
  }

  @Property(tries = 200)
  void theOrderOfTheListDoesNotMatter(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int size) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> nodes = cluster(random, size);
    KetamaContinuum one = KetamaContinuum.of(nodes);
    KetamaContinuum other = KetamaContinuum.of(Clusters.shuffled(random, nodes));
    assertEquals(one.points(), other.points());
    assertEquals(List.of(), ArcMovement.between(one, other).arcs());
    for (int i = 0; i < KEYS; i++) {
      String key = "key" + random.nextInt();
      assertEquals(one.replicas(key, 4), other.replicas(key, 4));
    }
  }

  /** Where no points are equal, it does not matter in any dialect. */
  @Property(tries = 100)
  void theOrderOfTheListDoesNotMatterWithoutEqualPoints(
      @ForAll KetamaDialect.EqualPoints rule,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 30) int size) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> nodes = Clusters.random(random, size);
    KetamaDialect dialect = KetamaDialect.builder().equalPoints(rule).build();
    KetamaContinuum one = continuum(dialect, nodes);
    long places = one.points().stream().mapToLong(KetamaContinuum.Point::hash).distinct().count();
    if (places == 160L * size) {
      List<Node> shuffled = Clusters.shuffled(random, nodes);
      assertEquals(one.points(), continuum(dialect, shuffled).points());
    }
  }

  @Property(tries = 200)
  void replicasAreDistinctAndAsManyAsThereAre(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 60) int size,
      @ForAll @IntRange(min = 1, max = 70) int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> nodes = Clusters.random(random, size);
    // Weights at which some nodes have no points at all.
    List<Node> uneven =
        nodes.stream().map(node -> node.withWeight(random.nextBoolean() ? 1 : 10_000)).toList();
    for (KetamaContinuum continuum :
        List.of(KetamaContinuum.of(nodes), continuum(KetamaDialect.LIBKETAMA, uneven))) {
      for (int i = 0; i < KEYS; i++) {
        long key = random.nextLong();
        List<Node> replicas = continuum.replicas(key, count);
        assertEquals(Math.min(count, size), replicas.size());
        assertEquals(replicas.size(), new HashSet<>(replicas).size());
        assertTrue(continuum.nodes().containsAll(replicas));
        assertEquals(continuum.primary(key), replicas.get(0));
      }
    }
  }

  @Property(tries = 100)
  void sharesAddUpToTheRing(@ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int size) {
    SplittableRandom random = new SplittableRandom(seed);
    KetamaContinuum continuum = KetamaContinuum.of(cluster(random, size));
    List<KetamaContinuum.Share> shares = continuum.ownership();
    assertEquals(continuum.nodes(), shares.stream().map(KetamaContinuum.Share::node).toList());
    assertEquals(1L << 32, shares.stream().mapToLong(KetamaContinuum.Share::hashes).sum());
    assertEquals(1.0, shares.stream().mapToDouble(KetamaContinuum.Share::fraction).sum());
  }

  /** Arcs and shares against the naive way: ask before and after at both ends of every arc. */
  @Property(tries = 50)
  void arcsAreWhatLookupsSay(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> before = cluster(random, 1 + random.nextInt(6));
    List<Node> after = new ArrayList<>(cluster(random, 1 + random.nextInt(6)));
    before.stream().filter(node -> !after.contains(node)).limit(3).forEach(after::add);
    NaiveKetama naiveBefore =
        new NaiveKetama(before, 40, KetamaDialect.EqualPoints.LOWEST_NODE_KEY);
    NaiveKetama naiveAfter = new NaiveKetama(after, 40, KetamaDialect.EqualPoints.LOWEST_NODE_KEY);
    ArcMovement movement =
        ArcMovement.between(KetamaContinuum.of(before), KetamaContinuum.of(after));

    long[] ends =
        LongStream.concat(
                LongStream.of(-1, 0xffff_ffffL),
                LongStream.concat(
                    naiveBefore.points().stream().mapToLong(KetamaContinuum.Point::hash),
                    naiveAfter.points().stream().mapToLong(KetamaContinuum.Point::hash)))
            .sorted()
            .distinct()
            .toArray();
    long moved = 0;
    for (int i = 1; i < ends.length; i++) {
      long last = ends[i];
      Node from = naiveBefore.primary(last);
      Node to = naiveAfter.primary(last);
      List<ArcMovement.Arc> arcs =
          movement.arcs().stream()
              .filter(arc -> arc.first() <= last && last <= arc.last())
              .toList();
      if (from.equals(to)) {
        assertEquals(List.of(), arcs);
      } else {
        moved += last - ends[i - 1];
        assertEquals(1, arcs.size());
        assertEquals(List.of(from, to), List.of(arcs.get(0).from(), arcs.get(0).to()));
        assertTrue(arcs.get(0).first() <= ends[i - 1] + 1);
      }
    }
    assertEquals(moved, movement.hashesMoved());
  }

  @Property(tries = 50)
  void boundedLoadsStayWithinTheirBound(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 20) int size) {
    SplittableRandom random = new SplittableRandom(seed);
    KetamaContinuum continuum = KetamaContinuum.of(Clusters.random(random, size));
    double factor = 1 + random.nextInt(4) * 0.25;
    Map<Node, Long> loads = new HashMap<>();
    for (int keys = 1; keys <= 300; keys++) {
      String key = "key" + random.nextInt();
      Node node = continuum.boundedPrimary(key, factor, n -> loads.getOrDefault(n, 0L));
      long capacity = (long) Math.ceil(factor * keys / size);
      Node expected =
          continuum.replicas(key, size).stream()
              .filter(n -> loads.getOrDefault(n, 0L) < capacity)
              .findFirst()
              .orElseThrow();
      assertEquals(expected, node);
      loads.merge(node, 1L, Long::sum);
      assertTrue(loads.get(node) <= capacity);
    }
  }

  private static List<Node> cluster(SplittableRandom random, int size) {
    List<Node> nodes = new ArrayList<>(Clusters.random(random, size));
    nodes.addAll(TWINS);
    return Clusters.shuffled(random, nodes);
  }

  private static KetamaContinuum continuum(KetamaDialect dialect, List<Node> nodes) {
    return KetamaContinuum.builder().nodes(nodes).dialect(dialect).build();
  }

  private static long hashes(KetamaContinuum continuum, Node node) {
    return continuum.ownership().get(continuum.nodes().indexOf(node)).hashes();
  }
}
