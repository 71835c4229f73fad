package io.horae.resync;

import io.horae.timer.Cursor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The asking side of active rebalancing: this node asks every other, page by page, for the timers
 * that it is a replica of under the new view, and takes each as {@link LevelRules} allow. Then it
 * fetches what others have mentioned and none has sent, and leaves the rest to {@link Handover}.
 *
 * <p>It always ends: a node that does not answer is given up after so many tries, and a newer view
 * ends it at once.
 */
final class Resync {

  /** After so many tries without an answer, what others have mentioned is fetched from them. */
  private static final int SILENT_TRIES = 3;

  private final Member member;
  private final Holdings holdings;
  private final Handover handover;
  private final Fetches fetches;

  private final Map<String, Peer> peers = new LinkedHashMap<>();
  private final Map<Long, Mention> missing = new LinkedHashMap<>();
  private @Nullable ViewStamp view;
  private int missingTries;
  private long missingAtMs;
  private long pages;
  private long timers;
  private long timersEver;
  private Event.@Nullable ResyncProgress progress;
  private long lastRequest;

  /** A timer that somebody has. */
  private record Mention(String from, Reference reference) {
    /** The one who knows more; of equals the one who spoke last. */
    Mention later(Mention other) {
      return other.reference.covers(reference) ? other : this;
    }
  }

  /** A node to be asked. */
  private static final class Peer {
    private Cursor cursor = Cursor.START;
    private long request;
    private int tries;
    private long retryAtMs = Long.MAX_VALUE;
    private State state = State.WAITING;

    enum State {
      WAITING,
      ASKED,
      DONE,
      GIVEN_UP
    }
  }

  Resync(Member member, Holdings holdings, Handover handover) {
    this.member = member;
    this.holdings = holdings;
    this.handover = handover;
    fetches = new Fetches(member);
  }

  boolean isRunning() {
    return view != null;
  }

  /** Whether one has ended under the current view. */
  boolean hasEnded() {
    return progress != null && progress.ended() && progress.view().equals(member.view());
  }

  /**
   * Ends without an end: another view has come. What was mentioned is still to be fetched; but not
   * if all is asked for anew, as some of it may belong elsewhere by now, and be gone from who had
   * it.
   */
  void viewChanged() {
    view = null;
    peers.clear();
    if (!member.isComplete()) {
      missing.clear();
    }
  }

  /** Starts, or if it runs, goes on and asks those again that did not answer. */
  void start() {
    if (view != null) {
      for (Peer peer : peers.values()) {
        if (peer.state == Peer.State.GIVEN_UP) {
          peer.state = Peer.State.WAITING;
          peer.tries = 0;
        }
      }
      goOn();
      return;
    }
    view = member.view();
    pages = 0;
    timers = 0;
    missingTries = 0;
    missingAtMs = Long.MIN_VALUE;
    if (member.cluster().remains(member.self)) {
      for (String node : member.cluster().everyone().keySet()) {
        if (!node.equals(member.self)) {
          peers.put(node, new Peer());
        }
      }
    }
    report(false);
    goOn();
  }

  private void goOn() {
    int asked = count(Peer.State.ASKED);
    for (Map.Entry<String, Peer> entry : peers.entrySet()) {
      if (asked >= member.options.fetchesInFlightMax()) {
        break;
      }
      if (entry.getValue().state == Peer.State.WAITING) {
        ask(entry.getKey(), entry.getValue());
        asked++;
      }
    }
    if (asked == 0 && (missing.isEmpty() || missingAtMs <= member.nowMs())) {
      fetchMissing();
    }
  }

  private void ask(String node, Peer peer) {
    peer.state = Peer.State.ASKED;
    peer.tries++;
    peer.request = ++lastRequest;
    peer.retryAtMs = member.nowMs() + member.backoff.waitMs(peer.tries);
    int limit = member.options.pageTimersMax();
    member.send(
        node,
        new Message.FetchPage(peer.request, member.view(), member.extent(), peer.cursor, limit));
  }

  void tick() {
    fetches.goOn();
    if (view == null) {
      return;
    }
    for (Map.Entry<String, Peer> entry : peers.entrySet()) {
      Peer peer = entry.getValue();
      if (peer.state == Peer.State.ASKED && peer.retryAtMs <= member.nowMs()) {
        if (peer.tries > member.options.retriesMax()) {
          giveUp(peer);
        } else {
          ask(entry.getKey(), peer);
        }
      }
    }
    goOn();
    if (isWaitingForTheSilent() && !missing.isEmpty() && missingAtMs <= member.nowMs()) {
      requestMissing();
    }
  }

