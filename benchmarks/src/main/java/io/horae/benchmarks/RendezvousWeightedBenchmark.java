package io.horae.benchmarks;

import io.horae.placement.Node;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * What does it cost to find the primary and one backup of a number key where nodes have weights?
 *
 * <p>Weights are 1 to 4 in turn. {@code linear} is the same rule without a library around it:
 * Guava's Murmur3, a logarithm for every score, and the least of them divided by the weights. It
 * gives the same answer, which the set-up checks. Of the peers none weights rendezvous hashing.
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="RendezvousWeightedBenchmark -prof gc"
 * mvn -q compile -Pbenchmarks -Dexec.args="RendezvousWeightedBenchmark -prof gc"
 * </pre>
 */
public class RendezvousWeightedBenchmark extends LookupBenchmark {

  @Param({"3", "10", "100", "1000"})
  private int nodes;

  private double[] weights;
  private final int[] into = new int[2];

  @Setup
  public void setUp() {
    create(Members.weighted(nodes));
    weights = members.stream().mapToDouble(Node::weight).toArray();
    for (int i = 0; i < 1_000; i++) {
      long before = key;
      int[] expected = horae().clone();
      key = before;
      Wheel.expect(Arrays.equals(linear(), expected), "another answer");
    }
  }

  @Benchmark
  public int[] horae() {
    placement.replicas(nextKey(), into);
    return into;
  }

  @Benchmark
  public int[] linear() {
    long key = nextKey();
    double primaryCost = Double.POSITIVE_INFINITY;
    double backupCost = Double.POSITIVE_INFINITY;
    double secondCost = Double.POSITIVE_INFINITY;
    int primary = 0;
    int backup = 0;
    int second = 0;
    for (int i = 0; i < functions.length; i++) {
      double u = (functions[i].hashLong(key).asInt() & 0xffff_ffffL) * 0x1p-32 + 0x1p-33;
      double asPrimary = -Math.log(1 - u) / weights[i];
      if (asPrimary < primaryCost) {
        primaryCost = asPrimary;
        primary = i;
      }
      double asBackup = -Math.log(u) / weights[i];
      if (asBackup < backupCost) {
        secondCost = backupCost;
        second = backup;
        backupCost = asBackup;
        backup = i;
      } else if (asBackup < secondCost) {
        secondCost = asBackup;
        second = i;
      }
    }
    into[0] = primary;
    into[1] = backup == primary ? second : backup;
    return into;
  }
}
