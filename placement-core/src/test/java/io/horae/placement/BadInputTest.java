package io.horae.placement;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad values are refused, by name; odd ones are not. */
class BadInputTest {

  private static final Node A = Node.of("A");
  private static final Node B = Node.of("B");
  private static final Node C = Node.of("C");
  private static final RendezvousPlacement PLACEMENT = RendezvousPlacement.of(List.of(A, B, C));

  /** Longer than anyone wants to read in a log. */
  private static final String HUGE = "n".repeat(10_000);

  /** The longest message: two ids or zones of 80 characters, and words. */
  private static final int MESSAGE_MAX = 300;

  private static final List<Double> BAD_WEIGHTS =
      List.of(
          0.0,
          -0.0,
          -1.0,
          -Double.MIN_VALUE,
          -Double.MAX_VALUE,
          Double.NaN,
          Double.POSITIVE_INFINITY,
          Double.NEGATIVE_INFINITY);

  @TestFactory
  Stream<DynamicTest> node_bad() {
    Stream<DynamicTest> blankIds =
        Stream.of("", " ", "   ", "\t", "\n\r\n", "\u2003", "\u3000 \u2028")
            .map(id -> rejected("id \"" + id + '"', '"' + id + '"', () -> Node.of(id)));
    Stream<DynamicTest> blankZones =
        Stream.of("", " ", "\t\n", "\u3000")
            .map(zone -> rejected("zone " + zone, '"' + zone + '"', () -> A.withZone(zone)));
    Stream<DynamicTest> weights =
        BAD_WEIGHTS.stream()
            .map(w -> rejected("weight " + w, String.valueOf(w), () -> A.withWeight(w)));
    Stream<DynamicTest> weightsName =
        BAD_WEIGHTS.stream()
            .map(w -> rejected("weight names node " + w, "\"A\"", () -> new Node("A", w, null)));
    return Stream.of(
            Stream.of(
                rejected("id null", "null", () -> Node.of(null)),
                rejected("id null, all given", "null", () -> new Node(null, 1, "z")),
                rejected("zone names its node", "\"A\"", () -> A.withZone(" "))),
            blankIds,
            blankZones,
            weights,
            weightsName)
        .flatMap(tests -> tests);
  }

  @TestFactory
  Stream<DynamicTest> placement_badNodes() {
    return Stream.of(
        rejected("null list", "nodes", () -> RendezvousPlacement.of(null)),
        rejected("null list to the builder", "nodes", () -> builder().nodes(null)),
        rejected("empty cluster", "[]", () -> RendezvousPlacement.of(List.of())),
        rejected("no nodes set", "[]", () -> builder().build()),
        rejected("null node", "node 1 ", () -> RendezvousPlacement.of(Arrays.asList(A, null, B))),
        rejected("nothing but null", "node 0 ", () -> RendezvousPlacement.of(nulls(1))),
        rejected("duplicate", "\"A\"", () -> RendezvousPlacement.of(List.of(A, B, A))),
        rejected(
            "duplicate id of another weight and zone",
            "\"A\"",
            () -> RendezvousPlacement.of(List.of(A, A.withWeight(2).withZone("z")))),
        rejected("hash", "hash", () -> builder().hash(null)),
        rejected("collisions", "collisions", () -> builder().collisions(null)));
  }

  @TestFactory
  Stream<DynamicTest> replicas_bad() {
    Stream<DynamicTest> counts =
        Stream.of(0, -1, -7, Integer.MIN_VALUE)
            .flatMap(
                n ->
                    Stream.of(
                        rejected("count " + n, ": " + n, () -> PLACEMENT.replicas(1, n)),
                        rejected("text, count " + n, ": " + n, () -> PLACEMENT.replicas("k", n))));
    return Stream.concat(
        counts,
        Stream.of(
            rejected("no room", "0", () -> PLACEMENT.replicas(1, new int[0])),
            rejected("no room, text", "0", () -> PLACEMENT.replicas("k", new int[0])),
            rejected("no array", "array", () -> PLACEMENT.replicas(1, null)),
            rejected("no array, text", "array", () -> PLACEMENT.replicas("k", null)),
            rejected("null key", "key", () -> PLACEMENT.replicas(null, 1)),
            rejected("null key, array", "key", () -> PLACEMENT.replicas(null, new int[1])),
            rejected("null key, primary", "key", () -> PLACEMENT.primary(null))));
  }

