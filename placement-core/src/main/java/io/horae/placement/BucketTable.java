package io.horae.placement;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.horae.placement.BucketPage.Cell;
import io.horae.placement.BucketTree.Spot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which server owns which bucket: an immutable, versioned map from hashes to a primary and its
 * backups.
 *
 * <p>Every hash falls in exactly one {@linkplain Bucket bucket}. A table begins with 16 buckets, or
 * 256, all on one server. When servers join, buckets move to them; when there are not enough, a
 * bucket is {@linkplain #split split} into the sixteen that compare one more hex digit, and nothing
 * moves by that. Buckets of different depths live side by side. A bucket's backups are the servers
 * that owned it before, newest first, as many as the table is set up for.
 *
 * <pre>{@code
 * BucketTable one = BucketTable.initial(a);
 * BucketTable two = one.join(b).table();
 * BucketChange change = two.move(HashMask.parse("000F/0006"), b);
 * change.table();     // the next version
 * change.duties();    // a: send 000F/0006 to b; b: become primary of 000F/0006; a: become backup …
 * }</pre>
 *
 * <p>A change returns the next table and what each server must do about it; the table it is asked
 * of stays as it is. {@link BucketBalancer} decides what to change. Moving the items is for others.
 *
 * <p><b>Clients</b> keep a table of their own, which may be old, coarser or finer than the
 * servers'. A coarser entry stays right until a part of it moves. Then the server that is asked in
 * vain {@linkplain #redirect answers} with the entries that the client needs, and the client
 * {@linkplain #learn learns} them: an entry counts where its epoch is higher than what is known.
 *
 * <p><b>As a placement</b>, a table returns a key's primary, then its backups. Asked for more
 * replicas than a bucket has, it goes on with the other servers, in their order from the primary
 * on; these hold no copy. Weights and zones play no part. The order of {@link #nodes()} is that in
 * which they joined, but that the last takes the place of one that goes.
 *
 * <p><b>Cost.</b> A lookup reads one array in a table whose buckets compare at most two digits, in
 * others two arrays, and two more for every two digits of the bucket's mask beyond four; with a
 * given hash it allocates nothing.
 *
 * <p>A change shares with the table before all that it does not touch. It copies the pages, of at
 * most 256 slots, on the way to each bucket that it changes; the list of groups of siblings of
 * which a server involved holds some; and some bytes for each server. What a server that goes held
 * is changed, and what the last one holds, which takes its place: where these are many buckets in
 * as many pages, that is a good part of the table.
 */
public final class BucketTable implements Placement {

  /** The most backups that a table can be set up for. */
  static final int BACKUPS_MOST = 15;

  private final long version;
  final BucketServers servers;
  private final int backupsMax;
  private final KeyHash hash;
  final BucketPage root;
  private final int size;

  /** Who owns what, by the first four digits of a hash, see {@link BucketPage#owners()}. */
  private final int[][] owners;

  /** The only one of these arrays, where no bucket compares more than two digits; else null. */
  private final int @Nullable [] flat;

  /** How many buckets each server is primary of. */
  final int[] counts;

  /** For each server the groups of siblings it holds some of, see {@link BucketHoldings}. */
  final long[][] holdings;

  BucketTable(
      long version,
      BucketServers servers,
      int backupsMax,
      KeyHash hash,
      BucketPage root,
      int size,
      int[] counts,
      long[][] holdings) {
    this.version = version;
    this.servers = servers;
    this.backupsMax = backupsMax;
    this.hash = hash;
    this.root = root;
    this.size = size;
    this.counts = counts;
    this.holdings = holdings;
    owners = root.owners();
    flat = owners.length == 1 ? owners[0] : null;
  }

  /**
   * A table of 16 buckets, with one backup each once they move, and keys hashed by MD5.
   *
   * @param server the first server, which owns all of them
   * @return the table, version 0
   * @throws IllegalArgumentException if the server is null
   */
  public static BucketTable initial(Node server) {
    return builder().server(server).build();
  }

  /**
   * A table to be set up.
   *
   * @return the builder, for 16 buckets, one backup and MD5, without a server
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * The number of the table: how many changes led to it. Of two tables with the same history, the
   * one with the higher version is the later.
   *
   * @return the version, from 0
   */
  public long version() {
    return version;
  }

  @Override
  public List<Node> nodes() {
    return servers.nodes();
  }

  /**
   * How many backups a bucket has, at most.
   *
   * @return the number, from 0
   */
  public int backupsMax() {
    return backupsMax;
  }

  /**
   * The hash that keys are put into buckets by.
   *
   * @return the hash
   */
  public KeyHash keyHash() {
    return hash;
  }

  /**
   * How many buckets there are.
   *
   * @return their number, at least 16
   */
  public int size() {
    return size;
  }

  /**
   * How many buckets a server is primary of.
   *
   * @param server the server, by its id
   * @return their number
   * @throws IllegalArgumentException if it is unknown
   */
  public int count(Node server) {
    return counts[servers.index(server)];
  }

  // Lookups.

  @Override
  public int replicas(long key, int[] into) {
    return replicasAt(hash.hash(key), into);
  }

  @Override
  public int replicas(String key, int[] into) {
    return replicasAt(hashOf(key), into);
  }

  @Override
  public Node primary(long key) {
    return nodes().get(primaryAt(hash.hash(key)));
  }

  @Override
  public Node primary(String key) {
    return nodes().get(primaryAt(hashOf(key)));
  }

  private long hashOf(String key) {
    return hash.hash(Nodes.present(key, "key").getBytes(UTF_8));
  }

  /**
   * The owner of a hash.
   *
   * @param hash the hash of a key, or its low 64 bits
   * @return the index of the primary in {@link #nodes()}
   */
  public int primaryAt(long hash) {
    int[] all = flat;
    if (all != null) {
      return all[(int) hash & (all.length - 1)];
    }
    int[] second = owners[(int) hash & (BucketPage.WIDE - 1)];
    int primary = second[((int) hash >>> BucketPage.WIDE_BITS) & (second.length - 1)];
    return primary >= 0 ? primary : root.primaryBelow(hash);
  }

  private int replicasAt(long hash, int[] into) {
    int count = Nodes.checkedCount(into, nodes());
    BucketPage page = root;
    long rest = hash;
    int slot = page.slot(rest);
    while (page.primaries[slot] < 0) {
      page = page.below(slot);
      rest >>>= BucketPage.WIDE_BITS;
      slot = page.slot(rest);
    }
    int primary = page.primaries[slot];
    into[0] = primary;
    int held = 1;
    for (int i = 0; i < backupsMax && held < count; i++) {
      int backup = page.backups[slot * backupsMax + i];
      if (backup < 0) {
        break;
      }
      into[held++] = backup;
    }
    int filled = held;
    for (int next = primary + 1; filled < count; next++) {
      int other = next < nodes().size() ? next : next - nodes().size();
      if (!contains(into, held, other)) {
        into[filled++] = other;
      }
    }
    return count;
  }

  private static boolean contains(int[] array, int length, int value) {
    for (int i = 0; i < length; i++) {
      if (array[i] == value) {
        return true;
      }
    }
    return false;
  }

  /**
   * The bucket of a key.
   *
   * @param key the key
   * @return the bucket that its hash falls in
   */
  public Bucket bucketOf(long key) {
    return bucketAt(hash.hash(key));
  }

  /**
   * The bucket of a key.
   *
   * @param key the key
   * @return the bucket that its hash falls in
   * @throws IllegalArgumentException if the key is null
   */
  public Bucket bucketOf(String key) {
    return bucketAt(hashOf(key));
  }

  /**
   * The bucket of a hash.
   *
   * @param hash the hash of a key, or its low 64 bits
   * @return the bucket that it falls in
   */
  public Bucket bucketAt(long hash) {
    return bucket(BucketTree.locate(root, hash));
  }

  /**
   * A bucket by its hashmask.
   *
   * @param mask the hashmask
   * @return the bucket
   * @throws IllegalArgumentException if there is no such bucket
   */
  public Bucket bucket(HashMask mask) {
    return bucket(bucket(root, mask));
  }

  static Spot bucket(BucketPage root, HashMask mask) {
    Spot spot = BucketTree.locate(root, Nodes.present(mask, "bucket").value());
    if (!spot.mask().equals(mask)) {
      throw new IllegalArgumentException(
          "no bucket " + mask + ": its first hash is in " + spot.mask());
    }
    return spot;
  }

  private Bucket bucket(Spot spot) {
    Cell cell = spot.cell();
    return new Bucket(
        spot.mask(),
        nodes().get(cell.primary()),
        Arrays.stream(cell.backups()).filter(i -> i >= 0).mapToObj(nodes()::get).toList(),
        cell.epoch());
  }

  /**
   * All buckets.
   *
   * @return the buckets, in the order of their hashmasks
   */
  public List<Bucket> buckets() {
    List<Bucket> buckets = new ArrayList<>(size);
    BucketTree.walk(root, spot -> buckets.add(bucket(spot)));
    buckets.sort(Comparator.comparing(Bucket::mask));
    return buckets;
  }

  /**
   * The buckets that a server is primary of. Costs what the server holds, not the table.
   *
   * @param server the server, by its id
   * @return the buckets, in the order of their hashmasks
   * @throws IllegalArgumentException if it is unknown
   */
  public List<Bucket> bucketsOf(Node server) {
    int index = servers.index(server);
    return heldBy(root, holdings[index], index).stream()
        .filter(spot -> spot.cell().primary() == index)
        .map(this::bucket)
        .toList();
  }

  /** The buckets that a server is primary or backup of, in the order of their hashmasks. */
  static List<Spot> heldBy(BucketPage root, long[] groups, int server) {
    List<Spot> held = new ArrayList<>();
    for (long group : groups) {
      long value = BucketHoldings.value(group);
      held.addAll(BucketTree.childrenHeldBy(root, value, BucketHoldings.digits(group), server));
    }
    held.sort(Comparator.comparing(Spot::mask));
    return held;
  }

  // Changes.

  /**
   * A server joins, without a bucket yet. Nobody has anything to do before some move to it.
   *
   * @param server the server
   * @return the change
   * @throws IllegalArgumentException if the server is null or its id is taken
   */
  public BucketChange join(Node server) {
    return new BucketEdit(this).join(server).change();
  }

  /**
   * A bucket moves. Its primary becomes the first of its backups; the last of them, if there is one
   * too many, forgets it. A server that is a backup already needs to be sent nothing.
   *
   * @param bucket the bucket
   * @param server the server that owns it from now on
   * @return the change
   * @throws IllegalArgumentException if there is no such bucket or server, or it owns the bucket
   */
  public BucketChange move(HashMask bucket, Node server) {
    return new BucketEdit(this).move(bucket, server).change();
  }

  /**
   * A bucket is split into sixteen, on its primary and on its backups. Nothing moves, and clients
   * need not know.
   *
   * @param bucket the bucket
   * @return the change
   * @throws IllegalArgumentException if there is no such bucket or it has the deepest mask
   */
  public BucketChange split(HashMask bucket) {
    return new BucketEdit(this).split(bucket).change();
  }

  /**
   * Sixteen buckets become one again. Those servers stay its backups that are backups of all
   * sixteen, in the order of the first part's; others forget the parts they have.
   *
   * @param whole the hashmask that the sixteen are the parts of
   * @return the change
   * @throws IllegalArgumentException if it is not split into sixteen buckets, or they have not all
   *     the same primary
   */
  public BucketChange merge(HashMask whole) {
    return new BucketEdit(this).merge(whole).change();
  }

  /**
   * A server is gone. The first backup of each of its buckets takes over. A bucket without a backup
   * is {@linkplain BucketChange#lost() reported}, and goes, empty, to a server with the fewest.
   *
   * @param server the server, by its id
   * @return the change
   * @throws IllegalArgumentException if there is no such server or no other
   */
  public BucketChange fail(Node server) {
    return new BucketEdit(this).fail(server).change();
  }

  /**
   * A server goes in good order: first its buckets move to the others, each to one that has the
   * fewest then and, among these, has a copy; then it forgets what it held. A bucket keeps its
   * other backups.
   *
   * <p>This is the change as a whole. To move the buckets one by one while the server still
   * belongs, follow {@link BucketBalancer#emptying}; what is then left to do is this.
   *
   * @param server the server, by its id
   * @return the change
   * @throws IllegalArgumentException if there is no such server or no other
   */
  public BucketChange leave(Node server) {
    return new BucketEdit(this).leave(server).change();
  }

  // Clients.

  /**
   * What a server answers to a request for a hash, by this, its table: nothing if it owns the hash,
   * else the entries that the client needs, at most sixteen. The first is the bucket of the hash.
   * If the client knows no more than a larger bucket, the siblings that have left its owner too
   * follow, so that it need not ask in vain for each.
   *
   * @param server the server that was asked
   * @param asked the bucket as the client knows it
   * @param hash the hash
   * @return the entries; empty if the server owns the hash
   * @throws IllegalArgumentException if the hash is not in that bucket or anything is null
   */
  public List<Bucket> redirect(Node server, HashMask asked, long hash) {
    String id = Nodes.present(server, "server").id();
    if (!Nodes.present(asked, "bucket").contains(hash)) {
      throw new IllegalArgumentException(String.format("hash %016x is not in %s", hash, asked));
    }
    Bucket bucket = bucketAt(hash);
    if (bucket.primary().id().equals(id)) {
      return List.of();
    }
    List<Bucket> answer = new ArrayList<>();
    answer.add(bucket);
    if (bucket.mask().digits() > asked.digits()) {
      HashMask parent = bucket.mask().parent();
      for (Spot sibling : BucketTree.children(root, parent.value(), parent.digits())) {
        if (!sibling.mask().equals(bucket.mask())
            && !nodes().get(sibling.cell().primary()).id().equals(id)) {
          answer.add(bucket(sibling));
        }
      }
    }
    return answer;
  }

  /**
   * This table with entries that came from elsewhere, wherever they are newer than what is known
   * here. The order in which entries come does not matter, nor whether they come twice. A coarser
   * bucket is cut as far as it must be: {@code new[i] = old[i & oldMask]}. The version stays, since
   * it says which changes are all in.
   *
   * @param entries the entries
   * @return the table; this one if there was nothing new
   * @throws IllegalArgumentException if anything is null
   */
  public BucketTable learn(Collection<Bucket> entries) {
    BucketEdit edit = new BucketEdit(this);
    Nodes.present(entries, "entries").forEach(entry -> edit.learn(Nodes.present(entry, "entry")));
    BucketTable learned = edit.table();
    return learned.root == root ? this : learned;
  }

  /**
   * What has changed since an earlier version. Costs what has changed if this table was made from
   * the other.
   *
   * @param earlier the earlier table
   * @return the buckets that are not the same there
   * @throws IllegalArgumentException if it is null, or later than this, or set up for another
   *     number of backups
   */
  public BucketDelta since(BucketTable earlier) {
    return BucketDelta.between(Nodes.present(earlier, "earlier table"), this);
  }

  /**
   * This table with later changes. On the version that the delta begins with it gives the version
   * that it ends with; what has been {@linkplain #learn learned} on top stays where it is newer. A
   * delta of which this table knows a part, or all, does no harm.
   *
   * @param delta the changes
   * @return the table
   * @throws IllegalArgumentException if the delta is null or begins with a later version than this
   */
  public BucketTable apply(BucketDelta delta) {
    if (Nodes.present(delta, "delta").from() > version) {
      throw new IllegalArgumentException(
          "a delta from version " + delta.from() + " does not fit version " + version);
    }
    if (delta.to() <= version) {
      return this;
    }
    BucketEdit edit = new BucketEdit(this);
    delta.buckets().forEach(edit::learn);
    return edit.become(delta.to(), delta.nodes()).table();
  }

  // Forms.

  /**
   * The table in bytes, complete but for the {@linkplain #keyHash() hash}.
   *
   * @return the bytes, for {@link #fromBytes}
   */
  public byte[] toBytes() {
    return BucketCodec.encode(this);
  }

  /**
   * Reads a table that {@link #toBytes()} wrote.
   *
   * @param bytes the bytes
   * @param hash the hash that keys are put into buckets by
   * @return the table
   * @throws IllegalArgumentException if the bytes are not a table, whole and unharmed
   */
  public static BucketTable fromBytes(byte[] bytes, KeyHash hash) {
    return BucketCodec.decodeTable(
        Nodes.present(bytes, "bytes"), Nodes.present(hash, "hash of keys"));
  }

  /**
   * The table for people: a line for each server with its buckets, those under one mask together,
   * each with its backups.
   *
   * @return such as {@code b 1: 000F/0006<a} for a server b with one bucket that a is the backup of
   */
  public String toText() {
    return BucketText.of(this);
  }

  /**
   * The table in short.
   *
   * @return version, and how many buckets and servers
   */
  @Override
  public String toString() {
    return "version " + version + ": " + size + " buckets on " + nodes().size() + " servers";
  }

  /** The same version, servers, settings and buckets. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof BucketTable table
            && version == table.version
            && size == table.size
            && backupsMax == table.backupsMax
            && hash.equals(table.hash)
            && nodes().equals(table.nodes())
            && BucketDelta.differing(table.root, root).isEmpty());
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(version) + size;
  }

  /** Sets a table up. */
  public static final class Builder {

    private @Nullable Node server;
    private int buckets = BucketPage.NARROW;
    private int backupsMax = 1;
    private KeyHash hash = KeyHash.md5();

    private Builder() {}

    /**
     * The first server.
     *
     * @param server the server, which owns all buckets
     * @return this builder
     * @throws IllegalArgumentException if it is null
     */
    public Builder server(Node server) {
      this.server = Nodes.present(server, "server");
      return this;
    }

    /**
     * How many buckets there are to begin with.
     *
     * @param buckets 16 or 256
     * @return this builder
     * @throws IllegalArgumentException if it is another number
     */
    public Builder buckets(int buckets) {
      if (buckets != BucketPage.NARROW && buckets != BucketPage.WIDE) {
        throw new IllegalArgumentException("a table begins with 16 or 256 buckets: " + buckets);
      }
      this.buckets = buckets;
      return this;
    }

    /**
     * How many backups a bucket has, at most.
     *
     * @param count 0 to 15
     * @return this builder
     * @throws IllegalArgumentException if it is another number
     */
    public Builder backups(int count) {
      if (count < 0 || count > BACKUPS_MOST) {
        throw new IllegalArgumentException("a bucket has 0 to 15 backups: " + count);
      }
      backupsMax = count;
      return this;
    }

    /**
     * The hash that keys are put into buckets by.
     *
     * @param hash the hash
     * @return this builder
     * @throws IllegalArgumentException if it is null
     */
    public Builder hash(KeyHash hash) {
      this.hash = Nodes.present(hash, "hash of keys");
      return this;
    }

    /**
     * The table.
     *
     * @return the table, version 0
     * @throws IllegalArgumentException if no server was given
     */
    public BucketTable build() {
      BucketServers servers = BucketServers.of(List.of(Nodes.present(server, "server")));
      int[] none = new int[backupsMax];
      Arrays.fill(none, BucketPage.NONE);
      BucketPage root = BucketPage.filled(buckets, new Cell(0, none, 0));
      long[] groups = new long[buckets / HashMask.PARTS];
      Arrays.setAll(groups, digit -> buckets == BucketPage.NARROW ? 0 : (digit << 4) | 1);
      return new BucketTable(
          0, servers, backupsMax, hash, root, buckets, new int[] {buckets}, new long[][] {groups});
    }
  }
}
