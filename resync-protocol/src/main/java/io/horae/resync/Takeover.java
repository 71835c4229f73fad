package io.horae.resync;

import io.horae.placement.Bucket;
import io.horae.placement.HashMask;
import io.horae.placement.Node;
import io.horae.resync.BucketMessage.Claim;
import io.horae.resync.BucketMessage.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Who owns what under a view, given what every member had when it took the view. A pure function,
 * so all members come to the same answer.
 *
 * <p>For all hashes the claim of the highest epoch counts, and of that epoch:
 *
 * <ol>
 *   <li>a primary stays the primary;
 *   <li>else the copy with the most writes takes over, and other copies of that epoch are its
 *       backups. Every write that a client was told of is in it: it was in all copies.
 *   <li>Where nobody has a copy, the first member begins with an empty bucket.
 * </ol>
 */
final class Takeover {

  /** How a bucket comes to its primary. */
  enum Kind {
    /** It was the primary before. */
    STAYS,
    /** It takes over with a copy. */
    TAKEN,
    /** Nobody has a copy. */
    EMPTY
  }

  /**
   * Who owns a bucket.
   *
   * @param sequences the last write that each of its backups has
   */
  record Decision(Kind kind, Bucket bucket, Map<String, Long> sequences) {}

  private record Held(Node server, Claim claim) {
    long epoch() {
      return claim.bucket().epoch();
    }

    HashMask mask() {
      return claim.bucket().mask();
    }
  }

  private final BucketSeat seat;
  private final int digitsInitial;
  private final List<Decision> decisions = new ArrayList<>();

  private Takeover(BucketSeat seat) {
    this.seat = seat;
    digitsInitial = seat.options.bucketsInitial() == 16 ? 1 : 2;
  }

  /** Decides on all buckets, by the claims of every member of the view. */
  static List<Decision> decide(BucketSeat seat, Map<String, List<Claim>> claims) {
    List<Held> held = new ArrayList<>();
    for (Node member : seat.members().values()) {
      List<Claim> its = claims.get(member.id());
      if (its == null) {
        throw new AssertionError("no claims of " + member.id());
      }
      its.forEach(claim -> held.add(new Held(member, claim)));
    }
    Takeover takeover = new Takeover(seat);
    for (long digit = 0; digit < 16; digit++) {
      takeover.resolve(HashMask.of(digit, 1), held);
    }
    return takeover.decisions;
  }

  private void resolve(HashMask mask, List<Held> around) {
    List<Held> held = new ArrayList<>();
    Held top = null;
    for (Held each : around) {
      if (each.mask().contains(mask) || mask.contains(each.mask())) {
        held.add(each);
        top = top == null || each.epoch() > top.epoch() ? each : top;
      }
    }
    if (top == null && mask.digits() >= digitsInitial) {
      Node first = seat.members().values().iterator().next();
      Bucket empty = new Bucket(mask, first, List.of(), seat.firstEpoch());
      decisions.add(new Decision(Kind.EMPTY, empty, Map.of()));
    } else if (top == null || !top.mask().contains(mask)) {
      mask.split().forEach(part -> resolve(part, held));
    } else {
      long epoch = top.epoch();
      held.removeIf(each -> each.epoch() < epoch || !each.mask().contains(mask));
      decide(mask, held);
    }
  }

  private void decide(HashMask mask, List<Held> held) {
    for (Held each : held) {
      if (each.claim.role() == Role.PRIMARY) {
        Bucket its = each.claim.bucket();
        Bucket bucket = new Bucket(mask, its.primary(), its.backups(), its.epoch());
        Bucket known = seat.inView(bucket);
        if (known != null) {
          decisions.add(new Decision(Kind.STAYS, known, Map.of()));
          return;
        }
      }
    }
    ToLongFunction<Held> sequence = each -> each.claim.sequence();
    held.sort(
        Comparator.comparingLong(sequence)
            .reversed()
            .thenComparingInt(each -> place(each.claim.bucket(), each.server.id()))
            .thenComparing(each -> each.server.id()));
    Map<String, Long> sequences = new HashMap<>();
    List<Node> backups = new ArrayList<>();
    for (Held each : held.subList(1, held.size())) {
      if (backups.size() < seat.options.backupsMax()) {
        backups.add(each.server);
        sequences.put(each.server.id(), sequence.applyAsLong(each));
      }
    }
    Held heir = held.get(0);
    long epoch = Math.max(heir.epoch() + 2, seat.firstEpoch());
    Bucket bucket = new Bucket(mask, heir.server, backups, epoch);
    decisions.add(new Decision(Kind.TAKEN, bucket, sequences));
  }

  /** The primary first, then the backups as they are listed. */
  private static int place(Bucket bucket, String server) {
    if (bucket.primary().id().equals(server)) {
      return -1;
    }
    int place = 0;
    for (Node backup : bucket.backups()) {
      if (backup.id().equals(server)) {
        return place;
      }
      place++;
    }
    return place;
  }
}
