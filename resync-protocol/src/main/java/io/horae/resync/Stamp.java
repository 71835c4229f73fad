package io.horae.resync;

/**
 * Tells one client's change of a timer from another's, and which came later.
 *
 * <p>The version counts on from the highest that the node had seen when it took the change, and
 * from a number that goes up with the epoch of its view; should two nodes count to the same
 * version, the origin decides. So every change of a timer has a stamp of its own, and all nodes put
 * them into the same order, whatever their clocks say.
 *
 * @param version the count, at least 1
 * @param origin the instance of the node that took the change
 */
public record Stamp(long version, int origin) implements Comparable<Stamp> {

  /**
   * Checks the version.
   *
   * @param version the count, at least 1
   * @param origin the instance of the node that took the change
   */
  public Stamp {
    if (version < 1) {
      throw new IllegalArgumentException("version must be at least 1: " + version);
    }
  }

  @Override
  public int compareTo(Stamp other) {
    int byVersion = Long.compare(version, other.version);
    return byVersion != 0 ? byVersion : Integer.compare(origin, other.origin);
  }

  @Override
  public String toString() {
    return version + "@" + Integer.toHexString(origin);
  }
}
