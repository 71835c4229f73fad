package io.horae.placement;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The continuum as its documents tell it, with no thought of speed: a {@link TreeMap} from points
 * to the nodes that have them, and the JDK's MD5. The model that the real one is compared with.
 */
final class NaiveKetama {

  private final List<Node> nodes;
  private final KetamaDialect.EqualPoints rule;
  private final TreeMap<Long, List<Node>> ring = new TreeMap<>();

  /** A continuum of nodes whose ids are their keys. */
  NaiveKetama(List<Node> nodes, int digests, KetamaDialect.EqualPoints rule) {
    this.nodes = nodes;
    this.rule = rule;
    for (Node node : nodes) {
      for (int i = 0; i < digests; i++) {
        ByteBuffer digest = md5(node.id() + "-" + i);
        for (int word = 0; word < 4; word++) {
          long point = Integer.toUnsignedLong(digest.getInt());
          ring.computeIfAbsent(point, p -> new ArrayList<>()).add(node);
        }
      }
    }
    ring.values().forEach(this::settle);
  }

  private void settle(List<Node> claims) {
    switch (rule) {
      case FIRST_LISTED -> {}
      case LAST_LISTED -> claims.subList(0, claims.size() - 1).clear();
      case LOWEST_NODE_KEY -> claims.sort(Comparator.comparing(Node::id));
    }
  }

  static ByteBuffer md5(String text) {
    try {
      byte[] digest = MessageDigest.getInstance("MD5").digest(text.getBytes(UTF_8));
      return ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  List<KetamaContinuum.Point> points() {
    List<KetamaContinuum.Point> points = new ArrayList<>();
    ring.forEach(
        (point, claims) ->
            claims.forEach(node -> points.add(new KetamaContinuum.Point(point, node))));
    return points;
  }

  List<Node> replicas(long hash, int count) {
    Set<Node> clockwise = new LinkedHashSet<>();
    ring.tailMap(hash).values().forEach(clockwise::addAll);
    ring.values().forEach(clockwise::addAll);
    clockwise.addAll(nodes);
    return clockwise.stream().limit(count).toList();
  }

  Node primary(long hash) {
    Map.Entry<Long, List<Node>> ceiling = ring.ceilingEntry(hash);
    return (ceiling == null ? ring.firstEntry() : ceiling).getValue().get(0);
  }
}
