package io.horae.testkit;

/**
 * A simulation has broken a promise. The message says which, how it came to it, and how to run it
 * again.
 */
public final class InvariantBroken extends AssertionError {

  private static final long serialVersionUID = 1;

  /** The promise. */
  private final String invariant;

  /** The run. */
  private final long seed;

  InvariantBroken(String invariant, long seed, String message) {
    super(message);
    this.invariant = invariant;
    this.seed = seed;
  }

  /**
   * The promise.
   *
   * @return its name
   */
  public String invariant() {
    return invariant;
  }

  /**
   * The run.
   *
   * @return its seed
   */
  public long seed() {
    return seed;
  }
}
