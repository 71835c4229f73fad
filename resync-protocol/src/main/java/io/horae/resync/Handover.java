package io.horae.resync;

import io.horae.resync.Announcements.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that every timer that this node holds gets to where it belongs, whatever was lost on
 * the way, and lets go of what is not its own.
 *
 * <p>A timer is settled here once this node is its replica under the current view and owes it to
 * nobody. It is owed to a replica that may not have it and that nobody else may think of: after an
 * operation that the replica did not confirm, or if the timer is not this node's own. The unsettled
 * timers are offered to those they are owed to, round after round, with backoff; whoever has one
 * says so, whoever misses one fetches it. A timer that is not its own a node lets go when all the
 * replicas have said that they hold it, and not before.
 *
 * <p>When the cluster changes, most timers get settled by what {@link Resync} fetches and {@link
 * LevelRules} allow; what that leaves over is settled here.
 */
final class Handover {

  private static final int EVERYONE = -1;

  /** Beside the lowest level that a timer is owed to: that it falls to this node to send it. */
  private static final int SENT_BY_THIS = 1 << Assignment.REPLICAS_MAX;

  /** For so many retries after it was made, a change may still be on its way. */
  private static final int LATE_RETRIES = 8;

  /** So often is a round put off, at most, by as much as the wait for it. */
  private static final int POSTPONEMENTS_MAX = 20;

  private final Member member;
  private final Holdings holdings;

  /**
   * The timers that are not settled, and the levels of their replicas that they are owed to; above
   * these, the levels that do not have them for sure, and that this node is to send them to.
   */
  private final Map<Long, Integer> unsettled = new HashMap<>();

  /** The nodes that had nothing, and until when what they had confirmed before was made. */
  private final Map<String, Long> emptiedMs = new HashMap<>();

  /** The round under way: the timers to look at, and how far it has come. */
  private long[] round = {};

  private int roundAt;

  /** Those of the round that others are asked about. */
  private final Window offered;

  private boolean limitReported;
  private int fruitless;
  private int unsettledBefore;
  private long nextRoundMs = Long.MAX_VALUE;
  private long postponedMsMax;

  /** Whether the timers go to their new replicas by themselves, not only when they change. */
  private boolean active;

  private boolean drained;
  private long letGo;
  private long duplicatesSuppressed;

  Handover(Member member, Holdings holdings) {
    this.member = member;
    this.holdings = holdings;
    offered = new Window(member.options.offerTimersMax(), member.backoff.leastWaitMs());
  }

  /** A new view: what was owed under the old one is owed to everyone now. */
  void viewChanged() {
    // Nobody asks a node that has left before: it has to go on by itself.
    active = !member.cluster().everyone().containsKey(member.self);
    drained = false;
    fruitless = 0;
    round = new long[0];
    roundAt = 0;
    emptiedMs.keySet().retainAll(member.cluster().everyone().keySet());
    unsettled.replaceAll((id, levels) -> EVERYONE);
    nextRoundMs = unsettled.isEmpty() ? Long.MAX_VALUE : member.nowMs() + member.options.retryMs();
  }

  boolean isActive() {
    return active;
  }

  void activate() {
    active = true;
  }

  /**
   * A node has nothing, and is being given what this one has. It may have confirmed changes before
   * it lost its memory that are still on their way to this node, whose senders will not tell it
   * again.
   */
  void emptied(String node) {
    long lateMs = member.isComplete() ? LATE_RETRIES * member.options.retryMs() : 0;
    emptiedMs.put(node, member.nowMs() + lateMs);
  }

  // Taking timers in.

  /**
   * Joins a record with what is held of the timer.
   *
   * @return what is known of the timer now
   */
  Reference keep(TimerRecord record) {
    member.seen(record.stamp());
    TimerRecord held = holdings.find(record.id());
    if (held == null) {
      return keepNew(record);
    }
    TimerRecord joined = held.join(record);
    if (joined.equals(held)) {
      return held.reference();
    }
    boolean news = !joined.reference().equals(held.reference());
    if (news) {
      overtaken(held, joined);
    }
    holdings.put(joined);
    if (!isOwn(joined) || isStale(joined)) {
      unsettle(joined);
    } else if (news && !record.assignment().replicas().equals(joined.assignment().replicas())) {
      owe(joined, EVERYONE); // its sender has told other nodes than the replicas
    }
    if (news) {
      oweToEmptied(joined);
    }
    return joined.reference();
  }

