package io.horae.placement;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Continuums against vectors of the real clients; see the source line of each file. Each test
 * counts the rows it tried, so that none is left out unseen.
 */
class KetamaGoldenTest {

  @Test
  void couchbase_pointsAndLookups() {
    int points = 0;
    int lookups = 0;
    for (Golden ring : Golden.load("ketama-rfc26.json").field("rings").items()) {
      KetamaContinuum continuum = KetamaContinuum.of(nodes(ring.field("nodes").texts()));
      points += assertPoints(ring, continuum);
      lookups += assertLookups(ring.field("lookups"), continuum);
    }
    assertEquals(640 + 160 + 480, points);
    assertEquals(200 + 20 + 60, lookups);
  }

  @Test
  void couchbase_equalPoints_areTheLowestNodeKeys() {
    int keys = 0;
    for (Golden tie : Golden.load("ketama-rfc26.json").field("ties").items()) {
      List<Node> nodes = nodes(tie.field("nodes").texts());
      KetamaContinuum libcouchbase = KetamaContinuum.of(nodes);
      keys += assertTie(tie, "libcouchbase", libcouchbase);
      // The Java clients of Couchbase put points into a map.
      keys += assertTie(tie, "java", continuum(KetamaDialect.SPYMEMCACHED, nodes));
      String owner = tie.field("java_owner").text();
      List<String> javaPoint = owners(continuum(KetamaDialect.SPYMEMCACHED, nodes), tie);
      assertEquals(List.of(owner), javaPoint);
      assertEquals(2, owners(libcouchbase, tie).size());
    }
    assertEquals(4 * 2 * 4, keys);
  }

  @Test
  void spymemcached_pointsLookupsAndAttempts() {
    int points = 0;
    int lookups = 0;
    int attempts = 0;
    List<String> names = new ArrayList<>();
    for (Golden ring : Golden.load("ketama-spymemcached.json").field("rings").items()) {
      String name = ring.field("name").text();
      names.add(name);
      KetamaContinuum continuum = spymemcached(ring);
      assertEquals(
          ring.field("node_keys").texts(),
          continuum.nodes().stream().map(continuum.dialect().nodeKey()).toList(),
          name);
      assertPointsPerNode(ring.field("points_per_node"), continuum, name);
      points += ring.has("points") ? assertPoints(ring, continuum) : 0;
      lookups += assertLookups(ring.field("lookups"), continuum);
      for (Golden sequence : ring.field("sequences").items()) {
        List<Node> expected =
            sequence.item(1).items().stream().map(i -> continuum.nodes().get(i.index())).toList();
        assertEquals(7, expected.size());
        assertEquals(expected, continuum.attempts(sequence.item(0).text(), 7), sequence::toString);
        attempts++;
      }
    }
    assertEquals(
        List.of(
            "rfc_ip_literals",
            "three_hosts",
            "libmemcached_default_port",
            "unresolved_jdk17",
            "weighted_3_7",
            "tie_list_order"),
        names);
    assertEquals(480 + 320 + 320, points);
    assertEquals(4 * 60 + 30 + 4, lookups);
    assertEquals(5 * 12 + 4, attempts);
  }

  /** A node's id is its key; but with ports, in the format that leaves some out. */
  private static KetamaContinuum spymemcached(Golden ring) {
    boolean libmemcached = ring.field("format").text().equals("LIBMEMCACHED");
    List<String> ids =
        libmemcached
            ? ring.field("nodes").texts().stream().map(KetamaGoldenTest::hostAndPort).toList()
            : ring.field("node_keys").texts();
    List<Node> nodes = nodes(ids);
    if (!ring.field("weights").isNull()) {
      nodes = weighted(nodes, ring.field("weights"));
    }
    return continuum(libmemcached ? KetamaDialect.LIBMEMCACHED : KetamaDialect.SPYMEMCACHED, nodes);
  }

  private static String hostAndPort(String node) {
    String[] parts = node.split("\\|", -1);
    return parts[1] + ":" + parts[parts.length - 1];
  }

  @Test
  void libketama_pointsAndLookups() {
    int points = 0;
    int lookups = 0;
    for (Golden ring : Golden.load("ketama-weighted.json").field("libketama").items()) {
      List<Node> nodes = weighted(nodes(ring.field("servers").texts()), ring.field("weights"));
      KetamaContinuum continuum = continuum(KetamaDialect.LIBKETAMA, nodes);
      assertPointsPerNode(ring.field("points_per_server"), continuum, ring.field("name").text());
      points += assertPoints(ring, continuum);
      lookups += assertLookups(ring.field("lookups"), continuum);
    }
    assertEquals(480 + 320 + 800, points);
    assertEquals(3 * 60, lookups);
  }

