package io.horae.benchmarks;

import com.google.common.hash.HashFunction;
import io.horae.placement.Node;
import io.horae.placement.RendezvousPlacement;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the questions to rendezvous hashing beyond the first have in common. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public abstract class LookupBenchmark {

  List<Node> members;
  RendezvousPlacement placement;

  /** Guava's Murmur3 under the seed of each node. */
  HashFunction[] functions;

  long key;

  final void create(List<Node> nodes) {
    members = nodes;
    placement = RendezvousPlacement.of(nodes);
    functions = Members.guava(nodes);
  }

  final long nextKey() {
    return key += Members.KEY_STEP;
  }

  /** All nodes by their scores for a key, as a textbook has it. */
  final NavigableMap<Long, Node> sorted(long key) {
    NavigableMap<Long, Node> ring = new TreeMap<>();
    for (int i = 0; i < functions.length; i++) {
      ring.put(Integer.toUnsignedLong(functions[i].hashLong(key).asInt()), members.get(i));
    }
    return ring;
  }
}