  private Reference keepNew(TimerRecord record) {
    Assignment target = target(record);
    if (record.assignment().contains(member.self)) {
      // If it is another's by now it may be old news: that one is asked before it pops.
      TimerRecord kept = target.contains(member.self) ? record : record.assigned(target);
      holdings.put(kept);
      putOffIfLate(record, kept);
      if (!isOwn(kept) || isStale(kept)) {
        unsettle(kept);
      }
      oweToEmptied(kept);
    } else if (target.contains(member.self)) {
      // Its sender does not know the view yet, so nobody else will tell the other replicas.
      TimerRecord taken = record.assigned(target);
      holdings.put(taken);
      putOffIfLate(record, taken);
      owe(taken, EVERYONE);
    }
    return record.reference();
  }

  /** The replicas that have lost their memory since a record was made. */
  private List<String> emptiedSince(TimerRecord record) {
    if (emptiedMs.isEmpty()) {
      return List.of();
    }
    long madeMs = record.madeMs();
    return target(record).replicas().stream()
        .filter(node -> madeMs < emptiedMs.getOrDefault(node, Long.MIN_VALUE))
        .toList();
  }

  /** Notes that replicas may miss what they have confirmed, and lost since. */
  private void oweToEmptied(TimerRecord record) {
    if (isOwn(record)) {
      owe(record, emptiedSince(record));
    }
  }

  /**
   * What came, or was last changed, under an older view and should have popped by now may have done
   * so, without this node: it waits until others can have said so.
   */
  private void putOffIfLate(TimerRecord came, TimerRecord kept) {
    Cluster cluster = member.clusterOrNull();
    long epoch = Math.min(came.assignment().view().epoch(), Member.epoch(came.stamp()));
    boolean isOfOlderView = cluster != null && epoch < cluster.epoch();
    if (isOfOlderView && !kept.ended() && kept.deadlineMs() <= member.nowMs()) {
      holdings.putOff(kept);
    }
  }

  /** Takes in a timer that this node is to be a replica of, as those have it who hold it now. */
  void adopt(TimerRecord record) {
    member.seen(record.stamp());
    holdings.put(record);
  }

  /**
   * Whether a record's sender takes this node for a replica, which it is no more: it may not know
   * of later changes, so its word does not count.
   */
  boolean isMistaken(TimerRecord record) {
    return record.assignment().contains(member.self) && !target(record).contains(member.self);
  }

  /** Whether nothing can be learnt from whoever has this. */
  boolean knows(Reference reference) {
    TimerRecord record = holdings.find(reference.id());
    return record != null && record.reference().covers(reference);
  }

  /** Another node has changed or popped a timer: what this node was about to do is void. */
  private void overtaken(TimerRecord held, TimerRecord joined) {
    if (holdings.settleAttempts(joined.id()) && held.stamp().equals(joined.stamp())) {
      duplicatesSuppressed++;
    }
    unsettled.remove(joined.id());
  }

  // Whose a timer is.

  /** The replicas of a timer under the latest view that it or this node knows of. */
  Assignment target(TimerRecord record) {
    Cluster cluster = member.clusterOrNull();
    return cluster == null || record.assignment().view().epoch() >= cluster.epoch()
        ? record.assignment()
        : cluster.assign(record);
  }

  private boolean isOwn(TimerRecord record) {
    return target(record).contains(member.self);
  }

  /** Whether a timer's replicas are not those that they should be by now. */
  boolean isStale(TimerRecord record) {
    return !record.assignment().replicas().equals(target(record).replicas());
  }

  /** Whether it falls to this node to send a timer to the replicas that do not have it. */
  boolean isDesignated(TimerRecord record, String except) {
    for (String holder : record.assignment().replicas()) {
      if (!holder.equals(except) && member.cluster().everyone().containsKey(holder)) {
        return holder.equals(member.self);
      }
    }
    return !record.assignment().contains(member.self);
  }

  /** Whether it fell to this node, before it took its place, to send a timer to a new replica. */
  boolean isToSend(TimerRecord record, String node) {
    int level = target(record).level(node);
    int owed = unsettled.getOrDefault(record.id(), 0);
    return level >= 0 && owed != EVERYONE && (owed & (SENT_BY_THIS << level)) != 0;
  }

  /** The levels of a timer's new replicas to which it falls to this node to send it. */
  private int toSend(TimerRecord record, int owed) {
    List<String> replicas = target(record).replicas();
    int levels = 0;
    for (int level = 0; level < replicas.size(); level++) {
      String node = replicas.get(level);
      boolean sends =
          (owed & (1 << level)) != 0
              && !record.assignment().contains(node)
              && isDesignated(record, node);
      levels |= sends ? SENT_BY_THIS << level : 0;
    }
    return levels;
  }

