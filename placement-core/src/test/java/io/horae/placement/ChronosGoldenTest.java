package io.horae.placement;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Placements against vectors of the shipped Chronos; see the source line of each file.
 *
 * <p>{@link Collisions#DECREMENT} is Chronos, so it must reproduce every row. The other two rules
 * must reproduce those of clusters whose node hashes do not collide, and are told apart from it by
 * all others.
 *
 * <p>Chronos takes lists in which a node stands twice, or has no name; a placement does not. Such a
 * list is tried under made-up names that hash to the same values. Each test counts the rows it
 * tried, so that none is left out unseen.
 */
class ChronosGoldenTest {

  private static final SeededHash MURMUR = SeededHash.murmur3();

  @Test
  void serverHashes_afterTheRule() {
    int cases = 0;
    int hashes = 0;
    int underOtherNames = 0;
    for (Golden vector : Golden.load("chronos-server-hashes.json").field("cases").items()) {
      String name = vector.field("name").text();
      List<String> ids = vector.field("nodes").texts();
      int[] raw = vector.field("raw").u32s();
      int[] settled = vector.field("hashes").u32s();

      assertArrayEquals(raw, hashes(ids), name);
      assertArrayEquals(settled, settled(raw, Collisions.DECREMENT), name);
      if (!ids.isEmpty()) {
        assertArrayEquals(settled, placement(ids, Collisions.DECREMENT).seeds(), name);
        underOtherNames += areNodes(ids) ? 0 : 1;
      }
      cases++;
      hashes += raw.length;
    }
    assertEquals(28, cases);
    assertEquals(327, hashes);
    assertEquals(5, underOtherNames);
  }

  @Test
  void serverHashes_otherRulesDifferWhereHashesCollideAndOnlyThere() {
    List<String> colliding = new ArrayList<>();
    for (Golden vector : Golden.load("chronos-server-hashes.json").field("cases").items()) {
      String name = vector.field("name").text();
      int[] raw = vector.field("raw").u32s();
      int[] settled = vector.field("hashes").u32s();
      boolean collides = !Nodes.distinct(raw);
      if (collides) {
        colliding.add(name);
      }
      assertEquals(collides, !Arrays.equals(settled, settled(raw, Collisions.INCREMENT)), name);
      assertArrayEquals(raw, settled(raw, Collisions.STABLE), name);
      // Counting up is counting down in a mirror: vectors of one rule are vectors of the other.
      assertArrayEquals(negated(settled), settled(negated(raw), Collisions.INCREMENT), name);
    }
    assertEquals(
        List.of(
            "dup_AAB",
            "real_collision",
            "real_collision_swapped",
            "triple_duplicate",
            "chain_adjacent_then_dup",
            "wrap_zero",
            "empty_strings"),
        colliding);
  }

  @Test
  void replicas_ofEveryClusterAndFactor() {
    Golden file = Golden.load("chronos-replicas.json");
    List<Golden> ids = file.field("ids").items();
    int clusters = 0;
    int rows = 0;
    int rowsOfNone = 0;
    for (Golden cluster : file.field("clusters").items()) {
      String name = cluster.field("name").text();
      List<String> nodes = cluster.field("nodes").texts();
      List<Collisions> rules = rulesThatAgree(nodes);
      for (Collisions rule : rules) {
        assertArrayEquals(cluster.field("hashes").u32s(), placement(nodes, rule).seeds(), name);
      }
      for (Map.Entry<String, Golden> vectors : cluster.field("by_rf").fields().entrySet()) {
        int count = Integer.parseInt(vectors.getKey());
        for (int row = 0; row < vectors.getValue().items().size(); row++) {
          long key = ids.get(row).u64();
          List<String> expected = named(vectors.getValue().item(row), nodes);
          for (Collisions rule : rules) {
            assertReplicas(expected, placement(nodes, rule), nodes, key, count, name);
          }
          rows += count == 0 ? 0 : 1;
          rowsOfNone += count == 0 ? 1 : 0;
        }
      }
      clusters++;
    }
    assertEquals(12, clusters);
    assertEquals(6_499, rows);
    assertEquals(36, rowsOfNone);
  }

  @Test
  void replicas_incrementDiffersOnCollidingClustersOnly() {
    Golden file = Golden.load("chronos-replicas.json");
    List<String> differing = new ArrayList<>();
    for (Golden cluster : file.field("clusters").items()) {
      List<String> nodes = cluster.field("nodes").texts();
      int[] seeds = placement(nodes, Collisions.INCREMENT).seeds();
      if (!Arrays.equals(cluster.field("hashes").u32s(), seeds)) {
        differing.add(cluster.field("name").text());
        assertTrue(differsSomewhere(nodes, Collisions.INCREMENT, Collisions.DECREMENT));
      }
    }
    assertEquals(List.of("dup_AAB", "real_collision"), differing);
  }

  @Test
  void scaling_replicasBeforeAndAfterAndFormerOnes() {
    int cases = 0;
    int rows = 0;
    List<String> colliding = new ArrayList<>();
    for (Golden vector : Golden.load("chronos-scaling.json").field("cases").items()) {
      String name = vector.field("name").text();
      Scaling scaling = Scaling.of(vector);
      boolean collides = !Nodes.distinct(hashes(scaling.before(), scaling.hash()));
      if (collides) {
        colliding.add(name);
      }
      for (Collisions rule : Collisions.values()) {
        RendezvousPlacement before = scaling.placement(scaling.before(), rule);
        RendezvousPlacement after = scaling.placement(scaling.after(), rule);
        if (rule == Collisions.DECREMENT && vector.has("new_hashes")) {
          assertArrayEquals(vector.field("new_hashes").u32s(), after.seeds(), name);
          assertArrayEquals(vector.field("old_hashes").u32s(), before.seeds(), name);
        }
        if (rule == Collisions.DECREMENT || !collides) {
          rows += scalingRows(vector, scaling.pool(), before, after);
        } else {
          int[] chronos = scaling.placement(scaling.before(), Collisions.DECREMENT).seeds();
          assertTrue(!Arrays.equals(chronos, before.seeds()), name);
        }
      }
      cases++;
    }
    assertEquals(8, cases);
    assertEquals(List.of("real_collision_resolved_by_leaving", "ut_collision_resolved"), colliding);
    // 370 rows, of which 54 and 60 belong to the two and are tried under one rule of three.
    assertEquals(3 * (370 - 54 - 60) + 54 + 60, rows);
  }

  private static int scalingRows(
      Golden vector, List<String> pool, RendezvousPlacement before, RendezvousPlacement after) {
    int count = vector.field("rf").index();
    List<Golden> rows = vector.field("rows").items();
    for (Golden row : rows) {
      long key = row.item(0).u64();
      List<String> now = ids(after.replicas(key, count));
      List<String> then = ids(before.replicas(key, count));
      List<String> former = then.stream().filter(id -> !now.contains(id)).toList();
      assertEquals(named(row.item(1), pool), now, row::toString);
      assertEquals(named(row.item(3), pool), then, row::toString);
      assertEquals(named(row.item(2), pool), former, row::toString);
    }
    return rows.size();
  }

  /**
   * A vector's clusters. Where it states the node hashes, they are what the rule has made of them;
   * the hash that a node has in the new cluster, where none collide, is the one it started from.
   */
  private record Scaling(
      List<String> pool, List<String> before, List<String> after, SeededHash hash) {

    static Scaling of(Golden vector) {
      if (!vector.has("new_hashes")) {
        ClusterView view = view(vector, "staying");
        List<String> pool = new ArrayList<>(ids(view.after()));
        pool.addAll(ids(view.leaving()));
        return new Scaling(pool, ids(view.before()), ids(view.after()), MURMUR);
      }
      Map<String, Integer> hashes = new HashMap<>();
      List<String> before = vector.field("old_nodes").texts();
      List<String> after = vector.field("new_nodes").texts();
      putAll(hashes, before, vector.field("old_hashes").u32s());
      putAll(hashes, after, vector.field("new_hashes").u32s());
      TableHash table = new TableHash().otherKeys(MURMUR);
      hashes.forEach(table::node);
      return new Scaling(vector.field("pool").texts(), before, after, table);
    }

    private static void putAll(Map<String, Integer> hashes, List<String> ids, int[] values) {
      IntStream.range(0, values.length).forEach(i -> hashes.put(ids.get(i), values[i]));
    }

    RendezvousPlacement placement(List<String> ids, Collisions rule) {
      return RendezvousPlacement.builder().nodes(nodes(ids)).hash(hash).collisions(rule).build();
    }
  }

  @Test
  void clusterView_blooms() {
    int blooms = 0;
    for (Golden vector : Golden.load("chronos-cluster-view.json").field("cases").items()) {
      for (Map.Entry<String, Golden> bloom : vector.field("bloom").fields().entrySet()) {
        long expected = bloom.getValue().u64();
        assertEquals(expected, ChronosViewId.bloom(Node.of(bloom.getKey())), bloom::toString);
        blooms++;
      }
    }
    assertEquals(76, blooms);
  }

  @Test
  void clusterView_idsAndHashes() {
    List<String> accepted = new ArrayList<>();
    List<String> rejected = new ArrayList<>();
    for (Golden vector : Golden.load("chronos-cluster-view.json").field("cases").items()) {
      String name = vector.field("name").text();
      if (isView(vector)) {
        accepted.add(name);
        ClusterView view = view(vector, "effective_staying");
        assertEquals(vector.field("view_id").text(), ChronosViewId.of(view), name);
        assertSeeds(vector.field("new_hashes"), ids(view.after()), name);
        assertSeeds(vector.field("old_hashes"), ids(view.before()), name);
      } else {
        rejected.add(name);
        assertThrows(IllegalArgumentException.class, () -> view(vector, "effective_staying"), name);
        assertIdAndSeedsWithoutView(vector, name);
      }
    }
    assertEquals(
        List.of("default_empty", "single", "three", "ut_conf", "hosts8", "ipv6", "fifty"),
        accepted);
    assertEquals(List.of("three_reordered_dup", "leaving_only"), rejected);
  }

  /** What such a case says of the parts that exist here: nodes named once, and their hashes. */
  private static void assertIdAndSeedsWithoutView(Golden vector, String name) {
    List<String> after = concat(vector.field("effective_staying"), vector.field("joining"));
    List<String> before = concat(vector.field("effective_staying"), vector.field("leaving"));
    List<Node> once = nodes(after.stream().distinct().toList());
    String id = once.isEmpty() ? "0" : ChronosViewId.of(ClusterView.of(1, once));
    assertEquals(vector.field("view_id").text(), id, name);
    assertSeeds(vector.field("new_hashes"), after, name);
    assertSeeds(vector.field("old_hashes"), before, name);
  }

  private static void assertSeeds(Golden expected, List<String> ids, String name) {
    if (ids.isEmpty()) {
      assertEquals(List.of(), expected.items(), name);
      assertThrows(
          IllegalArgumentException.class, () -> placement(ids, Collisions.DECREMENT), name);
    } else {
      for (Collisions rule : rulesThatAgree(ids)) {
        assertArrayEquals(expected.u32s(), placement(ids, rule).seeds(), name);
      }
    }
  }

  @Test
  void timerCollisions_fromATable() {
    int cases = 0;
    int rows = 0;
    List<String> colliding = new ArrayList<>();
    for (Golden vector : Golden.load("chronos-timer-collisions.json").field("cases").items()) {
      String name = vector.field("name").text();
      List<String> nodes = vector.field("nodes").texts();
      int[] seeds = vector.field("server_hashes").u32s();
      int[] scores = vector.field("timer_hashes").u32s();
      long key = vector.field("id").u64();
      TableHash hash = new TableHash();
      for (int i = 0; i < seeds.length; i++) {
        hash.node(nodes.get(i), seeds[i]).key(key, seeds[i], scores[i]);
      }
      List<Collisions> rules = new ArrayList<>(List.of(Collisions.values()));
      if (!Nodes.distinct(scores)) {
        colliding.add(name);
        rules.remove(Collisions.STABLE);
      }
      assertEquals(vector.field("ascending").texts(), ascending(nodes, scores), name);
      for (Collisions rule : rules) {
        RendezvousPlacement placement =
            RendezvousPlacement.builder().nodes(nodes(nodes)).hash(hash).collisions(rule).build();
        for (Map.Entry<String, Golden> row : vector.field("replicas_by_rf").fields().entrySet()) {
          int count = Integer.parseInt(row.getKey());
          assertReplicas(row.getValue().texts(), placement, nodes, key, count, name);
          rows++;
        }
      }
      cases++;
    }
    assertEquals(7, cases);
    assertEquals(
        List.of(
            "doc_A800_B800_C900",
            "comment_10_40_10_30",
            "comment_chained_10_11_10_11",
            "all_equal",
            "wrap_max"),
        colliding);
    // 39 rows under two rules, and the 10 without collisions under the third.
    assertEquals(2 * 39 + 10, rows);
  }

  private static List<String> ascending(List<String> nodes, int[] scores) {
    int[] settled = Arrays.copyOf(scores, scores.length + 1);
    Collisions.settleScores(settled, scores.length);
    assertEquals(0, settled[scores.length], "beyond the count");
    return IntStream.range(0, scores.length)
        .boxed()
        .sorted(Comparator.comparingLong(i -> Integer.toUnsignedLong(settled[i])))
        .map(nodes::get)
        .toList();
  }

  private static void assertReplicas(
      List<String> expected,
      RendezvousPlacement placement,
      List<String> ids,
      long key,
      int count,
      String name) {
    if (count == 0) {
      // Chronos answers with nobody; a key that lives nowhere is a mistake here.
      assertEquals(List.of(), expected, name);
      assertThrows(IllegalArgumentException.class, () -> placement.replicas(key, 0), name);
      assertThrows(IllegalArgumentException.class, () -> placement.replicas(key, new int[0]), name);
      return;
    }
    int[] into = new int[count];
    int found = placement.replicas(key, into);
    List<Integer> indexes = Arrays.stream(into).limit(found).boxed().toList();
    assertEquals(expected, indexes.stream().map(ids::get).toList(), () -> name + ", key " + key);
    assertEquals(
        indexes.stream().map(placement.nodes()::get).toList(), placement.replicas(key, count));
    assertEquals(placement.nodes().get(into[0]), placement.primary(key));
  }

  private static boolean differsSomewhere(List<String> ids, Collisions one, Collisions other) {
    RendezvousPlacement first = placement(ids, one);
    RendezvousPlacement second = placement(ids, other);
    return IntStream.range(0, 1_000)
        .anyMatch(key -> !first.replicas(key, 3).equals(second.replicas(key, 3)));
  }

  /** The rule of Chronos, and all of them for a cluster without collisions. */
  private static List<Collisions> rulesThatAgree(List<String> ids) {
    return Nodes.distinct(hashes(ids))
        ? List.of(Collisions.values())
        : List.of(Collisions.DECREMENT);
  }

  /** A placement on these nodes or, if they cannot be told apart, on others of the same hashes. */
  private static RendezvousPlacement placement(List<String> ids, Collisions rule) {
    RendezvousPlacement.Builder builder = RendezvousPlacement.builder().collisions(rule);
    if (areNodes(ids)) {
      return builder.nodes(nodes(ids)).build();
    }
    assertThrows(IllegalArgumentException.class, () -> RendezvousPlacement.of(nodes(ids)));
    TableHash hash = new TableHash().otherKeys(MURMUR);
    List<Node> standIns = new ArrayList<>();
    for (String id : ids) {
      Node standIn = Node.of("stand-in " + standIns.size());
      hash.node(standIn.id(), MURMUR.hash(id.getBytes(UTF_8), 0));
      standIns.add(standIn);
    }
    return builder.nodes(standIns).hash(hash).build();
  }

  private static boolean areNodes(List<String> ids) {
    return new HashSet<>(ids).size() == ids.size() && ids.stream().noneMatch(String::isBlank);
  }

  private static boolean isView(Golden vector) {
    List<String> after = concat(vector.field("effective_staying"), vector.field("joining"));
    return !after.isEmpty() && areNodes(after);
  }

  private static ClusterView view(Golden vector, String staying) {
    return ClusterView.of(
        1,
        nodes(vector.field(staying).texts()),
        nodes(vector.field("joining").texts()),
        nodes(vector.field("leaving").texts()));
  }

  private static int[] hashes(List<String> ids) {
    return hashes(ids, MURMUR);
  }

  private static int[] hashes(List<String> ids, SeededHash hash) {
    return ids.stream().mapToInt(id -> hash.hash(id.getBytes(UTF_8), 0)).toArray();
  }

  private static int[] settled(int[] hashes, Collisions rule) {
    int[] settled = hashes.clone();
    rule.settleSeeds(settled);
    return settled;
  }

  private static int[] negated(int[] hashes) {
    return Arrays.stream(hashes).map(hash -> -hash).toArray();
  }

  private static List<String> named(Golden indexes, List<String> ids) {
    return indexes.items().stream().map(index -> ids.get(index.index())).toList();
  }

  private static List<String> concat(Golden first, Golden second) {
    return Stream.concat(first.texts().stream(), second.texts().stream()).toList();
  }

  private static List<String> ids(List<Node> nodes) {
    return nodes.stream().map(Node::id).toList();
  }

  private static List<Node> nodes(List<String> ids) {
    return ids.stream().map(Node::of).toList();
  }
}
