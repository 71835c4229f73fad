package io.horae.placement;

import static java.lang.Integer.compareUnsigned;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rendezvous hashing after Chronos: every node has a seed, the hash of its id; a key's score on a
 * node is the hash of the key under the node's seed; the lowest score is the primary, the highest
 * the first backup, the second highest the second backup, and so on.
 *
 * <p>Since nothing but the key and the node enters a score, a cluster change leaves the other
 * nodes' order alone:
 *
 * <ul>
 *   <li>a node that joins only takes replicas; no key moves between two nodes that stay;
 *   <li>a node that leaves only gives its own replicas away;
 *   <li>a displaced primary does not turn into a backup, because the lowest score is the last to be
 *       the highest, as long as no more replicas are asked for than the smaller cluster has nodes.
 * </ul>
 *
 * <p>With {@link Collisions#STABLE} these hold always; with the other rules, as long as no two
 * hashes collide, neither those of node ids nor the scores of a key. (With Murmur3, scores collide
 * only if ids do.)
 *
 * <p><b>Weights.</b> With <i>u</i> the score scaled into (0, 1), the primary is the node with the
 * least −ln(1−<i>u</i>)/weight and the backups those with the least −ln(<i>u</i>)/weight. A node is
 * primary of a share of the keys proportional to its weight, and changing one node's weight moves
 * keys only to or from it; where that turns the node from a key's backup into its primary, or back,
 * one other backup makes up for it. Equal weights, whatever they are, give the unweighted answer.
 * Of the promises above the third is weaker: a displaced primary may stay on as a backup.
 *
 * <p><b>Zones.</b> The primary is chosen without regard to zones. Backups go, in their order, to
 * the zones that hold the fewest replicas so far, so replicas are in distinct zones while there are
 * enough zones and spread evenly beyond that; there are never fewer of them because of zones. A
 * node without a zone is one by itself. The promises above are weaker by one replica: when a key's
 * primary moves to another zone, one backup may move too, to make room in the zone that the primary
 * came to or use of the one that it left; and a displaced primary may be the only one that zone has
 * to offer.
 *
 * <p><b>Cost.</b> A lookup hashes the key once per node and allocates nothing on the {@code long}
 * path, but that a thread needs working space, sixteen bytes a node, from its first lookup on. The
 * fastest is that for up to two replicas of a {@code long} key on Murmur3 without weights or zones.
 * With weights or zones it takes a further pass over the scores for each replica. A hash that is
 * not {@linkplain SeededHash#injectiveInSeed() injective in its seed} pays for a look at the gaps
 * between scores (with weights or zones, for sorting them), and for more when there are equal ones.
 */
public final class RendezvousPlacement implements Placement {

  /** Separates the second hash of a node id from the first; any value but 0 would do. */
  private static final int TIE_SEED = 0x9e3779b9;

  /**
   * Each thread's working space for n nodes: n scores, then up to n + 1 chosen nodes, then for each
   * node whether it is chosen, then for each of up to n zones how many replicas it has.
   */
  private static final ThreadLocal<int[]> SPACE = ThreadLocal.withInitial(() -> new int[0]);

  private final List<Node> nodes;
  private final SeededHash hash;
  private final int[] seeds;

  /**
   * A second seed of each node, to break ties with; empty if there are none or they are settled.
   */
  private final int[] tieSeeds;

  /** Whether equal scores must be made unique: not if there are none, or others break the tie. */
  private final boolean settles;

  /** Whether it takes more than the extremes of the scores: for weights, zones or ties. */
  private final boolean choosesOneByOne;

  /** Finds up to two replicas of a number key; null where it takes more than the scores. */
  private final @Nullable RendezvousExtremes extremes;

  /** Each node's weight, or null if all are the same. */
  private final double @Nullable [] weights;

  /** A little below 1 / weight, for a bound from below; empty if all weights are the same. */
  private final double[] inverseWeights;

  /** Each node's zone by number, or null if no node shares one. */
  private final int @Nullable [] zones;

  private RendezvousPlacement(Builder builder) {
    nodes = Nodes.checked(builder.nodes);
    hash = builder.hash;
    Collisions collisions = builder.collisions;
    seeds = hashIds(0);
    collisions.settleSeeds(seeds);
    boolean tiesPossible = !hash.injectiveInSeed() || !Nodes.distinct(seeds);
    settles = tiesPossible && collisions != Collisions.STABLE;
    boolean breaksTies = tiesPossible && !settles;
    tieSeeds = breaksTies ? hashIds(TIE_SEED) : new int[0];
    weights = Nodes.weights(nodes);
    inverseWeights = weights == null ? new double[0] : boundsOfInverse(weights);
    zones = Nodes.zones(nodes);
    choosesOneByOne = weights != null || zones != null || breaksTies;
    boolean canInvert = hash == Murmur3.X86_32 && choosesByScores();
    extremes = canInvert && seeds.length > 1 ? RendezvousExtremes.of(seeds) : null;
  }

  private int[] hashIds(int seed) {
    return nodes.stream().mapToInt(node -> hash.hash(node.id().getBytes(UTF_8), seed)).toArray();
  }

  private static double[] boundsOfInverse(double[] weights) {
    double[] bounds = new double[weights.length];
    for (int i = 0; i < weights.length; i++) {
      bounds[i] = Math.min(Double.MAX_VALUE, (1 - 1e-12) / weights[i]);
    }
    return bounds;
  }

  /**
   * A placement on Murmur3 with {@link Collisions#INCREMENT}.
   *
   * @param nodes the cluster; ids unique, at least one
   * @return the placement
   * @throws IllegalArgumentException if there are no nodes, or one is null, or two have the same id
   */
  public static RendezvousPlacement of(Collection<Node> nodes) {
    return builder().nodes(nodes).build();
  }

  /**
   * A placement to be set up.
   *
   * @return the builder, on Murmur3 with {@link Collisions#INCREMENT}, without nodes
   */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public List<Node> nodes() {
    return nodes;
  }

  @Override
  public int replicas(long key, int[] into) {
    int count = Nodes.checkedCount(into, nodes);
    if (extremes != null && count <= 2) {
      long found = extremes.find(key);
      into[0] = (int) (found >>> Integer.SIZE);
      if (count == 2) {
        into[1] = (int) found;
      }
      return count;
    }
    return copy(choose(key, count), into);
  }

  @Override
  public int replicas(String key, int[] into) {
    return copy(choose(key, Nodes.checkedCount(into, nodes)), into);
  }

  @Override
  public Node primary(long key) {
    return nodes.get(
        extremes == null
            ? choose(key, 1)[seeds.length]
            : (int) (extremes.find(key) >>> Integer.SIZE));
  }

  @Override
  public Node primary(String key) {
    return nodes.get(choose(key, 1)[seeds.length]);
  }

  private int copy(int[] space, int[] into) {
    int count = Math.min(into.length, seeds.length);
    for (int level = 0; level < count; level++) {
      into[level] = space[seeds.length + level];
    }
    return count;
  }

  /** Returns the thread's space with {@code count} chosen nodes after the scores. */
  private int[] choose(long key, int count) {
    int[] space = space(4 * seeds.length + 1);
    hash.hashAll(key, seeds, space);
    choose(space, count, key, null);
    return space;
  }

  private int[] choose(String key, int count) {
    byte[] bytes = Nodes.present(key, "key").getBytes(UTF_8);
    int[] space = space(4 * seeds.length + 1);
    hash.hashAll(bytes, seeds, space);
    choose(space, count, 0, bytes);
    return space;
  }

  /** The thread's space, with room for so many numbers at least. */
  static int[] space(int needed) {
    int[] space = SPACE.get();
    if (space.length < needed) {
      space = new int[needed];
      SPACE.set(space);
    }
    return space;
  }

  /** The key is needed once more only to break ties: its bytes if it has any, else the number. */
  private void choose(int[] space, int count, long key, byte @Nullable [] bytes) {
    if (choosesOneByOne) {
      if (settles && hasTies(space)) {
        Collisions.settleScores(space, seeds.length);
      }
      chooseOneByOne(space, count, key, bytes);
    } else if (!settles) {
      chooseExtremes(space, count - 1);
    } else {
      chooseExtremes(space, count);
      if (!farApart(space, count)) {
        Collisions.settleScores(space, seeds.length);
        chooseExtremes(space, count - 1);
      }
    }
  }

  private boolean hasTies(int[] space) {
    int n = seeds.length;
    System.arraycopy(space, 0, space, n, n);
    Arrays.sort(space, n, 2 * n);
    for (int i = n + 1; i < 2 * n; i++) {
      if (space[i] == space[i - 1]) {
        return true;
      }
    }
    return false;
  }

  /**
   * Chooses the lowest score and after it the {@code tops} highest, in one pass. Of equal scores
   * the first listed is taken.
   */
  private void chooseExtremes(int[] space, int tops) {
    int n = seeds.length;
    int lowest = 0;
    for (int i = 0; i < tops; i++) {
      insert(space, n, i + 1, i);
      if (compareUnsigned(space[i], space[lowest]) < 0) {
        lowest = i;
      }
    }
    int low = space[lowest];
    int high = tops == 0 ? -1 : space[space[n + tops]];
    // One comparison for both ends: a score outside of low to high is, less low, above high less
    // low, all unsigned; adding 2³¹ to both sides lets a signed comparison do.
    int shift = low + Integer.MIN_VALUE;
    int range = high - shift;
    for (int i = tops; i < n; i++) {
      int score = space[i];
      if (score - shift > range) {
        if (compareUnsigned(score, low) < 0) {
          low = score;
          lowest = i;
        } else {
          insert(space, n, tops, i);
          high = space[space[n + tops]];
        }
        shift = low + Integer.MIN_VALUE;
        range = high - shift;
      }
    }
    space[n] = lowest;
  }

  /** Puts a node into the list of highest scores, whose last place is {@code last}. */
  private static void insert(int[] space, int n, int last, int node) {
    int score = space[node];
    int at = n + last;
    while (at > n + 1 && compareUnsigned(space[space[at - 1]], score) < 0) {
      space[at] = space[at - 1];
      at--;
    }
    space[at] = node;
  }

  /**
   * Whether incrementing equal scores could not change which are the lowest and the {@code tops} −
   * 1 highest, nor their order. A score grows by less than n, so it cannot catch up with one that
   * is more than n above; nothing sinks below the lowest unless a score wraps round past 2³²−1.
   */
  private boolean farApart(int[] space, int tops) {
    int n = seeds.length;
    int above = -1;
    for (int at = n + 1; at <= n + tops; at++) {
      int score = space[space[at]];
      if (compareUnsigned(above - score, n) <= 0) {
        return false;
      }
      above = score;
    }
    return true;
  }

  /** Chooses with regard to weights, zones and equal scores, in one pass for each replica. */
  private void chooseOneByOne(int[] space, int count, long key, byte @Nullable [] bytes) {
    int n = seeds.length;
    int taken = 2 * n + 1;
    int zoneUse = 3 * n + 1;
    Arrays.fill(space, taken, zoneUse + n, 0);
    int zoneMax = 1;
    for (int chosen = 0; chosen < count; ) {
      int next = nearest(space, chosen == 0 ? 0 : -1, zoneMax, key, bytes);
      if (next < 0) {
        zoneMax++;
      } else {
        space[n + chosen++] = next;
        space[taken + next] = 1;
        if (zones != null) {
          space[zoneUse + zones[next]]++;
        }
      }
    }
  }

  /**
   * The node to take next: the nearest to an end of the range of scores, which is 0 for the primary
   * and 2³²−1 for backups, distances divided by weights; -1 if every zone has {@code zoneMax}.
   */
  private int nearest(int[] space, int end, int zoneMax, long key, byte @Nullable [] bytes) {
    int nearest = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < seeds.length; i++) {
      double distance = ((space[i] ^ end) & 0xffff_ffffL) * 0x1p-32 + 0x1p-33;
      double cost = distance;
      if (weights != null) {
        // The logarithm is never nearer than this bound, so most nodes need none.
        if (distance * inverseWeights[i] > least) {
          continue;
        }
        cost = -StrictMath.log(1 - distance) / weights[i];
      }
      if (cost <= least
          && mayTake(space, i, zoneMax)
          && (cost < least || nearest < 0 || isNearer(space, i, nearest, end, key, bytes))) {
        nearest = i;
        least = cost;
      }
    }
    return nearest;
  }

  private boolean mayTake(int[] space, int node, int zoneMax) {
    int n = seeds.length;
    return space[2 * n + 1 + node] == 0
        && (zones == null || space[3 * n + 1 + zones[node]] < zoneMax);
  }

  /** Compares two nodes of equal cost: by score, by the second hash, by id. */
  private boolean isNearer(int[] space, int a, int b, int end, long key, byte @Nullable [] bytes) {
    int order = compareUnsigned(space[a] ^ end, space[b] ^ end);
    if (order == 0) {
      order = compareUnsigned(tie(a, key, bytes) ^ end, tie(b, key, bytes) ^ end);
    }
    if (order == 0) {
      order = nodes.get(a).id().compareTo(nodes.get(b).id());
      order = end == 0 ? order : -order;
    }
    return order < 0;
  }

  private int tie(int node, long key, byte @Nullable [] bytes) {
    return bytes == null ? hash.hash(key, tieSeeds[node]) : hash.hash(bytes, tieSeeds[node]);
  }

  /** Whether both choose by nothing but scores, and these by the same hash. */
  boolean scoresLike(RendezvousPlacement other) {
    return choosesByScores() && other.choosesByScores() && hash.equals(other.hash);
  }

  private boolean choosesByScores() {
    return !settles && !choosesOneByOne;
  }

  int score(long key, int node) {
    return hash.hash(key, seeds[node]);
  }

  /** The seeds in use, after the collision rule. */
  int[] seeds() {
    return seeds.clone();
  }

  @Override
  public String toString() {
    return "RendezvousPlacement" + nodes;
  }

  /** Sets up a {@link RendezvousPlacement}. */
  public static final class Builder {

    private Collection<Node> nodes = List.of();
    private SeededHash hash = SeededHash.murmur3();
    private Collisions collisions = Collisions.INCREMENT;

    private Builder() {}

    /**
     * The cluster.
     *
     * @param nodes at least one, ids unique
     * @return this builder
     * @throws IllegalArgumentException if {@code nodes} is null
     */
    public Builder nodes(Collection<Node> nodes) {
      this.nodes = Nodes.present(nodes, "nodes");
      return this;
    }

    /**
     * What keys are scored with.
     *
     * @param hash the hash
     * @return this builder
     * @throws IllegalArgumentException if {@code hash} is null
     */
    public Builder hash(SeededHash hash) {
      this.hash = Nodes.present(hash, "hash");
      return this;
    }

    /**
     * What happens to equal hashes.
     *
     * @param collisions the rule
     * @return this builder
     * @throws IllegalArgumentException if {@code collisions} is null
     */
    public Builder collisions(Collisions collisions) {
      this.collisions = Nodes.present(collisions, "collisions");
      return this;
    }

    /**
     * Builds the placement.
     *
     * @return the placement
     * @throws IllegalArgumentException if there are no nodes, or one is null, or two have the same
     *     id
     */
    public RendezvousPlacement build() {
      return new RendezvousPlacement(this);
    }
  }
}
