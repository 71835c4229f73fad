package io.horae.placement;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * The Ketama continuum: the numbers from 0 to 2³²−1 as a ring, on which every node has points, the
 * words of some MD5 digests of its key. A key belongs to the node of the first point at or after
 * its hash, and its backups are the next other nodes clockwise.
 *
 * <pre>{@code
 * KetamaContinuum continuum = KetamaContinuum.builder()
 *     .nodes(List.of(Node.of("10.0.0.1:11211"), Node.of("10.0.0.2:11211")))
 *     .dialect(KetamaDialect.SPYMEMCACHED)
 *     .build();
 * continuum.primary("user:42");        // the server where spymemcached keeps it
 * }</pre>
 *
 * <p>It is for services that share a cluster with others who use it; they find the same node for a
 * key if {@link KetamaDialect} and node ids are theirs. A {@code long} key, which no other client
 * has, is hashed as its 8 bytes, the lowest first.
 *
 * <p>A node that joins only takes arcs of the ring, and a node that leaves only gives its own away;
 * the order of the list does not matter. Where a dialect has weights, both hold as long as no other
 * node's number of points changes. Should two points be equal, the order of the list decides in the
 * dialects that say so; {@link KetamaDialect#COUCHBASE} does not. Zones play no part.
 *
 * <p><b>Cost.</b> A lookup is the hash of the key and one or two steps on the ring, however many
 * nodes there are, and allocates nothing for numbers and ASCII keys of up to 55 characters; for
 * other keys, their bytes. Each further replica looks at those found before it. The ring takes 8
 * bytes a point, which at 160 points is 1,280 bytes a node.
 */
public final class KetamaContinuum implements Placement {

  private static final double RING = 0x1p32;

  private final List<Node> nodes;
  private final KetamaDialect dialect;
  private final KetamaHash keyHash;
  private final int[] digests;
  private final KetamaPoints points;

  private KetamaContinuum(Builder builder) {
    nodes = Nodes.checked(builder.nodes);
    dialect = builder.dialect;
    keyHash = dialect.keyHash();
    if (nodes.size() > KetamaPoints.NODES_MAX) {
      throw new IllegalArgumentException(
          "a continuum has room for " + KetamaPoints.NODES_MAX + " nodes, not " + nodes.size());
    }
    List<String> nodeKeys = nodeKeys();
    digests = dialect.digests().of(nodes);
    long count = 4 * Arrays.stream(digests).asLongStream().sum();
    if (count > KetamaPoints.COUNT_MAX) {
      throw new IllegalArgumentException(
          "a continuum has room for " + KetamaPoints.COUNT_MAX + " points, not " + count);
    }
    KetamaDialect.EqualPoints rule = dialect.equalPoints();
    points =
        KetamaPoints.of(
            nodeKeys,
            digests,
            order(rule, nodeKeys),
            rule != KetamaDialect.EqualPoints.LAST_LISTED);
  }

  private List<String> nodeKeys() {
    Set<String> taken = new HashSet<>();
    return nodes.stream()
        .map(
            node -> {
              String key =
                  Nodes.present(
                      dialect.nodeKey().apply(node), "key of node " + Node.quoted(node.id()));
              if (!taken.add(key)) {
                throw new IllegalArgumentException("duplicate node key: " + Node.quoted(key));
              }
              return key;
            })
        .toList();
  }

  /** The nodes by index, those that win equal points first. */
  private static int[] order(KetamaDialect.EqualPoints rule, List<String> nodeKeys) {
    int count = nodeKeys.size();
    return switch (rule) {
      case FIRST_LISTED -> IntStream.range(0, count).toArray();
      case LAST_LISTED -> IntStream.range(0, count).map(i -> count - 1 - i).toArray();
      case LOWEST_NODE_KEY -> {
        byte[][] bytes = nodeKeys.stream().map(key -> key.getBytes(UTF_8)).toArray(byte[][]::new);
        yield IntStream.range(0, count)
            .boxed()
            .sorted((a, b) -> Arrays.compareUnsigned(bytes[a], bytes[b]))
            .mapToInt(i -> i)
            .toArray();
      }
    };
  }

  /**
   * A continuum in the dialect of RFC 26, {@link KetamaDialect#COUCHBASE}.
   *
   * @param nodes the cluster; ids unique, at least one
   * @return the continuum
   * @throws IllegalArgumentException if there are no nodes or more than 65,536, or one is null, or
   *     two have the same id
   */
  public static KetamaContinuum of(Collection<Node> nodes) {
    return builder().nodes(nodes).build();
  }

  /**
   * A continuum to be set up.
   *
   * @return the builder, on {@link KetamaDialect#COUCHBASE}, without nodes
   */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public List<Node> nodes() {
    return nodes;
  }

  /**
   * What it agrees with others on.
   *
   * @return the dialect
   */
  public KetamaDialect dialect() {
    return dialect;
  }

  @Override
  public int replicas(long key, int[] into) {
    int count = Nodes.checkedCount(into, nodes);
    return walk(keyHash.hash(key), into, count);
  }

  @Override
  public int replicas(String key, int[] into) {
    int count = Nodes.checkedCount(into, nodes);
    return walk(hash(key), into, count);
  }

  @Override
  public Node primary(long key) {
    return owner(keyHash.hash(key));
  }

  @Override
  public Node primary(String key) {
    return owner(hash(key));
  }

  /**
   * Finds the primaries of many keys. Where the dialect hashes keys with MD5, those of up to 55
   * ASCII characters are hashed side by side, which is faster the better the JIT makes vector code
   * of it. It takes ten kilobytes of working space.
   *
   * @param keys the keys
   * @param into receives the index in {@link #nodes()} of the primary of each key, in their order;
   *     what is left of it stays as it was
   * @throws IllegalArgumentException if {@code keys}, one of them or {@code into} is null, or there
   *     are more keys than {@code into} has room for
   */
  public void primaries(List<String> keys, int[] into) {
    int count = Nodes.present(keys, "keys").size();
    if (Nodes.present(into, "array for the primaries").length < count) {
      throw new IllegalArgumentException(
          "array for the primaries of "
              + count
              + " keys is too short: its length is "
              + into.length);
    }
    for (String key : keys) {
      Nodes.present(key, "key");
    }
    keyHash.hashAll(keys, into);
    for (int i = 0; i < count; i++) {
      int hash = isZero(keys.get(i)) ? 0 : into[i];
      into[i] = points.owner(points.ceiling(hash));
    }
  }

  /**
   * The node for a key whose load stays bounded: the first clockwise that has room. After Mirrokni,
   * Thorup and Zadimoghaddam, <i>Consistent Hashing with Bounded Loads</i>: with a load of <i>m</i>
   * on all nodes, this key included, a node has room up to {@code factor} times its share of
   * <i>m</i>, rounded up, shares being in proportion to numbers of points. A key whose primary has
   * room goes there.
   *
   * <p>Every call asks each node for its load. Should loads grow meanwhile so that none has room,
   * the answer is the primary.
   *
   * @param key the key
   * @param factor 1 + ε: how far a node may be above its share, at least 1. The closer to 1, the
   *     evener the loads and the more keys move when nodes or loads change
   * @param load the load of a node without this key, in keys; not negative
   * @return the node
   * @throws IllegalArgumentException if {@code key} or {@code load} is null, {@code factor} is not
   *     a finite number from 1 on, or a load is negative
   */
  public Node boundedPrimary(String key, double factor, ToLongFunction<Node> load) {
    return bounded(hash(key), factor, load);
  }

  /**
   * The node for a key whose load stays bounded, see {@link #boundedPrimary(String, double,
   * ToLongFunction)}.
   *
   * @param key the key
   * @param factor 1 + ε: how far a node may be above its share, at least 1
   * @param load the load of a node without this key, in keys; not negative
   * @return the node
   * @throws IllegalArgumentException if {@code load} is null, {@code factor} is not a finite number
   *     from 1 on, or a load is negative
   */
  public Node boundedPrimary(long key, double factor, ToLongFunction<Node> load) {
    return bounded(keyHash.hash(key), factor, load);
  }

  private Node bounded(int hash, double factor, ToLongFunction<Node> load) {
    if (!(factor >= 1) || factor == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "capacity factor must be finite and at least 1: " + factor);
    }
    Nodes.present(load, "load");
    double total = 1;
    int digestsOfAll = 0;
    for (int i = 0; i < nodes.size(); i++) {
      total += checkedLoad(load, nodes.get(i));
      digestsOfAll += digests[i];
    }
    double capacityOfAll = factor * total;
    int first = points.ceiling(hash);
    for (int i = 0, at = first; i <= points.count(); i++, at = next(at)) {
      int owner = points.owner(at);
      // Multiplied before it is divided, so that a share that is whole comes out whole.
      double capacity = Math.ceil(capacityOfAll * digests[owner] / digestsOfAll);
      if (load.applyAsLong(nodes.get(owner)) < capacity) {
        return nodes.get(owner);
      }
    }
    return nodes.get(points.owner(first));
  }

  private static long checkedLoad(ToLongFunction<Node> load, Node node) {
    long value = load.applyAsLong(node);
    if (value < 0) {
      throw new IllegalArgumentException(
          "load of node " + Node.quoted(node.id()) + " must not be negative: " + value);
    }
    return value;
  }

  /**
   * The servers that spymemcached tries for a key, one after the other, when servers fail and it
   * redistributes: the primary first, then those of further hashes. They are not distinct, and not
   * the {@linkplain #replicas(String, int) replicas}.
   *
   * @param key the key
   * @param count how many, at least 1; spymemcached gives up after 7
   * @return {@code count} nodes, some of them the same
   * @throws IllegalArgumentException if {@code key} is null or {@code count} is below 1
   */
  public List<Node> attempts(String key, int count) {
    int hash = hash(key);
    if (count < 1) {
      throw new IllegalArgumentException("count of attempts must be at least 1: " + count);
    }
    int[] indexes = new int[count];
    for (int attempt = 0; attempt < count; attempt++) {
      indexes[attempt] = points.owner(points.ceiling(hash));
      hash += keyHash.hash(attempt + key);
    }
    return new ReplicaList(nodes, indexes);
  }

  /**
   * The points, in ascending order. Points that are equal are both there, the owner of keys first,
   * unless the dialect {@linkplain KetamaDialect.EqualPoints#LAST_LISTED counts them once}.
   *
   * @return a view of the continuum; an unmodifiable list
   */
  public List<Point> points() {
    return new AbstractList<>() {
      @Override
      public Point get(int index) {
        if (index >= points.count()) {
          throw new IndexOutOfBoundsException(index);
        }
        return new Point(points.place(index), nodes.get(points.owner(index)));
      }

      @Override
      public int size() {
        return points.count();
      }
    };
  }

  /**
   * How much of the ring each node has as primary.
   *
   * @return the share of each of {@link #nodes()}, in that order; an unmodifiable list
   */
  public List<Share> ownership() {
    long[] hashes = new long[nodes.size()];
    long last = -1;
    for (int at = 0; at <= points.count(); at++) {
      hashes[points.owner(at)] += points.place(at) - last;
      last = points.place(at);
    }
    return IntStream.range(0, hashes.length)
        .mapToObj(i -> new Share(nodes.get(i), hashes[i]))
        .toList();
  }

  KetamaPoints ring() {
    return points;
  }

  private int hash(String key) {
    return isZero(Nodes.present(key, "key")) ? 0 : keyHash.hash(key);
  }

  private boolean isZero(String key) {
    return key.isEmpty() && dialect.emptyKeyHashesToZero();
  }

  private Node owner(int hash) {
    return nodes.get(points.owner(points.ceiling(hash)));
  }

  private int next(int at) {
    return at < points.count() ? at + 1 : 1 % points.count();
  }

  /** Writes {@code count} distinct nodes, clockwise from a hash on. */
  private int walk(int hash, int[] into, int count) {
    int at = points.ceiling(hash);
    into[0] = points.owner(at);
    int found = 1;
    for (int i = 1; found < count && i < points.count(); i++) {
      at = next(at);
      found = add(points.owner(at), into, found);
    }
    // A weight can be too small for a point. Such nodes come last, in the order of the list.
    for (int node = 0; found < count; node++) {
      found = add(node, into, found);
    }
    return count;
  }

  private static int add(int node, int[] into, int found) {
    for (int level = 0; level < found; level++) {
      if (into[level] == node) {
        return found;
      }
    }
    into[found] = node;
    return found + 1;
  }

  @Override
  public String toString() {
    return "KetamaContinuum " + dialect + nodes;
  }

  /**
   * A point of the continuum.
   *
   * @param hash its place: the last hash of the arc that ends here
   * @param node the node that has it
   */
  public record Point(long hash, Node node) {}

  /**
   * A node's part of the ring.
   *
   * @param node the node
   * @param hashes how many of the 2³² hashes it is primary of
   */
  public record Share(Node node, long hashes) {

    /**
     * The part of the whole.
     *
     * @return from 0 to 1, exactly
     */
    public double fraction() {
      return hashes / RING;
    }
  }

  /** Sets up a {@link KetamaContinuum}. */
  public static final class Builder {

    private Collection<Node> nodes = List.of();
    private KetamaDialect dialect = KetamaDialect.COUCHBASE;

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
     * What to agree with others on.
     *
     * @param dialect the dialect
     * @return this builder
     * @throws IllegalArgumentException if {@code dialect} is null
     */
    public Builder dialect(KetamaDialect dialect) {
      this.dialect = Nodes.present(dialect, "dialect");
      return this;
    }

    /**
     * Builds the continuum.
     *
     * @return the continuum
     * @throws IllegalArgumentException if there are no nodes or more than 65,536, one is null, two
     *     have the same id or the same node key, or a weight is not one of the dialect's
     */
    public KetamaContinuum build() {
      return new KetamaContinuum(this);
    }
  }
}
