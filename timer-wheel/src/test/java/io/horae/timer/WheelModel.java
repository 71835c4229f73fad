package io.horae.timer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A timer wheel that is obviously right: a sorted set. It fires in order of ticks and, within a
 * tick, of deadlines and ids; the real wheel does so when it is asked to.
 */
final class WheelModel {

  record Entry(long id, long deadline, String payload) {}

  static final Comparator<Entry> ORDER =
      Comparator.comparingLong(Entry::deadline).thenComparingLong(Entry::id);

  private final long tick;
  private final Map<Long, Entry> byId = new HashMap<>();
  private final TreeSet<Entry> sorted = new TreeSet<>(ORDER);

  WheelModel(long tick) {
    this.tick = tick;
  }

  boolean schedule(long id, long deadline, String payload) {
    boolean isNew = !cancel(id);
    Entry entry = new Entry(id, deadline, payload);
    byId.put(id, entry);
    sorted.add(entry);
    return isNew;
  }

  boolean cancel(long id) {
    Entry entry = byId.remove(id);
    return entry != null && sorted.remove(entry);
  }

  /** What is due, in order; nothing is removed. */
  List<Entry> due(long now) {
    List<Entry> due = new ArrayList<>();
    for (Entry entry : sorted) {
      if (tickOf(entry.deadline()) > tickReached(now)) {
        break;
      }
      due.add(entry);
    }
    return due;
  }

  long tickOf(long deadline) {
    long floor = Math.floorDiv(deadline, tick);
    return Math.floorMod(deadline, tick) == 0 ? floor : floor + 1;
  }

  /** The end of time ends the tick that it cuts short. */
  long tickReached(long now) {
    return now == Long.MAX_VALUE ? tickOf(now) : Math.floorDiv(now, tick);
  }

  List<Entry> all() {
    return List.copyOf(sorted);
  }

  Entry entry(long id) {
    return byId.get(id);
  }
}