  /** Whether all who still might send something have not answered for a while. */
  private boolean isWaitingForTheSilent() {
    for (Peer peer : peers.values()) {
      if (peer.state == Peer.State.WAITING
          || (peer.state == Peer.State.ASKED && peer.tries < SILENT_TRIES)) {
        return false;
      }
    }
    return view != null;
  }

  private void giveUp(Peer peer) {
    peer.state = Peer.State.GIVEN_UP;
    peer.retryAtMs = Long.MAX_VALUE;
    report(false);
  }

  void page(String from, Message.Page page) {
    Peer peer = peers.get(from);
    if (peer == null || peer.state != Peer.State.ASKED || peer.request != page.request()) {
      member.reject(Statistics.Rejection.UNEXPECTED);
      return;
    }
    Cursor next = page.next();
    if (next != null && !isAfter(next, peer.cursor)) {
      member.reject(Statistics.Rejection.MALFORMED);
      giveUp(peer);
      goOn();
      return;
    }
    Announcements announcements = new Announcements(member);
    for (TimerRecord record : page.records()) {
      take(from, member.incoming(record), announcements);
    }
    List<Reference> missed = new ArrayList<>();
    for (Reference reference : page.references()) {
      take(from, reference, missed, announcements);
    }
    announcements.send();
    miss(from, missed);
    pages++;
    peer.tries = 0;
    if (next == null) {
      peer.state = Peer.State.DONE;
      peer.retryAtMs = Long.MAX_VALUE;
    } else {
      peer.cursor = next;
      peer.state = Peer.State.WAITING;
    }
    report(false);
    goOn();
  }

  private static boolean isAfter(Cursor cursor, Cursor other) {
    return cursor.deadline() != other.deadline()
        ? cursor.deadline() > other.deadline()
        : cursor.id() > other.id();
  }

  private void take(String from, TimerRecord record, Announcements announcements) {
    timers++;
    timersEver++;
    if (holdings.find(record.id()) != null) {
      handover.keep(record);
    } else if (handover.target(record).contains(member.self)) {
      handover.adopt(record);
    }
    Mention mention = missing.get(record.id());
    arrived(record.reference());
    TimerRecord held = holdings.find(record.id());
    if (held != null) {
      Assignment target = handover.target(held);
      boolean knowsItsPlace = record.assignment().equals(target);
      if (!handover.isStale(held) && target.contains(member.self)) {
        if (knowsItsPlace && target.contains(from) && !mayHaveAskedInVain()) {
          announcements.answer(from, Announcements.Kind.PROCESSED, target.view(), held);
        }
        if (mention != null && !target.contains(mention.from()) && !mention.from().equals(from)) {
          announcements.answer(mention.from(), Announcements.Kind.PROCESSED, target.view(), held);
        }
      }
      takePlace(from, held, record.reference(), knowsItsPlace, announcements);
    }
  }

  /** Whether this node was sent what nobody owed it, as it asked for all and does not join. */
  private boolean mayHaveAskedInVain() {
    return member.extent() == Message.Extent.EVERYTHING && !member.cluster().joins(member.self);
  }

  private void take(
      String from, Reference reference, List<Reference> missed, Announcements announcements) {
    TimerRecord held = holdings.find(reference.id());
    if (held == null || !held.reference().covers(reference)) {
      missed.add(reference);
    } else {
      // To whom does not ask for all, only what changes is listed; all of it does for who joins.
      boolean knowsItsPlace =
          member.extent() != Message.Extent.CHANGES && !member.cluster().joins(member.self);
      takePlace(from, held, reference, knowsItsPlace, announcements);
    }
  }

  private void takePlace(
      String from,
      TimerRecord held,
      Reference theirs,
      boolean knowsItsPlace,
      Announcements announcements) {
    if (!theirs.covers(held.reference())) {
      handover.owe(held, List.of(from));
    }
    Assignment target = handover.target(held);
    LevelRules rules = new LevelRules(held.assignment().replicas(), target.replicas());
    if (!handover.isStale(held)) {
      int own = target.level(member.self);
      if (own >= 0 && !target.contains(from)) {
        announcements.answer(from, Announcements.Kind.PROCESSED, target.view(), held);
      } else if (own >= 0 && target.level(from) > own && !knowsItsPlace) {
        announcements.answer(from, Announcements.Kind.REFER, target.view(), held);
      }
    } else if (rules.mayTake(member.self)) {
      handover.take(held, announcements);
    }
  }

