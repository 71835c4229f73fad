package io.horae.benchmarks;

import com.dynatrace.hash4j.consistent.ConsistentBucketHasher;
import com.dynatrace.hash4j.consistent.ConsistentBucketSetHasher;
import com.dynatrace.hash4j.consistent.ConsistentHashing;
import com.dynatrace.hash4j.random.PseudoRandomGeneratorProvider;
import com.google.common.hash.Hashing;
import io.horae.benchmarks.report.Figure;
import io.horae.benchmarks.report.Question;
import io.horae.placement.Bucket;
import io.horae.placement.BucketBalancer;
import io.horae.placement.BucketPlan;
import io.horae.placement.BucketTable;
import io.horae.placement.HashMask;
import io.horae.placement.KetamaContinuum;
import io.horae.placement.Node;
import io.horae.placement.Placement;
import io.horae.placement.RendezvousPlacement;
import io.horae.placement.TabulatedPlacement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.druid.server.router.RendezvousHasher;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.cluster.ClusterNode;
import org.ishugaliy.allgood.consistent.hash.HashRing;
import org.ishugaliy.allgood.consistent.hash.node.SimpleNode;

/**
 * How even are placements, and what do they move? Computed from the primaries of 100,000 keys; the
 * same every time.
 *
 * <p>Balance is the keys of the node that has most over those of the average node. What is moved is
 * set beside the least that any change could have moved that leaves every node with as many keys as
 * it has afterwards. It is not the node that was last to come that leaves, but one in the middle:
 * those who number their nodes let the last one take its place.
 */
final class Quality {

  private static final int KEYS = 100_000;
  private static final int[] SIZES = {3, 10, 100, 1_000};

  /** Where keys go, over two clusters of which the second is the first after a change. */
  @FunctionalInterface
  private interface Subject {
    List<Assigned> of(List<Node> before, List<Node> after);
  }

  /** The node of every key, by its id. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Assigned(String[] nodes) {}

  private static final Map<Subject, Map<Integer, List<Assigned>>> JOINED = new HashMap<>();
  private static final Map<String, Subject> SUBJECTS = new LinkedHashMap<>();

  static {
    SUBJECTS.put("rendezvous", each(nodes -> route(RendezvousPlacement.of(nodes))));
    SUBJECTS.put("ketama", each(nodes -> route(KetamaContinuum.of(nodes))));
    SUBJECTS.put(
        "tabulated", each(nodes -> route(TabulatedPlacement.of(RendezvousPlacement.of(nodes)))));
    SUBJECTS.put("buckets", Quality::buckets);
    SUBJECTS.put("ignite", each(Quality::ignite));
    SUBJECTS.put("druid", each(Quality::druid));
    SUBJECTS.put("allgood", each(Quality::allgood));
    SUBJECTS.put("guava", Quality::guava);
    SUBJECTS.put("hash4j", Quality::hash4j);
    SUBJECTS.put("anchor", Quality::anchor);
    SUBJECTS.put("random", each(Quality::random));
  }

  private Quality() {}

  /** The node of a key, by its id. */
  @FunctionalInterface
  private interface Route {
    String node(long key);
  }

  /** How nodes become a route. */
  @FunctionalInterface
  private interface Building {
    Route of(List<Node> nodes);
  }

  /** A subject that needs to know nothing of what was before. */
  private static Subject each(Building building) {
    return (before, after) -> List.of(assign(building.of(before)), assign(building.of(after)));
  }

  private static Assigned assign(Route route) {
    return new Assigned(
        IntStream.range(0, KEYS)
            .parallel()
            .mapToObj(i -> route.node(i * Members.KEY_STEP))
            .toArray(String[]::new));
  }

  private static Route route(Placement placement) {
    return key -> placement.primary(key).id();
  }

  private static List<Assigned> buckets(List<Node> before, List<Node> after) {
    BucketTable table = BucketTable.initial(before.get(0));
    for (Node node : before.subList(1, before.size())) {
      table = table.join(node).table();
    }
    BucketBalancer balancer = BucketBalancer.byCounts().splitTo(4);
    while (table.size() < 4_096) {
      List<HashMask> masks = table.buckets().stream().map(Bucket::mask).toList();
      table = new BucketPlan(masks, List.of()).applyTo(table).table();
    }
    table = balancer.plan(table).applyTo(table).table();
    Assigned first = assign(route(table));
    for (Node node : after) {
      if (!before.contains(node)) {
        table = table.join(node).table();
      }
    }
    for (Node node : before) {
      if (!after.contains(node)) {
        table = BucketBalancer.emptying(table, node).applyTo(table).table();
        table = table.leave(node).table();
      }
    }
    table = balancer.plan(table).applyTo(table).table();
    return List.of(first, assign(route(table)));
  }

