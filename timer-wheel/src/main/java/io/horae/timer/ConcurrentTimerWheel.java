package io.horae.timer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A timer wheel for many threads: any of them schedules and cancels, one drives it, and the tasks
 * that are due go to the host's {@link Executor}.
 *
 * <pre>{@code
 * ConcurrentTimerWheel wheel =
 *     new ConcurrentTimerWheel(TimerWheel.builder().start(clock.getAsLong()), executor, 1_000_000);
 * Thread thread = new Thread(new TimerDriver(wheel, clock, TimeUnit.MILLISECONDS), "timers");
 * thread.start();
 *
 * Timeout timeout = wheel.schedule(clock.getAsLong() + 2_000, () -> resend(message));
 * timeout.cancel();
 * }</pre>
 *
 * <h2>Promises</h2>
 *
 * <ul>
 *   <li>Scheduling and cancelling never block. Each is a few compare-and-set operations.
 *   <li>A task is handed to the executor at most once, and never after its {@linkplain
 *       Timeout#cancel() cancellation} returned {@code true}.
 *   <li>No timer is accepted while as many as the cap allows are outstanding; their number is exact
 *       at every moment.
 *   <li>Within a tick the order is unspecified; or by deadline and, of equal deadlines, as one
 *       thread has scheduled them, if the wheel was {@linkplain TimerWheel.Builder#ordered() asked}
 *       for it.
 *   <li>{@link #shutdown()} returns exactly the timers that were neither handed over nor cancelled.
 * </ul>
 *
 * <h2>Structure</h2>
 *
 * <p>A {@link TimeoutWheel} under a lock, and in front of it stacks without one: of new timers and
 * of cancelled ones. Whoever holds the lock, as a rule the driver, first carries them over into the
 * wheel. The driver is woken for that if a stack grows deep; and if it does not come, a thread that
 * schedules or cancels does it, so that nothing piles up. If that one does not get the lock at
 * once, it goes on.
 *
 * <p>A timer that is cancelled while it is new never gets into the wheel, and the next one on the
 * same stack takes its place. As the driver sleeps until a timer is due, that is the lot of most
 * timers that are cancelled soon.
 */
public final class ConcurrentTimerWheel {

  /** A stack as deep as this is worth the driver's while. */
  private static final int DEPTH_TO_WAKE = 1_024;

  /** So deep may a stack be before those who add to it try to carry it over. */
  private static final int DEPTH_MAX = 8_192;

  /** What the sleeper is to be woken for while there is none: nothing is earlier than that. */
  private static final long AWAKE = Long.MIN_VALUE;

  private final Executor executor;
  private final int timersMax;
  private final CappedCount outstanding;
  private final TimeoutStacks added = new TimeoutStacks(new Timeout(this, 0, () -> {}));
  private final TimeoutStacks cancelled = new TimeoutStacks(new Timeout(this, 0, () -> {}));

  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock, like what follows. */
  private final TimeoutWheel wheel;

  private boolean advancing;
  private boolean cleared;

  /** The thread that last slept, or is about to. */
  private volatile @Nullable Thread sleeper;

  /** Who schedules for an earlier time wakes the sleeper. */
  private final AtomicLong wakeAt = new AtomicLong(AWAKE);

  /**
   * An empty wheel.
   *
   * @param wheel start time, tick and order
   * @param executor runs the tasks; it may run them in the driving thread
   * @param timersMax how many timers may be outstanding, at least 1
   * @throws IllegalArgumentException if {@code timersMax} is below 1 or anything is null
   */
  public ConcurrentTimerWheel(TimerWheel.Builder wheel, Executor executor, int timersMax) {
    if (wheel == null || executor == null) {
      throw new IllegalArgumentException(
          (wheel == null ? "wheel" : "executor") + " must not be null");
    }
    if (timersMax < 1) {
      throw new IllegalArgumentException("timersMax must be at least 1: " + timersMax);
    }
    this.wheel = wheel.buildForTimeouts();
    this.executor = executor;
    this.timersMax = timersMax;
    outstanding = new CappedCount(timersMax);
  }

  /**
   * Schedules a task. Never blocks.
   *
   * @param deadline when to hand it to the executor; it may have passed
   * @param task what to do
   * @return the timer, to cancel it by
   * @throws IllegalArgumentException if the task is null
   * @throws RejectedExecutionException if as many timers as allowed are outstanding, or the wheel
   *     is shut down
   */
  public Timeout schedule(long deadline, Runnable task) {
    if (task == null) {
      throw new IllegalArgumentException("task must not be null");
    }
    if (!outstanding.tryIncrement()) {
      throw new RejectedExecutionException(
          "there are " + timersMax + " timers outstanding, and no more than that are allowed");
    }
    Timeout timeout = new Timeout(this, deadline, task);
    int stack = TimeoutStacks.own();
    if (!added.push(stack, timeout)) {
      outstanding.decrement();
      throw new RejectedExecutionException("the timer wheel is shut down");
    }
    carryOverIfDeep(stack, timeout.depth());
    wakeIfBefore(deadline);
    return timeout;
  }

  /** Called once for each timer that was cancelled, by whoever cancelled it. */
  void cancelled(Timeout timeout, boolean kept) {
    outstanding.decrement();
    if (kept) {
      int stack = TimeoutStacks.own();
      cancelled.push(stack, timeout);
      carryOverIfDeep(stack, timeout.depth());
    }
  }

  private void carryOverIfDeep(int stack, int depth) {
    if (depth == DEPTH_TO_WAKE) {
      wakeIfBefore(Long.MIN_VALUE);
    } else if (depth > DEPTH_MAX && lock.tryLock()) {
      try {
        carryOver(stack);
      } finally {
        lock.unlock();
      }
    }
  }

  /** Wakes the sleeper if a time is before that until which it sleeps. */
  private void wakeIfBefore(long time) {
    long at = wakeAt.get();
    // Of several who would, one is enough.
    if (time < at && wakeAt.compareAndSet(at, AWAKE)) {
      LockSupport.unpark(sleeper);
    }
  }

  private void carryOver() {
    for (int stack = 0; stack < TimeoutStacks.COUNT; stack++) {
      carryOver(stack);
    }
  }

  /** Adds to the wheel what is new, and takes out of it what is cancelled; under the lock. */
  private void carryOver(int stack) {
    for (Timeout timeout = added.take(stack); timeout != null; ) {
      Timeout newer = timeout.below;
      timeout.below = null;
      if (timeout.keep()) {
        wheel.add(timeout);
      }
      timeout = newer;
    }
    for (Timeout timeout = cancelled.take(stack); timeout != null; ) {
      Timeout newer = timeout.below;
      timeout.below = null;
      wheel.remove(timeout);
      timeout = newer;
    }
  }

  /**
   * The timers outstanding: scheduled, and neither handed to the executor nor cancelled.
   *
   * @return their number
   */
  public int size() {
    return outstanding.value();
  }

  /**
   * Tells the wheel the time, and hands what is due to the executor. For one thread, as a rule a
   * {@link TimerDriver}; others that call it wait for their turn. What is scheduled while it runs
   * may be left to the next advance.
   *
   * <p>If the executor rejects a task, the timer stays, even if others have filled the wheel up to
   * its cap meanwhile, the exception passes on, and the next advance tries again. Any other
   * exception passes on too, and the task counts as handed over; so does any exception of a task
   * that the executor runs in this thread.
   *
   * @param now the time
   * @param limit how many tasks to hand over at most, at least 1
   * @return how many were; if it is {@code limit}, there may be more
   * @throws IllegalArgumentException if the limit is below 1
   * @throws IllegalStateException if called by a task that runs in the driving thread
   */
  public int advance(long now, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1: " + limit);
    }
    lock.lock();
    try {
      if (advancing) {
        throw new IllegalStateException("a task must not advance the wheel in the driving thread");
      }
      advancing = true;
      try {
        carryOver();
        wheel.reach(now);
        return handOver(limit);
      } finally {
        advancing = false;
      }
    } finally {
      lock.unlock();
    }
  }

  private int handOver(int limit) {
    int handedOver = 0;
    while (handedOver < limit) {
      Timeout timeout = wheel.poll();
      if (timeout == null) {
        break;
      }
      // Unless it is cancelled, and on its way here to be removed.
      if (timeout.expire()) {
        handOver(timeout);
        handedOver++;
      }
    }
    return handedOver;
  }

  private void handOver(Timeout timeout) {
    // Before the task runs, so that it may schedule its successor even at the cap.
    outstanding.decrementLocked();
    Handover handover = new Handover(timeout.task());
    try {
      executor.execute(handover);
    } catch (RejectedExecutionException e) {
      // Unless it is the task's own.
      if (!handover.begun) {
        takeBack(timeout);
      }
      throw e;
    }
  }

  private void takeBack(Timeout timeout) {
    // Unless the executor has shut the wheel down, and has its timers.
    if (!cleared) {
      outstanding.undecrement();
      timeout.unexpire();
      wheel.putBack(timeout);
    }
  }

  /**
   * What the executor gets: a task that can tell whether it was rejected, or has run and failed.
   */
  private static final class Handover implements Runnable {

    private final Runnable task;
    private boolean begun;

    Handover(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      begun = true;
      task.run();
    }
  }

  /**
   * When to advance next.
   *
   * @return the time at which an advance will next find something to do, which may have passed;
   *     {@link Long#MAX_VALUE} if there is no timer
   */
  public long nextAdvance() {
    lock.lock();
    try {
      carryOver();
      return wheel.nextAdvance();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets the driving thread sleep until a time of the wheel, or until a timer is scheduled for an
   * earlier one.
   */
  void sleepUntil(long time, long nanos) {
    sleeper = Thread.currentThread();
    wakeAt.set(time);
    // Whoever schedules from here on sees wakeAt; what was scheduled before is seen here. A call to
    // wake up that comes while this thread waits for the lock is spent on that, but shows in
    // wakeAt.
    if (nextAdvance() >= time && wakeAt.get() == time && !isShutdown()) {
      LockSupport.parkNanos(this, nanos);
    }
    wakeAt.set(AWAKE);
  }

  /**
   * Whether the wheel is shut down.
   *
   * @return {@code true} once it takes no more timers
   */
  public boolean isShutdown() {
    return added.isClosed(TimeoutStacks.COUNT - 1);
  }

  /**
   * Shuts the wheel down: from now on it takes no timer and fires none. Waits for an advance that
   * is under way.
   *
   * @return the timers that were outstanding, in no particular order; none of them will run or can
   *     be cancelled any more
   */
  public List<Timeout> shutdown() {
    List<Timeout> pending = new ArrayList<>();
    for (int stack = 0; stack < TimeoutStacks.COUNT; stack++) {
      for (Timeout timeout = added.close(stack); timeout != null; timeout = timeout.below) {
        giveBack(timeout, pending);
      }
    }
    LockSupport.unpark(sleeper);
    lock.lock();
    try {
      wheel.clear(timeout -> giveBack(timeout, pending));
      cleared = true;
      for (int stack = 0; stack < TimeoutStacks.COUNT; stack++) {
        cancelled.take(stack);
      }
      return pending;
    } finally {
      lock.unlock();
    }
  }

  /** Checks all that must hold between calls; for tests, as it visits everything. */
  void checkConsistency() {
    lock.lock();
    try {
      carryOver();
      wheel.checkConsistency();
    } finally {
      lock.unlock();
    }
  }

  private void giveBack(Timeout timeout, List<Timeout> pending) {
    if (timeout.giveBack()) {
      outstanding.decrement();
      pending.add(timeout);
    }
  }
}
