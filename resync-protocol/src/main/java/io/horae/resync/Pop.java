package io.horae.resync;

import org.jspecify.annotations.Nullable;

/**
 * A timer that is due, for the host to act on and then to say how it went.
 *
 * <p>Should two replicas pop a timer at once, as they must when they cannot see each other, both
 * pops have the same timer, stamp and sequence number, so whoever receives them can tell.
 *
 * @param timer the client's handle, as of now
 * @param stamp the change of the timer that this pop belongs to; a later one starts to count anew
 * @param sequence the number of the pop since then: 1, 2, …
 * @param last whether it is the timer's last
 * @param dueMs the timer's deadline, by the clock of the node that pops it. A primary pops then, a
 *     backup later by the skews of the levels below it
 * @param payload what the timer carries; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // equality is that of the pop, whatever it carries
public record Pop(
    TimerId timer, Stamp stamp, int sequence, boolean last, long dueMs, byte[] payload) {

  /** Whether it is the same pop of the same timer, wherever it happens. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Pop pop
        && timer.id() == pop.timer.id()
        && stamp.equals(pop.stamp)
        && sequence == pop.sequence;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(timer.id()) + 31 * sequence;
  }

  @Override
  public String toString() {
    return "pop " + sequence + " of " + timer;
  }
}
