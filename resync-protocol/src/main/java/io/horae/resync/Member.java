package io.horae.resync;

import io.horae.placement.Node;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the parts of a {@link TimerNode} share: who it is, its time, its view and its way out. */
final class Member {

  private static final Logger LOG = LoggerFactory.getLogger(TimerNode.class);

  /** No cluster ever counts so far: who says so has it wrong, and is not followed. */
  static final long VERSION_MAX = 1L << 60;

  private static final int VERSIONS_PER_EPOCH_BITS = 24;
  private static final long EPOCH_MAX = VERSION_MAX >> (VERSIONS_PER_EPOCH_BITS + 1);

  final String self;
  final TimerNodeOptions options;
  final Backoff backoff;
  final Outbox outbox;
  final Map<Statistics.Rejection, Long> rejected = new EnumMap<>(Statistics.Rejection.class);

  private final int origin;
  private final Map<Assignment, Assignment> assignments = new HashMap<>();
  private long nowMs = Long.MIN_VALUE;
  private @Nullable Cluster cluster;
  private long epochBefore;

  /** Whether this node has what it should have, or had it once: not yet after a start. */
  private boolean complete;

  /** Whether this node had something when it started, and can tell by name what it misses. */
  private boolean restored;

  /** Whether this node has heard all that others had to say under its view. */
  private boolean hasHeardAll;

  /** Whether it has only to hear what changes: it missed nothing of the views before. */
  private boolean isUpToDate;

  /** The highest version that this node has seen. */
  private long version;

  Member(String self, int origin, TimerNodeOptions options, Outbox outbox) {
    this.self = self;
    this.origin = origin;
    this.options = options;
    this.outbox = outbox;
    backoff = new Backoff(options);
  }

  /** Time does not run backwards, whatever the host's clock does. */
  void time(long nowMs) {
    this.nowMs = Math.max(this.nowMs, nowMs);
  }

  long nowMs() {
    return nowMs;
  }

  void adopt(Cluster cluster) {
    isUpToDate = hasHeardAll && this.cluster != null && cluster.epoch() == this.cluster.epoch() + 1;
    hasHeardAll = false;
    epochBefore = this.cluster == null ? cluster.epoch() : this.cluster.epoch();
    this.cluster = cluster;
    assignments.clear();
  }

  /** The epoch of the view that this node had before its current one; of this one, if none. */
  long epochBefore() {
    return epochBefore;
  }

  @Nullable Cluster clusterOrNull() {
    return cluster;
  }

  Cluster cluster() {
    if (cluster == null) {
      throw new IllegalStateException("the node has no view yet: call view first");
    }
    return cluster;
  }

  boolean isComplete() {
    return complete;
  }

  void complete(boolean complete) {
    this.complete = complete;
  }

  /** All nodes have told this one what they had to tell under its view. */
  void hasHeardAll() {
    hasHeardAll = true;
    isUpToDate = true;
  }

  /** This node has come back with what it had. */
  void restored() {
    restored = true;
  }

  /** What to ask others for. */
  Message.Extent extent() {
    if (!complete && !restored) {
      return Message.Extent.EVERYTHING;
    }
    return complete && isUpToDate ? Message.Extent.CHANGES : Message.Extent.CHECK;
  }

  ViewStamp view() {
    return cluster().stamp();
  }

  /**
   * A stamp later than all that this node has seen, and than those of earlier views: a node that
   * has just joined may not have seen any, and the replicas of its view may not have them yet.
   */
  Stamp nextStamp() {
    long leastOfView = Math.min(view().epoch(), EPOCH_MAX) << VERSIONS_PER_EPOCH_BITS;
    version = Math.max(version, leastOfView) + 1;
    return new Stamp(version, origin);
  }

  /** The epoch of the view that a stamp is of, or a later one. */
  static long epoch(Stamp stamp) {
    return stamp.version() >> VERSIONS_PER_EPOCH_BITS;
  }

  void seen(Stamp stamp) {
    if (stamp.version() <= VERSION_MAX) {
      version = Math.max(version, stamp.version());
    }
  }

  void send(String to, Message message) {
    outbox.send(to, message);
  }

  /** A record as it goes into a message: its start counts from now. */
  TimerRecord outgoing(TimerRecord record) {
    return record.from(record.startMs() - nowMs);
  }

  /** A record as it came in a message: its start is a time of this node's clock. */
  TimerRecord incoming(TimerRecord record) {
    return shared(record.from(record.startMs() + nowMs));
  }

  /** The same record; records with equal assignments share one. */
  TimerRecord shared(TimerRecord record) {
    Assignment assignment = assignments.putIfAbsent(record.assignment(), record.assignment());
    return assignment == null ? record : record.assigned(assignment);
  }

  void reject(Statistics.Rejection reason) {
    rejected.merge(reason, 1L, Long::sum);
    LOG.debug("{} rejects a message: {}", self, reason);
  }

  /**
   * Whether something that was said under a view can be understood here; counted if it can't.
   *
   * @return null if it was said under this node's view
   */
  Message.@Nullable Reason mismatch(ViewStamp other) {
    if (other.equals(view())) {
      return null;
    }
    if (other.epoch() < view().epoch()) {
      reject(Statistics.Rejection.VIEW_BEHIND);
      return Message.Reason.VIEW_BEHIND;
    }
    if (other.epoch() > view().epoch()) {
      reject(Statistics.Rejection.VIEW_AHEAD);
      return Message.Reason.VIEW_AHEAD;
    }
    reject(Statistics.Rejection.VIEW_DIFFERS);
    return Message.Reason.VIEW_DIFFERS;
  }

  /** The client's handle of a timer. */
  TimerId handle(TimerRecord record) {
    long bloom = 0;
    for (String replica : record.assignment().replicas()) {
      bloom |= TimerId.bloom(Node.of(replica));
    }
    return new TimerId(record.id(), record.replicationFactor(), bloom);
  }
}
