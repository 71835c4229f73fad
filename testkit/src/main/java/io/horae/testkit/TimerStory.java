package io.horae.testkit;

import io.horae.resync.TimerId;
import java.util.ArrayList;
import java.util.List;

/** All that was asked of one timer, in the order of asking. */
final class TimerStory {

  private final List<Operation> operations = new ArrayList<>(2);
  private final List<TimerId> handles = new ArrayList<>(2);
  private final long id;
  private final int replicationFactor;

  TimerStory(TimerId handle) {
    this.id = handle.id();
    this.replicationFactor = handle.replicationFactor();
    handles.add(handle);
  }

  long id() {
    return id;
  }

  int replicationFactor() {
    return replicationFactor;
  }

  /** The handles that clients have had of it, the oldest first. */
  List<TimerId> handles() {
    return handles;
  }

  List<Operation> operations() {
    return operations;
  }

  Operation last() {
    return operations.get(operations.size() - 1);
  }

  /**
   * Whether it is certain what the timer's replicas make of it: the last operation came after all
   * others, and all replicas have confirmed it.
   */
  boolean certain() {
    return last().ordered() && last().confirmedByAll();
  }

  /**
   * Whether it must be alive at a time: it is certain, and not all of its pops can have been, even
   * if clocks are ahead by so much.
   */
  boolean mustLive(long nowMs, long aheadMs) {
    if (!certain() || last().deletes()) {
      return false;
    }
    Operation last = last();
    return nowMs
        < last.dueMs(last.popsAsked()) - ClockErrors.ofMs(nowMs - last.askedMs()) - aheadMs;
  }
}
