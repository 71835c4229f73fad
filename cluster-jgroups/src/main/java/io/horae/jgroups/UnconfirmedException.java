package io.horae.jgroups;

import io.horae.resync.Confirmation;

/**
 * Fewer replicas confirmed an operation than its caller wanted, within as many tries as the node's
 * options allow. The operation may have taken place all the same, and those who have heard of it go
 * on telling the others: to undo it, delete the timer.
 */
public final class UnconfirmedException extends Exception {

  private static final long serialVersionUID = 1;

  private final transient Confirmation confirmation;

  UnconfirmedException(Confirmation confirmation, int wanted) {
    super(
        confirmation.timer()
            + ": "
            + confirmation.confirmed()
            + " of "
            + confirmation.replicas()
            + " replicas have confirmed, wanted: "
            + wanted);
    this.confirmation = confirmation;
  }

  /**
   * How the operation stood when the node gave up asking, with the timer's handle.
   *
   * @return the last confirmation
   */
  public Confirmation confirmation() {
    return confirmation;
  }
}
