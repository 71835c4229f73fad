package io.horae.resync;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Acts on timers when they are due: hands their pops to the host, and goes by the outcome.
 *
 * <p>After a success the other replicas are told, by way of the nodes that hold the timer under the
 * current view: popping is how timers move without a resync. After a failure the other levels have
 * their turn. The last tries again, with backoff, and the others after it, one by one.
 */
final class Pops {

  private final Member member;
  private final Holdings holdings;
  private final Handover handover;
  private final Operations operations;

  /** The pops that the host has, and until when it may take; also those that were overtaken. */
  private final Map<Reference, Long> inFlight = new LinkedHashMap<>();

  private long pops;
  private long failed;
  private boolean limitReported;

  Pops(Member member, Holdings holdings, Handover handover, Operations operations) {
    this.member = member;
    this.holdings = holdings;
    this.handover = handover;
    this.operations = operations;
  }

  void tick() {
    limitReported = false;
    holdings.due(member.options.sweepTimersMax(), this::act);
  }

  private void act(TimerRecord record) {
    Holdings.Attempts tried = holdings.attempts(record);
    if (record.ended()) {
      holdings.remove(record);
    } else if (tried != null && tried.inFlight()) {
      failed(record, tried.count());
    } else if (inFlight() >= member.options.popsInFlightMax()) {
      reportLimit();
      int count = tried == null ? 0 : tried.count();
      waitUntil(record, count, member.nowMs() + member.options.retryMs());
    } else {
      hand(record, tried == null ? 1 : tried.count() + 1);
    }
  }

  private void reportLimit() {
    if (!limitReported) {
      limitReported = true;
      member.outbox.report(
          new Event.LimitReached("popsInFlightMax", member.options.popsInFlightMax()));
    }
  }

  private void hand(TimerRecord record, int count) {
    pops++;
    long timeoutMs = member.nowMs() + member.options.popTimeoutMs();
    holdings.attempt(record, new Holdings.Attempts(record.reference(), count, true, timeoutMs));
    inFlight.remove(record.reference()); // so that it gets to the end
    inFlight.put(record.reference(), timeoutMs);
    member.outbox.pop(pop(record));
  }

  private Pop pop(TimerRecord record) {
    return new Pop(
        member.handle(record),
        record.stamp(),
        record.sequence() + 1,
        record.isNextLast(),
        record.deadlineMs(),
        record.payload());
  }

  private void waitUntil(TimerRecord record, int count, long atMs) {
    holdings.attempt(record, new Holdings.Attempts(record.reference(), count, false, atMs));
  }

  /** What came of a pop. A late word is as good as any, unless another replica was first. */
  void outcome(Pop pop, boolean success) {
    inFlight.remove(new Reference(pop.timer().id(), pop.stamp(), pop.sequence() - 1, false));
    TimerRecord record = holdings.find(pop.timer().id());
    if (record == null
        || record.ended()
        || !record.stamp().equals(pop.stamp())
        || record.sequence() != pop.sequence() - 1) {
      return;
    }
    if (success) {
      done(record);
    } else {
      Holdings.Attempts tried = holdings.attempts(record);
      if (tried != null && tried.inFlight()) {
        failed(record, tried.count());
      }
    }
  }

  private void failed(TimerRecord record, int count) {
    failed++;
    if (count >= member.options.popAttemptsMax()) {
      member.outbox.report(new Event.PopGivenUp(pop(record), count));
      done(record);
      return;
    }
    waitUntil(record, count, holdings.retryAtMs(record, count));
  }

  /** Moves on to the next pop, or to the end, and takes the others along. */
  private void done(TimerRecord record) {
    Assignment target = handover.target(record);
    TimerRecord next = record.popped(member.nowMs()).assigned(target);
    Set<String> holders = new LinkedHashSet<>(target.replicas());
    holders.addAll(record.assignment().replicas());
    holdings.settleAttempts(record.id());
    handover.keep(next);
    operations.startForPop(next, holders);
  }

  /** How many pops the host has. */
  int inFlight() {
    Iterator<Long> oldest = inFlight.values().iterator();
    while (oldest.hasNext() && oldest.next() <= member.nowMs()) {
      oldest.remove();
    }
    return inFlight.size();
  }

  long pops() {
    return pops;
  }

  long failedCount() {
    return failed;
  }
}
