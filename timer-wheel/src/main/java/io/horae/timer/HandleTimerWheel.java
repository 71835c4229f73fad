package io.horae.timer;

import org.jspecify.annotations.Nullable;

/**
 * A {@link TimerWheel} for callers who keep what {@code schedule} returns: it names its timers
 * itself, by handles, and finds them without a search.
 *
 * <pre>{@code
 * HandleTimerWheel<Session> wheel = TimerWheel.builder().start(now).buildWithHandles();
 * session.timeout = wheel.schedule(now + 30_000, session);
 * wheel.reschedule(session.timeout, now + 60_000);
 * wheel.cancel(session.timeout);
 * }</pre>
 *
 * <p>A handle is not negative. It names a timer from when it is scheduled until it has fired or was
 * cancelled, and none after that: not even the next timer in its place. (Counting handles begins
 * anew after 17 billion of them.)
 *
 * <p>All else is as in {@link TimerWheel}, handles being the ids that handlers and pages have. Of
 * equal deadlines, those that were scheduled first come first. A timer takes 28 bytes beside its
 * payload. As handles name places, timers do not move together when most are gone: the memory of a
 * wheel that was large is given back when its last timer goes.
 *
 * <p>Not safe for use by several threads.
 *
 * @param <T> what a timer carries
 */
public final class HandleTimerWheel<T> {

  private final TimerWheel<T> wheel;

  HandleTimerWheel(TimerWheel<T> wheel) {
    this.wheel = wheel;
  }

  /**
   * Schedules a timer.
   *
   * @param deadline when it is to fire; it may have passed
   * @param payload what it carries
   * @return its handle
   * @throws IllegalArgumentException if the payload is null
   */
  public long schedule(long deadline, T payload) {
    if (payload == null) {
      throw new IllegalArgumentException("payload must not be null");
    }
    return wheel.schedule(deadline, payload);
  }

  /**
   * Moves a timer to another deadline.
   *
   * @param handle its handle, which stays the same
   * @param deadline when it is to fire; it may have passed
   * @return {@code true} if it was there
   */
  public boolean reschedule(long handle, long deadline) {
    return wheel.reschedule(handle, deadline);
  }

  /**
   * Cancels a timer.
   *
   * @param handle its handle
   * @return {@code true} if it was there; it will not fire
   */
  public boolean cancel(long handle) {
    return wheel.cancel(handle);
  }

  /**
   * Whether there is a timer with this handle.
   *
   * @param handle the handle
   * @return {@code true} if it is outstanding
   */
  public boolean contains(long handle) {
    return wheel.contains(handle);
  }

  /**
   * When a timer is due.
   *
   * @param handle its handle
   * @return its deadline
   * @throws IllegalArgumentException if there is no such timer
   */
  public long deadline(long handle) {
    return wheel.deadline(handle);
  }

  /**
   * What a timer carries.
   *
   * @param handle its handle
   * @return its payload; {@code null} if there is no such timer
   */
  public @Nullable T payload(long handle) {
    return wheel.payload(handle);
  }

  /**
   * The timers outstanding.
   *
   * @return their number
   */
  public int size() {
    return wheel.size();
  }

  /**
   * When the next timer is due, as {@link TimerWheel#nextDeadline} tells it.
   *
   * @return the earliest deadline, which may have passed; {@link Long#MAX_VALUE} if there is no
   *     timer
   */
  public long nextDeadline() {
    return wheel.nextDeadline();
  }

  /**
   * Tells the wheel the time, and fires what is due.
   *
   * @param now the time
   * @param limit how many timers to fire at most, at least 1
   * @param handler takes them; their ids are their handles
   * @return how many fired; if it is {@code limit}, there may be more
   * @throws IllegalArgumentException if the limit is below 1 or the handler is null
   * @throws IllegalStateException if called by a handler
   */
  public int advance(long now, int limit, ExpiryHandler<? super T> handler) {
    return wheel.advance(now, limit, handler);
  }

  /**
   * Reads timers in the order of their deadlines and, of equal deadlines, of their handles, as
   * {@link TimerWheel#scan} does.
   *
   * @param from where to begin
   * @param limit how many timers to read at most, at least 1
   * @return the timers; their ids are their handles
   * @throws IllegalArgumentException if the cursor is null or the limit below 1
   */
  public Page<T> scan(Cursor from, int limit) {
    return wheel.scan(from, limit);
  }

  /** Removes every timer. The time stays. */
  public void clear() {
    wheel.clear();
  }

  /** The size of the arrays, with references of four bytes; for tests. */
  long arrayBytes() {
    return wheel.arrayBytes();
  }

  /** Checks all that must hold between calls; for tests, as it visits everything. */
  void checkConsistency() {
    wheel.checkConsistency();
  }
}
