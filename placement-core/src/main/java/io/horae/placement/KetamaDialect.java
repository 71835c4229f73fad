package io.horae.placement;

import java.util.function.Function;

/**
 * What the clients of a cluster must agree on to find the same node for a key: how a node becomes
 * points on the continuum, how a key is hashed, and which node has a point that two nodes share.
 *
 * <p>All dialects hash the node key, a dash and a number from 0 on with MD5, and make four points
 * of every digest. A node key is made of {@link Node#id()} alone, never of an address looked up, so
 * ids must be spelt as the other clients spell their servers.
 *
 * <pre>{@code
 * KetamaDialect ours = KetamaDialect.builder()
 *     .nodeKey(node -> node.id().toLowerCase(Locale.ROOT))
 *     .weightedDigests(100)
 *     .keyHash(key -> Hashing.murmur3_32_fixed().hashBytes(key).asInt())
 *     .equalPoints(KetamaDialect.EqualPoints.LOWEST_NODE_KEY)
 *     .build();
 * }</pre>
 *
 * <p>A dialect is immutable.
 */
public final class KetamaDialect {

  /**
   * RFC 26 of the Couchbase SDKs, as libcouchbase has it: the id is {@code host:port}, with 40
   * digests; weights play no part. Equal points are the lowest node key's, so that the order of the
   * list does not matter.
   */
  public static final KetamaDialect COUCHBASE =
      new Builder("COUCHBASE", DigestCount.same(DigestCount.DEFAULT)).build();

  /**
   * Spymemcached with its own node keys. The id is what {@code InetSocketAddress.toString()} gives
   * there, without a leading slash: {@code 10.0.0.1:11211} for an address, {@code
   * cache1.example.com/10.0.0.1:11211} for a name that it looked up.
   *
   * <p>If all weights are 1 there are 40 digests to a node, else as many as {@link #TWEMPROXY}
   * takes; weights are whole numbers. A client that was given weights which all are 1 is had by
   * weights which all are 2. Equal points are the last listed node's, and count once.
   */
  public static final KetamaDialect SPYMEMCACHED =
      new Builder("SPYMEMCACHED", DigestCount::spymemcached)
          .equalPoints(EqualPoints.LAST_LISTED)
          .build();

  /**
   * Spymemcached with the node keys that it calls libmemcached's: like {@link #SPYMEMCACHED}, but
   * the id is {@code host:port}, and the port is left out of the node key if it is 11211.
   */
  public static final KetamaDialect LIBMEMCACHED =
      SPYMEMCACHED.toBuilder("LIBMEMCACHED").nodeKey(KetamaDialect::withoutDefaultPort).build();

  /**
   * Libketama, the first of them. The id is the server as its file has it, with the port. Weights
   * are whole numbers, 40 digests to a node on average. Equal points are the first listed node's.
   */
  public static final KetamaDialect LIBKETAMA =
      new Builder("LIBKETAMA", DigestCount::libketama)
          .equalPoints(EqualPoints.FIRST_LISTED)
          .build();

  /**
   * Twemproxy (nutcracker) with {@code distribution: ketama} and {@code hash: md5}. The id is the
   * server's name if it has one, else {@code host:port}; a port of 11211 is left out of the node
   * key. Weights are whole numbers, 40 digests to a node on average. Equal points are the first
   * listed node's. The empty key hashes to 0.
   *
   * <p>Without {@code hash: md5}, twemproxy hashes keys otherwise:
   *
   * <pre>{@code
   * TWEMPROXY.toBuilder().keyHash(KetamaHash.twemproxyFnv1a64()).build()
   * }</pre>
   *
   * <p>Where it is told of a {@code hash_tag}, the key to look up is what stands between the tags.
   */
  public static final KetamaDialect TWEMPROXY =
      new Builder("TWEMPROXY", DigestCount::twemproxy)
          .nodeKey(KetamaDialect::withoutDefaultPort)
          .equalPoints(EqualPoints.FIRST_LISTED)
          .emptyKeyHashesToZero()
          .build();

  private static final String DEFAULT_PORT = ":11211";

  private final String name;
  private final Function<Node, String> nodeKey;
  private final DigestCount digests;
  private final KetamaHash keyHash;
  private final EqualPoints equalPoints;
  private final boolean emptyKeyHashesToZero;

  private KetamaDialect(Builder builder) {
    name = builder.name;
    nodeKey = builder.nodeKey;
    digests = builder.digests;
    keyHash = builder.keyHash;
    equalPoints = builder.equalPoints;
    emptyKeyHashesToZero = builder.emptyKeyHashesToZero;
  }