  /** As Ignite looks keys up: by partition, of which it has 1,024 unless told otherwise. */
  private static Route ignite(List<Node> nodes) {
    RendezvousAffinityFunction affinity =
        IgniteNode.affinity(RendezvousAffinityFunction.DFLT_PARTITION_COUNT);
    List<ClusterNode> igniteNodes = IgniteNode.of(nodes);
    List<String> owners = new ArrayList<>();
    for (int i = 0; i < affinity.partitions(); i++) {
      owners.add((String) affinity.assignPartition(i, igniteNodes, 0, null).get(0).consistentId());
    }
    return key -> owners.get(affinity.partition(key));
  }

  private static Route druid(List<Node> nodes) {
    RendezvousHasher hasher = new RendezvousHasher();
    Set<String> ids = new HashSet<>();
    nodes.forEach(node -> ids.add(node.id()));
    return key -> hasher.chooseNode(ids, ByteBuffer.allocate(Long.BYTES).putLong(key).array());
  }

  private static Route allgood(List<Node> nodes) {
    HashRing<SimpleNode> ring = Members.allgood(nodes);
    return key -> ring.locate(Long.toHexString(key)).orElseThrow().getKey();
  }

  private static List<Assigned> guava(List<Node> before, List<Node> after) {
    return numbered(before, after, Hashing::consistentHash);
  }

  private static List<Assigned> hash4j(List<Node> before, List<Node> after) {
    ConsistentBucketHasher hasher = ConsistentHashing.jumpBackHashSplitMix64();
    return numbered(before, after, hasher::getBucket);
  }

  /** Takes nodes out of the middle, too: it keeps the numbers of those that left. */
  private static List<Assigned> anchor(List<Node> before, List<Node> after) {
    ConsistentBucketSetHasher hasher =
        ConsistentHashing.jumpBackAnchorHash(PseudoRandomGeneratorProvider.splitMix64_V1());
    List<Assigned> both = new ArrayList<>();
    Map<Integer, Node> nodes = new HashMap<>();
    before.forEach(node -> nodes.put(hasher.addBucket(), node));
    both.add(assign(hasher, nodes));
    for (Node node : after) {
      if (!nodes.containsValue(node)) {
        nodes.put(hasher.addBucket(), node);
      }
    }
    for (int number : hasher.getBuckets()) {
      if (!after.contains(nodes.get(number))) {
        hasher.removeBucket(number);
      }
    }
    both.add(assign(hasher, nodes));
    return both;
  }

  private static Assigned assign(ConsistentBucketSetHasher hasher, Map<Integer, Node> nodes) {
    String[] assigned = new String[KEYS];
    for (int i = 0; i < KEYS; i++) {
      assigned[i] = nodes.get(hasher.getBucket(i * Members.KEY_STEP)).id();
    }
    return new Assigned(assigned);
  }

  /** The number of a key among so many. */
  @FunctionalInterface
  private interface Numbering {
    int number(long key, int count);
  }

  /** Where nodes are numbers without gaps, the last takes the number of one that leaves. */
  private static List<Assigned> numbered(List<Node> before, List<Node> after, Numbering numbering) {
    List<Node> renumbered = new ArrayList<>(after);
    if (after.size() < before.size()) {
      renumbered = new ArrayList<>(before);
      int gap = IntStream.range(0, before.size()).filter(i -> !after.contains(before.get(i))).sum();
      Node last = renumbered.remove(before.size() - 1);
      renumbered.set(gap, last);
    }
    List<Assigned> both = new ArrayList<>();
    for (List<Node> nodes : List.of(before, renumbered)) {
      String[] assigned = new String[KEYS];
      for (int i = 0; i < KEYS; i++) {
        assigned[i] = nodes.get(numbering.number(i * Members.KEY_STEP, nodes.size())).id();
      }
      both.add(new Assigned(assigned));
    }
    return both;
  }

