package io.horae.benchmarks;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.horae.placement.Movement;
import io.horae.placement.Node;
import io.horae.placement.RendezvousPlacement;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
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
 * What does it cost to plan what moves when a node joins, for each key of a million?
 *
 * <p>The plan says how many keys each node gains and loses, as primary and as backup. The lookups
 * are the part of it that cannot be left out: the two replicas before and after. The textbook looks
 * both up in a {@link TreeMap} of Guava's hashes and counts gains and losses by node in a map.
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="MovementBenchmark"
 * mvn -q compile -Pbenchmarks -Dexec.args="MovementBenchmark"
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MovementBenchmark {

  private static final int KEYS = 1_000_000;

  @Param({"3", "10", "100"})
  private int nodes;

  private List<Node> members;
  private HashFunction[] functions;
  private RendezvousPlacement before;
  private RendezvousPlacement after;
  private final int[] beforeInto = new int[2];
  private final int[] afterInto = new int[2];

  @Setup
  public void setUp() {
    members =
        IntStream.rangeClosed(0, nodes).mapToObj(i -> Node.of("10.0.0." + i + ":7253")).toList();
    before = RendezvousPlacement.of(members.subList(0, nodes));
    after = RendezvousPlacement.of(members);
    HashFunction murmur3 = Hashing.murmur3_32_fixed();
    functions =
        members.stream()
            .map(node -> murmur3.hashString(node.id(), StandardCharsets.UTF_8).asInt())
            .map(Hashing::murmur3_32_fixed)
            .toArray(HashFunction[]::new);
    long gained = horae().copiesMoved();
    if (textbook().values().stream().filter(moved -> moved > 0).mapToLong(i -> i).sum() != gained) {
      throw new AssertionError("the textbook says otherwise");
    }
  }

  @Benchmark
  @OperationsPerInvocation(KEYS)
  public Movement horae() {
    return Movement.between(before, after, LongStream.range(0, KEYS), 2);
  }

  @Benchmark
  @OperationsPerInvocation(KEYS)
  public int lookups() {
    int sum = 0;
    for (long key = 0; key < KEYS; key++) {
      before.replicas(key, beforeInto);
      after.replicas(key, afterInto);
      sum += beforeInto[1] + afterInto[1];
    }
    return sum;
  }

  /** A node that joins gains, and the others do not: so it is enough to add up for each. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public Map<Node, Integer> textbook() {
    Map<Node, Integer> moved = new HashMap<>();
    for (long key = 0; key < KEYS; key++) {
      List<Node> from = textbook(key, nodes);
      List<Node> to = textbook(key, nodes + 1);
      for (Node node : to) {
        if (!from.contains(node)) {
          moved.merge(node, 1, Integer::sum);
        }
      }
      for (Node node : from) {
        if (!to.contains(node)) {
          moved.merge(node, -1, Integer::sum);
        }
      }
    }
    return moved;
  }

  private List<Node> textbook(long key, int size) {
    TreeMap<Long, Node> ring = new TreeMap<>();
    for (int i = 0; i < size; i++) {
      ring.put(Integer.toUnsignedLong(functions[i].hashLong(key).asInt()), members.get(i));
    }
    return List.of(
        Objects.requireNonNull(ring.firstEntry()).getValue(),
        Objects.requireNonNull(ring.lastEntry()).getValue());
  }
}
