package io.horae.benchmarks;

import io.horae.placement.Node;
import io.horae.placement.Placement;
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
 * What does a change of view cost a table of 16,384 partitions with two replicas? Beside the change
 * for a node that joins and for one that leaves, the table made anew.
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="TabulatedRebuildBenchmark"
 * mvn -q compile -Pbenchmarks -Dexec.args="TabulatedRebuildBenchmark"
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TabulatedRebuildBenchmark {

  @Param({"10", "100", "1000"})
  private int nodes;

  private Placement more;
  private Placement fewer;
  private TabulatedPlacement tableOfMore;
  private TabulatedPlacement tableOfFewer;

  @Setup
  public void setUp() {
    List<Node> members =
        IntStream.rangeClosed(0, nodes).mapToObj(i -> Node.of("10.0.0." + i + ":7253")).toList();
    more = RendezvousPlacement.of(members);
    fewer = RendezvousPlacement.of(members.subList(0, nodes));
    tableOfMore = TabulatedPlacement.of(more);
    tableOfFewer = TabulatedPlacement.of(fewer);
  }

  @Benchmark
  public TabulatedPlacement join() {
    return tableOfFewer.next(more);
  }

  @Benchmark
  public TabulatedPlacement leave() {
    return tableOfMore.next(fewer);
  }

  @Benchmark
  public TabulatedPlacement anew() {
    return TabulatedPlacement.of(more);
  }
}
