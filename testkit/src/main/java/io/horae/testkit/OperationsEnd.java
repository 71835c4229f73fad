package io.horae.testkit;

/**
 * Every operation of a client comes to an end: all replicas confirm it, or the node says that it
 * has given up asking; which it does not do if the cluster had settled before, and stays calm. By
 * the end of the run, unless the node that was asked has died since.
 */
final class OperationsEnd implements Invariant {

  private final Cluster cluster;
  private long judged;

  OperationsEnd(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public void on(Happening happening) {
    if (happening instanceof Happening.Confirmed confirmed) {
      judged++;
      int replicas = confirmed.confirmation().replicas();
      int count = confirmed.confirmation().confirmed();
      if (count < 0 || count > replicas || replicas < 1) {
        throw cluster.broken(
            this, confirmed.operation().story().id(), null, "no such count: " + confirmed);
      }
      if (confirmed.confirmation().ended()
          && count < replicas
          && cluster.calm().settledBy(confirmed.operation().askedMs())) {
        throw cluster.broken(
            this, confirmed.operation().story().id(), null, confirmed + ", though all is calm");
      }
    } else if (happening instanceof Happening.Stopped stopped) {
      cluster.log().open().removeIf(operation -> operation.host() == stopped.host());
    }
  }

  @Override
  public void end() {
    for (Operation operation : cluster.log().open()) {
      throw cluster.broken(this, operation.story().id(), null, "has not ended: " + operation);
    }
  }

  @Override
  public long judged() {
    return judged;
  }
}
