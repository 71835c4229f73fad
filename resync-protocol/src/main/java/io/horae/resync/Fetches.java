package io.horae.resync;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Asks others for timers by name: for {@code fetchTimersMax} at once, the next when those have come
 * or have been waited for long enough. Nothing is asked for twice: whoever needs it says so again.
 */
final class Fetches {

  private final Member member;
  private final Window asked;

  /** The timers still to be asked for, and whom. */
  private final Map<Long, String> waiting = new LinkedHashMap<>();

  private boolean limitReported;

  Fetches(Member member) {
    this.member = member;
    asked = new Window(member.options.fetchTimersMax(), member.backoff.leastWaitMs());
  }

  /** Asks a node for timers, now or in their turn. */
  void fetch(String from, List<Long> ids) {
    for (long id : ids) {
      if (waiting.size() >= member.options.timersMax()) {
        member.outbox.report(new Event.LimitReached("timersMax", member.options.timersMax()));
        break;
      }
      waiting.put(id, from);
    }
    goOn();
  }

  /** Whether somebody was asked for a timer just now, and may answer yet. */
  boolean isAsked(long id) {
    return asked.isOpen(id, member.nowMs());
  }

  /** These have come. */
  void arrived(List<Reference> references) {
    references.forEach(reference -> asked.answered(reference.id()));
    goOn();
  }

  /** Asks for as many as there is room for. */
  void goOn() {
    Map<String, List<Long>> next = new LinkedHashMap<>();
    Iterator<Map.Entry<Long, String>> turns = waiting.entrySet().iterator();
    while (turns.hasNext() && asked.hasRoom(member.nowMs())) {
      Map.Entry<Long, String> turn = turns.next();
      next.computeIfAbsent(turn.getValue(), unknown -> new ArrayList<>()).add(turn.getKey());
      asked.open(turn.getKey(), member.nowMs());
      turns.remove();
    }
    reportLimit();
    next.forEach(this::send);
  }

  private void reportLimit() {
    boolean reached = !waiting.isEmpty();
    if (reached && !limitReported) {
      int limit = member.options.fetchTimersMax();
      member.outbox.report(new Event.LimitReached("fetchTimersMax", limit));
    }
    limitReported = reached; // once for each time that something has to wait
  }

  private void send(String from, List<Long> ids) {
    int limit = member.options.pageTimersMax();
    for (int at = 0; at < ids.size(); at += limit) {
      member.send(from, new Message.FetchTimers(ids.subList(at, Math.min(ids.size(), at + limit))));
    }
  }

  /** How long it takes at most until so many have been asked for. */
  long turnMs(int timers) {
    return asked.turnMs(timers);
  }

  long nextTickMs() {
    return waiting.isEmpty() ? Long.MAX_VALUE : asked.nextRoomMs(member.nowMs());
  }
}
