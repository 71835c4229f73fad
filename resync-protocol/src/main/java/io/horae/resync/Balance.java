package io.horae.resync;

import io.horae.placement.Bucket;
import io.horae.placement.BucketBalancer;
import io.horae.placement.BucketPlan;
import io.horae.placement.BucketTable;
import io.horae.placement.HashMask;
import io.horae.placement.Node;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides what this server does for the balance of the cluster: of the plan for the whole table it
 * does what concerns buckets of its own, moves first, and then finds backups for those of its
 * buckets that lack some. A new plan is made when the last one is done and the table has changed.
 *
 * <p>Members that leave have no part in the plan, as if all that they hold were elsewhere already.
 * A server that leaves does nothing but move its buckets to others.
 */
final class Balance {

  private final BucketSeat seat;
  private final Replication replication;
  private final Transfers transfers;
  private final Function<BucketTable, BucketPlan> planner;
  private final Queue<BucketPlan.Move> moves = new ArrayDeque<>();
  private long planAtMs = Long.MAX_VALUE;

  /** The copies that are to be split. */
  private final Set<BucketCopy> splitting = new LinkedHashSet<>();

  /** The table of the last plan, all of which has been begun; null to plan anew in any case. */
  private @Nullable BucketTable planned;

  /** How many transfers had come to nothing when that plan was made. */
  private long failed;

  Balance(
      BucketSeat seat,
      Replication replication,
      Transfers transfers,
      Function<BucketTable, BucketPlan> planner) {
    this.seat = seat;
    this.replication = replication;
    this.transfers = transfers;
    this.planner = planner;
  }

  /** A new view: what was planned is void. */
  void viewChanged() {
    moves.clear();
    planned = null;
    planAtMs = Long.MAX_VALUE;
  }

  /** Something has changed that a new plan may have to do with. */
  void stir() {
    if (seat.isReady()) {
      planAtMs = Math.min(planAtMs, seat.nowMs() + seat.options.planMs());
    }
  }

  /** Moves that the host wants, beside those of plans. */
  void add(BucketPlan plan) {
    plan.splits().forEach(this::split);
    moves.addAll(plan.moves());
    if (seat.isReady()) {
      beginMoves();
      stir();
    }
  }

  @SuppressWarnings("ReferenceEquality") // the same table, not one like it
  void tick() {
    if (failed != transfers.failed()) {
      failed = transfers.failed();
      planned = null;
      stir();
    }
    if (planAtMs > seat.nowMs()) {
      return;
    }
    planAtMs = Long.MAX_VALUE;
    BucketTable table = seat.table();
    if (!seat.isReady() || table == null) {
      return;
    }
    beginMoves(); // what is left of the last plan may all be for others
    if (moves.isEmpty() && transfers.size() == 0 && table != planned) {
      planned = table;
      BucketPlan plan = plan(table);
      plan.splits().forEach(this::split);
      moves.addAll(plan.moves());
      beginMoves();
    }
    if (moves.isEmpty() && seat.stays(seat.self)) {
      findBackups(table);
      seat.copies.snapshot().forEach(this::release);
    }
  }

  /** Somebody wishes to leave, maybe this server. */
  void leaves(String server) {
    if (server.equals(seat.self) || seat.leavers.add(server)) {
      if (seat.leaves(server)) {
        transfers.giveUpTo(server);
      }
      planned = null;
      seat.copies.snapshot().forEach(this::release);
      stir();
    }
  }

  private BucketPlan plan(BucketTable table) {
    BucketTable without = table;
    for (String leaver : seat.leavers) {
      if (seat.leaves(leaver) && !leaver.equals(seat.self)) {
        without = without.leave(seat.node(leaver)).table();
      }
    }
    return seat.stays(seat.self)
        ? planner.apply(without)
        : BucketBalancer.emptying(without, seat.node(seat.self));
  }

  private boolean hasRoom() {
    return transfers.size() < seat.options.transfersMax();
  }

  private void beginMoves() {
    while (hasRoom() && !moves.isEmpty()) {
      BucketPlan.Move move = moves.remove();
      BucketCopy copy = seat.copies.of(move.bucket());
      String to = move.to().id();
      if (copy != null
          && copy.isPrimary()
          && !copy.splits
          && seat.stays(to)
          && !to.equals(seat.self)
          && isFree(copy)) {
        transfers.begin(copy, to, true);
      }
    }
  }

  /** Whether a bucket can be sent now; if it has to wait, there will be another plan. */
  private boolean isFree(BucketCopy copy) {
    long pausedUntilMs = transfers.pausedUntilMs(copy.mask);
    if (copy.transfer == null && pausedUntilMs > seat.nowMs()) {
      planAtMs = Math.min(planAtMs, pausedUntilMs);
      planned = null;
      return false;
    }
    return copy.transfer == null && !copy.splits;
  }

