package io.horae.examples.demo;

import io.horae.resync.Pop;
import io.horae.resync.Stamp;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The record by which a run is judged: what was asked for, and what came. It knows timers by a
 * number of its own, which travels as their payload, and no more of Horae than what a pop says of
 * itself. Safe for use by many threads.
 */
final class Ledger {

  private final List<Asked> asked = new ArrayList<>();
  private final List<Came> came = new ArrayList<>();
  private final BitSet over = new BitSet();
  private int due;
  private int created;

  /**
   * A timer that was asked for.
   *
   * @param fromMs the earliest moment at which it can have started
   * @param toMs the latest; the same until it is known
   * @param intervalMs how often it is to pop
   * @param pops how many times
   */
  record Asked(long fromMs, long toMs, long intervalMs, int pops) {

    /** The moment before which a pop, counted from 1, is early. */
    long dueMs(int sequence) {
      return fromMs + sequence * intervalMs;
    }

    /** The moment after which a pop, counted from 1, breaks the promise: twice what was asked. */
    long overdueMs(int sequence) {
      return toMs + (sequence + 1) * intervalMs;
    }
  }

  /**
   * A pop that came.
   *
   * @param timer the number of the timer, as its payload has it
   * @param sequence the pop's number, as it says itself
   * @param stamp the change of the timer that it belongs to
   * @param atMs when it came
   */
  record Came(int timer, int sequence, Stamp stamp, long atMs) {}

  /** What a timer carries. */
  static byte[] payload(int timer) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(timer).array();
  }

  /**
   * A timer is about to be asked for.
   *
   * @return its number
   */
  synchronized int asked(long nowMs, long intervalMs, int pops) {
    asked.add(new Asked(nowMs, nowMs, intervalMs, pops));
    due += pops;
    return asked.size() - 1;
  }

  /** The timer was created. */
  synchronized void created(int timer, long nowMs) {
    Asked was = asked.get(timer);
    asked.set(timer, new Asked(was.fromMs(), nowMs, was.intervalMs(), was.pops()));
    created++;
  }

  /** A pop came. */
  synchronized void came(Pop pop, long nowMs) {
    int timer = ByteBuffer.wrap(pop.payload()).getInt();
    came.add(new Came(timer, pop.sequence(), pop.stamp(), nowMs));
    if (timer >= 0 && timer < asked.size() && pop.sequence() == asked.get(timer).pops()) {
      over.set(timer);
    }
  }

  synchronized List<Asked> asked() {
    return List.copyOf(asked);
  }

  synchronized List<Came> came() {
    return List.copyOf(came);
  }

  /** How many timers have been asked for. */
  synchronized int askedCount() {
    return asked.size();
  }

  /** Whether the last pop of a timer has come. */
  synchronized boolean isOver(int timer) {
    return over.get(timer);
  }

  /** How many timers are over. */
  synchronized int overCount() {
    return over.cardinality();
  }

  /** How many timers are known to have been created. */
  synchronized int createdCount() {
    return created;
  }

  /** How many pops came, doubled ones among them. */
  synchronized int cameCount() {
    return came.size();
  }

  /** How many pops are to come in all. */
  synchronized int dueCount() {
    return due;
  }
}
