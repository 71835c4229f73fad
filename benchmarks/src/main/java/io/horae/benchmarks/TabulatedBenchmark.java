package io.horae.benchmarks;

import com.dynatrace.hash4j.consistent.ConsistentBucketHasher;
import com.dynatrace.hash4j.consistent.ConsistentHashing;
import com.google.common.hash.Hashing;
import io.horae.placement.Node;
import io.horae.placement.RendezvousPlacement;
import io.horae.placement.TabulatedPlacement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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
 * What does it cost to find the node of a number key when nothing has to be compared?
 *
 * <p>Horae's answer comes from a table of 16,384 partitions: the primary and a backup into an
 * array, or the primary as a node. Guava's jump hash and hash4j's JumpBackHash compute the number
 * of one node and know no backup; and of the nodes they number, none but the last can leave. The
 * rendezvous placement behind the table is there to compare with.
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="TabulatedBenchmark"
 * mvn -q compile -Pbenchmarks -Dexec.args="TabulatedBenchmark"
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TabulatedBenchmark {

  /** Steps through all numbers without two neighbours looking alike. */
  private static final long KEY_STEP = 0x9e3779b97f4a7c15L;

  @Param({"10", "100", "1000", "10000"})
  private int nodes;

  private RendezvousPlacement placement;
  private TabulatedPlacement table;
  private ConsistentBucketHasher jumpBack;
  private final int[] into = new int[2];
  private long key;

  @Setup
  public void setUp() {
    List<Node> members =
        IntStream.range(0, nodes).mapToObj(i -> Node.of("10.0.0." + i + ":7253")).toList();
    placement = RendezvousPlacement.of(members);
    table = TabulatedPlacement.of(placement);
    jumpBack = ConsistentHashing.jumpBackHashSplitMix64();
  }

  private long nextKey() {
    return key += KEY_STEP;
  }

  @Benchmark
  public int[] horae() {
    table.replicas(nextKey(), into);
    return into;
  }

  @Benchmark
  public Node horaePrimary() {
    return table.primary(nextKey());
  }

  @Benchmark
  public int guava() {
    return Hashing.consistentHash(nextKey(), nodes);
  }

  @Benchmark
  public int hash4j() {
    return jumpBack.getBucket(nextKey(), nodes);
  }

  @Benchmark
  public int[] rendezvous() {
    placement.replicas(nextKey(), into);
    return into;
  }
}
