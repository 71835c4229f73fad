package io.horae.resync;

import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * All that a replica knows of a timer. Immutable.
 *
 * <p><b>Merging two records of a timer is a join</b>: commutative, associative and idempotent. So
 * replicas that have seen the same records, in whatever order and however often, hold the same one.
 * The later {@linkplain Stamp change} wins; after the same change a tombstone wins, then the higher
 * count of pops; of the same change and both or neither ended, the earlier start is kept. The
 * {@linkplain Assignment assignment} is a matter of its own: that of the later view wins, whatever
 * becomes of the rest. So "the timer was deleted" and "you are no longer its replica" are told
 * apart: the one is {@link #ended}, the other an assignment without you.
 *
 * <p>In a {@linkplain Message message} {@code startMs} counts from the sender's now, else it is a
 * time of the clock of the node that holds the record.
 *
 * @param id the timer
 * @param stamp the client's change that made it so
 * @param startMs when its intervals began; of a tombstone, when it ended
 * @param intervalMs see {@link TimerSpec}
 * @param repeatForMs see {@link TimerSpec}
 * @param sequence how many times it has popped since {@code startMs}
 * @param replicationFactor see {@link TimerSpec}
 * @param assignment whose it is
 * @param payload see {@link TimerSpec}; empty in a tombstone
 * @param ended whether it is a tombstone: deleted, or popped for the last time
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content
public record TimerRecord(
    long id,
    Stamp stamp,
    long startMs,
    long intervalMs,
    long repeatForMs,
    int sequence,
    int replicationFactor,
    Assignment assignment,
    byte[] payload,
    boolean ended) {

  private static final byte[] NOTHING = {};

  /** The order of records after the same change that differ all the same: any order will do. */
  private static final Comparator<TimerRecord> BY_CONTENT =
      Comparator.comparingLong(TimerRecord::intervalMs)
          .thenComparingLong(TimerRecord::repeatForMs)
          .thenComparingInt(TimerRecord::replicationFactor)
          .thenComparing(TimerRecord::payload, Arrays::compareUnsigned);

  private static final Comparator<TimerRecord> BY_CHANGE =
      Comparator.comparing(TimerRecord::stamp)
          .thenComparing(TimerRecord::ended)
          .thenComparingInt(TimerRecord::sequence)
          .thenComparing(BY_CONTENT);

  private static final Comparator<Assignment> BY_VIEW =
      Comparator.comparingLong((Assignment assignment) -> assignment.view().epoch())
          .thenComparingLong(assignment -> assignment.view().id())
          .thenComparing(
              assignment -> assignment.replicas().toArray(String[]::new), Arrays::compare);

  /**
   * Checks the values.
   *
   * @param id the timer
   * @param stamp the client's change that made it so
   * @param startMs when its intervals began; of a tombstone, when it ended
   * @param intervalMs see {@link TimerSpec}
   * @param repeatForMs see {@link TimerSpec}
   * @param sequence how many times it has popped since {@code startMs}
   * @param replicationFactor see {@link TimerSpec}
   * @param assignment whose it is
   * @param payload see {@link TimerSpec}; empty in a tombstone
   * @param ended whether it is a tombstone: deleted, or popped for the last time
   */
  public TimerRecord {
    String wrong = TimerSpec.wrong(intervalMs, repeatForMs, replicationFactor);
    if (wrong != null) {
      throw new IllegalArgumentException(wrong);
    }
    // A record is copied often, and most have not popped yet: there is nothing to divide then.
    long most = sequence == 0 && !ended ? 0 : repeatForMs / intervalMs - (ended ? 0 : 1);
    if (sequence < 0 || sequence > most) {
      throw new IllegalArgumentException(
          "sequence of a timer"
              + (ended ? " that ended" : "")
              + " must be 0 to "
              + most
              + ": "
              + sequence);
    }
  }

  /** What is known after both. */
  TimerRecord join(TimerRecord other) {
    if (id != other.id) {
      throw new AssertionError("records of timers " + id + " and " + other.id);
    }
    TimerRecord joined = BY_CHANGE.compare(this, other) >= 0 ? this : other;
    if (ended == other.ended && stamp.equals(other.stamp)) {
      joined = joined.from(Math.min(startMs, other.startMs));
    }
    boolean mine =
        assignment.equals(other.assignment) || BY_VIEW.compare(assignment, other.assignment) > 0;
    return joined.assigned(mine ? assignment : other.assignment);
  }

  /** The same timer after its next pop: with the next deadline, or at its end. */
  TimerRecord popped(long nowMs) {
    return isNextLast()
        ? copy(stamp, nowMs, sequence + 1, assignment, NOTHING, true)
        : copy(stamp, startMs, sequence + 1, assignment, payload, ended);
  }

  /** Whether its next pop is its last. */
  boolean isNextLast() {
    return sequence + 1L >= repeatForMs / intervalMs;
  }

  /** The same timer with another start. */
  TimerRecord from(long startMs) {
    return startMs == this.startMs
        ? this
        : copy(stamp, startMs, sequence, assignment, payload, ended);
  }

  /** The same timer in other hands. */
  TimerRecord assigned(Assignment assignment) {
    return copy(stamp, startMs, sequence, assignment, payload, ended);
  }

  /** The same timer after another change. */
  TimerRecord stamped(Stamp stamp) {
    return copy(stamp, startMs, sequence, assignment, payload, ended);
  }

  /** The tombstone of this timer. */
  TimerRecord buried(long endMs) {
    return copy(stamp, endMs, sequence, assignment, NOTHING, true);
  }

  private TimerRecord copy(
      Stamp stamp,
      long startMs,
      int sequence,
      Assignment assignment,
      byte[] payload,
      boolean ended) {
    return new TimerRecord(
        id,
        stamp,
        startMs,
        intervalMs,
        repeatForMs,
        sequence,
        replicationFactor,
        assignment,
        payload,
        ended);
  }

  /** When it is to pop next. */
  long deadlineMs() {
    return startMs + (sequence + 1L) * intervalMs;
  }

  /** The least that can be said about when it was made so: its last pop is due, or its start. */
  long madeMs() {
    return ended ? startMs : startMs + sequence * intervalMs;
  }

  Reference reference() {
    return new Reference(id, stamp, sequence, ended);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TimerRecord record
        && id == record.id
        && startMs == record.startMs
        && BY_CHANGE.compare(this, record) == 0
        && assignment.equals(record.assignment);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(id) + 31 * stamp.hashCode();
  }

  @Override
  public String toString() {
    return (ended ? "tombstone of timer " : "timer ")
        + Long.toHexString(id)
        + " #"
        + sequence
        + " "
        + stamp
        + " "
        + assignment;
  }
}
