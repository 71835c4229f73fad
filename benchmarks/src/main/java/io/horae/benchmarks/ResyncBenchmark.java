package io.horae.benchmarks;

import io.horae.placement.ClusterView;
import io.horae.placement.RendezvousPlacement;
import io.horae.resync.Codec;
import io.horae.resync.Decoded;
import io.horae.resync.Message;
import io.horae.resync.TimerNodeOptions;
import io.horae.resync.TimerRecord;
import io.horae.resync.TimerStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to take timers to their new homes when a node joins?
 *
 * <p>Each timer is on two nodes. {@code resync} is the whole job of all nodes, one after the other
 * in one thread, every message written as bytes and read from them; {@code resyncWithoutCodec}
 * hands messages over as they are. {@code copy} is the least that moving takes, once it is known
 * what moves where: the same records, in pages of a hundred, through the codec and into a store.
 * Nobody had to find them, to see that they arrived, or to let them go.
 *
 * <p>The nodes must also look at what does not move: {@code look} asks, once for each copy, where
 * it belongs, and does nothing else, and {@code copyAll} copies every record that a node holds, as
 * if all had moved. Results are for all timers together.
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="ResyncBenchmark -prof gc"
 * mvn -q compile -Pbenchmarks -Dexec.args="ResyncBenchmark -prof gc"
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ResyncBenchmark {

  private static final int REPLICAS = 2;
  private static final int PAGE = 100;
  private static final byte[] PAYLOAD = new byte[100];

  @Param({"1000", "10000", "100000"})
  private int timers;

  @Param({"3", "10", "50"})
  private int nodes;

  /** A cluster before the change, a new one for each invocation. */
  @State(Scope.Thread)
  public static class Cluster {
    private TimerCluster cluster;
    private ClusterView next;

    @Setup(Level.Invocation)
    public void setUp(ResyncBenchmark benchmark) {
      cluster = new TimerCluster(Members.of(benchmark.nodes), TimerNodeOptions.defaults());
      cluster.fill(benchmark.timers, REPLICAS, PAYLOAD);
      next = cluster.view().next(Members.of(benchmark.nodes + 1));
    }

    @TearDown(Level.Invocation)
    public void check(ResyncBenchmark benchmark) {
      cluster.check(benchmark.timers, REPLICAS);
    }
  }

  /** What moves. */
  @State(Scope.Thread)
  public static class Records {
    private List<TimerRecord> all;
    private List<TimerRecord> moved;
    private RendezvousPlacement after;
    private final int[] into = new int[REPLICAS];

    @Setup
    public void setUp(ResyncBenchmark benchmark) {
      ClusterView first = ClusterView.of(1, Members.of(benchmark.nodes));
      ClusterView second = first.next(Members.of(benchmark.nodes + 1));
      all = TimerCluster.records(first, benchmark.timers, REPLICAS, PAYLOAD);
      moved = ResyncCost.moved(all, first, second);
      after = RendezvousPlacement.of(second.after());
    }
  }

  @Benchmark
  public long resync(Cluster state) {
    state.cluster.writeBytes((message, length) -> {});
    state.cluster.change(state.next);
    return state.cluster.nowMs();
  }

  @Benchmark
  public long resyncWithoutCodec(Cluster state) {
    state.cluster.change(state.next);
    return state.cluster.nowMs();
  }

  @Benchmark
  public TimerStore copy(Records records) {
    return copy(records.moved);
  }

  @Benchmark
  public int copyAll(Records records) {
    int copies = 0;
    for (int node = 0; node < REPLICAS; node++) {
      copies += copy(records.all).size();
    }
    return copies;
  }

  private static TimerStore copy(List<TimerRecord> records) {
    TimerStore store = TimerStore.inMemory();
    for (int from = 0; from < records.size(); from += PAGE) {
      List<TimerRecord> page = records.subList(from, Math.min(from + PAGE, records.size()));
      byte[] frame = Codec.encode(new Message.Replicate(0, page));
      var message = (Message.Replicate) ((Decoded.Understood) Codec.decode(frame)).message();
      for (TimerRecord record : message.records()) {
        store.put(record, record.startMs() + record.intervalMs());
      }
    }
    return store;
  }

  @Benchmark
  public int look(Records records) {
    int sum = 0;
    for (TimerRecord record : records.all) {
      for (int copy = 0; copy < REPLICAS; copy++) {
        records.after.replicas(record.id(), records.into);
        sum += records.into[copy];
      }
    }
    return sum;
  }
}
