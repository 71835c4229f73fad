package io.horae.timer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
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
 *   <li>No timer is accepted while as many as the cap allows are outstanding.
 *   <li>{@link #shutdown()} returns exactly the timers that were neither handed over nor cancelled.
 * </ul>
 *
 * <h2>Structure</h2>
 *
 * <p>A {@link TimerWheel} under a lock, and in front of it two stacks without one: of new timers
 * and of cancelled ones. Whoever holds the lock, as a rule the driver, first carries them over into
 * the wheel. Only if a stack has grown deep does a thread that schedules or cancels try to do so
 * itself, so that nothing piles up while the driver sleeps; if it does not get the lock at once, it
 * goes on.
 */
public final class ConcurrentTimerWheel {

  /** So deep may a stack be before those who add to it try to carry it over. */
  private static final int DEPTH_MAX = 4_096;

  /** On top of the stack of new timers once the wheel is shut down. */
  private final Timeout closed = new Timeout(this, 0, () -> {});

  private final Executor executor;
  private final int timersMax;
  private final AtomicInteger outstanding = new AtomicInteger();
  private final AtomicReference<@Nullable Timeout> added = new AtomicReference<>();
  private final AtomicReference<@Nullable Timeout> cancelled = new AtomicReference<>();

  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock, like the id below. */
  private final TimerWheel<Timeout> wheel;

  private long lastId;

  /** The thread that sleeps until {@link #wakeAt}, or is about to; null while none does. */
  private volatile @Nullable Thread sleeper;

  private volatile long wakeAt = Long.MIN_VALUE;

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
    this.wheel = wheel.build();
    this.executor = executor;
    this.timersMax = timersMax;
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
    Timeout timeout = new Timeout(this, deadline, task);
    int count;
    do {
      count = outstanding.get();
      if (count >= timersMax) {
        throw new RejectedExecutionException(
            "there are " + count + " timers outstanding, and no more than that are allowed");
      }
    } while (!outstanding.compareAndSet(count, count + 1));
    push(timeout);
    if (timeout.depth > DEPTH_MAX) {
      helpOut();
    }
    if (deadline < wakeAt) {
      LockSupport.unpark(sleeper);
    }
    return timeout;
  }

  private void push(Timeout timeout) {
    Timeout top;
    do {
      top = added.get();
      if (top == closed) {
        outstanding.decrementAndGet();
        throw new RejectedExecutionException("the timer wheel is shut down");
      }
      timeout.belowAsNew = top;
      timeout.depth = top == null ? 0 : top.depth + 1;
    } while (!added.compareAndSet(top, timeout));
  }

  /** Called once for each timer that was cancelled, by whoever cancelled it. */
  void cancelled(Timeout timeout) {
    outstanding.decrementAndGet();
    Timeout top;
    int depth;
    do {
      top = cancelled.get();
      timeout.belowAsCancelled = top;
      depth = top == null ? 0 : top.depthAsCancelled + 1;
      timeout.depthAsCancelled = depth;
    } while (!cancelled.compareAndSet(top, timeout));
    if (depth > DEPTH_MAX) {
      helpOut();
    }
  }

  private void helpOut() {
    if (lock.tryLock()) {
      try {
        carryOver();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Takes what is new and what is cancelled into the wheel; under the lock. */
  private void carryOver() {
    for (Timeout timeout = takeAdded(); timeout != null; ) {
      Timeout newer = timeout.belowAsNew;
      timeout.belowAsNew = null;
      if (timeout.isPending()) {
        timeout.id = ++lastId;
        wheel.schedule(timeout.id, timeout.deadline(), timeout);
      }
      timeout = newer;
    }
    // One that is not in the wheel yet has no id; it is dropped above, now or the next time.
    for (Timeout timeout = cancelled.getAndSet(null); timeout != null; ) {
      Timeout below = timeout.belowAsCancelled;
      timeout.belowAsCancelled = null;
      if (timeout.id != 0) {
        wheel.cancel(timeout.id);
      }
      timeout = below;
    }
  }

  /** Empties the stack of new timers and turns it over: the oldest first. */
  private @Nullable Timeout takeAdded() {
    Timeout top;
    do {
      top = added.get();
      if (top == null || top == closed) {
        return null;
      }
    } while (!added.compareAndSet(top, null));
    Timeout newer = null;
    while (top != null) {
      Timeout below = top.belowAsNew;
      top.belowAsNew = newer;
      newer = top;
      top = below;
    }
    return newer;
  }

  /**
   * The timers outstanding: scheduled, and neither handed to the executor nor cancelled.
   *
   * @return their number
   */
  public int size() {
    return outstanding.get();
  }

  /**
   * Tells the wheel the time, and hands what is due to the executor. For one thread, as a rule a
   * {@link TimerDriver}; others that call it wait for their turn. If the executor throws, the timer
   * stays, the exception passes on, and the next advance tries again. What is scheduled while it
   * runs is for the next advance, too.
   *
   * @param now the time
   * @param limit how many tasks to hand over at most, at least 1
   * @return how many were; if it is {@code limit}, there may be more
   * @throws IllegalArgumentException if the limit is below 1
   * @throws IllegalStateException if called by a task that runs in the driving thread
   */
  public int advance(long now, int limit) {
    lock.lock();
    try {
      carryOver();
      return wheel.advance(now, limit, this::handOver);
    } finally {
      lock.unlock();
    }
  }

  private boolean handOver(long id, long deadline, Timeout timeout) {
    if (timeout.expire()) {
      // Before the task runs, so that it may schedule its successor even at the cap.
      outstanding.decrementAndGet();
      try {
        executor.execute(timeout.task());
      } catch (Throwable e) {
        outstanding.incrementAndGet();
        timeout.unexpire();
        throw e;
      }
    }
    return true;
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
    wakeAt = time;
    // Whoever schedules from here on sees wakeAt; who did so before is seen here.
    if (added.get() == null) {
      LockSupport.parkNanos(this, nanos);
    }
    wakeAt = Long.MIN_VALUE;
  }

  /**
   * Whether the wheel is shut down.
   *
   * @return {@code true} from the beginning of {@link #shutdown()} on
   */
  public boolean isShutdown() {
    return added.get() == closed;
  }

  /**
   * Shuts the wheel down: from now on it takes no timer and fires none. Waits for an advance that
   * is under way.
   *
   * @return the timers that were outstanding, in no particular order; none of them will run or can
   *     be cancelled any more
   */
  public List<Timeout> shutdown() {
    Timeout top = added.getAndSet(closed);
    LockSupport.unpark(sleeper);
    lock.lock();
    try {
      List<Timeout> pending = new ArrayList<>();
      for (; top != null && top != closed; top = top.belowAsNew) {
        giveBack(top, pending);
      }
      Cursor cursor = Cursor.START;
      while (cursor != null) {
        Page<Timeout> page = wheel.scan(cursor, Integer.MAX_VALUE);
        page.timers().forEach(timer -> giveBack(timer.payload(), pending));
        cursor = page.next();
      }
      wheel.clear();
      cancelled.set(null);
      return pending;
    } finally {
      lock.unlock();
    }
  }

  private void giveBack(Timeout timeout, List<Timeout> pending) {
    if (timeout.giveBack()) {
      outstanding.decrementAndGet();
      pending.add(timeout);
    }
  }
}
