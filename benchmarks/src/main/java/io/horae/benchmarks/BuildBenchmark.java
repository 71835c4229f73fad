package io.horae.benchmarks;

import com.google.common.hash.HashFunction;
import io.horae.placement.BucketBalancer;
import io.horae.placement.BucketTable;
import io.horae.placement.Node;
import io.horae.placement.RendezvousPlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.cluster.ClusterNode;
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
 * What does it cost to build a placement from a list of nodes?
 *
 * <p>What is built differs, and so does what is left to do at a lookup; beside each other belong
 * (and rings are in {@link KetamaBuildBenchmark})
 *
 * <ul>
 *   <li>{@code rendezvous} and {@code guavaSeeds}, which hashes the ids of the nodes with Guava;
 *   <li>{@code buckets}, a table that nodes join, whose buckets are split and evened out, and
 *       {@code ignite}, which assigns 1,024 partitions.
 * </ul>
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="BuildBenchmark"
 * mvn -q compile -Pbenchmarks -Dexec.args="BuildBenchmark"
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class BuildBenchmark {

  private static final int PARTITIONS = 1_024;

  @Param({"10", "100", "1000"})
  private int nodes;

  private List<Node> members;
  private List<ClusterNode> igniteNodes;

  @Setup
  public void setUp() {
    members = Members.of(nodes);
    igniteNodes = IgniteNode.of(members);
    Wheel.expect(buckets().count(members.get(nodes - 1)) > 0, "not even");
  }

  @Benchmark
  public RendezvousPlacement rendezvous() {
    return RendezvousPlacement.of(members);
  }

  @Benchmark
  public HashFunction[] guavaSeeds() {
    return Members.guava(members);
  }

  @Benchmark
  public BucketTable buckets() {
    BucketTable table = BucketTable.initial(members.get(0));
    for (Node node : members.subList(1, nodes)) {
      table = table.join(node).table();
    }
    return BucketBalancer.byCounts().splitTo(3).plan(table).applyTo(table).table();
  }

  @Benchmark
  public List<List<ClusterNode>> ignite() {
    RendezvousAffinityFunction affinity = IgniteNode.affinity(PARTITIONS);
    List<List<ClusterNode>> table = new ArrayList<>(PARTITIONS);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      table.add(affinity.assignPartition(partition, igniteNodes, 1, null));
    }
    return table;
  }
}
