package io.horae.timer;

/**
 * A place in the order of timers: at this deadline, at this id.
 *
 * @param deadline a deadline
 * @param id an id
 */
public record Cursor(long deadline, long id) {

  /** Before every timer. */
  public static final Cursor START = new Cursor(Long.MIN_VALUE, Long.MIN_VALUE);
}
