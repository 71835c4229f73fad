package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/**
 * The promises of rendezvous placement over random clusters.
 *
 * <p>Promises about movement are tested under {@link Collisions#STABLE} with hashes that collide
 * all the time, since it makes them without condition, and under all three rules with Murmur3 on
 * clusters whose seeds do not collide.
 */
class RendezvousProperties {

  private static final int NODES_MAX = 200;
  private static final int KEYS = 100;

  // The same everywhere.

  @Property(tries = 300)
  void everyPermutationOfTheListGivesTheSameAnswer(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = NODES_MAX) int size,
      @ForAll @IntRange(min = 1, max = 5) int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> nodes = anyKindOf(random, Clusters.random(random, size));
    SeededHash hash = anyHash(random);
    Placement one = placement(nodes, hash, Collisions.STABLE);
    Placement other = placement(Clusters.shuffled(random, nodes), hash, Collisions.STABLE);
    for (int i = 0; i < KEYS; i++) {
      long key = random.nextLong();
      assertEquals(one.replicas(key, count), other.replicas(key, count));
      assertEquals(one.replicas("key" + key, count), other.replicas("key" + key, count));
    }
  }

  @Property(tries = 300)
  void theSameListGivesTheSameAnswerOnEveryNode(
      @ForAll Collisions rule,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = NODES_MAX) int size,
      @ForAll @IntRange(min = 1, max = 5) int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> nodes = anyKindOf(random, Clusters.random(random, size));
    SeededHash hash = anyHash(random);
    List<Long> keys = random.longs(KEYS).boxed().toList();
    // A thread that has asked nothing before, and nothing else.
    Placement alone = placement(nodes, hash, rule);
    List<List<Node>> answers =
        onNewThread(() -> keys.stream().map(key -> alone.replicas(key, count)).toList());
    // Lookups leave nothing behind that could change others: here, larger and smaller clusters of
    // all kinds are asked in between.
    List<Placement> others = new ArrayList<>();
    for (int other : List.of(1, size, size + random.nextInt(NODES_MAX), NODES_MAX)) {
      List<Node> otherNodes = anyKindOf(random, Clusters.random(random, other));
      others.add(placement(otherNodes, anyHash(random), anyRule(random)));
    }
    Placement amongOthers = placement(new ArrayList<>(nodes), hash, rule);
    for (int i = 0; i < KEYS; i++) {
      Placement other = others.get(random.nextInt(others.size()));
      other.replicas(random.nextLong(), i % 20 == 0 ? NODES_MAX : 1 + random.nextInt(5));
      assertEquals(answers.get(i), amongOthers.replicas(keys.get(i), count));
      other.replicas("key" + i, 1 + random.nextInt(5));
      assertEquals(answers.get(i).get(0), amongOthers.primary(keys.get(i)));
    }
  }

  @Property(tries = 300)
  void noReplicaIsListedTwiceAndNoneIsMissing(
      @ForAll Collisions rule,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = NODES_MAX) int size,
      @ForAll @IntRange(min = 1, max = 5) int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> nodes = anyKindOf(random, Clusters.random(random, size));
    Placement placement = placement(nodes, anyHash(random), rule);
    for (int i = 0; i < KEYS; i++) {
      List<Node> replicas = placement.replicas(random.nextLong(), count);
      assertEquals(Math.min(count, size), Set.copyOf(replicas).size());
      assertEquals(Math.min(count, size), replicas.size());
    }
  }

  // The least movement.

  @Property(tries = 400)
  void onlyJoiningNodesGainReplicas(
      @ForAll Collisions rule,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = NODES_MAX) int size,
      @ForAll @IntRange(min = 1, max = 20) int joining,
      @ForAll @IntRange(min = 1, max = 5) int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> large = Clusters.random(random, size + joining);
    large = random.nextBoolean() ? large : Clusters.weighted(random, large);
    List<Node> small = large.subList(0, size);
    SeededHash hash = rule == Collisions.STABLE ? anyHash(random) : SeededHash.murmur3();
    Placement before = placement(small, hash, rule);
    Placement after = placement(large, hash, rule);
    for (int i = 0; i < KEYS; i++) {
      long key = random.nextLong();
      List<Node> was = before.replicas(key, count);
      List<Node> is = after.replicas(key, count);
      assertTrue(is.get(0).equals(was.get(0)) || !small.contains(is.get(0)), "primary moved");
      Set<Node> gained = minus(is, was);
      assertTrue(gained.stream().noneMatch(small::contains), () -> was + " became " + is);
      // Nor do those that keep a replica change places, while there are enough nodes of one weight.
      List<Node> kept = is.stream().filter(was::contains).toList();
      if (Nodes.weights(large) == null && count <= size) {
        assertEquals(was.stream().filter(kept::contains).toList(), kept);
      }
    }
  }

  @Property(tries = 400)
  void onlyKeysOfLeavingNodesMove(
      @ForAll Collisions rule,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = NODES_MAX) int size,
      @ForAll @IntRange(min = 1, max = 20) int leaving,
      @ForAll @IntRange(min = 1, max = 5) int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> large = Clusters.random(random, size + leaving);
    large = random.nextBoolean() ? large : Clusters.weighted(random, large);
    List<Node> small = large.subList(leaving, size + leaving);
    SeededHash hash = rule == Collisions.STABLE ? anyHash(random) : SeededHash.murmur3();
    Placement before = placement(large, hash, rule);
    Placement after = placement(small, hash, rule);
    for (int i = 0; i < KEYS; i++) {
      long key = random.nextLong();
      List<Node> was = before.replicas(key, count);
      List<Node> is = after.replicas(key, count);
      if (small.containsAll(was)) {
        assertEquals(was, is);
      }
      assertTrue(is.get(0).equals(was.get(0)) || !small.contains(was.get(0)), "primary moved");
      Set<Node> lost = minus(was, is);
      assertTrue(lost.stream().noneMatch(small::contains), () -> was + " became " + is);
    }
  }

  @Property(tries = 400)
  void aPrimaryDoesNotBecomeABackupUnlessThereAreMoreReplicasThanNodes(
      @ForAll Collisions rule,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = NODES_MAX) int size,
      @ForAll @IntRange(min = 1, max = 20) int changing,
      @ForAll @IntRange(min = 1, max = 5) int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> large = Clusters.random(random, size + changing);
    List<Node> small = large.subList(0, size);
    SeededHash hash = rule == Collisions.STABLE ? anyHash(random) : SeededHash.murmur3();
    Placement ofSmall = placement(small, hash, rule);
    Placement ofLarge = placement(large, hash, rule);
    int replicas = Math.min(count, size);
    for (int i = 0; i < KEYS; i++) {
      long key = random.nextLong();
      List<Node> inSmall = ofSmall.replicas(key, replicas);
      List<Node> inLarge = ofLarge.replicas(key, replicas);
      assertFalse(inLarge.subList(1, replicas).contains(inSmall.get(0)), "on scale-up");
      assertFalse(inSmall.subList(1, replicas).contains(inLarge.get(0)), "on scale-down");
    }
  }

  // Balance. For keys that fall on a node independently with probability p, the number X that does
  // is binomial, and by Bernstein's inequality |X - Kp| exceeds L/3 + sqrt(L²/9 + 2LKp(1-p)) with
  // a probability below 2e^-L. With L = 30 and a million comparisons in a run, one run in five
  // million would fail by chance.

  private static void assertNear(double share, long actual, int keys) {
    double exponent = 30;
    double variance = keys * share * (1 - share);
    double bound = exponent / 3 + Math.sqrt(exponent * exponent / 9 + 2 * exponent * variance);
    assertTrue(
        Math.abs(actual - share * keys) <= bound,
        () -> actual + " of " + keys + " keys, not within " + bound + " of " + share * keys);
  }

  @Property(tries = 30, shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
  void aJoiningNodeTakesItsShareAndLeavesTheOthersTheirs(
      @ForAll Collisions rule,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = NODES_MAX) int size) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> nodes = Clusters.random(random, size + 1);
    int keys = 50_000;
    Movement movement =
        Movement.between(
            placement(nodes.subList(0, size), SeededHash.murmur3(), rule),
            placement(nodes, SeededHash.murmur3(), rule),
            random.longs(keys),
            2);
    double share = 1.0 / (size + 1);
    assertNear(share, movement.primariesMoved(), keys);
    assertEquals(0, movement.movedBetweenStaying());
    for (Movement.Change change : movement.changes()) {
      assertNear(share, change.primariesAfter(), keys);
      if (size > 1) {
        assertNear(share, change.backupsAfter(), keys);
      }
    }
  }

  // Weights.

  @Property(tries = 30, shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
  void sharesFollowWeights(
      @ForAll Collisions rule,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = NODES_MAX) int size) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> nodes = Clusters.weighted(random, Clusters.random(random, size));
    Placement placement = placement(nodes, SeededHash.murmur3(), rule);
    double sum = nodes.stream().mapToDouble(Node::weight).sum();
    int keys = 20_000;
    Map<Node, Long> primaries =
        random
            .longs(keys)
            .mapToObj(placement::primary)
            .collect(Collectors.groupingBy(node -> node, Collectors.counting()));
    for (Node node : nodes) {
      assertNear(node.weight() / sum, primaries.getOrDefault(node, 0L), keys);
    }
  }

  @Property(tries = 300)
  void equalWeightsAreNoWeights(
      @ForAll Collisions rule,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = NODES_MAX) int size,
      @ForAll @IntRange(min = 1, max = 5) int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> nodes = Clusters.random(random, size);
    double weight = Math.exp(random.nextDouble(-600, 600));
    SeededHash hash = anyHash(random);
    Placement unweighted = placement(nodes, hash, rule);
    Placement weighted =
        placement(nodes.stream().map(node -> node.withWeight(weight)).toList(), hash, rule);
    // One node of next to no weight more, and all the others go the weighted way.
    List<Node> withStraw = new ArrayList<>(nodes);
    withStraw.add(Node.of("straw").withWeight(1e-300));
    Placement byCost = placement(withStraw, SeededHash.murmur3(), rule);
    Placement byScore = placement(nodes, SeededHash.murmur3(), rule);
    int[] expected = new int[Math.min(count, size)];
    int[] actual = new int[Math.min(count, size)];
    for (int i = 0; i < KEYS; i++) {
      long key = random.nextLong();
      unweighted.replicas(key, expected);
      weighted.replicas(key, actual);
      assertEquals(asList(expected), asList(actual));
      byScore.replicas(key, expected);
      byCost.replicas(key, actual);
      assertEquals(asList(expected), asList(actual));
    }
  }

  /**
   * Precisely: a primary moves only to or from the node; no other node gains a replica unless the
   * node loses one, or turns from backup to primary and so leaves a place among the backups.
   */
  @Property(tries = 400)
  void changingOneWeightMovesKeysOnlyToOrFromThatNode(
      @ForAll Collisions rule,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = NODES_MAX) int size,
      @ForAll @IntRange(min = 1, max = 5) int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> nodes = Clusters.random(random, size);
    nodes = random.nextBoolean() ? nodes : Clusters.weighted(random, nodes);
    int changed = random.nextInt(size);
    List<Node> reweighted = new ArrayList<>(nodes);
    reweighted.set(changed, nodes.get(changed).withWeight(Math.exp(random.nextDouble(-5, 5))));
    SeededHash hash = rule == Collisions.STABLE ? anyHash(random) : SeededHash.murmur3();
    Placement before = placement(nodes, hash, rule);
    Placement after = placement(reweighted, hash, rule);
    String id = nodes.get(changed).id();
    for (int i = 0; i < KEYS; i++) {
      long key = random.nextLong();
      List<String> was = ids(before.replicas(key, count));
      List<String> is = ids(after.replicas(key, count));
      if (!was.get(0).equals(is.get(0))) {
        assertTrue(was.get(0).equals(id) || is.get(0).equals(id), () -> was + " became " + is);
      }
      Set<String> gained = minus(is, was);
      gained.remove(id);
      boolean lost = was.contains(id) && !is.contains(id);
      boolean rose = was.indexOf(id) > 0 && is.indexOf(id) == 0;
      boolean fell = was.indexOf(id) == 0 && is.indexOf(id) > 0;
      assertTrue(gained.size() <= (lost || rose || fell ? 1 : 0), () -> was + " became " + is);
    }
  }

  // Zones.

  @Property(tries = 400)
  void replicasAreInAsManyZonesAsPossibleAndSpreadEvenly(
      @ForAll Collisions rule,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = NODES_MAX) int size,
      @ForAll @IntRange(min = 1, max = 8) int zones,
      @ForAll @IntRange(min = 1, max = 12) int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> nodes =
        Clusters.random(random, size).stream()
            .map(node -> node.withZone("z" + random.nextInt(zones)))
            .toList();
    nodes = random.nextBoolean() ? nodes : Clusters.weighted(random, nodes);
    Map<String, Integer> room = use(nodes);
    Placement placement = placement(nodes, anyHash(random), rule);
    for (int i = 0; i < KEYS; i++) {
      List<Node> replicas = placement.replicas(random.nextLong(), count);
      assertEquals(Math.min(count, size), Set.copyOf(replicas).size());
      Map<String, Integer> use = use(replicas);
      assertEquals(Math.min(replicas.size(), room.size()), use.size());
      int most = use.values().stream().mapToInt(used -> used).max().orElseThrow();
      room.forEach(
          (zone, nodesInZone) ->
              assertTrue(use.getOrDefault(zone, 0) >= Math.min(most - 1, nodesInZone)));
    }
  }

  /**
   * Precisely: for the places that leaving nodes leave, nodes that stay gain a replica each at
   * most; and all together one more, if the primary moves to another zone. A node without a zone is
   * one by itself.
   */
  @Property(tries = 1_000)
  void withZonesOneBackupMayMoveWhenThePrimaryChangesItsZone(
      @ForAll Collisions rule,
      @ForAll long seed,
      @ForAll @IntRange(min = 0, max = 10) int leaving,
      @ForAll @IntRange(min = 1, max = 60) int staying,
      @ForAll @IntRange(min = 0, max = 10) int joining,
      @ForAll @IntRange(min = 1, max = 5) int zones,
      @ForAll @IntRange(min = 1, max = 7) int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> all = Clusters.random(random, leaving + staying + joining);
    all = random.nextBoolean() ? all : Clusters.weighted(random, all);
    all = Clusters.zoned(random, all, zones);
    Set<Node> stay = Set.copyOf(all.subList(leaving, leaving + staying));
    SeededHash hash = rule == Collisions.STABLE ? anyHash(random) : SeededHash.murmur3();
    Placement before =
        placement(Clusters.shuffled(random, all.subList(0, leaving + staying)), hash, rule);
    Placement after =
        placement(Clusters.shuffled(random, all.subList(leaving, all.size())), hash, rule);
    for (int i = 0; i < KEYS; i++) {
      long key = random.nextLong();
      List<Node> was = before.replicas(key, count);
      List<Node> is = after.replicas(key, count);
      Node primary = is.get(0);
      boolean primaryMoved = !primary.equals(was.get(0));
      assertFalse(
          primaryMoved && stay.contains(primary) && stay.contains(was.get(0)), "primary moved");
      boolean primaryChangedZone =
          primaryMoved && (primary.zone() == null || !primary.zone().equals(was.get(0).zone()));
      long gainedByStaying = minus(is, was).stream().filter(stay::contains).count();
      long vacated = is.size() - was.stream().filter(stay::contains).count();
      assertTrue(
          gainedByStaying <= vacated + (primaryChangedZone ? 1 : 0), () -> was + " became " + is);
    }
  }

  // The material.

  private static Placement placement(List<Node> nodes, SeededHash hash, Collisions rule) {
    return RendezvousPlacement.builder().nodes(nodes).hash(hash).collisions(rule).build();
  }

  private static SeededHash anyHash(SplittableRandom random) {
    return random.nextBoolean()
        ? SeededHash.murmur3()
        : Clusters.coarse(random.nextInt(), 1 + random.nextInt(500));
  }

  private static Collisions anyRule(SplittableRandom random) {
    List<Collisions> rules = List.of(Collisions.values());
    return rules.get(random.nextInt(rules.size()));
  }

  private static List<Node> anyKindOf(SplittableRandom random, List<Node> nodes) {
    List<Node> weighted = random.nextBoolean() ? nodes : Clusters.weighted(random, nodes);
    return random.nextBoolean() ? weighted : Clusters.zoned(random, weighted, 4);
  }

  private static <T> T onNewThread(Supplier<T> task) {
    return CompletableFuture.supplyAsync(task, run -> new Thread(run).start()).join();
  }

  private static <T> Set<T> minus(List<T> list, List<T> other) {
    Set<T> rest = new HashSet<>(list);
    other.forEach(rest::remove);
    return rest;
  }

  private static List<String> ids(List<Node> nodes) {
    return nodes.stream().map(Node::id).toList();
  }

  private static Map<String, Integer> use(List<Node> nodes) {
    Map<String, Integer> use = new HashMap<>();
    nodes.forEach(node -> use.merge(String.valueOf(node.zone()), 1, Integer::sum));
    return use;
  }

  private static List<Integer> asList(int[] indexes) {
    return Arrays.stream(indexes).boxed().toList();
  }
}