  /** What chance alone makes of as many keys: no placement by hashing is more even on average. */
  private static Route random(List<Node> nodes) {
    return key -> nodes.get(new SplittableRandom(key).nextInt(nodes.size())).id();
  }

  private static Question subjects(Question question) {
    return question
        .horae("rendezvous", "Horae, rendezvous")
        .horae("ketama", "Horae, Ketama")
        .horae("tabulated", "Horae, rendezvous in a table")
        .horae("buckets", "Horae, 4,096 buckets")
        .peer("ignite", "Ignite, 1,024 partitions")
        .peer("druid", "Druid")
        .peer("allgood", "allgood's ring")
        .peer("guava", "Guava's jump hash")
        .peer("hash4j", "hash4j, JumpBackHash")
        .peer("anchor", "hash4j, JumpBackAnchorHash")
        .work("random", "random");
  }

  static List<Computed> questions() {
    String section = "How even are placements, and what do they move?";
    Question balance =
        subjects(
            Question.of("quality-balance", section, "Balance", "nodes", "most keys over the mean")
                .text(
                    "Of 100,000 keys. Random is what chance alone makes of as many keys: where the"
                        + " mean is small, no hash can do better on average."));
    Question join =
        subjects(
            Question.of(
                    "quality-join",
                    section,
                    "A node joins",
                    "nodes before",
                    "keys moved over the least")
                .text(
                    "The least is what any change moves that leaves every node with as many keys as"
                        + " it has afterwards."));
    Question leave =
        subjects(
            Question.of(
                    "quality-leave",
                    section,
                    "A node leaves",
                    "nodes before",
                    "keys moved over the least")
                .text(
                    "One in the middle. Jump hashes know numbers only, so the last node takes the"
                        + " number of the one that leaves."));
    return List.of(
        new Computed(balance, 25, () -> figures("quality-balance", Quality::balance)),
        new Computed(join, 5, () -> figures("quality-join", Quality::movedByJoin)),
        new Computed(leave, 25, () -> figures("quality-leave", Quality::movedByLeave)));
  }

  /** A figure of a subject, for so many nodes. */
  @FunctionalInterface
  private interface Measure {
    double of(Subject subject, int nodes);
  }

  private static List<Figure> figures(String question, Measure measure) {
    List<Figure> figures = new ArrayList<>();
    for (int nodes : SIZES) {
      SUBJECTS.forEach(
          (id, subject) ->
              figures.add(
                  new Figure(
                      question,
                      id,
                      Integer.toString(nodes),
                      measure.of(subject, nodes),
                      Double.NaN,
                      Double.NaN)));
    }
    return figures;
  }

  private static double balance(Subject subject, int nodes) {
    int most =
        counts(joined(subject, nodes).get(0)).values().stream()
            .mapToInt(count -> count)
            .max()
            .orElseThrow();
    return (double) most * nodes / KEYS;
  }

  private static double movedByJoin(Subject subject, int nodes) {
    return moved(joined(subject, nodes));
  }

  private static double movedByLeave(Subject subject, int nodes) {
    List<Node> before = Members.of(nodes);
    List<Node> after = new ArrayList<>(before);
    after.remove(nodes / 2);
    return moved(subject.of(before, after));
  }

  /** Before and after a node joins, which two of the questions ask. */
  private static List<Assigned> joined(Subject subject, int nodes) {
    return JOINED
        .computeIfAbsent(subject, unknown -> new HashMap<>())
        .computeIfAbsent(nodes, unknown -> subject.of(Members.of(nodes), Members.of(nodes + 1)));
  }

  private static double moved(List<Assigned> both) {
    int moved = 0;
    for (int key = 0; key < KEYS; key++) {
      moved += both.get(0).nodes()[key].equals(both.get(1).nodes()[key]) ? 0 : 1;
    }
    Map<String, Integer> had = counts(both.get(0));
    int least = 0;
    for (Map.Entry<String, Integer> has : counts(both.get(1)).entrySet()) {
      least += Math.max(0, has.getValue() - had.getOrDefault(has.getKey(), 0));
    }
    return (double) moved / least;
  }

  private static Map<String, Integer> counts(Assigned assigned) {
    Map<String, Integer> counts = new HashMap<>();
    for (String node : assigned.nodes()) {
      counts.merge(node, 1, Integer::sum);
    }
    return counts;
  }
}
