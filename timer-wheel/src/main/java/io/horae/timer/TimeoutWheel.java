package io.horae.timer;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link ConcurrentTimerWheel} has under its lock: a wheel of {@link Timeout}s. Whoever has
 * one need not look for it, so there is no index, and all there is to know of a timer, its place
 * included, is in the object itself.
 *
 * <p>A {@link Dial} says on which spoke a timer belongs. Those of a spoke, those that are due and
 * those that were due when they came are {@link TimeoutLists}.
 *
 * <p>Not safe for use by several threads.
 */
final class TimeoutWheel {

  /** The list of the timers that are due, unless these are kept in order. */
  private static final int DUE = Dial.SPOKES;

  /** The list of the timers that were due when they came: for the next time that is told. */
  private static final int LATE = DUE + 1;

  private static final int LISTS = LATE + 1;

  /** The place of a timer that is on no list. */
  private static final int NOWHERE = TimeoutLists.NONE;

  /** Lists with no more chunks than this do not shrink. */
  private static final int CHUNKS_KEPT = 1 << 8;

  private final Dial dial;
  private TimeoutLists lists = new TimeoutLists(LISTS);

  /** The timers that are due, if they are kept in order; those that were cancelled may be here. */
  private final @Nullable PriorityQueue<Due> inOrder;

  private long numbered;
  private int cancelledInOrder;

  /** When the first timer that is not due yet will fire, while that is known. */
  private long next;

  private boolean nextKnown;

  /** A timer in the order of deadlines and, of equal deadlines, of numbers. */
  private record Due(Timeout timeout, long number) {

    private static final Comparator<Due> ORDER =
        Comparator.<Due>comparingLong(due -> due.timeout.deadline()).thenComparingLong(Due::number);
  }

  TimeoutWheel(Dial dial, boolean ordered) {
    this.dial = dial;
    inOrder = ordered ? new PriorityQueue<>(Due.ORDER) : null;
  }

  void add(Timeout timeout) {
    int spoke = dial.spokeFor(timeout.deadline());
    if (spoke == Dial.NONE) {
      lists.add(LATE, timeout);
      return;
    }
    add(spoke, timeout);
    if (nextKnown) {
      next = Math.min(next, dial.firesAt(timeout.deadline()));
    }
  }

  private void add(int spoke, Timeout timeout) {
    if (lists.isEmpty(spoke)) {
      dial.markUsed(spoke);
    }
    lists.add(spoke, timeout);
  }

  /** Lets go of a timer that was cancelled, if it is here. */
  void remove(Timeout timeout) {
    if (timeout.place == NOWHERE) {
      if (inOrder != null && ++cancelledInOrder > inOrder.size() / 2) {
        inOrder.removeIf(due -> due.timeout.isCancelled());
        cancelledInOrder = 0;
      }
      return;
    }
    int spoke = dial.spokeFor(timeout.deadline());
    if (spoke == Dial.NONE) {
      lists.remove(lists.isAtAnEnd(DUE, timeout) ? DUE : LATE, timeout);
    } else {
      lists.remove(spoke, timeout);
      if (lists.isEmpty(spoke)) {
        dial.markUnused(spoke);
      }
      nextKnown &= dial.firesAt(timeout.deadline()) != next;
    }
    shrinkIfRoomy();
  }

  /** Tells the wheel the time. */
  void reach(long now) {
    dial.reach(now);
    becomeDue(LATE);
  }

  /** Hands out a timer that is due by the time that was told, if there is one. */
  @Nullable Timeout poll() {
    while (true) {
      Timeout timeout = pollDue();
      if (timeout != null) {
        return timeout;
      }
      int spoke = dial.turn();
      if (spoke == Dial.NONE) {
        shrinkIfRoomy();
        return null;
      }
      nextKnown = false;
      if (dial.isSingleTick(spoke)) {
        becomeDue(spoke);
      } else {
        moveOn(spoke);
      }
    }
  }

  private @Nullable Timeout pollDue() {
    if (inOrder == null) {
      return lists.poll(DUE);
    }
    Due due = inOrder.poll();
    return due == null ? null : due.timeout;
  }

