package io.horae.resync;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The timers that others were asked about and have not answered: so many at once, for so long. */
final class Window {

  private final int timersMax;
  private final long answerMs;

  /** Until when each is waited for, the oldest first. */
  private final Map<Long, Long> open = new LinkedHashMap<>();

  Window(int timersMax, long answerMs) {
    this.timersMax = timersMax;
    this.answerMs = answerMs;
  }

  /** Whether there is room for one more; forgets those that were waited for long enough. */
  boolean hasRoom(long nowMs) {
    Iterator<Long> oldest = open.values().iterator();
    while (oldest.hasNext() && oldest.next() <= nowMs) {
      oldest.remove();
    }
    return open.size() < timersMax;
  }

  boolean isOpen(long timer, long nowMs) {
    return open.getOrDefault(timer, Long.MIN_VALUE) > nowMs;
  }

  void open(long timer, long nowMs) {
    open.remove(timer); // so that it gets to the end
    open.put(timer, nowMs + answerMs);
  }

  void answered(long timer) {
    open.remove(timer);
  }

  /** When there is room at the latest. */
  long nextRoomMs(long nowMs) {
    return hasRoom(nowMs) ? nowMs : open.values().iterator().next();
  }

  /** How long it takes at most until so many have had their turn. */
  long turnMs(int timers) {
    return (long) (timers / timersMax) * answerMs;
  }
}
