package io.horae.benchmarks;

import io.horae.placement.KetamaContinuum;
import io.horae.placement.Node;
import io.horae.placement.RendezvousPlacement;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.druid.server.router.RendezvousHasher;
import org.ishugaliy.allgood.consistent.hash.HashRing;
import org.ishugaliy.allgood.consistent.hash.node.SimpleNode;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to find the primary and one backup of a text key of 20 characters?
 *
 * <p>{@code ketama} is Horae's continuum and {@code allgood} a ring with as many points, 160 for
 * each node, hashed with Murmur3 in place of MD5. {@code rendezvous} and {@code druid} do without a
 * ring; Druid is asked twice, the second time without the node that it found first, as it finds one
 * only. Every placement has answers of its own.
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="RingBenchmark -prof gc"
 * mvn -q compile -Pbenchmarks -Dexec.args="RingBenchmark -prof gc"
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RingBenchmark {

  private static final int KEYS = 1 << 10;

  @Param({"4", "20", "200"})
  private int nodes;

  private final String[] keys = new String[KEYS];
  private KetamaContinuum ketama;
  private RendezvousPlacement rendezvous;
  private HashRing<SimpleNode> allgood;
  private final RendezvousHasher druid = new RendezvousHasher();
  private Set<String> druidIds;
  private final int[] into = new int[2];
  private int next;

  @Setup
  public void setUp() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < KEYS; i++) {
      keys[i] = String.format("user:%015d", random.nextLong(1_000_000_000_000_000L));
    }
    List<Node> members = Members.of(nodes);
    ketama = KetamaContinuum.of(members);
    rendezvous = RendezvousPlacement.of(members);
    allgood = Members.allgood(members);
    druidIds = new HashSet<>();
    members.forEach(node -> druidIds.add(node.id()));
    for (int i = 0; i < KEYS; i++) {
      Wheel.expect(allgood().size() == 2 && Set.copyOf(druid()).size() == 2, "too few replicas");
    }
  }

  private String nextKey() {
    next = (next + 1) & (KEYS - 1);
    return keys[next];
  }

  @Benchmark
  public int[] ketama() {
    ketama.replicas(nextKey(), into);
    return into;
  }

  @Benchmark
  public int[] rendezvous() {
    rendezvous.replicas(nextKey(), into);
    return into;
  }

  @Benchmark
  public Set<SimpleNode> allgood() {
    return allgood.locate(nextKey(), 2);
  }

  @Benchmark
  public List<String> druid() {
    byte[] key = nextKey().getBytes(StandardCharsets.UTF_8);
    List<String> found = new ArrayList<>(2);
    found.add(druid.chooseNode(druidIds, key));
    druidIds.remove(found.get(0));
    found.add(druid.chooseNode(druidIds, key));
    druidIds.add(found.get(0));
    return found;
  }
}
