package io.horae.timer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A timer of a {@link ConcurrentTimerWheel}. Whatever several threads do to it at once, exactly one
 * of three things becomes of it: its task is handed to the executor, it is cancelled, or a shutdown
 * returns it.
 */
public final class Timeout {

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Timeout.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Scheduled, and not in the wheel yet. */
  private static final int NEW = 0;

  /** In the wheel. */
  private static final int KEPT = 1;

  private static final int EXPIRED = 2;
  private static final int RETURNED = 3;

  /** Cancelled when it was in the wheel, which must let go of it. */
  private static final int CANCELLED = 4;

  /** Cancelled before: it never gets into the wheel. */
  private static final int DROPPED = 5;

  /** What becomes of a timer is in so many low bits of its state; above them is its depth. */
  private static final int DEPTH_SHIFT = 3;

  private static final int END = (1 << DEPTH_SHIFT) - 1;

  private static final List<String> NAMES =
      List.of("pending", "pending", "expired", "returned", "cancelled", "cancelled");

  private final ConcurrentTimerWheel wheel;
  private final long deadline;
  private final Runnable task;

  private volatile int state;

  /** Where it is in the wheel; for whoever holds the wheel's lock. */
  int place;

  /** The one below it on the stack of what is new, and later on that of what is cancelled. */
  @Nullable Timeout below;

  Timeout(ConcurrentTimerWheel wheel, long deadline, Runnable task) {
    this.wheel = wheel;
    this.deadline = deadline;
    this.task = task;
  }

  /**
   * When it is due.
   *
   * @return the deadline
   */
  public long deadline() {
    return deadline;
  }

  /**
   * What is to be done then.
   *
   * @return the task, as it was given
   */
  public Runnable task() {
    return task;
  }

  /**
   * Cancels it. Never blocks.
   *
   * @return {@code true} if this call has cancelled it: then the task does not run; {@code false}
   *     if it was handed to the executor, cancelled or returned before
   */
  public boolean cancel() {
    while (true) {
      int before = state;
      int end = before & END;
      if (end > KEPT) {
        return false;
      }
      if (become(before, before - end + (end == NEW ? DROPPED : CANCELLED))) {
        wheel.cancelled(this, end == KEPT);
        return true;
      }
    }
  }

  /**
   * Whether it was cancelled.
   *
   * @return {@code true} if some call of {@link #cancel()} returned {@code true}
   */
  public boolean isCancelled() {
    return (state & END) >= CANCELLED;
  }

  /**
   * Whether its task was handed to the executor.
   *
   * @return {@code true} if so
   */
  public boolean isExpired() {
    return (state & END) == EXPIRED;
  }

  boolean isDropped() {
    return (state & END) == DROPPED;
  }

  /** How many timers are on the same stack, from this one down. */
  int depth() {
    return state >>> DEPTH_SHIFT;
  }

  /** Sets the depth, before it is put on a stack: when nobody else changes the state. */
  void depth(int depth) {
    STATE.setOpaque(this, depth << DEPTH_SHIFT | ((int) STATE.getOpaque(this) & END));
  }

  /** Lets the wheel have it, unless it was cancelled. */
  boolean keep() {
    return turn(NEW, KEPT);
  }

  boolean expire() {
    return turn(KEPT, EXPIRED);
  }

  /** Takes an expiry back: the executor did not take the task. */
  void unexpire() {
    state = KEPT;
  }

  boolean giveBack() {
    return turn(NEW, RETURNED) || turn(KEPT, RETURNED);
  }

  private boolean turn(int end, int otherEnd) {
    int before = state;
    return (before & END) == end && become(before, otherEnd);
  }

  private boolean become(int before, int after) {
    return STATE.compareAndSet(this, before, after);
  }

  @Override
  public String toString() {
    return "timeout at " + deadline + ", " + NAMES.get(state & END);
  }
}
