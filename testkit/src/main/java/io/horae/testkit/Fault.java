package io.horae.testkit;

/** What can go wrong, or merely change. */
enum Fault {
  /** Messages are lost, repeated and late for a while. */
  STORM,
  /** Some links carry nothing for a while, one way or both. */
  CUT,
  /** A node loses all that it had, and starts again. */
  CRASH,
  /** A node starts again with what it had. */
  RESTART,
  /** A node does nothing for a while; what comes meanwhile waits. */
  PAUSE,
  /** A clock is set forward or back. */
  CLOCK_STEP,
  /** A host's callbacks fail, are slow, or say nothing for a while. */
  SICK_CALLBACKS,
  /** A node dies for good, and a view removes it. */
  DEATH,
  /** A node joins, or several do. */
  JOIN,
  /** A node leaves, or several do; some are killed before they are drained. */
  LEAVE,
  /** Some join while others leave. */
  REPLACE,
  /** A view with the same members. */
  SAME_MEMBERS;

  /** Whether nothing is wrong, and the cluster merely changes. */
  boolean isChange() {
    return this == JOIN || this == LEAVE || this == REPLACE || this == SAME_MEMBERS;
  }
}
