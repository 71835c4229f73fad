package io.horae.testkit;

/** A promise, checked as the run goes and at its end. It keeps its own books. */
interface Invariant {

  /** Judges what happened. */
  default void on(Happening happening) {}

  /** Judges a cluster that has been calm for as long as it takes to settle. */
  default void calm() {}

  /** Judges the end, after a long calm. */
  default void end() {}

  /** How many times it could have said no. */
  long judged();

  default String name() {
    return getClass().getSimpleName();
  }
}
