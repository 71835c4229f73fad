package io.horae.timer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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
      STATE = MethodHandles.lookup().findVarHandle(Timeout.class, "state", State.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private enum State {
    PENDING,
    EXPIRED,
    CANCELLED,
    RETURNED
  }

  private final ConcurrentTimerWheel wheel;
  private final long deadline;
  private final Runnable task;

  private volatile State state = State.PENDING;

  /** The ones below it on the wheel's stacks of what is new and what is cancelled. */
  @Nullable Timeout belowAsNew;

  @Nullable Timeout belowAsCancelled;

  /** How many were below it there. */
  int depth;

  int depthAsCancelled;

  /** Its id in the wheel, given to it when the wheel takes it off the stack; 0 until then. */
  long id;

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
    if (!become(State.CANCELLED)) {
      return false;
    }
    wheel.cancelled(this);
    return true;
  }

  /**
   * Whether it was cancelled.
   *
   * @return {@code true} if some call of {@link #cancel()} returned {@code true}
   */
  public boolean isCancelled() {
    return state == State.CANCELLED;
  }

  /**
   * Whether its task was handed to the executor.
   *
   * @return {@code true} if so
   */
  public boolean isExpired() {
    return state == State.EXPIRED;
  }

  boolean isPending() {
    return state == State.PENDING;
  }

  boolean expire() {
    return become(State.EXPIRED);
  }

  /** Takes an expiry back: the executor did not take the task. */
  void unexpire() {
    state = State.PENDING;
  }

  boolean giveBack() {
    return become(State.RETURNED);
  }

  private boolean become(State next) {
    return STATE.compareAndSet(this, State.PENDING, next);
  }

  @Override
  public String toString() {
    return "timeout at " + deadline + ", " + state;
  }
}
