package io.horae.testkit;

/** No exception comes out of a node, whatever its peers, its clients and its host do. */
final class NothingThrown implements Invariant {

  private final Cluster cluster;
  private long judged;

  NothingThrown(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public void on(Happening happening) {
    judged++;
    if (happening instanceof Happening.Threw threw) {
      InvariantBroken broken =
          cluster.broken(this, null, threw.host().id(), threw.host().id() + ": " + threw.what());
      broken.initCause(threw.what());
      throw broken;
    }
  }

  @Override
  public long judged() {
    return judged;
  }
}
