package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.spy.memcached.DefaultHashAlgorithm;
import net.spy.memcached.KetamaNodeKeyFormatter;
import net.spy.memcached.KetamaNodeLocator;
import net.spy.memcached.MemcachedNode;
import net.spy.memcached.util.DefaultKetamaNodeLocatorConfiguration;

/**
 * The continuum beside spymemcached's own {@code KetamaNodeLocator}, over random clusters and keys.
 * Its servers are addresses without anyone behind them: no name is looked up, nothing connects.
 */
class KetamaSpymemcachedProperties {

  private static final int KEYS = 60;

  static {
    // It asserts that there are 160 points to a node, which with weights is not so.
    KetamaSpymemcachedProperties.class
        .getClassLoader()
        .setClassAssertionStatus("net.spy.memcached.KetamaNodeLocator", false);
  }

  @Property(tries = 150, shrinking = ShrinkingMode.OFF)
  void findsTheServerThatSpymemcachedFinds(
      @ForAll KetamaNodeKeyFormatter.Format format, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<Node, InetSocketAddress> addresses = cluster(random, format);
    List<Node> nodes = List.copyOf(addresses.keySet());
    Map<InetSocketAddress, Integer> weights = new HashMap<>();
    if (nodes.stream().anyMatch(node -> node.weight() != 1)) {
      addresses.forEach((node, address) -> weights.put(address, (int) node.weight()));
    }
    List<MemcachedNode> servers = nodes.stream().map(node -> server(addresses.get(node))).toList();
    KetamaNodeLocator theirs =
        new KetamaNodeLocator(
            servers,
            DefaultHashAlgorithm.KETAMA_HASH,
            weights,
            new DefaultKetamaNodeLocatorConfiguration(new KetamaNodeKeyFormatter(format)));
    KetamaContinuum ours =
        KetamaContinuum.builder()
            .nodes(nodes)
            .dialect(
                format == KetamaNodeKeyFormatter.Format.SPYMEMCACHED
                    ? KetamaDialect.SPYMEMCACHED
                    : KetamaDialect.LIBMEMCACHED)
            .build();

    for (int i = 0; i < KEYS; i++) {
      String key = key(random);
      MemcachedNode primary = theirs.getPrimary(key);
      assertEquals(nodes.get(servers.indexOf(primary)), ours.primary(key), key);
      List<Node> attempts = new ArrayList<>();
      Iterator<MemcachedNode> next = theirs.getSequence(key);
      while (next.hasNext()) {
        attempts.add(nodes.get(servers.indexOf(next.next())));
      }
      assertEquals(7, attempts.size());
      assertEquals(attempts, ours.attempts(key, 7), key);
    }
  }

  private static Map<Node, InetSocketAddress> cluster(
      SplittableRandom random, KetamaNodeKeyFormatter.Format format) {
    Map<Node, InetSocketAddress> cluster = new LinkedHashMap<>();
    int size = 1 + random.nextInt(30);
    boolean weighted = random.nextBoolean();
    while (cluster.size() < size) {
      int host = random.nextInt(1 << 24);
      int port = random.nextBoolean() ? 11211 : 1 + random.nextInt(65_535);
      String ip = "10." + (host >> 16) + "." + ((host >> 8) & 255) + "." + (host & 255);
      String name = random.nextBoolean() ? "cache" + host + ".example.com" : null;
      boolean isLibmemcached = format == KetamaNodeKeyFormatter.Format.LIBMEMCACHED;
      // Without a name of its own, that format would look one up.
      String host1 = name == null && isLibmemcached ? ip : name;
      String id =
          isLibmemcached
              ? host1 + ":" + port
              : (host1 == null ? "" : host1 + "/") + ip + ":" + port;
      Node node = Node.of(id).withWeight(weighted ? 1 + random.nextInt(9) : 1);
      cluster.put(node, new InetSocketAddress(address(host1, host), port));
    }
    return cluster;
  }

  private static InetAddress address(String name, int host) {
    byte[] bytes = {10, (byte) (host >> 16), (byte) (host >> 8), (byte) host};
    try {
      return name == null ? InetAddress.getByAddress(bytes) : InetAddress.getByAddress(name, bytes);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  /** A server that knows its address and nothing else. */
  private static MemcachedNode server(InetSocketAddress address) {
    return (MemcachedNode)
        Proxy.newProxyInstance(
            MemcachedNode.class.getClassLoader(),
            new Class<?>[] {MemcachedNode.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getSocketAddress" -> address;
                  case "equals" -> proxy == arguments[0];
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "toString" -> address.toString();
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private static String key(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> "k" + random.nextInt(100);
      case 1 -> "user:" + random.nextLong();
      case 2 -> "\u00e9\u65e5\ud83d\ude00".repeat(1 + random.nextInt(8)) + random.nextInt();
      default -> "x".repeat(random.nextInt(250));
    };
  }
}