  /**
   * Somebody mentioned timers that are not here: they may come yet, else they are fetched by name.
   * One that is here as it was is fetched at once, and not acted on before it can have come.
   */
  void miss(String from, List<Reference> references) {
    List<Long> behind = new ArrayList<>();
    for (Reference reference : references) {
      TimerRecord held = holdings.find(reference.id());
      if (held != null) {
        holdings.putOff(held);
        behind.add(reference.id());
      }
      miss(from, reference);
    }
    fetch(from, behind);
  }

  private void miss(String from, Reference reference) {
    if (missing.size() < member.options.timersMax()) {
      missing.merge(reference.id(), new Mention(from, reference), Mention::later);
    } else {
      member.outbox.report(new Event.LimitReached("timersMax", member.options.timersMax()));
    }
  }

  /** What was fetched by name has come; maybe nothing is left to wait for. */
  void arrived(List<Reference> references) {
    int left = missing.size();
    references.forEach(this::arrived);
    timers += left - missing.size();
    timersEver += left - missing.size();
    fetches.arrived(references);
    if (view != null && missing.isEmpty()) {
      goOn();
    }
  }

  /** What has come may not have been kept, if it does not belong here: it need not come again. */
  private void arrived(Reference known) {
    Mention mention = missing.get(known.id());
    if (mention != null
        && (known.covers(mention.reference()) || handover.knows(mention.reference()))) {
      missing.remove(known.id());
    }
  }

  /** Fetches by name what was mentioned and has not come, then ends. */
  private void fetchMissing() {
    missing.values().removeIf(mention -> handover.knows(mention.reference()));
    if (missing.isEmpty() || missingTries > member.options.retriesMax()) {
      end();
    } else {
      requestMissing();
    }
  }

  private void requestMissing() {
    missingTries++;
    missingAtMs =
        member.nowMs() + fetches.turnMs(missing.size()) + member.backoff.waitMs(missingTries);
    Map<String, List<Long>> bySender = new LinkedHashMap<>();
    for (Mention mention : missing.values()) {
      if (!fetches.isAsked(mention.reference().id())) {
        bySender
            .computeIfAbsent(mention.from(), unknown -> new ArrayList<>())
            .add(mention.reference().id());
      }
    }
    bySender.forEach(fetches::fetch);
  }

  /** Asks a node for timers by name. */
  void fetch(String from, List<Long> ids) {
    fetches.fetch(from, ids);
  }

  private void end() {
    for (Mention mention : missing.values()) {
      Peer peer = peers.get(mention.from());
      if (peer != null) {
        peer.state = Peer.State.GIVEN_UP;
      }
    }
    report(true);
    Set<String> silent = new HashSet<>();
    peers.forEach(
        (node, peer) -> {
          if (peer.state == Peer.State.GIVEN_UP) {
            silent.add(node);
          }
        });
    if (!silent.isEmpty()) {
      member.outbox.report(new Event.Unreachable(List.copyOf(silent)));
    }
    // Unless all is here now, all is asked for the next time.
    member.complete(missing.isEmpty() && (member.isComplete() || silent.isEmpty()));
    if (missing.isEmpty() && silent.isEmpty()) {
      member.hasHeardAll();
    }
    missing.clear();
    viewChanged();
  }

  void rejected(String from, Message.Rejected message) {
    Peer peer = peers.get(from);
    if (peer == null || peer.state != Peer.State.ASKED || peer.request != message.request()) {
      member.reject(Statistics.Rejection.UNEXPECTED);
      return;
    }
    switch (message.reason()) {
      case BUSY, VIEW_AHEAD -> {} // it is asked again when its time has come
      case VIEW_BEHIND, VIEW_DIFFERS, MALFORMED -> {
        giveUp(peer);
        goOn();
      }
    }
  }

  private int count(Peer.State state) {
    int count = 0;
    for (Peer peer : peers.values()) {
      count += peer.state == state ? 1 : 0;
    }
    return count;
  }

  private void report(boolean ended) {
    ViewStamp current = view;
    if (current != null) {
      int done = count(Peer.State.DONE);
      int givenUp = count(Peer.State.GIVEN_UP);
      progress =
          new Event.ResyncProgress(
              current,
              done,
              peers.size() - done - givenUp,
              givenUp,
              pages,
              timers,
              missing.size(),
              ended);
      member.outbox.report(progress);
    }
  }

  long nextTickMs() {
    long next = fetches.nextTickMs();
    if (view == null) {
      return next;
    }
    if (count(Peer.State.ASKED) == 0) {
      next = Math.min(next, missingAtMs);
    }
    for (Peer peer : peers.values()) {
      next = Math.min(next, peer.retryAtMs);
    }
    return next;
  }

  /** How the last resync stands or ended. */
  Event.@Nullable ResyncProgress progress() {
    return progress;
  }

  long timersFetched() {
    return timersEver;
  }
}
