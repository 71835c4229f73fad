package io.horae.benchmarks;

import io.horae.placement.Node;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import org.apache.druid.server.router.RendezvousHasher;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.cluster.ClusterNode;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * What does it cost to find one, two or three replicas of a number key by rendezvous hashing?
 *
 * <ul>
 *   <li>{@code textbook} sorts all scores in a {@code TreeMap}, hashed with Guava's Murmur3, and
 *       {@code linear} keeps the best while it scans: both give Horae's answer, which the set-up
 *       checks.
 *   <li>{@code ignite} assigns one partition, as Ignite does for each of its partitions when the
 *       topology changes. It looks keys up in the table that comes of it: beside that belongs a
 *       placement that is tabulated, not this one.
 *   <li>{@code druid} finds one node only. For a second and third replica it is asked again, the
 *       nodes found before taken out of its set and put back in the end. Its key is eight bytes.
 * </ul>
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="RendezvousReplicasBenchmark -prof gc"
 * mvn -q compile -Pbenchmarks -Dexec.args="RendezvousReplicasBenchmark -prof gc"
 * </pre>
 */
public class RendezvousReplicasBenchmark extends LookupBenchmark {

  private static final int PARTITIONS = 1_024;

  @Param({"3", "10", "30", "100", "1000", "10000"})
  private int nodes;

  @Param({"1", "2", "3"})
  private int replicas;

  private List<ClusterNode> igniteNodes;
  private RendezvousAffinityFunction ignite;
  private final RendezvousHasher druid = new RendezvousHasher();
  private Set<String> druidIds;
  private final byte[] keyBytes = new byte[Long.BYTES];
  private int[] into;
  private int[] best;
  private int partition;

  @Setup
  public void setUp() {
    create(Members.of(nodes));
    igniteNodes = IgniteNode.of(members);
    ignite = IgniteNode.affinity(PARTITIONS);
    druidIds = new HashSet<>();
    members.forEach(node -> druidIds.add(node.id()));
    into = new int[replicas];
    best = new int[replicas];
    for (int i = 0; i < 100; i++) {
      checkThatAllAgree();
    }
    Wheel.expect(ignite().size() == replicas, "Ignite finds too few");
    Wheel.expect(Set.copyOf(druid()).size() == replicas, "Druid finds too few");
  }

  private void checkThatAllAgree() {
    long before = key;
    List<Node> expected = named(horae());
    key = before;
    List<Node> sorted = textbook();
    key = before;
    List<Node> scanned = named(linear());
    if (!sorted.equals(expected) || !scanned.equals(expected)) {
      throw new AssertionError(sorted + " and " + scanned + ", not " + expected);
    }
  }

  private List<Node> named(int[] indexes) {
    List<Node> named = new ArrayList<>();
    for (int index : indexes) {
      named.add(members.get(index));
    }
    return named;
  }

  @Benchmark
  public int[] horae() {
    placement.replicas(nextKey(), into);
    return into;
  }

  @Benchmark
  public List<Node> textbook() {
    NavigableMap<Long, Node> ring = sorted(nextKey());
    List<Node> found = new ArrayList<>(replicas);
    found.add(ring.pollFirstEntry().getValue());
    while (found.size() < replicas) {
      found.add(ring.pollLastEntry().getValue());
    }
    return found;
  }

  /** The least score first, then the highest; {@code best} has their scores. */
  @Benchmark
  public int[] linear() {
    long key = nextKey();
    int low = -1;
    for (int level = 1; level < replicas; level++) {
      best[level] = 0;
      into[level] = -1;
    }
    for (int i = 0; i < functions.length; i++) {
      int score = functions[i].hashLong(key).asInt();
      if (Integer.compareUnsigned(score, low) <= 0) {
        low = score;
        into[0] = i;
      }
      if (replicas > 1 && Integer.compareUnsigned(score, best[replicas - 1]) >= 0) {
        keep(i, score);
      }
    }
    return into;
  }

  private void keep(int node, int score) {
    int level = replicas - 1;
    for (; level > 1 && Integer.compareUnsigned(score, best[level - 1]) >= 0; level--) {
      best[level] = best[level - 1];
      into[level] = into[level - 1];
    }
    best[level] = score;
    into[level] = node;
  }

  @Benchmark
  public List<ClusterNode> ignite() {
    partition = (partition + 1) & (PARTITIONS - 1);
    return ignite.assignPartition(partition, igniteNodes, replicas - 1, null);
  }

  @Benchmark
  public List<String> druid() {
    ByteBuffer.wrap(keyBytes).putLong(nextKey());
    List<String> found = new ArrayList<>(replicas);
    while (true) {
      String node = druid.chooseNode(druidIds, keyBytes);
      found.add(node);
      if (found.size() == replicas) {
        break;
      }
      druidIds.remove(node);
    }
    for (int i = 0; i < replicas - 1; i++) {
      druidIds.add(found.get(i));
    }
    return found;
  }
}
