package io.horae.testkit;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * What is still to happen, on virtual time. What falls on the same millisecond happens in an order
 * that the seed decides: nothing may depend on it.
 */
final class Agenda {

  private record Entry(long atMs, long tie, long number, Runnable action) {}

  private final PriorityQueue<Entry> entries =
      new PriorityQueue<>(
          Comparator.comparingLong(Entry::atMs)
              .thenComparingLong(Entry::tie)
              .thenComparingLong(Entry::number));
  private final SplittableRandom random;
  private long nowMs;
  private long number;

  Agenda(SplittableRandom random) {
    this.random = random;
  }

  long nowMs() {
    return nowMs;
  }

  /** How many things have been put on it. */
  long entered() {
    return number;
  }

  /** Has something done at a time, or now if that is over. */
  void at(long atMs, Runnable action) {
    entries.add(new Entry(Math.max(atMs, nowMs), random.nextLong(), number++, action));
  }

  void after(long delayMs, Runnable action) {
    at(nowMs + delayMs, action);
  }

  /** Does all that is due by then. */
  void runUntil(long endMs) {
    for (Entry next = entries.peek(); next != null && next.atMs <= endMs; next = entries.peek()) {
      entries.remove();
      nowMs = next.atMs;
      next.action.run();
    }
    nowMs = endMs;
  }
}
