package io.horae.resync;

import io.horae.placement.ChronosViewId;
import io.horae.placement.Node;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A client's handle of a timer. Any node can tell from it where the timer is, and where it was when
 * the handle was made: the replicas of those days are in a Bloom filter.
 *
 * <p>As text, {@code 0190a3c55e7f0001-2-4010200a00082000}: id, replication factor, filter.
 *
 * @param id the timer, unique
 * @param replicationFactor on how many nodes it is kept, 1 to {@value Assignment#REPLICAS_MAX}
 * @param replicas the Bloom filter of its replicas, as Chronos makes it
 */
public record TimerId(long id, int replicationFactor, long replicas) {

  private static final Pattern TEXT =
      Pattern.compile("([0-9a-f]{16})-([1-9][0-9]?)-([0-9a-f]{16})");

  /**
   * Checks the replication factor.
   *
   * @param id the timer, unique
   * @param replicationFactor on how many nodes it is kept, 1 to {@value Assignment#REPLICAS_MAX}
   * @param replicas the Bloom filter of its replicas, as Chronos makes it
   */
  public TimerId {
    if (replicationFactor < 1 || replicationFactor > Assignment.REPLICAS_MAX) {
      throw new IllegalArgumentException(
          "replicationFactor must be 1 to " + Assignment.REPLICAS_MAX + ": " + replicationFactor);
    }
  }

  /**
   * Reads a handle.
   *
   * @param text as {@link #toString()} wrote it
   * @return the handle
   * @throws IllegalArgumentException if it is anything else
   */
  public static TimerId parse(String text) {
    Matcher parts = TEXT.matcher(text == null ? "" : text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "not a timer's handle, as in 0190a3c55e7f0001-2-4010200a00082000: " + shortened(text));
    }
    return new TimerId(
        Long.parseUnsignedLong(parts.group(1), 16),
        Integer.parseInt(parts.group(2)),
        Long.parseUnsignedLong(parts.group(3), 16));
  }

  private static String shortened(String text) {
    return text == null || text.length() <= 80
        ? "\"" + text + "\""
        : "\"" + text.substring(0, 77) + "...\"";
  }

  /** Whether a node may have been a replica when the handle was made; never wrong about those. */
  boolean mayBeOn(Node node) {
    long bits = bloom(node);
    return (replicas & bits) == bits;
  }

  static long bloom(Node node) {
    return ChronosViewId.bloom(node);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%016x-%d-%016x", id, replicationFactor, replicas);
  }
}
