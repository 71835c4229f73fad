package io.horae.placement;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KetamaTest {

  private static final Node A = Node.of("10.0.0.1:11211");
  private static final Node B = Node.of("10.0.0.2:11211");
  private static final Node C = Node.of("10.0.0.3:11211");
  private static final KetamaContinuum CONTINUUM = KetamaContinuum.of(List.of(A, B, C));

  private static final KetamaHash LENGTH = key -> key.length;

  // Bad input.

  @TestFactory
  Stream<DynamicTest> build_bad() {
    return Stream.of(
        rejected("null list", "nodes", () -> KetamaContinuum.of(null)),
        rejected("empty cluster", "[]", () -> KetamaContinuum.of(List.of())),
        rejected("no nodes set", "[]", () -> KetamaContinuum.builder().build()),
        rejected("null node", "node 1 ", () -> KetamaContinuum.of(Arrays.asList(A, null))),
        rejected("duplicate", "\"10.0.0.1:11211\"", () -> KetamaContinuum.of(List.of(A, B, A))),
        rejected(
            "duplicate node key",
            "\"cache\"",
            () -> in(KetamaDialect.LIBMEMCACHED, Node.of("cache"), Node.of("cache:11211"))),
        rejected(
            "no node key",
            "\"10.0.0.1:11211\"",
            () -> in(KetamaDialect.builder().nodeKey(node -> null).build(), A)),
        rejected("dialect", "dialect", () -> KetamaContinuum.builder().dialect(null)),
        rejected("weight", ": 0.5", () -> in(KetamaDialect.TWEMPROXY, A.withWeight(0.5), B)),
        rejected(
            "weight of libketama", "1.5", () -> in(KetamaDialect.LIBKETAMA, A.withWeight(1.5))),
        rejected("weight 0", ": 0.0", () -> in(KetamaDialect.LIBKETAMA, A.withWeight(0))),
        rejected("weight below 0", ": -2.0", () -> in(KetamaDialect.LIBKETAMA, A.withWeight(-2))),
        rejected(
            "huge weight", "3.0E9", () -> in(KetamaDialect.SPYMEMCACHED, A.withWeight(3e9), B)),
        rejected("too many nodes", "65537", () -> KetamaContinuum.of(numbered(65_537))),
        rejected(
            "too many points",
            String.valueOf(4L * 65_536 * 2_100),
            () ->
                in(
                    KetamaDialect.builder().digests(65_536).build(),
                    numbered(2_100).toArray(Node[]::new))));
  }

  @TestFactory
  Stream<DynamicTest> dialect_bad() {
    return Stream.of(
        rejected("node key", "node key", () -> KetamaDialect.builder().nodeKey(null)),
        rejected("key hash", "key hash", () -> KetamaDialect.builder().keyHash(null)),
        rejected("equal points", "equal", () -> KetamaDialect.builder().equalPoints(null)),
        rejected("digests 0", ": 0", () -> KetamaDialect.builder().digests(0)),
        rejected("digests", ": 65537", () -> KetamaDialect.builder().digests(65_537)),
        rejected("weighted", ": -1", () -> KetamaDialect.builder().weightedDigests(-1)));
  }

  @TestFactory
  Stream<DynamicTest> lookup_bad() {
    ToLongFunction<Node> none = node -> 0;
    return Stream.of(
        rejected("null key", "key", () -> CONTINUUM.primary(null)),
        rejected("null key, replicas", "key", () -> CONTINUUM.replicas(null, 1)),
        rejected("null key, attempts", "key", () -> CONTINUUM.attempts(null, 1)),
        rejected("null key, bounded", "key", () -> CONTINUUM.boundedPrimary(null, 1, none)),
        rejected("count", ": 0", () -> CONTINUUM.replicas("k", 0)),
        rejected("attempts", ": 0", () -> CONTINUUM.attempts("k", 0)),
        rejected("no room", "0", () -> CONTINUUM.replicas("k", new int[0])),
        rejected("no room, number", "0", () -> CONTINUUM.replicas(1, new int[0])),
        rejected("no array", "array", () -> CONTINUUM.replicas(1, null)),
        rejected("keys", "keys", () -> CONTINUUM.primaries(null, new int[1])),
        rejected("no array for many", "array", () -> CONTINUUM.primaries(List.of("a"), null)),
        rejected("short", "is 1", () -> CONTINUUM.primaries(List.of("a", "b"), new int[1])),
        rejected(
            "null among keys",
            "key",
            () -> CONTINUUM.primaries(Arrays.asList("a", null), new int[2])),
        rejected("factor", "0.99", () -> CONTINUUM.boundedPrimary("k", 0.99, none)),
        rejected(
            "factor a little below 1",
            "0.9999999999999999",
            () -> CONTINUUM.boundedPrimary("k", Math.nextDown(1.0), none)),
        rejected("factor NaN", "NaN", () -> CONTINUUM.boundedPrimary(1, Double.NaN, none)),
        rejected(
            "factor without end",
            "Infinity",
            () -> CONTINUUM.boundedPrimary(1, Double.POSITIVE_INFINITY, none)),
        rejected("load", "load", () -> CONTINUUM.boundedPrimary(1, 2, null)),
        rejected("negative load", ": -3", () -> CONTINUUM.boundedPrimary(1, 2, node -> -3)));
  }

  @TestFactory
  Stream<DynamicTest> arcs_bad() {
    KetamaContinuum other = in(KetamaDialect.builder().keyHash(LENGTH).build(), A, B);
    return Stream.of(
        rejected("before", "before", () -> ArcMovement.between(null, CONTINUUM)),
        rejected("after", "after", () -> ArcMovement.between(CONTINUUM, null)),
        rejected("hashes", "COUCHBASE", () -> ArcMovement.between(CONTINUUM, other)));
  }

  private static DynamicTest rejected(String name, String part, Executable call) {
    return DynamicTest.dynamicTest(
        name,
        () -> {
          String message = assertThrows(IllegalArgumentException.class, call).getMessage();
          assertTrue(message.contains(part), () -> "\"" + part + "\" is not in: " + message);
        });
  }

  // Odd input.

  @Test
  void primary_emptyKey_hashesToZeroInTwemproxyAlone() {
    KetamaDialect fnv =
        KetamaDialect.TWEMPROXY.toBuilder().keyHash(KetamaHash.twemproxyFnv1a64()).build();
    for (KetamaDialect dialect : List.of(KetamaDialect.TWEMPROXY, fnv)) {
      KetamaContinuum continuum = in(dialect, numbered(20).toArray(Node[]::new));
      Node first = continuum.points().get(0).node();
      int[] bulk = new int[1];
      continuum.primaries(List.of(""), bulk);
      assertEquals(first, continuum.primary(""));
      assertEquals(first, continuum.nodes().get(bulk[0]));
      assertEquals(first, continuum.replicas("", 2).get(0));
    }
    // MD5 of nothing begins with d41d8cd9; in ketama-rfc26.json, 3649838548.
    assertEquals((int) 3_649_838_548L, KetamaDialect.COUCHBASE.keyHash().hash(""));
  }

  @Test
  void replicas_nodeWithoutPoints_comesLast() {
    KetamaContinuum continuum =
        in(KetamaDialect.LIBKETAMA, A.withWeight(1), B.withWeight(10_000), C.withWeight(10_000));
    assertEquals(0, continuum.ownership().get(0).hashes());
    for (int key = 0; key < 100; key++) {
      assertEquals("10.0.0.1:11211", continuum.replicas(key, 3).get(2).id());
    }
  }

  @Test
  void replicas_nodesWithoutPoints_areInTheOrderOfTheList() {
    KetamaContinuum continuum = in(KetamaDialect.LIBKETAMA, A, B, C.withWeight(10_000));
    for (int key = 0; key < 100; key++) {
      assertEquals(List.of(C.withWeight(10_000), A, B), continuum.replicas(key, 3));
    }
  }

  @Test
  void replicas_manyNodes_areTheModels() {
    List<Node> nodes = numbered(300);
    KetamaContinuum continuum = KetamaContinuum.of(nodes);
    NaiveKetama naive = new NaiveKetama(nodes, 40, KetamaDialect.EqualPoints.LOWEST_NODE_KEY);
    assertEquals(naive.points(), continuum.points());
    for (int key = 0; key < 1_000; key++) {
      long hash = Integer.toUnsignedLong(KetamaHash.md5().hash("" + key));
      assertEquals(naive.primary(hash), continuum.primary("" + key));
    }
  }

  @Test
  void replicas_oneNodeOfOneDigest() {
    KetamaContinuum continuum = in(KetamaDialect.builder().digests(1).build(), A);
    assertEquals(4, continuum.points().size());
    for (int key = 0; key < 100; key++) {
      assertEquals(List.of(A), continuum.replicas(key, 3));
    }
    assertEquals(1.0, continuum.ownership().get(0).fraction());
  }

  @Test
  void build_mostNodes() {
    List<Node> nodes = numbered(65_536);
    KetamaContinuum continuum =
        in(KetamaDialect.builder().digests(1).build(), nodes.toArray(Node[]::new));
    Node last = nodes.get(65_535);
    KetamaContinuum.Point point =
        continuum.points().stream().filter(p -> p.node().equals(last)).findFirst().orElseThrow();
    assertEquals(
        last, nodes.get(continuum.ring().owner(continuum.ring().ceiling((int) point.hash()))));
  }

  // Dialects.

  @Test
  void points_weights_countWhereTheDialectHasThem() {
    Node heavy = B.withWeight(3);
    assertEquals(List.of(160L, 160L), pointCounts(in(KetamaDialect.COUCHBASE, A, heavy)));
    assertEquals(List.of(80L, 240L), pointCounts(in(KetamaDialect.LIBKETAMA, A, heavy)));
    assertEquals(List.of(80L, 240L), pointCounts(in(KetamaDialect.TWEMPROXY, A, heavy)));
    assertEquals(List.of(80L, 240L), pointCounts(in(KetamaDialect.SPYMEMCACHED, A, heavy)));
    KetamaDialect custom = KetamaDialect.builder().weightedDigests(10).build();
    assertEquals(List.of(20L, 60L), pointCounts(in(custom, A, heavy)));
    assertEquals(List.of(40L, 40L), pointCounts(in(custom, A, B)));
    assertEquals(List.of(4L, 80L), pointCounts(in(custom, A.withWeight(1e-9), B.withWeight(1e9))));
  }

  @Test
  void nodeKey_onlyTheDefaultPortAtTheEndIsLeftOut() {
    List<String> ids = List.of("a:11211", "b:11212", "c:11211:2", "d", "11211", "[::1]:11211");
    for (KetamaDialect dialect : List.of(KetamaDialect.LIBMEMCACHED, KetamaDialect.TWEMPROXY)) {
      assertEquals(
          List.of("a", "b:11212", "c:11211:2", "d", "11211", "[::1]"),
          ids.stream().map(Node::of).map(dialect.nodeKey()).toList());
    }
  }

  /** No share of equal weights may come out a digest short. */
  @Test
  void points_customWeights_equalOnesGiveEqualCounts() {
    KetamaDialect custom = KetamaDialect.builder().weightedDigests(3).build();
    for (int size = 1; size < 200; size++) {
      assertEquals(12 * size, in(custom, numbered(size).toArray(Node[]::new)).points().size());
    }
  }

  /**
   * Shares are computed in floats there, so that 42 of 80 is less than 63 digests of 120, but for
   * twemproxy, whose product is a float too, not. The numbers are those of the C expressions.
   */
  @Test
  void points_weights_loseWhatFloatsLose() {
    assertEquals(List.of(48L, 180L, 248L), weightedCounts(KetamaDialect.LIBKETAMA, 8, 30, 42));
    assertEquals(List.of(48L, 180L, 252L), weightedCounts(KetamaDialect.TWEMPROXY, 8, 30, 42));
    assertEquals(
        List.of(32L, 336L, 144L, 48L, 240L),
        weightedCounts(KetamaDialect.LIBKETAMA, 2, 21, 9, 3, 15));
    assertEquals(
        List.of(28L, 336L, 144L, 44L, 240L),
        weightedCounts(KetamaDialect.TWEMPROXY, 2, 21, 9, 3, 15));
  }

  private static List<Long> weightedCounts(KetamaDialect dialect, int... weights) {
    Node[] nodes =
        IntStream.range(0, weights.length)
            .mapToObj(i -> Node.of("10.0.0." + i + ":11211").withWeight(weights[i]))
            .toArray(Node[]::new);
    return pointCounts(in(dialect, nodes));
  }

  /** These two have a point in common, and letters beyond ASCII come after those of ASCII. */
  @Test
  void points_equal_lowestNodeKeyIsThatOfUnsignedBytes() {
    Node plain = Node.of("cache1381:11210");
    Node accented = Node.of("c\u00e4che202:11210");
    for (List<Node> nodes : List.of(List.of(plain, accented), List.of(accented, plain))) {
      KetamaContinuum continuum = KetamaContinuum.of(nodes);
      assertEquals(
          List.of(plain, accented),
          continuum.points().stream()
              .filter(point -> point.hash() == 2_262_978_992L)
              .map(KetamaContinuum.Point::node)
              .toList());
    }
  }

  @Test
  void toBuilder_keepsWhatIsNotSet() {
    KetamaDialect dialect =
        KetamaDialect.builder()
            .nodeKey(node -> "10." + node.id())
            .digests(3)
            .keyHash(LENGTH)
            .equalPoints(KetamaDialect.EqualPoints.FIRST_LISTED)
            .build();
    for (KetamaDialect one :
        List.of(dialect, KetamaDialect.TWEMPROXY, KetamaDialect.SPYMEMCACHED)) {
      KetamaDialect same = one.toBuilder().build();
      assertSame(one.nodeKey(), same.nodeKey());
      assertSame(one.digests(), same.digests());
      assertSame(one.keyHash(), same.keyHash());
      assertEquals(one.equalPoints(), same.equalPoints());
      assertEquals(one.emptyKeyHashesToZero(), same.emptyKeyHashesToZero());
    }
    assertEquals(KetamaDialect.EqualPoints.LAST_LISTED, KetamaDialect.LIBMEMCACHED.equalPoints());
  }

  @Test
  void hash_numbersAreTheirBytesTheLowestFirst() {
    for (KetamaHash hash : List.of(KetamaHash.md5(), KetamaHash.twemproxyFnv1a64())) {
      for (long key : new long[] {0, 1, -1, 1L << 31, 1L << 32, 0x0123456789abcdefL}) {
        byte[] bytes = ByteBuffer.allocate(8).putLong(Long.reverseBytes(key)).array();
        assertEquals(hash.hash(bytes), hash.hash(key));
      }
    }
  }

  /** Wherever the one odd character is: whole words of a key are looked at together. */
  @ParameterizedTest
  @ValueSource(strings = {"k", "\0"})
  void hash_oneCharacterBeyondAscii(String others) {
    KetamaHash md5 = KetamaHash.md5();
    KetamaHash fnv = KetamaHash.twemproxyFnv1a64();
    for (String odd :
        List.of("\u007f", "\u0080", "\u00ff", "\u0100", "\u0800", "\ud800", "\ud83d\ude00")) {
      for (int before = 0; before < 9; before++) {
        for (int after = 0; after < 5; after++) {
          String key = others.repeat(before) + odd + others.repeat(after);
          int[] bulk = new int[1];
          md5.hashAll(List.of(key), bulk);
          int expected = NaiveKetama.md5(key).getInt();
          assertEquals(expected, md5.hash(key), key);
          assertEquals(expected, bulk[0], key);
          assertEquals(fnv.hash(key.getBytes(UTF_8)), fnv.hash(key), key);
        }
      }
    }
  }

  @Test
  void custom_nodeKeyAndHash() {
    KetamaDialect dialect =
        KetamaDialect.builder().nodeKey(node -> "10." + node.id()).keyHash(LENGTH).build();
    KetamaContinuum continuum = in(dialect, Node.of("0.0.1:11211"), Node.of("0.0.2:11211"));
    KetamaContinuum plain = KetamaContinuum.of(List.of(A, B));
    assertEquals(
        plain.points().stream().map(KetamaContinuum.Point::hash).toList(),
        continuum.points().stream().map(KetamaContinuum.Point::hash).toList());
    assertEquals(continuum.primary("abc"), continuum.primary("xyz"));
    assertEquals(continuum.primary(7), continuum.primary("8 bytes!"));
  }

  @Test
  void attempts_areNotReplicas() {
    List<Node> attempts = in(KetamaDialect.SPYMEMCACHED, A, B, C).attempts("a", 30);
    assertEquals(30, attempts.size());
    assertEquals(3, attempts.stream().distinct().count());
  }

  // Arcs.

  @Test
  void arcs_countsAndText() {
    KetamaContinuum before = KetamaContinuum.of(List.of(A, B));
    ArcMovement movement = ArcMovement.between(before, CONTINUUM);
    long share = CONTINUUM.ownership().get(2).hashes();
    assertEquals(share, movement.hashesMoved());
    assertTrue(movement.toString().contains("of the ring"), movement::toString);
    assertTrue(movement.arcs().size() <= 161);
    assertEquals(List.of(), ArcMovement.between(CONTINUUM, CONTINUUM).arcs());
    ArcMovement swapped =
        ArcMovement.between(KetamaContinuum.of(List.of(A)), KetamaContinuum.of(List.of(B)));
    assertEquals(List.of(new ArcMovement.Arc(0, 0xffff_ffffL, A, B)), swapped.arcs());
    assertEquals(1.0, swapped.fractionMoved());
  }

  /** Nodes are matched by id: a weight that plays no part moves nothing. */
  @Test
  void arcs_weightWithoutEffect_moveNothing() {
    KetamaContinuum heavier = KetamaContinuum.of(List.of(A, B.withWeight(3), C));
    assertEquals(List.of(), ArcMovement.between(CONTINUUM, heavier).arcs());
  }

  /** Weights that change move points of nodes that stay. */
  @Test
  void arcs_weightChanges_moveBetweenStaying() {
    KetamaContinuum before = in(KetamaDialect.LIBKETAMA, A, B);
    KetamaContinuum after = in(KetamaDialect.LIBKETAMA, A, B.withWeight(3));
    ArcMovement movement = ArcMovement.between(before, after);
    assertTrue(movement.hashesMoved() > 0);
    assertEquals(movement.hashesMoved(), movement.hashesMovedBetweenStaying());
  }

  // Bounded loads.

  @Test
  void boundedPrimary_primaryWithRoom_isThePrimary() {
    for (int key = 0; key < 1_000; key++) {
      assertEquals(CONTINUUM.primary(key), CONTINUUM.boundedPrimary(key, 1.25, node -> 100));
      assertEquals(CONTINUUM.primary("" + key), CONTINUUM.boundedPrimary("" + key, 1.25, n -> 0));
    }
  }

  @Test
  void boundedPrimary_fullPrimary_isTheNextClockwise() {
    for (int key = 0; key < 1_000; key++) {
      List<Node> replicas = CONTINUUM.replicas(key, 3);
      assertEquals(
          replicas.get(2),
          CONTINUUM.boundedPrimary(key, 1, node -> node.equals(replicas.get(2)) ? 0 : 50));
    }
  }

  @Test
  void boundedPrimary_weights_boundInProportion() {
    KetamaContinuum continuum = in(KetamaDialect.LIBKETAMA, A, B.withWeight(3));
    Node light = continuum.nodes().get(0);
    // Of 100 keys, this one included, the light node's share is 25.
    for (int key = 0; key < 1_000; key++) {
      assertEquals(light, continuum.boundedPrimary(key, 1, n -> n.equals(light) ? 24 : 75));
      assertNotEquals(light, continuum.boundedPrimary(key, 1, n -> n.equals(light) ? 25 : 74));
    }
  }

  /** Half of 14 is 7, and not a little more, whatever the number of points. */
  @Test
  void boundedPrimary_wholeShares_areNotExceeded() {
    for (int perNode : new int[] {40, 41, 47, 49, 55, 57, 61, 100}) {
      KetamaContinuum continuum = in(KetamaDialect.builder().digests(perNode).build(), A, B);
      for (long half = 1; half < 300; half++) {
        long full = half;
        assertEquals(B, continuum.boundedPrimary(half, 1, n -> n.equals(A) ? full : full - 1));
        assertEquals(A, continuum.boundedPrimary(half, 1, n -> n.equals(A) ? full - 1 : full));
      }
    }
  }

  /** Four of 320 points are the only ones with room. */
  @Test
  void boundedPrimary_roomFarAway_isFound() {
    KetamaContinuum continuum = in(KetamaDialect.LIBKETAMA, A, B.withWeight(79));
    assertEquals(List.of(4L, 316L), pointCounts(continuum));
    for (int key = 0; key < 1_000; key++) {
      assertEquals(A, continuum.boundedPrimary(key, 1, n -> n.equals(A) ? 0 : 1_000));
    }
  }

  /** A load that grows while it is looked at must not keep the search going. */
  @Test
  void boundedPrimary_loadsThatRunAway_isThePrimary() {
    long[] load = {0};
    Node node = CONTINUUM.boundedPrimary("k", 1, any -> load[0]++ * 1_000_000);
    assertEquals(CONTINUUM.primary("k"), node);
  }

  // Cost.

  @ParameterizedTest
  @ValueSource(ints = {4, 20, 200, 1_000})
  void build_memory_isAtMostEightBytesAPoint(int size) {
    KetamaContinuum continuum = KetamaContinuum.of(numbered(size));
    assertTrue(continuum.ring().bytes() <= 8L * continuum.points().size());
  }

  @Test
  void lookups_allocateNothing() {
    List<String> keys = IntStream.range(0, 20_000).mapToObj(i -> "user:" + i).toList();
    List<String> longest =
        keys.stream().map(key -> (key + "x".repeat(55)).substring(0, 55)).toList();
    int[] two = new int[2];
    assertAllocatesNothing(keys, key -> CONTINUUM.primary(key).id().length());
    assertAllocatesNothing(longest, key -> CONTINUUM.primary(key).id().length());
    assertAllocatesNothing(keys, key -> CONTINUUM.replicas(key, two));
    assertAllocatesNothing(keys, key -> CONTINUUM.primary(key.length()).id().length());
    assertAllocatesNothing(keys, key -> CONTINUUM.replicas(key.length(), two));
    KetamaContinuum fnv =
        in(KetamaDialect.builder().keyHash(KetamaHash.twemproxyFnv1a64()).build(), A, B);
    assertAllocatesNothing(keys, key -> fnv.replicas(key, two));
  }

  private static void assertAllocatesNothing(List<String> keys, ToLongFunction<String> lookup) {
    assumeTrue(
        ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean
            && bean.isThreadAllocatedMemorySupported()
            && bean.isThreadAllocatedMemoryEnabled(),
        "this JVM does not count what a thread allocates");
    ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long sum = lookup.applyAsLong(keys.get(0));
    long before = bean.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < keys.size(); i++) {
      sum += lookup.applyAsLong(keys.get(i));
    }
    long bytes = bean.getCurrentThreadAllocatedBytes() - before;
    assertTrue(sum > 0);
    // The least object has 16 bytes. The JVM's own, such as for loading a class, are few.
    assertTrue(bytes < keys.size(), () -> bytes + " bytes in " + keys.size() + " lookups");
  }

  // Views.

  @Test
  void lists_areUnmodifiable() {
    for (List<?> list :
        List.of(
            CONTINUUM.points(),
            CONTINUUM.ownership(),
            CONTINUUM.attempts("k", 2),
            CONTINUUM.replicas("k", 2),
            ArcMovement.between(KetamaContinuum.of(List.of(A)), CONTINUUM).arcs())) {
      assertThrows(UnsupportedOperationException.class, () -> list.remove(0));
      assertThrows(UnsupportedOperationException.class, () -> list.set(0, null));
    }
    List<KetamaContinuum.Point> points = CONTINUUM.points();
    assertThrows(IndexOutOfBoundsException.class, () -> points.get(480));
    assertThrows(IndexOutOfBoundsException.class, () -> points.get(-1));
  }

  @Test
  void nodes_areCopied() {
    List<Node> nodes = new ArrayList<>(List.of(A, B));
    KetamaContinuum continuum = KetamaContinuum.of(nodes);
    nodes.clear();
    assertEquals(List.of(A, B), continuum.nodes());
    assertEquals("KetamaContinuum COUCHBASE" + List.of(A, B), continuum.toString());
  }

  @Test
  void primaries_moreRoomThanKeys_keepsTheRest() {
    int[] into = {7, 7, 7};
    CONTINUUM.primaries(List.of(), into);
    assertArrayEquals(new int[] {7, 7, 7}, into);
    CONTINUUM.primaries(List.of("a", "b"), into);
    assertEquals(7, into[2]);
    assertTrue(into[0] < 3 && into[1] < 3);
  }

  private static List<Long> pointCounts(KetamaContinuum continuum) {
    return continuum.nodes().stream()
        .map(n -> continuum.points().stream().filter(p -> p.node().equals(n)).count())
        .toList();
  }

  private static KetamaContinuum in(KetamaDialect dialect, Node... nodes) {
    return KetamaContinuum.builder().nodes(List.of(nodes)).dialect(dialect).build();
  }

  private static List<Node> numbered(int count) {
    return IntStream.range(0, count).mapToObj(i -> Node.of("node-" + i + ":11211")).toList();
  }
}