  @TestFactory
  Stream<DynamicTest> clusterView_bad() {
    List<Node> none = List.of();
    return Stream.of(
        rejected("epoch -1", "-1", () -> ClusterView.of(-1, List.of(A))),
        rejected(
            "epoch least",
            String.valueOf(Long.MIN_VALUE),
            () -> ClusterView.of(Long.MIN_VALUE, List.of(A), none, none)),
        rejected("no nodes", "[]", () -> ClusterView.of(1, none)),
        rejected("no nodes in three", "[]", () -> ClusterView.of(1, none, none, none)),
        rejected("all leaving", "A", () -> ClusterView.of(1, none, none, List.of(A))),
        rejected(
            "staying and joining", "\"A\"", () -> ClusterView.of(1, List.of(A), List.of(A), none)),
        rejected(
            "staying and leaving", "\"A\"", () -> ClusterView.of(1, List.of(A), none, List.of(A))),
        rejected(
            "joining and leaving",
            "\"A\"",
            () -> ClusterView.of(1, List.of(B), List.of(A), List.of(A.withWeight(2)))),
        rejected("staying twice", "\"A\"", () -> ClusterView.of(1, List.of(A, A))),
        rejected("null nodes", "staying", () -> ClusterView.of(1, null)),
        rejected("null staying", "staying", () -> ClusterView.of(1, null, none, none)),
        rejected("null joining", "joining", () -> ClusterView.of(1, List.of(A), null, none)),
        rejected("null leaving", "leaving", () -> ClusterView.of(1, List.of(A), none, null)),
        rejected("null node", "node 0 ", () -> ClusterView.of(1, nulls(1))),
        rejected("null joins", "node 1 ", () -> ClusterView.of(1, List.of(A), nulls(1), none)),
        rejected("null leaves", "node 1 ", () -> ClusterView.of(1, List.of(A), none, nulls(1))),
        rejected("next null", "nodes", () -> view().next(null)),
        rejected("next empty", "[]", () -> view().next(none)),
        rejected("next with null", "node 0 ", () -> view().next(nulls(1))),
        rejected("next duplicate", "\"B\"", () -> view().next(List.of(B, B))),
        rejected("Chronos' id of null", "view", () -> ChronosViewId.of(null)),
        rejected("Chronos' filter of null", "node", () -> ChronosViewId.bloom(null)));
  }

  @TestFactory
  Stream<DynamicTest> movement_bad() {
    Placement p = PLACEMENT;
    return Stream.of(
        rejected("count 0", ": 0", () -> Movement.between(p, p, LongStream.of(1), 0)),
        rejected("count -3", ": -3", () -> Movement.between(p, p, Stream.of("k"), -3)),
        rejected("before", "before", () -> Movement.between(null, p, LongStream.of(1), 1)),
        rejected("before, text", "before", () -> Movement.between(null, p, Stream.of("k"), 1)),
        rejected("after", "after", () -> Movement.between(p, null, LongStream.of(1), 1)),
        rejected("after, text", "after", () -> Movement.between(p, null, Stream.of("k"), 1)),
        rejected("keys", "keys", () -> Movement.between(p, p, (LongStream) null, 1)),
        rejected("keys, text", "keys", () -> Movement.between(p, p, (Stream<String>) null, 1)),
        rejected("null key", "key", () -> Movement.between(p, p, Stream.of("k", null), 1)));
  }

  @TestFactory
  Stream<DynamicTest> message_staysShortForHugeIds() {
    Node huge = Node.of(HUGE);
    String start = HUGE.substring(0, 50);
    return Stream.of(
        rejected("blank id", "   ", () -> Node.of(" ".repeat(10_000))),
        rejected("blank zone", start, () -> huge.withZone(" ".repeat(10_000))),
        rejected("weight", start, () -> huge.withWeight(0)),
        rejected("duplicate", start, () -> RendezvousPlacement.of(List.of(huge, huge))),
        rejected(
            "in two lists",
            start,
            () -> ClusterView.of(1, List.of(huge), List.of(huge), List.of())),
        rejected(
            "all leave", "leave", () -> ClusterView.of(1, List.of(), List.of(), List.of(huge))),
        rejected(
            "many leave", "leave", () -> ClusterView.of(1, List.of(), List.of(), numbered(1_000))));
  }

  @Test
  void replicas_badCallLeavesThePlacementUsable() {
    List<Node> before = List.copyOf(PLACEMENT.replicas("k", 3));
    assertThrows(IllegalArgumentException.class, () -> PLACEMENT.replicas((String) null, 3));
    assertThrows(IllegalArgumentException.class, () -> PLACEMENT.replicas("k", 0));
    assertEquals(before, PLACEMENT.replicas("k", 3));
  }

  static final List<String> ODD_IDS =
      List.of(
          "\ud83d\ude00",
          "\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67",
          "\u05e9\u05e8\u05ea-1",
          "\u202eright-to-left\u202c",
          "n\u00f6de",
          "no\u0308de",
          "\u8282\u70b9",
          "\ud800",
          "\ud801",
          "\udc00",
          "\u0000",
          "\u00a0",
          "\u200b",
          "\ufeffnode",
          "a b\tc\n",
          "A",
          " A",
          "?",
          HUGE);

