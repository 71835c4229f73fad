package io.horae.resync;

import io.horae.timer.Cursor;
import io.horae.timer.Page;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where a node keeps its timers: a record for each id, and when to look at it next. {@link
 * #inMemory()} is the default; testkit has a contract test for others.
 *
 * <p>Called by one thread at a time. What it throws passes on to the caller of the node, which
 * stays usable.
 */
public interface TimerStore {

  /**
   * A store in memory, on a timer wheel.
   *
   * @return the store, empty
   */
  static TimerStore inMemory() {
    return new WheelTimerStore();
  }

  /**
   * Looks a timer up.
   *
   * @param id the timer
   * @return its record; null if there is none
   */
  @Nullable TimerRecord find(long id);

  /**
   * Keeps a record, in place of any before it.
   *
   * @param record the record
   * @param atMs when {@link #due} is to hand it over
   */
  void put(TimerRecord record, long atMs);

  /**
   * Forgets a timer.
   *
   * @param id the timer
   * @return whether it was there
   */
  boolean remove(long id);

  /**
   * How many timers there are.
   *
   * @return their number, tombstones included
   */
  int size();

  /**
   * Hands over the timers to look at by now, earliest first. The handler puts each again with a
   * later time or removes it; one that it leaves as it is, or for which it throws, is handed over
   * again the next time. It may put and remove others.
   *
   * @param nowMs the time
   * @param limit how many at most, at least 1
   * @param handler takes their records
   * @return how many were handed over; if it is {@code limit}, there may be more
   */
  int due(long nowMs, int limit, Consumer<TimerRecord> handler);

  /**
   * When {@link #due} will next hand something over.
   *
   * @return the earliest time; {@link Long#MAX_VALUE} if there is no timer
   */
  long nextDueMs();

  /**
   * Reads timers in the order of their times and, of equal times, of their ids. A timer that is
   * there all the while, with the same time, is read exactly once.
   *
   * @param from where to begin
   * @param limit how many at most, at least 1
   * @return the timers, and where to go on
   */
  Page<TimerRecord> scan(Cursor from, int limit);
}
