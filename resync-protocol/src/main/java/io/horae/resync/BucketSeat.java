package io.horae.resync;

import io.horae.placement.Bucket;
import io.horae.placement.BucketTable;
import io.horae.placement.HashMask;
import io.horae.placement.KeyHash;
import io.horae.placement.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the parts of a {@link BucketNode} share: who it is, its time, view, table and copies. */
final class BucketSeat {

  static final Logger LOG = LoggerFactory.getLogger(BucketNode.class);

  /** A bucket's epoch counts on from its view's: so often can it change under one view. */
  static final int CHANGES_PER_VIEW_BITS = 20;

  /** Views beyond leave no room for that. */
  static final long VIEW_EPOCH_MAX = 1L << 42;

  /** No bucket was ever written to so often: who says so has it wrong. */
  static final long SEQUENCE_MAX = 1L << 60;

  final String self;
  final long incarnation;
  final BucketNodeOptions options;
  final BucketOutbox outbox;
  final ItemSource source;
  final ItemSink sink;
  final Backoff backoff;
  final Copies copies = new Copies();
  final Map<BucketStatistics.Rejection, Long> rejected =
      new EnumMap<>(BucketStatistics.Rejection.class);

  /** The members that have said that they wish to leave, by id. */
  final Set<String> leavers = new TreeSet<>();

  /**
   * Whether it was reported under this view that this server may be stopped: so it takes nothing.
   */
  boolean drained;

  private final KeyHash hash;
  private long nowMs = Long.MIN_VALUE;
  private @Nullable ViewStamp view;

  /** The members of the view, by id; none if this server is not among them. */
  private Map<String, Node> members = Map.of();

  private @Nullable BucketTable table;

  /** Whether the table is that of this view. */
  private boolean ready;

  BucketSeat(
      String self,
      long incarnation,
      BucketNodeOptions options,
      BucketOutbox outbox,
      ItemStore store,
      KeyHash hash) {
    this.self = self;
    this.incarnation = incarnation;
    this.options = options;
    this.outbox = outbox;
    this.hash = hash;
    source = store;
    sink = store;
    backoff = new Backoff(options.retryMs(), options.retryMsMax(), options.seed());
  }

  /** Time does not run backwards, whatever the host's clock does. */
  void time(long nowMs) {
    this.nowMs = Math.max(this.nowMs, nowMs);
  }

  long nowMs() {
    return nowMs;
  }

  /** The view that this server goes by. */
  ViewStamp view() {
    if (view == null) {
      throw new IllegalStateException("the server has no view yet: call view first");
    }
    return view;
  }

  @Nullable ViewStamp viewOrNull() {
    return view;
  }

  void adopt(ViewStamp view, Collection<Node> nodes) {
    this.view = view;
    members = new TreeMap<>();
    nodes.forEach(node -> members.put(node.id(), node));
    if (!members.containsKey(self)) {
      members = Map.of();
    }
    leavers.clear();
    drained = false;
    ready = false;
  }

  /** The members of the view, in the order of their ids; none if this server is out of it. */
  Map<String, Node> members() {
    return members;
  }

  boolean isMember(String server) {
    return members.containsKey(server);
  }

  /** Whether a server is a member that wishes to leave, and can: if all wish it, nobody can. */
  boolean leaves(String server) {
    return leavers.contains(server) && leavers.size() < members.size();
  }

  boolean stays(String server) {
    return isMember(server) && !leaves(server);
  }

  /** How many members stay. */
  int staying() {
    int staying = members.size() - leavers.size();
    return staying > 0 ? staying : members.size();
  }

  boolean isReady() {
    return ready;
  }

  /** The table, which may be that of an earlier view while this server is not ready; or none. */
  @Nullable BucketTable table() {
    return table;
  }

  /** The table of this view: all that was decided, and what was heard since. */
  void settle(Collection<Bucket> decided) {
    List<Node> nodes = new ArrayList<>(members.values());
    BucketTable empty =
        BucketTable.builder()
            .server(nodes.get(0))
            .backups(options.backupsMax())
            .buckets(options.bucketsInitial())
            .hash(hash)
            .build();
    for (Node node : nodes.subList(1, nodes.size())) {
      empty = empty.join(node).table();
    }
    table = empty.learn(decided);
    ready = true;
  }

  /** Enters what is known of a bucket into the table, if there is one. */
  void enter(Bucket bucket) {
    if (table != null && ready) {
      table = table.learn(List.of(bucket));
    }
  }

  /** The highest epoch that any part of a bucket is known to have; 0 if nothing is known of it. */
  long epochOf(HashMask mask) {
    return entriesWithin(mask).stream().mapToLong(Bucket::epoch).max().orElse(0);
  }

  /**
   * What is known of all parts of a bucket: by the table, or while there is none of this view, by
   * the copies that are here.
   */
  List<Bucket> entriesWithin(HashMask mask) {
    if (table == null || !ready) {
      return copies.overlapping(mask).stream().map(copy -> copy.bucket).toList();
    }
    Bucket first = table.bucketAt(mask.value());
    if (first.mask().contains(mask)) {
      return List.of(first);
    }
    List<Bucket> entries = new ArrayList<>();
    mask.split().forEach(part -> entries.addAll(entriesWithin(part)));
    return entries;
  }

  /** The first epoch of a bucket that is taken over under this view: higher than any before. */
  long firstEpoch() {
    return (view().epoch() << CHANGES_PER_VIEW_BITS) + 1;
  }

  /** Whether no server can have raised a bucket's epoch so far under this view or before. */
  boolean isBeyond(long epoch) {
    return epoch >= (view().epoch() + 1) << CHANGES_PER_VIEW_BITS;
  }

  /**
   * An entry as this view has it: with the members of that name, and without backups that are none.
   *
   * @return null if the primary is no member
   */
  @Nullable Bucket inView(Bucket bucket) {
    Node primary = members.get(bucket.primary().id());
    if (primary == null) {
      return null;
    }
    List<Node> backups = new ArrayList<>();
    for (Node backup : bucket.backups()) {
      Node member = members.get(backup.id());
      if (member != null) {
        backups.add(member);
      }
    }
    return new Bucket(bucket.mask(), primary, backups, bucket.epoch());
  }

  Node node(String server) {
    Node node = members.get(server);
    if (node == null) {
      throw new AssertionError("not a member: " + server);
    }
    return node;
  }

  void send(String to, BucketMessage message) {
    outbox.send(to, message);
  }

  void report(BucketEvent event) {
    outbox.report(event);
  }

  void reject(BucketStatistics.Rejection reason) {
    rejected.merge(reason, 1L, Long::sum);
    LOG.debug("{} rejects a message: {}", self, reason);
  }

  /** Removes a copy and its items. */
  void forget(BucketCopy copy) {
    copies.remove(copy);
    sink.forget(copy.mask);
    report(new BucketEvent.Forgotten(copy.mask));
  }

  /** When a receipt that is given now is forgotten. */
  long receiptUntilMs() {
    return nowMs + options.receiptMs();
  }
}