  @ParameterizedTest
  @FieldSource("ODD_IDS")
  void node_oddIdAlone(String id) {
    Node node = Node.of(id);
    assertEquals(id, node.id());
    for (Collisions rule : Collisions.values()) {
      assertEquals(List.of(node), placement(rule, List.of(node)).replicas("k", 2));
    }
  }

  @ParameterizedTest
  @EnumSource
  void replicas_oddIdsTogether(Collisions rule) {
    List<Node> nodes = ODD_IDS.stream().map(Node::of).toList();
    RendezvousPlacement placement = placement(rule, nodes);
    for (long key = 0; key < 1_000; key++) {
      List<Node> replicas = placement.replicas(key, nodes.size());
      assertEquals(nodes.size(), replicas.size());
      assertEquals(new HashSet<>(nodes), new HashSet<>(replicas));
    }
    assertEquals(nodes, ClusterView.of(1, nodes).after());
  }

  /** Neither has an encoding, so both hash as a question mark; they are two nodes all the same. */
  @ParameterizedTest
  @EnumSource
  void replicas_loneSurrogatesAreDifferentNodes(Collisions rule) {
    Node one = Node.of("\ud800");
    Node other = Node.of("\ud801");
    RendezvousPlacement placement = placement(rule, List.of(one, other));
    for (long key = 0; key < 100; key++) {
      List<Node> replicas = placement.replicas(key, 2);
      assertTrue(replicas.contains(one) && replicas.contains(other), replicas::toString);
    }
    assertNotEquals(ClusterView.of(1, List.of(one)).id(), ClusterView.of(1, List.of(other)).id());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\u0000", "\ud83d\ude00", "\ud800"})
  void replicas_oddKeys(String key) {
    assertEquals(3, new HashSet<>(PLACEMENT.replicas(key, 3)).size());
    assertEquals(PLACEMENT.replicas(key, 3).get(0), PLACEMENT.primary(key));
  }

  @Test
  void replicas_hugeKey() {
    assertEquals(3, new HashSet<>(PLACEMENT.replicas("k".repeat(1_000_000), 3)).size());
  }

  @ParameterizedTest
  @EnumSource
  void replicas_tenThousandNodes(Collisions rule) {
    List<Node> nodes = numbered(10_000);
    RendezvousPlacement placement = placement(rule, nodes);
    for (long key : new long[] {0, 1, -1, 100, Long.MAX_VALUE, Long.MIN_VALUE}) {
      List<Node> expected = sorted(nodes, key);
      for (int count : new int[] {1, 2, 3, 100, 10_000, 20_000}) {
        List<Node> replicas = placement.replicas(key, count);
        assertEquals(expected.subList(0, Math.min(count, 10_000)), replicas);
      }
      assertEquals(10_000, new HashSet<>(placement.replicas(key, 10_000)).size());
    }
  }

  /** Lowest first, then from the highest down; for nodes whose hashes do not collide. */
  private static List<Node> sorted(List<Node> nodes, long key) {
    SeededHash hash = SeededHash.murmur3();
    int[] seeds = nodes.stream().mapToInt(n -> hash.hash(n.id().getBytes(UTF_8), 0)).toArray();
    assertEquals(seeds.length, Arrays.stream(seeds).distinct().count(), "collisions among nodes");
    List<Node> descending =
        IntStream.range(0, seeds.length)
            .boxed()
            .sorted(
                Comparator.comparingLong(i -> -Integer.toUnsignedLong(hash.hash(key, seeds[i]))))
            .map(nodes::get)
            .toList();
    List<Node> sorted = new ArrayList<>(descending);
    sorted.add(0, sorted.remove(sorted.size() - 1));
    return sorted;
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 100, Integer.MAX_VALUE})
  void replicas_countAboveTheClusterSize(int count) {
    assertEquals(PLACEMENT.replicas(1, 3), PLACEMENT.replicas(1, count));
    assertEquals(3, PLACEMENT.replicas("k", count).size());
  }

  @Test
  void replicas_arrayAboveTheClusterSizeKeepsItsRest() {
    int[] ofLong = {-7, -7, -7, -7, -7};
    int[] ofText = ofLong.clone();
    assertEquals(3, PLACEMENT.replicas(1, ofLong));
    assertEquals(3, PLACEMENT.replicas("k", ofText));
    for (int[] into : List.of(ofLong, ofText)) {
      assertArrayEquals(new int[] {0, 1, 2}, Arrays.stream(into).limit(3).sorted().toArray());
      assertArrayEquals(new int[] {-7, -7}, Arrays.copyOfRange(into, 3, 5));
    }
  }