  // Settling.

  /** Notes that a timer is not where it belongs. */
  void unsettle(TimerRecord record) {
    owe(record, owedAtFirst(record));
  }

  /** To whom this node owes a timer before it has heard from anybody. */
  private int owedAtFirst(TimerRecord record) {
    if (!isOwn(record)) {
      return EVERYONE;
    }
    int levels = 0;
    if (isStale(record) && isFirstToStay(record)) {
      List<String> replicas = target(record).replicas();
      for (int level = 0; level < replicas.size(); level++) {
        levels |= record.assignment().contains(replicas.get(level)) ? 0 : 1 << level;
      }
    }
    return levels;
  }

  /** Whether of the holders that stay this node is the first: a leaving one may be dead. */
  private boolean isFirstToStay(TimerRecord record) {
    for (String holder : record.assignment().replicas()) {
      if (member.cluster().remains(holder)) {
        return holder.equals(member.self);
      }
    }
    return isDesignated(record, "");
  }

  /** Notes that a timer may be missing on some replicas; levels are those of its target. */
  private void owe(TimerRecord record, int levels) {
    unsettled.merge(record.id(), levels, (before, more) -> before | more);
    later();
  }

  /** Notes that any replica may miss a timer. */
  void oweToAll(TimerRecord record) {
    owe(record, EVERYONE);
  }

  /** Notes that some nodes may miss a timer. */
  void owe(TimerRecord record, Iterable<String> nodes) {
    Assignment target = target(record);
    int levels = 0;
    for (String node : nodes) {
      int level = target.level(node);
      levels |= level < 0 ? 0 : 1 << level;
    }
    if (levels != 0) {
      owe(record, levels);
    }
  }

  /** Notes that only some nodes have confirmed a record. It is kept here until all have. */
  void oweUnconfirmed(TimerRecord record, Collection<String> confirmed) {
    TimerRecord held = holdings.find(record.id());
    TimerRecord known = held == null ? record.assigned(target(record)) : held.join(record);
    Set<String> replicas = new HashSet<>(target(known).replicas());
    replicas.removeAll(confirmed);
    replicas.addAll(emptiedSince(known));
    replicas.remove(member.self);
    if (!replicas.isEmpty() && known.reference().equals(record.reference())) {
      if (held == null) {
        holdings.putOff(known); // it may have been let go since, and changed elsewhere
      } else {
        holdings.put(known);
      }
      owe(known, replicas);
    }
  }

  /** Sees to it that there is a next round. */
  private void later() {
    if (roundAt == round.length && nextRoundMs == Long.MAX_VALUE) {
      nextRoundMs = member.nowMs() + member.options.retryMs();
      postponedMsMax = member.nowMs() + POSTPONEMENTS_MAX * member.options.retryMs();
    }
  }

  /** Takes this node's place among the new replicas of a timer, and tells those it displaces. */
  void take(TimerRecord record, Announcements announcements) {
    Assignment target = target(record);
    List<String> before = record.assignment().replicas();
    LevelRules rules = new LevelRules(before, target.replicas());
    Integer known = unsettled.remove(record.id());
    int owed = (known == null ? owedAtFirst(record) : known) & ~(1 << target.level(member.self));
    TimerRecord taken = record.assigned(target);
    holdings.put(taken);
    if (!record.assignment().contains(member.self)) {
      putOffIfLate(record, taken); // who acted until now pops what was due
    }
    if (owed != 0) {
      owe(taken, known == null || known != EVERYONE ? owed | toSend(record, owed) : owed);
    }
    List<String> displaced = rules.displacedBy(member.self);
    for (String node : displaced) {
      announcements.add(node, Kind.REFER, target.view(), taken);
    }
    for (String node : rules.retiredBy(member.self)) {
      announcements.add(node, Kind.RETIRE, target.view(), taken);
    }
    for (String node : before) {
      if (!displaced.contains(node)) {
        announcements.add(node, Kind.PROCESSED, target.view(), taken);
      }
    }
  }

  /** Puts the next round off, as what it would settle is just being fetched. */
  void postpone() {
    if (nextRoundMs != Long.MAX_VALUE) {
      long laterMs = Math.min(postponedMsMax, member.nowMs() + 2 * member.options.retryMs());
      nextRoundMs = Math.max(nextRoundMs, laterMs);
    }
  }

