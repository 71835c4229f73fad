package io.horae.testkit;

/**
 * No pop comes before its time: pop {@code s} of an operation no earlier than {@code s} intervals
 * after the client asked, on true time. Always, but for what the clocks are off: their drift, and
 * all that any clock has been set forward since. Nor does a pop come that nobody asked for.
 */
final class NeverEarly implements Invariant {

  private final Cluster cluster;
  private long judged;

  NeverEarly(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public void on(Happening happening) {
    if (!(happening instanceof Happening.Popped popped)) {
      return;
    }
    judged++;
    long timer = popped.pop().timer().id();
    Operation operation = cluster.log().of(popped.pop());
    if (operation == null || operation.deletes()) {
      throw cluster.broken(this, timer, null, "nobody asked for " + popped);
    }
    int sequence = popped.pop().sequence();
    if (sequence < 1 || sequence > operation.popsAsked()) {
      throw cluster.broken(
          this, timer, null, popped + ", but it has pops 1 to " + operation.popsAsked());
    }
    long earlyMs = operation.dueMs(sequence) - cluster.nowMs();
    long allowedMs =
        cluster.calm().steppedForwardMs(operation)
            + ClockErrors.ofMs(cluster.nowMs() - operation.askedMs());
    if (earlyMs > allowedMs) {
      throw cluster.broken(
          this,
          timer,
          null,
          popped + " is early by " + earlyMs + " ms; clocks explain " + allowedMs);
    }
  }

  @Override
  public long judged() {
    return judged;
  }
}
