package io.horae.resync;

import io.horae.placement.Bucket;
import io.horae.placement.HashMask;
import io.horae.resync.BucketCopy.Role;
import io.horae.resync.BucketMessage.Claim;
import io.horae.resync.Takeover.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What becomes of the copies that a server has when it hears how buckets have changed. */
final class Custody {

  private final BucketSeat seat;
  private final Replication replication;
  private final Transfers transfers;
  private final Arrivals arrivals;

  /** Entries of this view that came before its table did. */
  private final List<Bucket> early = new ArrayList<>();

  Custody(BucketSeat seat, Replication replication, Transfers transfers, Arrivals arrivals) {
    this.seat = seat;
    this.replication = replication;
    this.transfers = transfers;
    this.arrivals = arrivals;
  }

  /** A new view begins. Who was not in the one before does not know what it missed. */
  List<Claim> viewChanged(boolean goesOn) {
    early.clear();
    transfers.viewChanged(goesOn);
    arrivals.keepOnly((from, copy) -> goesOn && seat.isMember(from) && !copy.isWhole());
    List<Claim> claims = new ArrayList<>();
    for (BucketCopy copy : seat.copies.snapshot()) {
      if (!goesOn && copy.role != Role.COPY) {
        stepDown(copy);
      }
      if (copy.isWhole()) {
        claims.add(new Claim(copy.bucket, claimed(copy.role), copy.log.sequence()));
      }
    }
    return claims;
  }

  private static BucketMessage.Role claimed(Role role) {
    return switch (role) {
      case PRIMARY -> BucketMessage.Role.PRIMARY;
      case YIELDING -> BucketMessage.Role.YIELDING;
      case COPY -> BucketMessage.Role.COPY;
      case FILLING -> throw new AssertionError("what is being filled counts for nothing");
    };
  }

  /** The primary does not wait any longer for those that the view has not. */
  void dropTheGone() {
    for (BucketCopy copy : seat.copies.snapshot()) {
      if (copy.isPrimary()) {
        replication.keepOnly(copy, seat::isMember);
      }
    }
  }

  /** This server does not serve a bucket any more, if it did. */
  private void stepDown(BucketCopy copy) {
    if (copy.transfer != null) {
      transfers.end(copy.transfer, false);
    }
    copy.role = Role.COPY;
    copy.next = null;
    copy.drainedByMs = 0;
    copy.splits = false;
    copy.peers.clear();
    copy.log.forgetWaiters();
  }

  /** All members have said what they had. */
  void settle(Map<String, List<Claim>> claims) {
    List<Decision> decisions = Takeover.decide(seat, claims);
    seat.settle(decisions.stream().map(Decision::bucket).toList());
    for (Decision decision : decisions) {
      Bucket bucket = decision.bucket();
      if (!bucket.primary().id().equals(seat.self)) {
        heed(bucket);
      } else if (decision.kind() == Takeover.Kind.TAKEN) {
        takeOver(decision);
      } else if (decision.kind() == Takeover.Kind.EMPTY) {
        beginEmpty(bucket);
      }
    }
    for (BucketCopy copy : seat.copies.snapshot()) {
      if (copy.isPrimary()) {
        seat.enter(copy.bucket);
        List<Claim> mine = claims.get(seat.self);
        replication.keepOnly(
            copy,
            backup -> !listed(mine, copy.mask, backup) || covers(claims.get(backup), copy.mask));
      }
    }
    List<Bucket> heard = List.copyOf(early);
    early.clear();
    heard.forEach(this::learn);
    arrivals.keepOnly(
        (from, copy) ->
            seat.entriesWithin(copy.mask).stream()
                .allMatch(entry -> entry.primary().id().equals(from)));
    seat.report(new BucketEvent.Ready(seat.view()));
  }

  /** Whether somebody was a backup when this server took the view. */
  private static boolean listed(@Nullable List<Claim> mine, HashMask mask, String backup) {
    return mine != null
        && mine.stream()
            .map(Claim::bucket)
            .anyMatch(bucket -> bucket.mask().contains(mask) && BucketCopy.lists(bucket, backup));
  }

  /** Whether somebody had a copy then: not so if it has started anew. */
  private static boolean covers(@Nullable List<Claim> claims, HashMask mask) {
    return claims != null
        && claims.stream().anyMatch(claim -> claim.bucket().mask().contains(mask));
  }

  private void takeOver(Decision decision) {
    Bucket bucket = decision.bucket();
    BucketCopy copy = at(bucket.mask());
    if (copy == null) { // somebody has said what cannot be
      seat.reject(BucketStatistics.Rejection.MALFORMED);
      return;
    }
    List<String> lacking = new ArrayList<>();
    decision
        .sequences()
        .forEach(
            (backup, sequence) -> {
              if (sequence < copy.log.committed()) {
                lacking.add(backup);
              }
            });
    Bucket kept =
        new Bucket(
            bucket.mask(),
            bucket.primary(),
            bucket.backups().stream().filter(node -> !lacking.contains(node.id())).toList(),
            bucket.epoch());
    replication.lead(copy, kept, backup -> decision.sequences().getOrDefault(backup, 0L));
    seat.report(new BucketEvent.TakenOver(kept));
  }