  /** Goes on with the round, or begins one if it is time. */
  void tick() {
    if (roundAt == round.length) {
      if (member.nowMs() < nextRoundMs) {
        return;
      }
      round = unsettled.keySet().stream().mapToLong(Long::longValue).toArray();
      roundAt = 0;
      nextRoundMs = Long.MAX_VALUE;
      limitReported = false;
    }
    Announcements announcements = new Announcements(member);
    int end = (int) Math.min(round.length, roundAt + (long) member.options.sweepTimersMax());
    while (roundAt < end && offered.hasRoom(member.nowMs())) {
      settle(round[roundAt++], announcements);
    }
    if (roundAt < end) {
      reportLimit();
    }
    // Before anything is sent: should the outbox throw, there is another round.
    if (roundAt == round.length && !unsettled.isEmpty()) {
      fruitless = unsettled.size() < unsettledBefore ? 1 : fruitless + 1;
      unsettledBefore = unsettled.size();
      nextRoundMs = member.nowMs() + member.backoff.waitMs(fruitless);
      postponedMsMax = nextRoundMs;
    }
    announcements.send();
  }

  /** Says, once a round, that timers have to wait to be offered. */
  private void reportLimit() {
    if (!limitReported) {
      limitReported = true;
      int limit = member.options.offerTimersMax();
      member.outbox.report(new Event.LimitReached("offerTimersMax", limit));
    }
  }

  private void settle(long id, Announcements announcements) {
    Integer levels = unsettled.get(id);
    TimerRecord record = holdings.find(id);
    if (levels == null || record == null) {
      unsettled.remove(id);
      return;
    }
    Assignment target = target(record);
    int own = target.level(member.self);
    int owed = levels & ((1 << target.replicas().size()) - 1);
    if (own >= 0) {
      owed &= ~(1 << own);
      if (isStale(record)) {
        if (!active) {
          return; // waits for a resync
        }
        LevelRules rules = new LevelRules(record.assignment().replicas(), target.replicas());
        if (rules.mayTake(member.self)) {
          take(record, announcements);
          return;
        }
        owed |= (1 << own) - 1; // one of those below has to tell this node its place
      } else if (owed == 0) {
        unsettled.remove(id);
        return;
      }
    } else if (isStale(record) && !active) {
      return;
    } else if (owed == 0) {
      if (!isAhead(target) && !holdings.isDue(record)) {
        letGo(record);
      }
      return;
    }
    for (int level = 0; level < target.replicas().size(); level++) {
      // Who is no replica does not hear of changes otherwise, however long it has to wait.
      if (own < 0 || (owed & (1 << level)) != 0) {
        offered.open(id, member.nowMs());
        announcements.add(target.replicas().get(level), Kind.OFFER, target.view(), record);
      }
    }
  }

  /**
   * Whether a timer's replicas are of a view that this node has not heard of. Until then it takes
   * itself for a replica, and would believe old news if it let the timer go.
   */
  private boolean isAhead(Assignment target) {
    Cluster cluster = member.clusterOrNull();
    return cluster == null || target.view().epoch() > cluster.epoch();
  }

  private void letGo(TimerRecord record) {
    holdings.remove(record);
    unsettled.remove(record.id());
    letGo++;
  }

  /** Reports, once for each view, that a node that leaves has nothing left. */
  void reportIfDrained(boolean idle) {
    Cluster cluster = member.clusterOrNull();
    if (cluster != null
        && !drained
        && active
        && idle
        && holdings.size() == 0
        && !cluster.remains(member.self)) {
      member.outbox.report(new Event.Drained(cluster.stamp()));
      drained = true;
    }
  }

  // What others say.

  /**
   * A replica holds these timers, and acts for them, under a view. Where it takes this node's place
   * by that, this node takes its own, or steps back; where it was the last to, the timer is let go.
   *
   * @return those that it knows more of than this node
   */
  List<Reference> processed(String from, ViewStamp view, List<Reference> references) {
    List<Reference> behind = new ArrayList<>();
    Announcements announcements = new Announcements(member);
    for (Reference reference : references) {
      TimerRecord record = holdings.find(reference.id());
      if (record == null || !target(record).view().equals(view)) {
        continue;
      }
      if (!record.reference().covers(reference)) {
        behind.add(reference);
      }
      processed(from, record, reference, announcements);
    }
    announcements.send();
    return behind;
  }

