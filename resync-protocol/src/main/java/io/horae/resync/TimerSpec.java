package io.horae.resync;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a client asks for: a pop after every interval, for so long, on so many replicas.
 *
 * <pre>{@code
 * TimerSpec.once(30_000, payload)                             // one pop, after 30 s
 * TimerSpec.once(30_000, payload).repeatedFor(3_600_000)      // every 30 s for an hour
 * TimerSpec.once(30_000, payload).onReplicas(3)
 * }</pre>
 *
 * @param intervalMs the time until the first pop and between two; 1 to {@value #INTERVAL_MS_MAX}
 * @param repeatForMs for how long the timer pops; at least the interval, at most {@value
 *     #REPEAT_FOR_MS_MAX}, and no more than {@code Integer.MAX_VALUE} intervals. A pop at the very
 *     end is the last
 * @param replicationFactor on how many nodes the timer is kept, 1 to {@value
 *     Assignment#REPLICAS_MAX}; on all of them if there are fewer
 * @param payload what a pop carries; not copied, and not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content
public record TimerSpec(long intervalMs, long repeatForMs, int replicationFactor, byte[] payload) {

  /** The longest interval: some 34 years. */
  public static final long INTERVAL_MS_MAX = 1L << 40;

  /** The longest that a timer pops: some 35,000 years. */
  public static final long REPEAT_FOR_MS_MAX = 1L << 50;

  /** How many replicas a timer has unless it is said. */
  public static final int REPLICATION_FACTOR = 2;

  /**
   * Checks the values.
   *
   * @param intervalMs the time until the first pop and between two; 1 to {@value #INTERVAL_MS_MAX}
   * @param repeatForMs for how long the timer pops; at least the interval, at most {@value
   *     #REPEAT_FOR_MS_MAX}, and no more than {@code Integer.MAX_VALUE} intervals. A pop at the
   *     very end is the last
   * @param replicationFactor on how many nodes the timer is kept, 1 to {@value
   *     Assignment#REPLICAS_MAX}; on all of them if there are fewer
   * @param payload what a pop carries; not copied, and not to be changed
   */
  public TimerSpec {
    String wrong = wrong(intervalMs, repeatForMs, replicationFactor);
    if (wrong != null) {
      throw new IllegalArgumentException(wrong);
    }
    if (payload == null) {
      throw new IllegalArgumentException("payload must not be null: an empty one will do");
    }
  }

  /** What is wrong with these values, for whoever must not throw; null if nothing is. */
  static @Nullable String wrong(long intervalMs, long repeatForMs, int replicationFactor) {
    if (intervalMs < 1 || intervalMs > INTERVAL_MS_MAX) {
      return "intervalMs must be 1 to " + INTERVAL_MS_MAX + ": " + intervalMs;
    }
    if (repeatForMs < intervalMs || repeatForMs > REPEAT_FOR_MS_MAX) {
      return "repeatForMs must be from the interval, "
          + intervalMs
          + ", to "
          + REPEAT_FOR_MS_MAX
          + ": "
          + repeatForMs;
    }
    if (repeatForMs / intervalMs > Integer.MAX_VALUE) {
      return "a timer pops at most " + Integer.MAX_VALUE + " times: " + repeatForMs / intervalMs;
    }
    if (replicationFactor < 1 || replicationFactor > Assignment.REPLICAS_MAX) {
      return "replicationFactor must be 1 to " + Assignment.REPLICAS_MAX + ": " + replicationFactor;
    }
    return null;
  }

  /**
   * A timer that pops once.
   *
   * @param intervalMs after how long
   * @param payload what the pop carries
   * @return the timer, on {@value #REPLICATION_FACTOR} replicas
   */
  public static TimerSpec once(long intervalMs, byte[] payload) {
    return new TimerSpec(intervalMs, intervalMs, REPLICATION_FACTOR, payload);
  }

  /**
   * This timer, popping more than once.
   *
   * @param repeatForMs for how long
   * @return the timer
   */
  public TimerSpec repeatedFor(long repeatForMs) {
    return new TimerSpec(intervalMs, repeatForMs, replicationFactor, payload);
  }

  /**
   * This timer on so many nodes.
   *
   * @param replicationFactor how many
   * @return the timer
   */
  public TimerSpec onReplicas(int replicationFactor) {
    return new TimerSpec(intervalMs, repeatForMs, replicationFactor, payload);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TimerSpec spec
        && intervalMs == spec.intervalMs
        && repeatForMs == spec.repeatForMs
        && replicationFactor == spec.replicationFactor
        && Arrays.equals(payload, spec.payload);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(intervalMs) + 31 * Arrays.hashCode(payload);
  }

  @Override
  public String toString() {
    return "every "
        + intervalMs
        + " ms for "
        + repeatForMs
        + " ms on "
        + replicationFactor
        + " replicas, "
        + payload.length
        + " bytes";
  }
}