  private void beginEmpty(Bucket bucket) {
    seat.copies.overlapping(bucket.mask()).forEach(arrivals::drop);
    seat.sink.forget(bucket.mask());
    BucketCopy copy = new BucketCopy(bucket, Role.PRIMARY, new WriteLog(0), new Receipts());
    seat.copies.add(copy);
    replication.lead(copy, bucket, backup -> 0);
    seat.report(new BucketEvent.BegunEmpty(bucket));
  }

  /** The whole copy of a bucket, cut out of a larger one if need be; null if there is none. */
  private @Nullable BucketCopy at(HashMask mask) {
    BucketCopy copy = seat.copies.at(mask.value());
    if (copy != null && copy.transfer != null) {
      takeBack(copy.transfer);
    }
    while (copy != null && copy.isWhole() && copy.mask.digits() < mask.digits()) {
      cut(copy);
      copy = seat.copies.at(mask.value());
    }
    return copy != null && copy.mask.equals(mask) && copy.isWhole() ? copy : null;
  }

  /** What was yielded under an earlier view did not arrive, or whoever took it is gone. */
  private void takeBack(Transfer transfer) {
    if (seat.isMember(transfer.to)) {
      seat.send(transfer.to, new BucketMessage.Cancel(seat.view(), transfer.number));
    }
    transfers.end(transfer, false);
  }

  /** Makes sixteen of a copy that this server does not serve. */
  private void cut(BucketCopy copy) {
    seat.copies.remove(copy);
    for (HashMask part : copy.mask.split()) {
      seat.copies.add(copy.part(part, copy.epoch()));
    }
  }

  /** Something that another server has published, or that follows from what it said. */
  void learn(Bucket published) {
    Bucket bucket = seat.inView(published);
    if (bucket == null || seat.isBeyond(bucket.epoch())) {
      seat.reject(BucketStatistics.Rejection.MALFORMED);
      return;
    }
    if (bucket.primary().id().equals(seat.self)) {
      return; // whatever is said about it, this server knows better
    }
    if (seat.isReady()) {
      seat.enter(bucket);
    } else {
      early.add(bucket);
    }
    heed(bucket);
  }

  /** Brings the copies that are here into line with an entry. */
  private void heed(Bucket bucket) {
    for (BucketCopy copy : seat.copies.overlapping(bucket.mask())) {
      if (copy.epoch() < bucket.epoch()) {
        heed(copy, bucket);
      }
    }
  }

  private void heed(BucketCopy copy, Bucket bucket) {
    if (copy.role == Role.YIELDING) {
      yielded(copy, bucket);
      if (seat.copies.of(copy.mask) != copy) {
        return;
      }
    } else if (copy.role == Role.PRIMARY) {
      BucketSeat.LOG.warn("{} is not the primary of {} any more: {}", seat.self, copy, bucket);
      stepDown(copy);
    }
    if (copy.epoch() >= bucket.epoch()) {
      return;
    }
    if (copy.role == Role.FILLING) {
      boolean goesOn =
          copy.mask.equals(bucket.mask())
              && copy.bucket.primary().id().equals(bucket.primary().id());
      if (!goesOn) {
        arrivals.drop(copy);
      }
    } else if (copy.mask.digits() < bucket.mask().digits()) {
      cut(copy);
      heed(bucket);
    } else if (!BucketCopy.lists(bucket, seat.self)) {
      arrivals.drop(copy);
    }
  }

  /** The bucket has a new primary: the one that was sent the last item, or one after it. */
  private void yielded(BucketCopy copy, Bucket bucket) {
    Bucket next = copy.next;
    Transfer transfer = copy.transfer;
    if (next == null || transfer == null) {
      throw new AssertionError("yields to nobody: " + copy);
    }
    boolean arrived = bucket.epoch() >= next.epoch();
    transfers.end(transfer, arrived);
    copy.role = Role.COPY;
    copy.next = null;
    copy.peers.clear();
    if (arrived && BucketCopy.lists(next, seat.self)) {
      copy.bucket = next;
    } else if (arrived) {
      arrivals.drop(copy);
    }
  }

  /** A primary says that this server is a backup. */
  void configured(String from, BucketMessage.Configure message) {
    Bucket bucket = seat.inView(message.bucket());
    if (bucket == null
        || seat.isBeyond(bucket.epoch())
        || !bucket.primary().id().equals(from)
        || !BucketCopy.lists(bucket, seat.self)) {
      seat.reject(BucketStatistics.Rejection.MALFORMED);
      return;
    }
    if (seat.epochOf(bucket.mask()) > bucket.epoch()) {
      seat.reject(BucketStatistics.Rejection.EPOCH_BEHIND);
      return;
    }
    learn(bucket);
    BucketCopy copy = seat.copies.of(bucket.mask());
    if (copy != null && copy.epoch() > bucket.epoch()) {
      seat.reject(BucketStatistics.Rejection.EPOCH_BEHIND);
      return;
    }
    if (copy != null && copy.isPrimary()) {
      seat.reject(BucketStatistics.Rejection.UNEXPECTED);
      return;
    }
    arrivals.configured(from, message, copy);
  }
}
