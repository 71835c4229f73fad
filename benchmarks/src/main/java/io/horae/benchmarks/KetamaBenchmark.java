package io.horae.benchmarks;

import com.couchbase.client.core.config.DefaultMemcachedBucketConfig;
import com.couchbase.client.core.config.DefaultNodeInfo;
import com.couchbase.client.core.config.NodeInfo;
import com.couchbase.client.core.node.StandardMemcachedHashingStrategy;
import com.couchbase.client.core.service.ServiceType;
import com.google.code.yanf4j.core.Session;
import com.spotify.folsom.RawMemcacheClient;
import com.spotify.folsom.guava.HostAndPort;
import com.spotify.folsom.ketama.AddressAndClient;
import com.spotify.folsom.ketama.Continuum;
import io.horae.placement.KetamaContinuum;
import io.horae.placement.KetamaHash;
import io.horae.placement.Node;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import net.rubyeye.xmemcached.impl.KetamaMemcachedSessionLocator;
import net.rubyeye.xmemcached.networking.MemcachedSession;
import net.rubyeye.xmemcached.utils.InetSocketAddressWrapper;
import net.spy.memcached.KetamaNodeLocator;
import net.spy.memcached.MemcachedNode;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to find the server of a key of 20 characters on a Ketama continuum?
 *
 * <p>Spymemcached's, xmemcached's and Couchbase's lookups give the same answer as Horae's, which
 * the set-up checks; folsom hashes with Murmur3 and has a ring of its own. The floor is what a
 * lookup cannot do without if it uses the JDK's MD5: the digest of bytes that are there already, by
 * an instance that is reused, into an array that is reused, and a branch-free binary search of an
 * {@code int[]}.
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="KetamaBenchmark -prof gc"
 * mvn -q compile -Pbenchmarks -Dexec.args="KetamaBenchmark -prof gc"
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class KetamaBenchmark {

  private static final int KEYS = 1 << 10;

  @Param({"4", "20", "200"})
  private int servers;

  private final String[] keys = new String[KEYS];
  private final byte[][] keyBytes = new byte[KEYS][];
  private List<String> keyList;
  private final int[] into = new int[KEYS];
  private int next;

  private KetamaContinuum horae;
  private KetamaNodeLocator spymemcached;
  private KetamaMemcachedSessionLocator xmemcached;
  private DefaultMemcachedBucketConfig couchbase;
  private Continuum folsom;

  private MessageDigest md5;
  private final byte[] digest = new byte[16];
  private int[] points;

  @Setup
  public void setUp() throws NoSuchAlgorithmException {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < KEYS; i++) {
      keys[i] = String.format("user:%015d", random.nextLong(1_000_000_000_000_000L));
      keyBytes[i] = keys[i].getBytes(StandardCharsets.UTF_8);
    }
    keyList = Arrays.asList(keys);
    List<InetSocketAddress> addresses = Servers.addresses(servers);
    horae = Servers.horae(servers);
    spymemcached = Servers.spymemcached(servers);
    xmemcached = xmemcached(addresses);
    couchbase = couchbase(addresses);
    folsom = folsom(addresses);
    md5 = MessageDigest.getInstance("MD5");
    points = horae.points().stream().mapToInt(point -> (int) point.hash()).toArray();
    checkThatAllAgree();
  }

  private void checkThatAllAgree() {
    horae.primaries(keyList, into);
    for (int i = 0; i < KEYS; i++) {
      String expected = horae.primary(keys[i]).id();
      List<String> actual =
          List.of(
              horae.nodes().get(into[i]).id(),
              id((InetSocketAddress) spymemcached.getPrimary(keys[i]).getSocketAddress()),
              id(xmemcached.getSessionByKey(keys[i]).getRemoteSocketAddress()),
              couchbase.nodeForId(keyBytes[i]) + ":11210",
              horae.points().get(floorOf(i)).node().id());
      if (!actual.stream().allMatch(expected::equals)) {
        throw new AssertionError(keys[i] + " is on " + actual + ", not " + expected);
      }
    }
  }

  private static String id(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }

  private static KetamaMemcachedSessionLocator xmemcached(List<InetSocketAddress> addresses) {
    List<Session> sessions = new ArrayList<>();
    for (InetSocketAddress address : addresses) {
      InetSocketAddressWrapper named = new InetSocketAddressWrapper(address, 0, 1, null);
      named.setRemoteAddressStr(id(address));
      sessions.add(
          Servers.answering(
              MemcachedSession.class,
              Map.of(
                  "getRemoteSocketAddress",
                  address,
                  "getInetSocketAddressWrapper",
                  named,
                  "getWeight",
                  1,
                  "isClosed",
                  false)));
    }
    KetamaMemcachedSessionLocator locator = new KetamaMemcachedSessionLocator();
    locator.updateSessions(sessions);
    return locator;
  }

  private static DefaultMemcachedBucketConfig couchbase(List<InetSocketAddress> addresses) {
    List<NodeInfo> nodes =
        addresses.stream()
            .<NodeInfo>map(
                address ->
                    new DefaultNodeInfo(
                        address.getAddress().getHostAddress(),
                        Map.of(ServiceType.BINARY, address.getPort()),
                        Map.of(),
                        Map.of()))
            .toList();
    return new DefaultMemcachedBucketConfig(
        () -> StandardMemcachedHashingStrategy.INSTANCE,
        1,
        "bucket",
        "uri",
        "streamingUri",
        "sasl",
        nodes,
        null,
        List.of(),
        "origin");
  }

  private static Continuum folsom(List<InetSocketAddress> addresses) {
    return new Continuum(
        addresses.stream()
            .map(
                address ->
                    new AddressAndClient(
                        HostAndPort.fromString(id(address)),
                        Servers.answering(RawMemcacheClient.class, Map.of("isConnected", true))))
            .toList());
  }

  private int nextKey() {
    next = (next + 1) & (KEYS - 1);
    return next;
  }

  @Benchmark
  public Node horae() {
    return horae.primary(keys[nextKey()]);
  }

  @Benchmark
  @OperationsPerInvocation(KEYS)
  public int[] horaeBulk() {
    horae.primaries(keyList, into);
    return into;
  }

  @Benchmark
  public MemcachedNode spymemcached() {
    return spymemcached.getPrimary(keys[nextKey()]);
  }

  @Benchmark
  public Session xmemcached() {
    return xmemcached.getSessionByKey(keys[nextKey()]);
  }

  /** Its keys are bytes, so a text has to be made into them first. */
  @Benchmark
  public String couchbase() {
    return couchbase.nodeForId(keys[nextKey()].getBytes(StandardCharsets.UTF_8));
  }

  /** Its keys are bytes too. */
  @Benchmark
  public RawMemcacheClient folsom() {
    return folsom.findClient(keys[nextKey()].getBytes(StandardCharsets.UTF_8));
  }

  @Benchmark
  public int floor() {
    return floorOf(nextKey());
  }

  @Benchmark
  public int jdkMd5() {
    return jdkMd5(nextKey());
  }

  @Benchmark
  public int horaeMd5() {
    return KetamaHash.md5().hash(keys[nextKey()]);
  }

  @Benchmark
  public int horaeMd5OfBytes() {
    return KetamaHash.md5().hash(keyBytes[nextKey()]);
  }

  private int jdkMd5(int key) {
    md5.update(keyBytes[key]);
    try {
      md5.digest(digest, 0, digest.length);
    } catch (DigestException e) {
      throw new AssertionError(e);
    }
    return (digest[0] & 0xff)
        | (digest[1] & 0xff) << 8
        | (digest[2] & 0xff) << 16
        | (digest[3] & 0xff) << 24;
  }

  private int floorOf(int key) {
    int hash = jdkMd5(key) ^ Integer.MIN_VALUE;
    int base = 0;
    for (int size = points.length; size > 1; ) {
      int half = size >>> 1;
      base = (points[base + half - 1] ^ Integer.MIN_VALUE) < hash ? base + half : base;
      size -= half;
    }
    base += (points[base] ^ Integer.MIN_VALUE) < hash ? 1 : 0;
    return base == points.length ? 0 : base;
  }
}
