package io.horae.placement;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A placement looked up beforehand: keys fall into a fixed number of partitions, and a table says
 * where each partition lives. A lookup is a hash and a read, however many nodes there are.
 *
 * <pre>{@code
 * TabulatedPlacement table = TabulatedPlacement.of(RendezvousPlacement.of(nodes));
 * table.primary(42);                                        // a few nanoseconds
 * table = table.next(RendezvousPlacement.of(view.after()));  // what moved is looked up anew
 * }</pre>
 *
 * <p><b>What it promises.</b> The replicas of a key are those that the placement behind it gives to
 * the number of the key's {@linkplain #partitionOf(long) partition}, from 0 on, as a {@code long}
 * key. Whatever the placement promises of keys, such as distinct zones or minimal movement, holds
 * of partitions, and so of the keys in them. The partition of a key depends on nothing but the key
 * and how many partitions there are; that number must stay the same for as long as data is to stay
 * where it is.
 *
 * <p><b>How many partitions.</b> A partition moves as a whole, and shares are only as even as the
 * partitions: with <i>p</i> of them to a node, shares differ by about one part in √<i>p</i>. The
 * default of 16,384 does for 100 nodes, whose shares then differ by 8 %; for 1,000 nodes take
 * 131,072 or more.
 *
 * <p><b>Cost.</b> The table takes two bytes for each partition and replica: by default, with two
 * replicas, 64 kilobytes. A lookup by a {@code long} key into an array allocates nothing; one for
 * more replicas than are in the table asks the placement behind it. To build a table asks the
 * placement once for each partition. {@link #next} asks less.
 *
 * <p>Where something must be done for each key that moves, partitions are what to go by: those that
 * move are few, and {@link Movement} measures them, asked for the keys from 0 up to the number of
 * partitions of the two placements behind.
 */
public final class TabulatedPlacement implements Placement {

  /** The most partitions of a table. */
  static final int PARTITIONS_MAX = 1 << 20;

  /** The most replicas in a table. */
  static final int REPLICAS_MAX = 16;

  /** The table has a node in 16 bits. */
  static final int NODES_MAX = 1 << 16;

  private final Placement placement;
  private final int partitions;

  /** How many replicas the table was set up for. */
  private final int replicasMax;

  /** How many replicas of each partition are in the table: as set up, or as many as nodes. */
  private final int width;

  /** The upper bits of a hash that are not those of its partition. */
  private final int longShift;

  private final int intShift;

  /** The nodes, without the detour of a list. */
  private final Node[] nodes;

  /**
   * The replicas of each partition by index, {@link #width} of them, one partition after another.
   */
  private final char[] table;

  private TabulatedPlacement(
      Placement placement, int partitions, int replicasMax, int width, char[] table) {
    this.placement = placement;
    this.partitions = partitions;
    this.replicasMax = replicasMax;
    this.width = width;
    this.table = table;
    nodes = placement.nodes().toArray(new Node[0]);
    int bits = Integer.numberOfTrailingZeros(partitions);
    longShift = Long.SIZE - bits;
    intShift = Integer.SIZE - bits;
  }

  /**
   * A table of 16,384 partitions with two replicas each.
   *
   * @param placement the placement of the partitions
   * @return the table
   * @throws IllegalArgumentException if it is null or has more than 65,536 nodes
   */
  public static TabulatedPlacement of(Placement placement) {
    return builder().placement(placement).build();
  }

  /**
   * A table to be set up.
   *
   * @return the builder, for 16,384 partitions with two replicas, without a placement
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * The table for another placement, such as that of the next view, with as many partitions and
   * replicas.
   *
   * <p>If both placements are {@link RendezvousPlacement}s with the same hash, without weights,
   * zones or colliding hashes, only what moved is looked up: partitions that had a node that
   * leaves. Where nodes join, each of them is compared with the replicas that a partition has.
   * Otherwise all partitions are looked up.
   *
   * @param after the placement from now on
   * @return the table, the same as one made for it from the start; this one stays as it was
   * @throws IllegalArgumentException if it is null or has more than 65,536 nodes
   */
  public TabulatedPlacement next(Placement after) {
    int newWidth = width(after, replicasMax);
    RendezvousChange change = newWidth == width ? RendezvousChange.between(placement, after) : null;
    if (change == null) {
      return tabulated(after, partitions, replicasMax);
    }
    char[] newTable = table.clone();
    int[] replicas = new int[width];
    for (int partition = 0; partition < partitions; partition++) {
      int at = partition * width;
      for (int level = 0; level < width; level++) {
        replicas[level] = table[at + level];
      }
      change.update(partition, replicas);
      for (int level = 0; level < width; level++) {
        newTable[at + level] = (char) replicas[level];
      }
    }
    return new TabulatedPlacement(after, partitions, replicasMax, width, newTable);
  }

  private static TabulatedPlacement tabulated(
      Placement placement, int partitions, int replicasMax) {
    int width = width(placement, replicasMax);
    char[] table = new char[partitions * width];
    int[] replicas = new int[width];
    for (int partition = 0; partition < partitions; partition++) {
      placement.replicas(partition, replicas);
      for (int level = 0; level < width; level++) {
        table[partition * width + level] = (char) replicas[level];
      }
    }
    return new TabulatedPlacement(placement, partitions, replicasMax, width, table);
  }

  private static int width(Placement placement, int replicasMax) {
    int size = Nodes.present(placement, "placement").nodes().size();
    if (size > NODES_MAX) {
      throw new IllegalArgumentException("a table has room for 65,536 nodes, not " + size);
    }
    return Math.min(replicasMax, size);
  }

  @Override
  public List<Node> nodes() {
    return placement.nodes();
  }

  /**
   * The placement of the partitions.
   *
   * @return what the table was made from
   */
  public Placement placement() {
    return placement;
  }

  /**
   * How many partitions there are.
   *
   * @return their number, a power of two
   */
  public int partitions() {
    return partitions;
  }

  /**
   * The partition of a key: the upper bits of the number mixed as at the end of MurmurHash3's 64
   * bits, {@code fmix64}.
   *
   * @param key the key
   * @return the partition, from 0 on
   */
  public int partitionOf(long key) {
    long h = (key ^ (key >>> 33)) * 0xff51afd7ed558ccdL;
    // What is left of fmix64 does not reach the upper bits.
    return (int) (((h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L) >>> longShift);
  }

  /**
   * The partition of a key: the upper bits of MurmurHash3, x86 32-bit, of its UTF-8 bytes under
   * seed 0.
   *
   * @param key the key
   * @return the partition, from 0 on
   * @throws IllegalArgumentException if the key is null
   */
  public int partitionOf(String key) {
    byte[] bytes = Nodes.present(key, "key").getBytes(UTF_8);
    return Murmur3.X86_32.hash(bytes, 0) >>> intShift;
  }

  @Override
  public int replicas(long key, int[] into) {
    return replicasOf(partitionOf(key), into);
  }

  @Override
  public int replicas(String key, int[] into) {
    return replicasOf(partitionOf(key), into);
  }

  @Override
  public Node primary(long key) {
    return nodes[table[partitionOf(key) * width]];
  }

  @Override
  public Node primary(String key) {
    return nodes[table[partitionOf(key) * width]];
  }

  private int replicasOf(int partition, int[] into) {
    int count = Nodes.checkedCount(into, nodes.length);
    if (count > width) {
      return placement.replicas(partition, into);
    }
    int at = partition * width;
    into[0] = table[at];
    // A loop over one backup, the usual number, would take longer than all the rest.
    if (count == 2) {
      into[1] = table[at + 1];
    } else {
      for (int level = 1; level < count; level++) {
        into[level] = table[at + level];
      }
    }
    return count;
  }

  @Override
  public String toString() {
    return partitions + " partitions of " + placement;
  }

  /** Sets up a {@link TabulatedPlacement}. */
  public static final class Builder {

    private @Nullable Placement placement;
    private int partitions = 1 << 14;
    private int replicas = 2;

    private Builder() {}

    /**
     * The placement of the partitions.
     *
     * @param placement the placement; immutable, as all are
     * @return this builder
     * @throws IllegalArgumentException if {@code placement} is null
     */
    public Builder placement(Placement placement) {
      this.placement = Nodes.present(placement, "placement");
      return this;
    }

    /**
     * How many partitions there are. All members must agree on it, and it cannot change without
     * moving most keys.
     *
     * @param partitions a power of two, from 2 to 1,048,576
     * @return this builder
     * @throws IllegalArgumentException if it is another number
     */
    public Builder partitions(int partitions) {
      if (partitions < 2 || partitions > PARTITIONS_MAX || Integer.bitCount(partitions) != 1) {
        throw new IllegalArgumentException(
            "partitions must be a power of two from 2 to 1,048,576: " + partitions);
      }
      this.partitions = partitions;
      return this;
    }

    /**
     * How many replicas of each partition the table holds. Asked for more, it asks the placement.
     *
     * @param replicas 1 to 16
     * @return this builder
     * @throws IllegalArgumentException if it is another number
     */
    public Builder replicas(int replicas) {
      if (replicas < 1 || replicas > REPLICAS_MAX) {
        throw new IllegalArgumentException("a table holds 1 to 16 replicas: " + replicas);
      }
      this.replicas = replicas;
      return this;
    }

    /**
     * Builds the table, which looks every partition up.
     *
     * @return the table
     * @throws IllegalArgumentException if no placement was given, or one of more than 65,536 nodes
     */
    public TabulatedPlacement build() {
      return tabulated(Nodes.present(placement, "placement"), partitions, replicas);
    }
  }
}