  private static String withoutDefaultPort(Node node) {
    String id = node.id();
    return id.endsWith(DEFAULT_PORT) ? id.substring(0, id.length() - DEFAULT_PORT.length()) : id;
  }

  /**
   * A dialect of one's own.
   *
   * @return a builder, set as {@link #COUCHBASE} is
   */
  public static Builder builder() {
    return COUCHBASE.toBuilder();
  }

  /**
   * A dialect like this one.
   *
   * @return a builder, set as this dialect is
   */
  public Builder toBuilder() {
    return toBuilder("like " + name);
  }

  private Builder toBuilder(String newName) {
    Builder builder = new Builder(newName, digests);
    builder.nodeKey = nodeKey;
    builder.keyHash = keyHash;
    builder.equalPoints = equalPoints;
    builder.emptyKeyHashesToZero = emptyKeyHashesToZero;
    return builder;
  }

  Function<Node, String> nodeKey() {
    return nodeKey;
  }

  DigestCount digests() {
    return digests;
  }

  KetamaHash keyHash() {
    return keyHash;
  }

  EqualPoints equalPoints() {
    return equalPoints;
  }

  boolean emptyKeyHashesToZero() {
    return emptyKeyHashesToZero;
  }

  @Override
  public String toString() {
    return name;
  }

  /** Which node has a point that more than one lays claim to. */
  public enum EqualPoints {
    /** The one whose node key comes first, byte by byte. The order of the list does not matter. */
    LOWEST_NODE_KEY,

    /** The one that is listed first: clients must list the nodes in the same order. */
    FIRST_LISTED,

    /**
     * The one that is listed last, and the point counts once: what comes of putting points into a
     * map. Clients must list the nodes in the same order.
     */
    LAST_LISTED
  }

  /** Sets up a {@link KetamaDialect}. */
  public static final class Builder {

    private final String name;
    private Function<Node, String> nodeKey = Node::id;
    private DigestCount digests;
    private KetamaHash keyHash = KetamaHash.md5();
    private EqualPoints equalPoints = EqualPoints.LOWEST_NODE_KEY;
    private boolean emptyKeyHashesToZero;

    private Builder(String name, DigestCount digests) {
      this.name = name;
      this.digests = digests;
    }

    private Builder emptyKeyHashesToZero() {
      emptyKeyHashesToZero = true;
      return this;
    }

    /**
     * What is hashed of a node, before the dash and the number.
     *
     * @param nodeKey a pure function; different for every node of a cluster
     * @return this builder
     * @throws IllegalArgumentException if {@code nodeKey} is null
     */
    public Builder nodeKey(Function<Node, String> nodeKey) {
      this.nodeKey = Nodes.present(nodeKey, "node key");
      return this;
    }

    /**
     * Gives every node the same number of digests, whatever its weight.
     *
     * @param perNode how many, from 1 to 65,536; each makes four points
     * @return this builder
     * @throws IllegalArgumentException if {@code perNode} is out of range
     */
    public Builder digests(int perNode) {
      digests = DigestCount.same(checked(perNode));
      return this;
    }

    /**
     * Gives nodes digests in proportion to their weights, rounded down, but at least one.
     *
     * @param perNode how many a node has on average, from 1 to 65,536; each makes four points
     * @return this builder
     * @throws IllegalArgumentException if {@code perNode} is out of range
     */
    public Builder weightedDigests(int perNode) {
      digests = DigestCount.proportional(checked(perNode));
      return this;
    }

    private static int checked(int perNode) {
      if (perNode < 1 || perNode > 1 << 16) {
        throw new IllegalArgumentException("digests per node must be 1 to 65,536: " + perNode);
      }
      return perNode;
    }

    /**
     * What keys are hashed with.
     *
     * @param keyHash the hash
     * @return this builder
     * @throws IllegalArgumentException if {@code keyHash} is null
     */
    public Builder keyHash(KetamaHash keyHash) {
      this.keyHash = Nodes.present(keyHash, "key hash");
      return this;
    }

    /**
     * Which node has a point that more than one lays claim to.
     *
     * @param equalPoints the rule
     * @return this builder
     * @throws IllegalArgumentException if {@code equalPoints} is null
     */
    public Builder equalPoints(EqualPoints equalPoints) {
      this.equalPoints = Nodes.present(equalPoints, "rule for equal points");
      return this;
    }

    /**
     * Builds the dialect.
     *
     * @return the dialect
     */
    public KetamaDialect build() {
      return new KetamaDialect(this);
    }
  }
}