  private void becomeDue(int list) {
    if (inOrder == null) {
      lists.append(list, DUE);
    } else {
      for (Timeout timeout = lists.poll(list); timeout != null; timeout = lists.poll(list)) {
        inOrder.add(new Due(timeout, ++numbered));
      }
    }
  }

  /** Moves the timers of a spoke to those of lower rings; the ones of its first tick are due. */
  private void moveOn(int from) {
    for (Timeout timeout = lists.poll(from); timeout != null; timeout = lists.poll(from)) {
      int spoke = dial.spokeFor(timeout.deadline());
      if (spoke != Dial.NONE) {
        add(spoke, timeout);
      } else if (inOrder != null) {
        inOrder.add(new Due(timeout, ++numbered));
      } else {
        lists.add(DUE, timeout);
      }
    }
  }

  /** Takes back the timer that was handed out last: to be handed out when next told the time. */
  void putBack(Timeout timeout) {
    if (inOrder != null) {
      // Before all others of its deadline, as it was.
      inOrder.add(new Due(timeout, - ++numbered));
    } else {
      lists.add(LATE, timeout);
    }
  }

  /** When there will next be something to hand out; {@link Long#MAX_VALUE} if there is nothing. */
  long nextAdvance() {
    if (isAnyInOrder() || !lists.isEmpty(DUE) || !lists.isEmpty(LATE)) {
      return dial.now();
    }
    if (!nextKnown) {
      next = findNext();
      nextKnown = true;
    }
    return next;
  }

  /** Whether any is to be handed out in order; lets go of cancelled ones that came first. */
  private boolean isAnyInOrder() {
    if (inOrder == null) {
      return false;
    }
    Due first = inOrder.peek();
    while (first != null && first.timeout.isCancelled()) {
      inOrder.remove();
      first = inOrder.peek();
    }
    return first != null;
  }

  private long findNext() {
    int spoke = dial.first();
    if (spoke == Dial.NONE) {
      return Long.MAX_VALUE;
    }
    if (dial.isSingleTick(spoke)) {
      return dial.firesAt(spoke);
    }
    long least = Long.MAX_VALUE;
    for (int cell = lists.first(spoke); cell != TimeoutLists.NONE; cell = lists.next(spoke, cell)) {
      least = Math.min(least, lists.timeout(cell).deadline());
    }
    return dial.firesAt(least);
  }

  /** Lets go of all timers. */
  void clear(Consumer<Timeout> each) {
    for (int list = 0; list < LISTS; list++) {
      for (Timeout timeout = lists.poll(list); timeout != null; timeout = lists.poll(list)) {
        each.accept(timeout);
      }
    }
    if (inOrder != null) {
      inOrder.forEach(due -> each.accept(due.timeout));
      inOrder.clear();
    }
    lists = new TimeoutLists(LISTS);
    dial.markAllUnused();
    nextKnown = false;
  }

  private void shrinkIfRoomy() {
    if (lists.capacity() <= CHUNKS_KEPT || lists.chunksInUse() >= lists.capacity() / 8) {
      return;
    }
    TimeoutLists old = lists;
    lists = new TimeoutLists(LISTS);
    for (int list = 0; list < LISTS; list++) {
      for (Timeout timeout = old.poll(list); timeout != null; timeout = old.poll(list)) {
        lists.add(list, timeout);
      }
    }
  }

  /** Checks all that must hold between calls; for tests, as it visits everything. */
  void checkConsistency() {
    dial.checkConsistency();
    for (int list = 0; list < LISTS; list++) {
      if (list < Dial.SPOKES && dial.isUsed(list) == lists.isEmpty(list)) {
        throw new AssertionError("mark of spoke " + list);
      }
      for (int cell = lists.first(list); cell != TimeoutLists.NONE; cell = lists.next(list, cell)) {
        Timeout timeout = lists.timeout(cell);
        int spoke = dial.spokeFor(timeout.deadline());
        if (timeout.place != cell || (spoke == Dial.NONE ? list < Dial.SPOKES : list != spoke)) {
          throw new AssertionError("place of " + timeout);
        }
      }
    }
    if (nextKnown && next != findNext()) {
      throw new AssertionError("next time " + next);
    }
  }
}
