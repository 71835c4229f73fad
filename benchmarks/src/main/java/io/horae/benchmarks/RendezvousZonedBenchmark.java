package io.horae.benchmarks;

import io.horae.placement.Node;
import java.util.List;
import java.util.NavigableMap;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.cluster.ClusterNode;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * What does it cost to find the primary and one backup of a number key in two of three zones?
 *
 * <p>{@code textbook} sorts all scores and takes the last that is in another zone than the primary;
 * it gives Horae's answer, which the set-up checks. {@code ignite} assigns one partition with its
 * filter for backups in distinct zones.
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="RendezvousZonedBenchmark -prof gc"
 * mvn -q compile -Pbenchmarks -Dexec.args="RendezvousZonedBenchmark -prof gc"
 * </pre>
 */
public class RendezvousZonedBenchmark extends LookupBenchmark {

  private static final int PARTITIONS = 1_024;

  @Param({"3", "10", "100", "1000"})
  private int nodes;

  private List<ClusterNode> igniteNodes;
  private RendezvousAffinityFunction ignite;
  private final int[] into = new int[2];
  private int partition;

  @Setup
  public void setUp() {
    create(Members.zoned(nodes));
    igniteNodes = IgniteNode.of(members);
    ignite = IgniteNode.affinityByZone(PARTITIONS);
    for (int i = 0; i < 1_000; i++) {
      long before = key;
      int[] indexes = horae();
      List<Node> expected = List.of(members.get(indexes[0]), members.get(indexes[1]));
      key = before;
      Wheel.expect(textbook().equals(expected), "another answer");
      List<ClusterNode> assigned = ignite();
      Wheel.expect(
          !assigned.get(0).attributes().equals(assigned.get(1).attributes()),
          "the same zone twice");
    }
  }

  @Benchmark
  public int[] horae() {
    placement.replicas(nextKey(), into);
    return into;
  }

  @Benchmark
  public List<Node> textbook() {
    NavigableMap<Long, Node> ring = sorted(nextKey());
    Node primary = ring.pollFirstEntry().getValue();
    for (Node node : ring.descendingMap().values()) {
      if (!node.zone().equals(primary.zone())) {
        return List.of(primary, node);
      }
    }
    throw new AssertionError("all in one zone");
  }

  @Benchmark
  public List<ClusterNode> ignite() {
    partition = (partition + 1) & (PARTITIONS - 1);
    return ignite.assignPartition(partition, igniteNodes, 1, null);
  }
}
