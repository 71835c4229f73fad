package io.horae.benchmarks;

import io.horae.placement.KetamaContinuum;
import io.horae.placement.Node;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.spy.memcached.DefaultHashAlgorithm;
import net.spy.memcached.KetamaNodeLocator;
import net.spy.memcached.MemcachedNode;

/** The same servers for every client. Nobody is behind the addresses, and nothing connects. */
final class Servers {

  private static final int PORT = 11210;

  private Servers() {}

  static List<InetSocketAddress> addresses(int servers) {
    return IntStream.range(0, servers).mapToObj(Servers::address).toList();
  }

  private static InetSocketAddress address(int server) {
    byte[] bytes = {10, 0, (byte) (server >> 8), (byte) server};
    try {
      // With a name of its own, for no client to look one up.
      InetAddress ip = InetAddress.getByAddress(bytes);
      return new InetSocketAddress(InetAddress.getByAddress(ip.getHostAddress(), bytes), PORT);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  static KetamaContinuum horae(int servers) {
    return KetamaContinuum.of(
        addresses(servers).stream()
            .map(address -> Node.of(address.getAddress().getHostAddress() + ":" + PORT))
            .toList());
  }

  static KetamaNodeLocator spymemcached(int servers) {
    List<MemcachedNode> nodes =
        addresses(servers).stream()
            .map(
                address ->
                    answering(
                        MemcachedNode.class, Map.of("getSocketAddress", withoutName(address))))
            .toList();
    return new KetamaNodeLocator(nodes, DefaultHashAlgorithm.KETAMA_HASH);
  }

  /** Spymemcached would make the name a part of the node key. */
  private static InetSocketAddress withoutName(InetSocketAddress address) {
    try {
      return new InetSocketAddress(
          InetAddress.getByAddress(address.getAddress().getAddress()), PORT);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  /** Something that answers these calls as told, and others with null. */
  static <T> T answering(Class<T> type, Map<String, ?> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "equals" -> proxy == arguments[0];
                  case "hashCode" -> System.identityHashCode(proxy);
                  default -> answers.get(method.getName());
                }));
  }
}
