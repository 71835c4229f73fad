package io.horae.resync;

import io.horae.placement.Bucket;
import io.horae.placement.HashMask;
import io.horae.placement.Node;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a server has of a bucket, beside its items. */
final class BucketCopy {

  /** What it is good for. */
  enum Role {
    /** This server serves it. */
    PRIMARY,
    /** The last item is on its way to the next primary: this server serves it no more, or again. */
    YIELDING,
    /** All of it is here. */
    COPY,
    /** It is being filled by its primary. */
    FILLING
  }

  /** Another server that the primary sends the writes to. */
  static final class Peer {
    final String node;

    /** The transfer that it is sent; 0 for a backup that has been one for longer. */
    long transfer;

    /** The last write that it has. */
    long acked;

    /** The last write that it was sent. */
    long sent;

    /** Whether a write must wait for it. A backup must be waited for. */
    boolean counted;

    /** Whether it goes by the current epoch; always so while it is not a backup yet. */
    boolean configured;

    boolean backup;
    int tries;
    long retryAtMs = Long.MAX_VALUE;

    Peer(String node, long acked) {
      this.node = node;
      this.acked = acked;
      sent = acked;
    }
  }

  final HashMask mask;
  final WriteLog log;
  final Receipts receipts;
  Role role;

  /** As its primary has told it last: its epoch is what this copy goes by. */
  Bucket bucket;

  /** As it will be if the next primary has the last item; null unless it is yielding. */
  @Nullable Bucket next;

  final Map<String, Peer> peers = new LinkedHashMap<>();

  /** The transfer that sends it; null if there is none. */
  @Nullable Transfer transfer;

  /** Until when no write is taken, for the open ones to be committed; 0 if writes are taken. */
  long drainedByMs;

  /** Whether it is to be split when it is drained. */
  boolean splits;

  BucketCopy(Bucket bucket, Role role, WriteLog log, Receipts receipts) {
    this.mask = bucket.mask();
    this.bucket = bucket;
    this.role = role;
    this.log = log;
    this.receipts = receipts;
  }

  long epoch() {
    return bucket.epoch();
  }

  boolean isPrimary() {
    return role == Role.PRIMARY;
  }

  /** Whether all of it is here, whatever its role. */
  boolean isWhole() {
    return role != Role.FILLING;
  }

  boolean isDraining() {
    return drainedByMs > 0;
  }

  /** Whether all writes are everywhere, and every backup goes by the current epoch. */
  boolean isDrained() {
    for (Peer peer : peers.values()) {
      if (peer.acked < log.sequence() || (peer.backup && !peer.configured)) {
        return false;
      }
    }
    return log.isCommitted();
  }

  /** A part of it, of which all writes are over. */
  BucketCopy part(HashMask part, long epoch) {
    Bucket cut = new Bucket(part, bucket.primary(), bucket.backups(), epoch);
    return new BucketCopy(cut, role, new WriteLog(log.sequence()), receipts.part(part));
  }

  static boolean lists(Bucket bucket, String server) {
    return bucket.backups().stream().map(Node::id).anyMatch(server::equals);
  }

  @Override
  public String toString() {
    return role + " of " + bucket + " up to " + log.sequence();
  }
}
