package io.horae.benchmarks;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.horae.placement.Node;
import io.horae.placement.RendezvousPlacement;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;
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
 * What does it cost to find the primary and one backup of a number key?
 *
 * <p>All but the last give the same answer, which the set-up checks. The textbook hashes with
 * Guava's Murmur3 and sorts the scores in a {@link TreeMap}; the linear scan keeps the extremes
 * instead; the bare loop is the work itself without a library around it, for one key type, one hash
 * and two replicas. The bare values are no answer: they are the lowest and the highest score,
 * without the nodes that have them.
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="RendezvousBenchmark -prof gc"
 * mvn -q compile -Pbenchmarks -Dexec.args="RendezvousBenchmark -prof gc"
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RendezvousBenchmark {

  /** Steps through all numbers without two neighbours looking alike. */
  private static final long KEY_STEP = 0x9e3779b97f4a7c15L;

  @Param({"3", "10", "30", "100", "1000", "10000"})
  private int nodes;

  private RendezvousPlacement placement;
  private List<Node> members;
  private HashFunction[] functions;
  private int[] seeds;
  private int[] scores;
  private final int[] into = new int[2];
  private long key;

  @Setup
  public void setUp() {
    members = IntStream.range(0, nodes).mapToObj(i -> Node.of("10.0.0." + i + ":7253")).toList();
    placement = RendezvousPlacement.of(members);
    HashFunction murmur3 = Hashing.murmur3_32_fixed();
    seeds =
        members.stream()
            .mapToInt(node -> murmur3.hashString(node.id(), StandardCharsets.UTF_8).asInt())
            .toArray();
    scores = new int[nodes];
    functions =
        IntStream.of(seeds).mapToObj(Hashing::murmur3_32_fixed).toArray(HashFunction[]::new);
    for (int i = 0; i < 1_000; i++) {
      checkThatAllAgree();
    }
  }

  private void checkThatAllAgree() {
    long before = key;
    List<Node> expected = horaeList();
    for (int twin = 0; twin < 4; twin++) {
      key = before;
      List<Node> actual =
          switch (twin) {
            case 0 -> textbook();
            case 1 -> named(horae());
            case 2 -> named(linear());
            default -> named(bareLoop());
          };
      if (!actual.equals(expected)) {
        throw new AssertionError("twin " + twin + " says " + actual + ", not " + expected);
      }
    }
  }

  private List<Node> named(int[] indexes) {
    return List.of(members.get(indexes[0]), members.get(indexes[1]));
  }

  private long nextKey() {
    return key += KEY_STEP;
  }

  @Benchmark
  public int[] horae() {
    placement.replicas(nextKey(), into);
    return into;
  }

  @Benchmark
  public List<Node> horaeList() {
    return placement.replicas(nextKey(), 2);
  }

  @Benchmark
  public List<Node> textbook() {
    long key = nextKey();
    TreeMap<Long, Node> ring = new TreeMap<>();
    for (int i = 0; i < functions.length; i++) {
      ring.put(Integer.toUnsignedLong(functions[i].hashLong(key).asInt()), members.get(i));
    }
    return List.of(ring.firstEntry().getValue(), ring.lastEntry().getValue());
  }

  @Benchmark
  public int[] linear() {
    long key = nextKey();
    int low = -1;
    int high = 0;
    for (int i = 0; i < functions.length; i++) {
      int score = functions[i].hashLong(key).asInt();
      if (Integer.compareUnsigned(score, low) <= 0) {
        low = score;
        into[0] = i;
      }
      if (Integer.compareUnsigned(score, high) >= 0) {
        high = score;
        into[1] = i;
      }
    }
    return into;
  }

  @Benchmark
  public int[] bareLoop() {
    long key = nextKey();
    int first = mix((int) key);
    int second = mix((int) (key >>> 32));
    for (int i = 0; i < seeds.length; i++) {
      scores[i] = score(seeds[i], first, second) ^ Integer.MIN_VALUE;
    }
    int low = Integer.MAX_VALUE;
    int high = Integer.MIN_VALUE;
    for (int i = 0; i < scores.length; i++) {
      if (scores[i] <= low) {
        low = scores[i];
        into[0] = i;
      }
      if (scores[i] >= high) {
        high = scores[i];
        into[1] = i;
      }
    }
    return into;
  }

  @Benchmark
  public long bareValues() {
    long key = nextKey();
    int first = mix((int) key);
    int second = mix((int) (key >>> 32));
    for (int i = 0; i < seeds.length; i++) {
      scores[i] = score(seeds[i], first, second) ^ Integer.MIN_VALUE;
    }
    int low = Integer.MAX_VALUE;
    int high = Integer.MIN_VALUE;
    for (int i = 0; i < scores.length; i++) {
      low = Math.min(low, scores[i]);
      high = Math.max(high, scores[i]);
    }
    return (long) low << 32 | high;
  }

  private static int mix(int block) {
    return Integer.rotateLeft(block * 0xcc9e2d51, 15) * 0x1b873593;
  }

  private static int score(int seed, int first, int second) {
    int h = Integer.rotateLeft(seed ^ first, 13) * 5 + 0xe6546b64;
    h = Integer.rotateLeft(h ^ second, 13) * 5 + 0xe6546b64;
    h ^= Long.BYTES;
    h = (h ^ (h >>> 16)) * 0x85ebca6b;
    h = (h ^ (h >>> 13)) * 0xc2b2ae35;
    return h ^ (h >>> 16);
  }
}
