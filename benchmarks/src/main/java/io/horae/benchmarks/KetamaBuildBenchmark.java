package io.horae.benchmarks;

import io.horae.placement.KetamaContinuum;
import java.util.concurrent.TimeUnit;
import net.spy.memcached.KetamaNodeLocator;
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
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to build a continuum? All make the list of servers anew each time. Allgood's
 * ring has as many points as the others, hashed with Murmur3.
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="KetamaBuildBenchmark"
 * mvn -q compile -Pbenchmarks -Dexec.args="KetamaBuildBenchmark"
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class KetamaBuildBenchmark {

  @Param({"4", "100", "1000"})
  private int servers;

  @Benchmark
  public KetamaContinuum horae() {
    return Servers.horae(servers);
  }

  @Benchmark
  public KetamaNodeLocator spymemcached() {
    return Servers.spymemcached(servers);
  }

  @Benchmark
  public HashRing<SimpleNode> allgood() {
    return Members.allgood(Members.of(servers));
  }
}
