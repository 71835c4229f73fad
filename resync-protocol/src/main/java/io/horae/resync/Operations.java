package io.horae.resync;

import io.horae.timer.TimerWheel;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Changes of timers on their way to the replicas: sent, and sent again with backoff, until all have
 * acknowledged them or enough tries were made. What is then unconfirmed is owed: see {@link
 * Handover}.
 *
 * <p>When the view changes, pops under way go to the replicas that their timers have now: a former
 * one does not confirm them, as it may miss later changes, and who has gone cannot. Clients'
 * operations do not, since who was a replica when a client asked may still act by what it knows.
 *
 * <p>Should a replica know a later change than a client's operation before any has taken it, the
 * operation is stamped anew: it came last, whatever the nodes had seen of each other. Once a
 * replica has taken it, what is later is later. A replica that has just started, and has not seen
 * what the others have, does not count for that.
 */
final class Operations {

  private final Member member;
  private final Holdings holdings;
  private final Handover handover;

  /** The operations under way, by number, each due when it is to be sent again. */
  private final TimerWheel<Operation> waiting = TimerWheel.startingAt(Long.MIN_VALUE);

  /** The numbers of the pops under way, by timer: a later pop makes an earlier one needless. */
  private final Map<Long, Long> pops = new HashMap<>();

  private long lastNumber;

  /** One change. */
  private static final class Operation {
    private final boolean isClients;
    private final Set<String> targets;
    private final Set<String> silent;
    private TimerRecord record;

    /** Whether this node holds the timer. If it does not any more, it has let it go. */
    private boolean isHeld;

    /** Whether this node is one of the replicas, and how many others have confirmed it. */
    private boolean isOwn;

    private int others;
    private int tries;
    private int stampings;
    private boolean taken;

    Operation(boolean isClients, TimerRecord record, Set<String> targets) {
      this.isClients = isClients;
      this.record = record;
      this.targets = targets;
      silent = new LinkedHashSet<>(targets);
    }

    /** How many replicas have it; not all of them while it may be stamped anew. */
    int confirmed() {
      int count = others + (isOwn ? 1 : 0);
      int all = record.assignment().replicas().size();
      return taken || silent.isEmpty() ? count : Math.min(count, all - 1);
    }
  }

  Operations(Member member, Holdings holdings, Handover handover) {
    this.member = member;
    this.holdings = holdings;
    this.handover = handover;
  }

  int size() {
    return waiting.size();
  }

  boolean isFull() {
    return size() >= member.options.operationsMax();
  }

  /** Takes a client's change to all who must know; returns its number. */
  long startForClient(TimerRecord record, Collection<String> targets) {
    return start(true, record, new LinkedHashSet<>(targets));
  }

  /**
   * Takes a pop to all who must know: now or, if there is much under way, with the next handover.
   * Half of the operations are kept for clients.
   */
  void startForPop(TimerRecord record, Collection<String> targets) {
    Set<String> all = new LinkedHashSet<>(targets);
    Long earlier = pops.remove(record.id());
    Operation overtaken = earlier == null ? null : waiting.payload(earlier);
    if (earlier != null && overtaken != null) {
      waiting.cancel(earlier);
      all.addAll(overtaken.silent);
    }
    if (2L * size() >= member.options.operationsMax()) {
      member.outbox.report(new Event.LimitReached("operationsMax", member.options.operationsMax()));
      handover.owe(record, all);
    } else {
      start(false, record, all);
    }
  }

  private long start(boolean isClients, TimerRecord record, Set<String> targets) {
    targets.remove(member.self);
    Operation operation = new Operation(isClients, record, targets);
    long number = ++lastNumber;
    operation.isHeld = handover.knows(record.reference());
    if (operation.isHeld && record.assignment().contains(member.self)) {
      operation.isOwn = true;
      operation.taken = member.isComplete();
    }
    if (targets.isEmpty()) {
      end(number, operation);
      return number;
    }
    if (!isClients) {
      pops.put(record.id(), number);
    }
    report(number, operation, false);
    send(number, operation);
    return number;
  }

  private void send(long number, Operation operation) {
    operation.tries++;
    // Before it is sent: should the outbox throw, it is tried again.
    long againMs = member.nowMs() + member.backoff.waitMs(operation.tries);
    waiting.schedule(number, againMs, operation);
    Message message = new Message.Replicate(number, List.of(member.outgoing(operation.record)));
    operation.silent.forEach(node -> member.send(node, message));
  }

