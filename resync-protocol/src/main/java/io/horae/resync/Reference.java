package io.horae.resync;

/**
 * A timer by name: which one, after which change, and how often it had popped since. It stands for
 * the record where the other side is thought to have it.
 *
 * @param id the timer
 * @param stamp its last change
 * @param sequence its pops since then, not negative
 * @param ended whether it is a tombstone
 */
public record Reference(long id, Stamp stamp, int sequence, boolean ended) {

  /**
   * Checks the sequence.
   *
   * @param id the timer
   * @param stamp its last change
   * @param sequence its pops since then, not negative
   * @param ended whether it is a tombstone
   */
  public Reference {
    if (sequence < 0) {
      throw new IllegalArgumentException("sequence must not be negative: " + sequence);
    }
  }

  /**
   * Whether somebody with this knows all that somebody with the other does.
   *
   * @param other another reference to the same timer
   * @return {@code true} if it is of a later change, or of the same and ended, or of no fewer pops:
   *     if {@linkplain TimerRecord joining} the other's record would change none of these
   */
  public boolean covers(Reference other) {
    int order = stamp.compareTo(other.stamp);
    if (order != 0) {
      return order > 0;
    }
    return ended == other.ended ? sequence >= other.sequence : ended;
  }
}
