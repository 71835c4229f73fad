package io.horae.timer;

/**
 * Takes the timers that are due, one at a time.
 *
 * @param <T> what a timer carries
 */
@FunctionalInterface
public interface ExpiryHandler<T> {

  /**
   * Takes a timer, which counts as outstanding until it was taken. It may schedule and cancel any
   * timer of the wheel, this one included, but may not advance the wheel. If it throws, the timer
   * is kept as if it had been refused, and the exception passes on to whoever advances the wheel.
   *
   * @param id the timer's id
   * @param deadline when it was due
   * @param payload what it carries
   * @return {@code true} if it was taken; {@code false} to keep it, to be offered again at the next
   *     advance, and to end this one
   */
  boolean take(long id, long deadline, T payload);
}
