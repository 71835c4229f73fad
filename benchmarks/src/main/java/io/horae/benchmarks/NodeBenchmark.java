package io.horae.benchmarks;

import io.horae.resync.TimerNodeOptions;
import io.horae.resync.TimerSpec;
import io.horae.timer.TimerWheel;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a replicated timer cost, created at one of two nodes and kept on both, and popped?
 *
 * <p>Two nodes in one thread with a queue between them. {@code create} ends when both have
 * confirmed; {@code pop} when the first has popped, its host has said that all is well, and the
 * other knows. Timers are due over a minute. With the codec, every message is written as bytes and
 * read from them. {@code wheels} is what is left without replication: the same timers in two bare
 * wheels, scheduled in both, and in both advanced until all have fired.
 *
 * <p>No peer of Horae's has replicated timers without I/O; the wheels are no peer but what the
 * protocol costs is beside them.
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="NodeBenchmark -prof gc"
 * mvn -q compile -Pbenchmarks -Dexec.args="NodeBenchmark -prof gc"
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class NodeBenchmark {

  private static final int TIMERS = 10_000;
  private static final int MINUTE_MS = 60_000;
  private static final byte[] PAYLOAD = new byte[100];

  @Param({"no", "yes"})
  private String codec;

  private TimerCluster pair() {
    TimerCluster pair = new TimerCluster(Members.of(2), TimerNodeOptions.defaults());
    if (codec.equals("yes")) {
      pair.writeBytes((message, length) -> {});
    }
    return pair;
  }

  /** Up to a minute, in no order. */
  private static long intervalMs(int timer) {
    return 1 + (((Wheel.id(timer) >>> 32) * MINUTE_MS) >>> 32);
  }

  private static void create(TimerCluster pair) {
    for (int i = 0; i < TIMERS; i++) {
      long intervalMs = intervalMs(i);
      pair.node(Members.id(i & 1)).create(pair.nowMs(), TimerSpec.once(intervalMs, PAYLOAD));
      pair.deliver();
    }
  }

  /** A pair without timers, a new one for each invocation. */
  @State(Scope.Thread)
  public static class Empty {
    private TimerCluster pair;

    @Setup(Level.Invocation)
    public void setUp(NodeBenchmark benchmark) {
      pair = benchmark.pair();
    }

    @TearDown(Level.Invocation)
    public void check() {
      Wheel.expect(pair.confirmed() == 2 * TIMERS, "confirmed: " + pair.confirmed());
    }
  }

  /** A pair with timers, a new one for each invocation. */
  @State(Scope.Thread)
  public static class Full {
    private TimerCluster pair;

    @Setup(Level.Invocation)
    public void setUp(NodeBenchmark benchmark) {
      pair = benchmark.pair();
      create(pair);
    }

    @TearDown(Level.Invocation)
    public void check() {
      Wheel.expect(pair.popped() == TIMERS, "popped: " + pair.popped());
    }
  }

  @Benchmark
  @OperationsPerInvocation(TIMERS)
  public long create(Empty state) {
    create(state.pair);
    return state.pair.confirmed();
  }

  @Benchmark
  @OperationsPerInvocation(TIMERS)
  public long pop(Full state) {
    state.pair.settle(2 * MINUTE_MS);
    return state.pair.popped();
  }

  @Benchmark
  @OperationsPerInvocation(TIMERS)
  public int wheels() {
    TimerWheel<byte[]> one = TimerWheel.startingAt(0);
    TimerWheel<byte[]> two = TimerWheel.startingAt(0);
    for (int i = 0; i < TIMERS; i++) {
      long intervalMs = intervalMs(i);
      one.schedule(Wheel.id(i), intervalMs, PAYLOAD);
      two.schedule(Wheel.id(i), intervalMs, PAYLOAD);
    }
    int fired = 0;
    while (one.size() > 0) {
      long nextMs = one.nextDeadline();
      fired += one.advance(nextMs, TIMERS, (id, deadline, payload) -> true);
      fired += two.advance(nextMs, TIMERS, (id, deadline, payload) -> true);
    }
    Wheel.expect(fired == 2 * TIMERS, "fired: " + fired);
    return fired;
  }
}