  private void processed(
      String from, TimerRecord record, Reference reference, Announcements announcements) {
    Assignment target = target(record);
    int level = target.level(from);
    if (level < 0) {
      return;
    }
    if (!reference.covers(record.reference())) {
      owe(record, 1 << level);
      return;
    }
    int own = target.level(member.self);
    int owed =
        unsettled.getOrDefault(record.id(), own < 0 ? EVERYONE : 0)
            & ((1 << target.replicas().size()) - 1)
            & ~(1 << level);
    if (own >= 0) {
      owed &= ~(1 << own);
    }
    if (owed == 0) {
      offered.answered(record.id());
    }
    // What is due here is popped here: there they wait for what has become of it.
    boolean due = holdings.isDue(record);
    if (own < 0 && owed == 0 && !isAhead(target) && !due) {
      letGo(record);
      return;
    }
    boolean stale = isStale(record) && (due || !isDisplaced(record, target, from));
    if (isStale(record) && !stale) {
      giveWay(record, target, announcements);
    }
    if (own >= 0 && owed == 0 && !stale) {
      unsettled.remove(record.id());
    } else {
      Integer before = unsettled.get(record.id());
      int toSend = before == null || before == EVERYONE ? 0 : before & -SENT_BY_THIS;
      if (isStale(record) && !stale) {
        toSend = toSend(record, owed); // as it was before this node gave way
      }
      unsettled.put(record.id(), owed | (toSend & ~(SENT_BY_THIS << level)));
      later();
    }
  }

  private boolean isDisplaced(TimerRecord record, Assignment target, String by) {
    LevelRules rules = new LevelRules(record.assignment().replicas(), target.replicas());
    return rules.displacedBy(by).contains(member.self) || rules.retiredBy(by).contains(member.self);
  }

  /** Leaves this node's old place in a timer's list for its new one, if it has one. */
  private void giveWay(TimerRecord record, Assignment target, Announcements announcements) {
    TimerRecord placed = record.assigned(target);
    holdings.put(placed);
    if (target.contains(member.self)) {
      for (String node : record.assignment().replicas()) {
        if (!target.contains(node)) {
          announcements.add(node, Kind.PROCESSED, target.view(), placed);
        }
      }
    }
  }

  /** A replica of lower level acts for these timers. Returns those that are missing here. */
  List<Reference> referred(String from, ViewStamp view, List<Reference> references) {
    List<Reference> missing = processed(from, view, references);
    for (Reference reference : references) {
      if (holdings.find(reference.id()) == null) {
        missing.add(reference);
      }
    }
    return missing;
  }

  /**
   * Another node offers timers. Tells it which are here; returns those that are missing. If it has
   * an older view, it is not told: this node's place is another now, and the one that is to take
   * its place may not have.
   */
  List<Reference> offered(String from, ViewStamp view, List<Reference> references) {
    List<Reference> missing = new ArrayList<>();
    Announcements announcements = new Announcements(member);
    for (Reference reference : references) {
      TimerRecord record = holdings.find(reference.id());
      if (record == null || !record.reference().covers(reference)) {
        missing.add(reference);
      } else {
        TimerRecord placed = placed(record, announcements);
        if (placed != null && view.equals(member.view())) {
          announcements.answer(from, Kind.PROCESSED, view, placed);
        }
      }
    }
    announcements.send();
    return missing;
  }

  /** Tells a node which of the timers that it has just sent this node is a replica of. */
  void confirm(String to, List<Reference> references) {
    Announcements announcements = new Announcements(member);
    for (Reference reference : references) {
      TimerRecord record = holdings.find(reference.id());
      if (record != null && isOwn(record)) {
        TimerRecord placed = placed(record, announcements);
        if (placed != null) {
          announcements.answer(to, Kind.PROCESSED, target(placed).view(), placed);
        }
      }
    }
    announcements.send();
  }

  /** A record with this node in its place, if it is there or may go there by itself. */
  private @Nullable TimerRecord placed(TimerRecord record, Announcements announcements) {
    if (!isOwn(record) || !isStale(record)) {
      return record;
    }
    Assignment target = target(record);
    LevelRules rules = new LevelRules(record.assignment().replicas(), target.replicas());
    if (!rules.mayTake(member.self)) {
      return null;
    }
    take(record, announcements);
    return record.assigned(target);
  }

  // How it goes.

  long nextTickMs() {
    return roundAt < round.length ? offered.nextRoomMs(member.nowMs()) : nextRoundMs;
  }

  int unsettled() {
    return unsettled.size();
  }

  long letGoCount() {
    return letGo;
  }

  long duplicatesSuppressed() {
    return duplicatesSuppressed;
  }
}
