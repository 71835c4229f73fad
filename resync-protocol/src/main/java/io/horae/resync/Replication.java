package io.horae.resync;

import io.horae.placement.Bucket;
import io.horae.placement.Node;
import io.horae.resync.BucketCopy.Peer;
import io.horae.resync.BucketMessage.Write;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Keeps the other servers level with the buckets that this one is primary of. A write is committed
 * when every backup has it and goes by the bucket's current epoch; nobody is told of one before.
 */
final class Replication {

  private final BucketSeat seat;
  private final Publications publications;

  /** The copies whose peers lack something. */
  private final Set<BucketCopy> unlevel = new LinkedHashSet<>();

  /** Who looks further after each step. */
  private Consumer<BucketCopy> watcher = copy -> {};

  Replication(BucketSeat seat, Publications publications) {
    this.seat = seat;
    this.publications = publications;
  }

  void watched(Consumer<BucketCopy> watcher) {
    this.watcher = watcher;
  }

  /** This server is the primary from now on. */
  void lead(BucketCopy copy, Bucket bucket, ToLongFunction<String> sequences) {
    copy.role = BucketCopy.Role.PRIMARY;
    copy.next = null;
    copy.drainedByMs = 0;
    copy.splits = false;
    copy.peers.clear();
    for (Node backup : bucket.backups()) {
      copy.peers.put(backup.id(), new Peer(backup.id(), sequences.applyAsLong(backup.id())));
    }
    change(copy, bucket);
  }

  /** The bucket has other backups from now on, or other epochs: those go by it from now on. */
  void change(BucketCopy copy, Bucket bucket) {
    copy.bucket = bucket;
    copy.peers.values().removeIf(peer -> peer.backup && !BucketCopy.lists(bucket, peer.node));
    for (Node backup : bucket.backups()) {
      Peer peer = copy.peers.get(backup.id());
      if (peer == null) {
        throw new AssertionError("a backup that nothing was sent to: " + backup.id());
      }
      peer.backup = true;
      peer.counted = true;
      peer.configured = false;
      configure(copy, peer);
    }
    publications.changed(bucket);
    advance(copy);
  }

  /** The same backups but for those that are gone. */
  void keepOnly(BucketCopy copy, Predicate<String> remaining) {
    List<Node> backups = new ArrayList<>();
    for (Node backup : copy.bucket.backups()) {
      if (remaining.test(backup.id())) {
        backups.add(backup);
      }
    }
    if (backups.size() < copy.bucket.backups().size()) {
      change(copy, next(copy, backups));
    }
  }

  /** The bucket with other backups and the next epoch. */
  Bucket next(BucketCopy copy, List<Node> backups) {
    return new Bucket(copy.mask, seat.node(seat.self), backups, copy.epoch() + 1);
  }

  private void configure(BucketCopy copy, Peer peer) {
    peer.tries++;
    waitFor(copy, peer);
    seat.send(
        peer.node,
        new BucketMessage.Configure(seat.view(), peer.transfer, copy.bucket, copy.log.committed()));
  }

  private void waitFor(BucketCopy copy, Peer peer) {
    peer.retryAtMs = seat.nowMs() + seat.backoff.waitMs(peer.tries);
    unlevel.add(copy);
  }

  /** A write has been done here: the others are sent it. */
  void append(BucketCopy copy, Write write) {
    copy.log.add(write);
    for (Peer peer : copy.peers.values()) {
      send(copy, peer);
    }
  }

  /** Sends a peer what it has not been sent, as far as that may be under way. */
  void send(BucketCopy copy, Peer peer) {
    if (peer.backup && !peer.configured) {
      return;
    }
    while (peer.sent < copy.log.sequence()
        && peer.sent - peer.acked < seat.options.writesOpenMax()) {
      if (peer.sent == peer.acked) {
        peer.tries = 1;
        waitFor(copy, peer);
      }
      List<Write> writes =
          copy.log.from(
              peer.sent + 1, seat.options.windowItemsMax(), seat.options.windowBytesMax());
      peer.sent += writes.size();
      forward(copy, peer, writes);
    }
  }