  @ParameterizedTest
  @EnumSource
  void replicas_oneNode(Collisions rule) {
    for (Node node : List.of(A, A.withWeight(Double.MIN_VALUE), A.withZone("z"))) {
      RendezvousPlacement alone = placement(rule, List.of(node));
      for (long key = 0; key < 100; key++) {
        assertEquals(List.of(node), alone.replicas(key, 1));
        assertEquals(List.of(node), alone.replicas(key, 5));
        assertEquals(node, alone.primary(key));
        assertEquals(node, alone.primary("key " + key));
      }
    }
  }

  /** Whoever weighs more comes first; among equals, scores decide as they do without weights. */
  @ParameterizedTest
  @EnumSource
  void replicas_leastAndGreatestWeights(Collisions rule) {
    List<Node> heavy = weighted(Double.MAX_VALUE, "heavy 1", "heavy 2");
    List<Node> light = weighted(Double.MIN_VALUE, "light 1", "light 2");
    RendezvousPlacement all =
        placement(rule, List.of(light.get(0), heavy.get(0), A, light.get(1), heavy.get(1)));
    RendezvousPlacement heavyOnes = placement(rule, heavy);
    RendezvousPlacement lightOnes = placement(rule, light);
    for (long key = 0; key < 2_000; key++) {
      List<Node> lowThenHigh = lightOnes.replicas(key, 2);
      List<Node> expected = new ArrayList<>(heavyOnes.replicas(key, 2));
      expected.addAll(List.of(A, lowThenHigh.get(1), lowThenHigh.get(0)));
      assertEquals(expected, all.replicas(key, 5));
    }
  }

  @TestFactory
  Stream<DynamicTest> list_isUnmodifiable() {
    ClusterView view = ClusterView.of(1, List.of(A), List.of(B), List.of(C));
    Movement movement = Movement.between(PLACEMENT, PLACEMENT, LongStream.of(1), 1);
    return Stream.of(
            List.of("nodes", PLACEMENT.nodes()),
            List.of("replicas", PLACEMENT.replicas(1, 2)),
            List.of("replicas of a text", PLACEMENT.replicas("k", 2)),
            List.of("staying", view.staying()),
            List.of("joining", view.joining()),
            List.of("leaving", view.leaving()),
            List.of("before", view.before()),
            List.of("after", view.after()),
            List.of("changes", movement.changes()))
        .map(
            named ->
                DynamicTest.dynamicTest(
                    (String) named.get(0), () -> assertUnmodifiable((List<?>) named.get(1))));
  }

  private static <T> void assertUnmodifiable(List<T> list) {
    List<T> before = List.copyOf(list);
    T first = list.get(0);
    assertThrows(UnsupportedOperationException.class, () -> list.add(first));
    assertThrows(UnsupportedOperationException.class, () -> list.set(0, first));
    assertThrows(UnsupportedOperationException.class, () -> list.remove(0));
    assertThrows(UnsupportedOperationException.class, () -> list.remove(first));
    assertThrows(UnsupportedOperationException.class, list::clear);
    Iterator<T> iterator = list.iterator();
    iterator.next();
    assertThrows(UnsupportedOperationException.class, iterator::remove);
    assertEquals(before, list);
  }

  @Test
  void nodes_areCopied() {
    List<Node> nodes = new ArrayList<>(List.of(A, B));
    RendezvousPlacement placement = RendezvousPlacement.of(nodes);
    ClusterView view = ClusterView.of(1, nodes);
    nodes.clear();
    assertEquals(List.of(A, B), placement.nodes());
    assertEquals(List.of(A, B), view.after());
  }

  /** A test that the call throws, with a message that holds the value and is not too long. */
  private static DynamicTest rejected(String name, String part, Executable call) {
    return DynamicTest.dynamicTest(
        name,
        () -> {
          String message = assertThrows(IllegalArgumentException.class, call).getMessage();
          assertTrue(message.contains(part), () -> "\"" + part + "\" is not in: " + message);
          assertTrue(
              message.length() <= MESSAGE_MAX,
              () -> message.length() + " characters: " + message.substring(0, MESSAGE_MAX));
        });
  }

  private static RendezvousPlacement.Builder builder() {
    return RendezvousPlacement.builder();
  }

  private static RendezvousPlacement placement(Collisions rule, Collection<Node> nodes) {
    return builder().nodes(nodes).collisions(rule).build();
  }

  private static ClusterView view() {
    return ClusterView.of(1, List.of(A, B));
  }

  private static List<Node> nulls(int count) {
    return Arrays.asList(new Node[count]);
  }

  private static List<Node> numbered(int count) {
    return IntStream.range(0, count).mapToObj(i -> Node.of("node-" + i + ":7253")).toList();
  }

  private static List<Node> weighted(double weight, String... ids) {
    return Stream.of(ids).map(id -> Node.of(id).withWeight(weight)).toList();
  }
}