  @Test
  void twemproxy_pointsAndLookups() {
    KetamaDialect asShipped =
        KetamaDialect.TWEMPROXY.toBuilder().keyHash(KetamaHash.twemproxyFnv1a64()).build();
    int points = 0;
    int lookups = 0;
    int lookupsAsShipped = 0;
    for (Golden ring : Golden.load("ketama-weighted.json").field("twemproxy").items()) {
      List<Node> nodes =
          ring.field("config").texts().stream().map(KetamaGoldenTest::configured).toList();
      KetamaContinuum continuum = continuum(KetamaDialect.TWEMPROXY, nodes);
      assertEquals(
          ring.field("node_names").texts(),
          nodes.stream().map(continuum.dialect().nodeKey()).toList());
      assertPointsPerNode(ring.field("points_per_server"), continuum, nodes.toString());
      points += assertPoints(ring, continuum);
      lookups += assertLookups(ring.field("lookups_md5"), continuum);
      for (Golden row : ring.field("lookups_fnv1a_64_default").items()) {
        String key = row.item(0).text();
        assertHash(row.item(1).u32(), asShipped.keyHash(), key);
        assertEquals(nodes.get(row.item(2).index()), continuum(asShipped, nodes).primary(key), key);
        lookupsAsShipped++;
      }
    }
    assertEquals(480 + 320 + 784, points);
    assertEquals(3 * 60, lookups);
    assertEquals(3 * 25, lookupsAsShipped);
  }

  /** {@code host:port:weight}, and perhaps a name. */
  private static Node configured(String line) {
    String[] nameLast = line.split(" ", -1);
    int weightAt = nameLast[0].lastIndexOf(':');
    String id = nameLast.length > 1 ? nameLast[1] : nameLast[0].substring(0, weightAt);
    return Node.of(id).withWeight(Double.parseDouble(nameLast[0].substring(weightAt + 1)));
  }

  @Test
  void weighted_equalPoints_areTheFirstListed() {
    int keys = 0;
    for (Golden tie : Golden.load("ketama-weighted.json").field("ties").items()) {
      List<Node> nodes = nodes(tie.field("nodes").texts());
      keys += assertTie(tie, "libketama", continuum(KetamaDialect.LIBKETAMA, nodes));
      keys += assertTie(tie, "twemproxy", continuum(KetamaDialect.TWEMPROXY, nodes));
      assertEquals(
          tie.field("nodes").texts(), owners(continuum(KetamaDialect.LIBKETAMA, nodes), tie));
    }
    assertEquals(2 * 2 * 4, keys);
  }

  // What the files have in common.

  private static int assertPoints(Golden ring, KetamaContinuum continuum) {
    List<KetamaContinuum.Point> expected =
        ring.field("points").items().stream()
            .map(
                row ->
                    new KetamaContinuum.Point(
                        row.item(0).number(), continuum.nodes().get(row.item(1).index())))
            .toList();
    assertEquals(expected, continuum.points(), ring.field("name").text());
    return expected.size();
  }

  /** Rows of a key, its hash, the point it falls on and the node. */
  private static int assertLookups(Golden rows, KetamaContinuum continuum) {
    for (Golden row : rows.items()) {
      String key = row.item(0).text();
      assertHash(row.item(1).u32(), continuum.dialect().keyHash(), key);
      long point = row.item(2).number();
      Node owner = continuum.nodes().get(row.item(3).index());
      assertEquals(
          point,
          continuum
              .ring()
              .place(continuum.ring().ceiling(row.item(1).u32()) % continuum.points().size()),
          row::toString);
      assertEquals(owner, continuum.primary(key), row::toString);
      assertEquals(owner, continuum.replicas(key, 2).get(0), row::toString);
      int[] into = new int[1];
      continuum.primaries(List.of(key), into);
      assertEquals(row.item(3).index(), into[0], row::toString);
    }
    return rows.items().size();
  }

  private static void assertHash(int expected, KetamaHash hash, String key) {
    assertEquals(expected, hash.hash(key), key);
    assertEquals(expected, hash.hash(key.getBytes(UTF_8)), key);
    int[] hashes = new int[1];
    hash.hashAll(List.of(key), hashes);
    assertEquals(expected, hashes[0], key);
  }

  private static void assertPointsPerNode(
      Golden expected, KetamaContinuum continuum, String message) {
    int[] counts = new int[continuum.nodes().size()];
    continuum.points().forEach(point -> counts[continuum.nodes().indexOf(point.node())]++);
    assertEquals(
        expected.items().stream().map(Golden::index).toList(),
        Arrays.stream(counts).boxed().toList(),
        message);
  }

  private static int assertTie(Golden tie, String client, KetamaContinuum continuum) {
    List<String> keys = tie.field("keys").texts();
    assertEquals(
        tie.field(client).texts(),
        keys.stream().map(key -> continuum.primary(key).id()).toList(),
        client);
    assertEquals(tie.field(client + "_points").index(), continuum.points().size(), client);
    return keys.size();
  }

  /** The nodes that have the point that is equal, in the order they have it in. */
  private static List<String> owners(KetamaContinuum continuum, Golden tie) {
    return continuum.points().stream()
        .filter(point -> point.hash() == tie.field("point").number())
        .map(point -> point.node().id())
        .toList();
  }

  private static KetamaContinuum continuum(KetamaDialect dialect, List<Node> nodes) {
    return KetamaContinuum.builder().nodes(nodes).dialect(dialect).build();
  }

  private static List<Node> nodes(List<String> ids) {
    return ids.stream().map(Node::of).toList();
  }

  private static List<Node> weighted(List<Node> nodes, Golden weights) {
    return IntStream.range(0, nodes.size())
        .mapToObj(i -> nodes.get(i).withWeight(weights.item(i).index()))
        .toList();
  }
}
