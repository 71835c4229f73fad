package io.horae.placement;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rendezvous placement as the documents tell it, with no thought of speed: score every node, make
 * scores unique one by one if that is the rule, sort, take. The model that the real one is compared
 * with.
 */
record NaiveRendezvous(List<Node> nodes, SeededHash hash, Collisions collisions) {

  private static final long RANGE = 1L << 32;

  /** What the comparison of two nodes for one key rests on. */
  private record Candidate(Node node, long score, long tie) {

    /** Distance from the lower end of the range of scores, by weight. */
    double costAsPrimary() {
      return cost((score + 0.5) / RANGE);
    }

    /** Distance from the upper end. */
    double costAsBackup() {
      return cost((RANGE - 1 - score + 0.5) / RANGE);
    }

    private double cost(double distance) {
      return -StrictMath.log(1 - distance) / node.weight();
    }
  }

  private static final Comparator<Candidate> ASCENDING =
      Comparator.comparingLong(Candidate::score)
          .thenComparingLong(Candidate::tie)
          .thenComparing(candidate -> candidate.node().id());

  List<Long> seeds() {
    List<Long> seeds = new ArrayList<>();
    for (Node node : nodes) {
      long seed = unsigned(hash.hash(node.id().getBytes(UTF_8), 0));
      while (collisions != Collisions.STABLE && seeds.contains(seed)) {
        seed = Math.floorMod(seed + (collisions == Collisions.INCREMENT ? 1 : -1), RANGE);
      }
      seeds.add(seed);
    }
    return seeds;
  }

  List<Node> replicas(byte[] key, int count) {
    List<Candidate> candidates = new ArrayList<>(candidates(key));
    candidates.sort(Comparator.comparingDouble(Candidate::costAsPrimary).thenComparing(ASCENDING));
    List<Node> replicas = new ArrayList<>();
    Map<String, Integer> zoneUse = new HashMap<>();
    take(candidates.remove(0), replicas, zoneUse);
    candidates.sort(
        Comparator.comparingDouble(Candidate::costAsBackup).thenComparing(ASCENDING.reversed()));
    for (int zoneMax = 1; replicas.size() < Math.min(count, nodes.size()); zoneMax++) {
      for (Candidate candidate : candidates) {
        if (replicas.size() < count
            && !replicas.contains(candidate.node())
            && zoneUse.getOrDefault(zone(candidate.node()), 0) < zoneMax) {
          take(candidate, replicas, zoneUse);
        }
      }
    }
    return replicas;
  }

  private static void take(Candidate candidate, List<Node> replicas, Map<String, Integer> zoneUse) {
    replicas.add(candidate.node());
    zoneUse.merge(zone(candidate.node()), 1, Integer::sum);
  }

  /** A node without a zone is one by itself. */
  private static String zone(Node node) {
    return node.zone() == null ? "node " + node.id() : "zone " + node.zone();
  }

  private List<Candidate> candidates(byte[] key) {
    List<Long> seeds = seeds();
    List<Long> scores = new ArrayList<>();
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      long score = unsigned(hash.hash(key, seeds.get(i).intValue()));
      while (collisions != Collisions.STABLE && scores.contains(score)) {
        score = (score + 1) % RANGE;
      }
      scores.add(score);
      int tieSeed = hash.hash(nodes.get(i).id().getBytes(UTF_8), 0x9e3779b9);
      candidates.add(new Candidate(nodes.get(i), score, unsigned(hash.hash(key, tieSeed))));
    }
    return candidates;
  }

  private static long unsigned(int hash) {
    return Integer.toUnsignedLong(hash);
  }
}
