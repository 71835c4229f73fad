package io.horae.resync;

import io.horae.timer.Cursor;
import io.horae.timer.Page;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The timers that a node holds, and when it acts on each: at the timer's deadline and a skew for
 * each level that the node stands above the primary. If it is no replica, it stands one level above
 * the last, until {@link Handover} lets the timer go. Once it has tried to pop a timer, it acts on
 * it when the next attempt is due.
 */
final class Holdings {

  /** For so many retries others have time to say what they know of a timer. */
  private static final int ASKING_RETRIES = 8;

  /** And for so many if the timer is theirs. */
  private static final int ASKING_RETRIES_OF_OTHERS = 24;

  private final Member member;
  private final TimerStore store;
  private final Map<Long, Attempts> attempts = new HashMap<>();

  /** Whether the store came with timers. What was owed of them to others is not known any more. */
  private final boolean restored;

  private long additions;

  private final int[] liveByLevel = new int[Assignment.REPLICAS_MAX];
  private int liveOfOthers;
  private int tombstones;

  /**
   * What came of a pop so far.
   *
   * @param of the timer as it was
   * @param count how often it was tried
   * @param inFlight whether the host has it and has not said how it went
   * @param nextMs when to try again, or to wait no longer
   */
  record Attempts(Reference of, int count, boolean inFlight, long nextMs) {}

  Holdings(Member member, TimerStore store) {
    this.member = member;
    this.store = store;
    Cursor cursor = Cursor.START;
    while (cursor != null) {
      Page<TimerRecord> page = store.scan(cursor, member.options.sweepTimersMax());
      page.timers()
          .forEach(
              timer -> {
                count(timer.payload(), 1);
                member.seen(timer.payload().stamp());
              });
      cursor = page.next();
    }
    restored = store.size() > 0;
    if (restored) {
      member.restored();
    }
  }

  boolean isRestored() {
    return restored;
  }

  @Nullable TimerRecord find(long id) {
    return store.find(id);
  }

  /** Keeps a record in place of any before it. */
  void put(TimerRecord record) {
    TimerRecord old = store.find(record.id());
    store.put(record, actAtMs(record));
    if (old == null) {
      additions++;
    } else {
      count(old, -1);
    }
    count(record, 1);
  }

  /** How many timers have come so far; those that the store came with do not count. */
  long additions() {
    return additions;
  }

  void remove(TimerRecord record) {
    store.remove(record.id());
    settleAttempts(record.id());
    count(record, -1);
  }

  int due(int limit, Consumer<TimerRecord> handler) {
    return store.due(member.nowMs(), limit, handler);
  }

  long nextDueMs() {
    return store.nextDueMs();
  }

  Page<TimerRecord> scan(Cursor from, int limit) {
    return store.scan(from, limit);
  }

  int size() {
    return store.size();
  }

  // When to act.

  private long actAtMs(TimerRecord record) {
    if (record.ended()) {
      return record.startMs() + member.options.tombstoneMs();
    }
    Attempts tried = attempts(record);
    if (tried != null) {
      return tried.nextMs();
    }
    int level = record.assignment().level(member.self);
    if (level < 0) {
      // It may be late news: whoever has the timer is asked before anything is done.
      return Math.max(allLevelsAtMs(record), askedByMs(ASKING_RETRIES_OF_OTHERS));
    }
    return record.deadlineMs() + level * skewMs(record);
  }

  /** By when those who know more of a timer can have said so. */
  private long askedByMs(int retries) {
    return member.nowMs() + retries * member.options.retryMs();
  }

  /** Whether the host has a timer's pop, or is about to get it. */
  boolean isDue(TimerRecord record) {
    return !record.ended() && (isInFlight(record) || actAtMs(record) <= member.nowMs());
  }

  private boolean isInFlight(TimerRecord record) {
    Attempts tried = attempts(record);
    return tried != null && tried.inFlight();
  }

  /** When to try again what has failed so often: the last level first, the others in turn. */
  long retryAtMs(TimerRecord record, int count) {
    long waitMs = member.backoff.waitMs(count);
    int level = record.assignment().level(member.self);
    int levels = record.assignment().replicas().size();
    if (level == levels - 1) {
      return member.nowMs() + waitMs;
    }
    int turn = level < 0 ? levels : level;
    return Math.max(member.nowMs(), allLevelsAtMs(record)) + waitMs + turn * skewMs(record);
  }

  /** When all levels have had their turn. */
  private long allLevelsAtMs(TimerRecord record) {
    return record.deadlineMs() + record.assignment().replicas().size() * skewMs(record);
  }

  /** So little that even one who holds the timer for others pops within twice the interval. */
  private long skewMs(TimerRecord record) {
    int levels = record.assignment().replicas().size() + 1;
    return Math.min(member.options.skewMs(), record.intervalMs() / levels);
  }

  // What was tried.

  /** The attempts at a timer's next pop, if there were any. */
  @Nullable Attempts attempts(TimerRecord record) {
    Attempts tried = attempts.get(record.id());
    return tried != null && tried.of().equals(record.reference()) ? tried : null;
  }

  /** Notes an attempt and acts on the record accordingly. */
  void attempt(TimerRecord record, Attempts tried) {
    attempts.put(record.id(), tried);
    put(record);
  }

  /** Keeps a record, and acts on it no sooner than others can have said what they know of it. */
  void putOff(TimerRecord record) {
    long askedByMs = askedByMs(ASKING_RETRIES);
    if (!record.ended() && !isInFlight(record) && actAtMs(record) < askedByMs) {
      attempt(record, new Attempts(record.reference(), 0, false, askedByMs));
    } else {
      put(record);
    }
  }

  /** Forgets the attempts at a pop that is settled; tells whether one was in flight. */
  boolean settleAttempts(long id) {
    Attempts tried = attempts.remove(id);
    return tried != null && tried.inFlight();
  }

  // Statistics.

  private void count(TimerRecord record, int change) {
    int level = record.assignment().level(member.self);
    if (record.ended()) {
      tombstones += change;
    } else if (level < 0) {
      liveOfOthers += change;
    } else {
      liveByLevel[level] += change;
    }
  }

  List<Integer> liveByLevel() {
    List<Integer> counts = new ArrayList<>();
    for (int count : liveByLevel) {
      counts.add(count);
    }
    return counts;
  }

  int liveOfOthers() {
    return liveOfOthers;
  }

  int tombstones() {
    return tombstones;
  }
}