  private void forward(BucketCopy copy, Peer peer, List<Write> writes) {
    seat.send(
        peer.node,
        new BucketMessage.Forward(
            seat.view(),
            peer.backup ? 0 : peer.transfer,
            copy.mask,
            copy.epoch(),
            copy.log.committed(),
            writes));
  }

  /** A peer says what it has. */
  void forwarded(String from, BucketMessage.Forwarded message) {
    BucketCopy copy = seat.copies.of(message.bucket());
    Peer peer = copy == null || !copy.isPrimary() ? null : copy.peers.get(from);
    if (copy == null || peer == null || message.sequence() > copy.log.sequence()) {
      seat.reject(BucketStatistics.Rejection.UNEXPECTED);
      return;
    }
    if (peer.backup && message.transfer() == 0) {
      if (message.epoch() != copy.epoch()) {
        seat.reject(BucketStatistics.Rejection.EPOCH_BEHIND);
        return;
      }
      if (!peer.configured) {
        peer.configured = true;
        peer.transfer = 0;
        peer.sent = Math.max(peer.acked, message.sequence());
      }
    } else if (peer.backup || peer.transfer != message.transfer()) {
      seat.reject(BucketStatistics.Rejection.UNEXPECTED);
      return;
    }
    if (message.sequence() > peer.acked) {
      peer.acked = message.sequence();
      peer.sent = Math.max(peer.sent, peer.acked);
      peer.tries = 1;
      waitFor(copy, peer);
    }
    send(copy, peer);
    advance(copy);
    if (isLevel(copy)) {
      unlevel.remove(copy);
    }
  }

  /** Commits what can be, and answers who waited for it. */
  void advance(BucketCopy copy) {
    long level = copy.log.sequence();
    long needed = level;
    for (Peer peer : copy.peers.values()) {
      if (peer.counted) {
        level = Math.min(level, peer.backup && !peer.configured ? 0 : peer.acked);
      }
      needed = Math.min(needed, peer.acked);
    }
    List<WriteLog.Waiter> served = copy.log.commit(level);
    copy.log.drop(needed);
    for (WriteLog.Waiter waiter : served) {
      seat.send(waiter.from(), waiter.answer());
    }
    watcher.accept(copy);
  }

  private static boolean lacks(BucketCopy copy, Peer peer) {
    return (peer.backup && !peer.configured) || peer.acked < copy.log.sequence();
  }

  private static boolean isLevel(BucketCopy copy) {
    for (Peer peer : copy.peers.values()) {
      if (lacks(copy, peer)) {
        return false;
      }
    }
    return true;
  }

  void tick() {
    for (BucketCopy copy : List.copyOf(unlevel)) {
      if (!copy.isPrimary() || isLevel(copy)) {
        unlevel.remove(copy);
        continue;
      }
      for (Peer peer : copy.peers.values()) {
        if (lacks(copy, peer) && peer.retryAtMs <= seat.nowMs()) {
          again(copy, peer);
        }
      }
    }
  }

  private void again(BucketCopy copy, Peer peer) {
    if (peer.backup && !peer.configured) {
      configure(copy, peer);
    } else {
      peer.tries++;
      waitFor(copy, peer);
      List<Write> writes =
          copy.log.from(
              peer.acked + 1, seat.options.windowItemsMax(), seat.options.windowBytesMax());
      peer.sent = peer.acked + writes.size();
      forward(copy, peer, writes);
    }
  }

  long nextTickMs() {
    long next = Long.MAX_VALUE;
    for (BucketCopy copy : unlevel) {
      if (copy.isPrimary()) {
        for (Peer peer : copy.peers.values()) {
          if (lacks(copy, peer)) {
            next = Math.min(next, peer.retryAtMs);
          }
        }
      }
    }
    return next;
  }
}