  /** How many backups a bucket of this server's should have, which stays itself. */
  private int backupsWanted() {
    return Math.min(seat.options.backupsMax(), seat.staying() - 1);
  }

  private void findBackups(BucketTable table) {
    Map<String, Integer> held = null;
    for (BucketCopy copy : seat.copies.snapshot()) {
      if (!hasRoom()) {
        return;
      }
      if (copy.isPrimary() && backups(copy, seat::stays) < backupsWanted() && isFree(copy)) {
        if (held == null) {
          held = held(table);
        }
        String to = emptiest(held, copy);
        held.merge(to, 1, Integer::sum);
        transfers.begin(copy, to, false);
      }
    }
  }

  private static long backups(BucketCopy copy, Predicate<String> which) {
    return copy.bucket.backups().stream().map(Node::id).filter(which).count();
  }

  /** Backups that leave are let go when there are enough that stay and go by this epoch. */
  private void release(BucketCopy copy) {
    if (!seat.leavers.isEmpty()
        && copy.isPrimary()
        && copy.transfer == null
        && !copy.splits
        && seat.stays(seat.self)
        && backups(copy, seat::leaves) > 0
        && backups(copy, backup -> isLevel(copy, backup)) >= backupsWanted()) {
      replication.keepOnly(copy, seat::stays);
    }
  }

  private boolean isLevel(BucketCopy copy, String backup) {
    BucketCopy.Peer peer = copy.peers.get(backup);
    return seat.stays(backup) && peer != null && peer.configured;
  }

  /** How many copies each member has. */
  private Map<String, Integer> held(BucketTable table) {
    Map<String, Integer> held = new HashMap<>();
    for (Bucket bucket : table.buckets()) {
      held.merge(bucket.primary().id(), 1, Integer::sum);
      bucket.backups().forEach(backup -> held.merge(backup.id(), 1, Integer::sum));
    }
    return held;
  }

  private String emptiest(Map<String, Integer> held, BucketCopy copy) {
    String emptiest = null;
    for (String member : seat.members().keySet()) {
      boolean isFree =
          seat.stays(member) && !member.equals(seat.self) && !BucketCopy.lists(copy.bucket, member);
      if (isFree
          && (emptiest == null || held.getOrDefault(member, 0) < held.getOrDefault(emptiest, 0))) {
        emptiest = member;
      }
    }
    if (emptiest == null) {
      throw new AssertionError("no server left for " + copy);
    }
    return emptiest;
  }

  /**
   * Has a bucket split as soon as its open writes are everywhere. If it is being sent, that is
   * given up; the parts are sent later.
   *
   * @return whether this server is its primary and can do so
   */
  boolean split(HashMask mask) {
    BucketCopy copy = seat.copies.of(mask);
    if (copy == null || !copy.isPrimary() || mask.digits() == 16 || !seat.isReady()) {
      return false;
    }
    if (copy.transfer != null) {
      transfers.giveUp(copy.transfer);
    }
    copy.splits = true;
    splitting.add(copy);
    copy.drainedByMs = seat.nowMs() + seat.options.drainMs();
    progress(copy);
    return true;
  }

  /** Looks whether something about a bucket can go on. */
  void progress(BucketCopy copy) {
    if (copy.splits && copy.isPrimary() && copy.transfer == null && copy.isDrained()) {
      cut(copy);
    } else {
      release(copy);
    }
  }

  private void cut(BucketCopy copy) {
    splitting.remove(copy);
    seat.copies.remove(copy);
    for (HashMask mask : copy.mask.split()) {
      BucketCopy part = copy.part(mask, copy.epoch() + 1);
      seat.copies.add(part);
      replication.lead(
          part,
          new Bucket(mask, seat.node(seat.self), copy.bucket.backups(), copy.epoch() + 1),
          backup -> copy.log.sequence());
    }
    stir();
  }

  /** Gives up splits that keep clients waiting. */
  void tickSplits() {
    splitting.removeIf(copy -> !copy.splits || seat.copies.of(copy.mask) != copy);
    for (BucketCopy copy : List.copyOf(splitting)) {
      if (copy.drainedByMs <= seat.nowMs()) {
        splitting.remove(copy);
        copy.splits = false;
        copy.drainedByMs = 0;
        planned = null;
        stir();
      }
    }
  }

  long nextTickMs() {
    long next = planAtMs;
    for (BucketCopy copy : splitting) {
      if (copy.splits) {
        next = Math.min(next, copy.drainedByMs);
      }
    }
    return next;
  }
}