  /** A node has answered: returns whether it knows something that this node should, too. */
  boolean acknowledged(String from, Message.Acknowledge message) {
    Operation operation = waiting.payload(message.operation());
    Reference known = message.known().size() == 1 ? message.known().get(0) : null;
    if (operation == null
        || known == null
        || known.id() != operation.record.id()
        || !operation.silent.contains(from)) {
      member.reject(Statistics.Rejection.UNEXPECTED);
      return false;
    }
    member.seen(known.stamp());
    TimerRecord record = operation.record;
    if (operation.isClients
        && !operation.taken
        && known.stamp().compareTo(record.stamp()) > 0
        && known.stamp().origin() != record.stamp().origin()
        && operation.stampings < member.options.retriesMax()) {
      stampAnew(message.operation(), operation);
      return false;
    }
    if (!known.covers(record.reference())) {
      member.reject(Statistics.Rejection.UNEXPECTED); // it answers an earlier sending
      return false;
    }
    operation.silent.remove(from);
    if (record.assignment().contains(from)) {
      operation.taken |= !message.empty() && known.stamp().equals(record.stamp());
      operation.others++;
      handover.processed(from, record.assignment().view(), message.known());
    }
    if (operation.silent.isEmpty()) {
      waiting.cancel(message.operation());
      end(message.operation(), operation);
    } else if (record.assignment().contains(from)) {
      report(message.operation(), operation, false);
    }
    TimerRecord held = holdings.find(known.id());
    return held != null && !held.reference().covers(known);
  }

  /** Makes an operation later than all that is known, and sends it again at the next tick. */
  private void stampAnew(long number, Operation operation) {
    TimerRecord record = operation.record.stamped(member.nextStamp());
    operation.record = record;
    operation.stampings++;
    operation.tries = 0;
    operation.others = 0;
    operation.silent.addAll(operation.targets);
    waiting.schedule(number, member.nowMs(), operation);
    if (record.assignment().contains(member.self)) {
      handover.keep(record);
      operation.isHeld = true;
      operation.isOwn = true;
    }
  }

  /** Takes the pops under way to the replicas of the new view. */
  void viewChanged() {
    for (long number : List.copyOf(pops.values())) {
      Operation operation = waiting.payload(number);
      if (operation != null) {
        reassign(number, operation);
      }
    }
  }

  private void reassign(long number, Operation operation) {
    TimerRecord record = operation.record;
    Assignment target = handover.target(record);
    Set<String> everyone = member.cluster().everyone().keySet();
    if (record.assignment().replicas().equals(target.replicas())
        && everyone.containsAll(operation.silent)) {
      return;
    }
    operation.record = record.assigned(target);
    operation.targets.addAll(target.replicas());
    operation.targets.remove(member.self);
    operation.targets.retainAll(everyone);
    operation.silent.clear();
    operation.silent.addAll(operation.targets); // who has confirmed it may have lost it since
    operation.tries = 0;
    waiting.schedule(number, member.nowMs() + member.backoff.waitMs(1), operation);
  }

  /** Sends again what has waited long enough. */
  void tick() {
    waiting.advance(
        member.nowMs(),
        member.options.sweepTimersMax(),
        (number, atMs, operation) -> {
          if (isOvertaken(operation)) {
            pops.remove(operation.record.id(), number);
          } else if (operation.silent.isEmpty() || operation.tries > member.options.retriesMax()) {
            end(number, operation);
          } else {
            send(number, operation);
          }
          return true;
        });
  }

  /** Whether a pop is news to nobody: another replica has popped or changed the timer since. */
  private boolean isOvertaken(Operation operation) {
    TimerRecord held = holdings.find(operation.record.id());
    return !operation.isClients
        && held != null
        && !operation.record.reference().covers(held.reference());
  }

  private void end(long number, Operation operation) {
    pops.remove(operation.record.id(), number);
    operation.taken |= operation.isOwn;
    report(number, operation, true);
    boolean isLetGo = operation.isHeld && holdings.find(operation.record.id()) == null;
    if (!isLetGo && operation.silent.stream().anyMatch(operation.record.assignment()::contains)) {
      Set<String> confirmed = new HashSet<>(operation.targets);
      confirmed.removeAll(operation.silent);
      handover.oweUnconfirmed(operation.record, confirmed);
    }
  }

  private void report(long number, Operation operation, boolean ended) {
    if (operation.isClients) {
      TimerRecord record = operation.record;
      member.outbox.confirmed(
          new Confirmation(
              number,
              member.handle(record),
              operation.confirmed(),
              record.assignment().replicas().size(),
              ended));
    }
  }

  long nextTickMs() {
    return waiting.nextDeadline();
  }
}
