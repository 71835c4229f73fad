package io.horae.timer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some timers of a wheel, in the order of their deadlines and ids.
 *
 * @param <T> what a timer carries
 * @param timers the timers; an unmodifiable list
 * @param next where to go on; {@code null} if there were no more
 */
public record Page<T>(List<Timer<T>> timers, @Nullable Cursor next) {

  /**
   * A timer as it was when the page was read.
   *
   * @param <T> what it carries
   * @param id its id
   * @param deadline when it is due
   * @param payload what it carries
   */
  public record Timer<T>(long id, long deadline, T payload) {

    /** The first place behind this timer; none behind the last that there can be. */
    @Nullable Cursor next() {
      if (id != Long.MAX_VALUE) {
        return new Cursor(deadline, id + 1);
      }
      return deadline == Long.MAX_VALUE ? null : new Cursor(deadline + 1, Long.MIN_VALUE);
    }
  }
}
