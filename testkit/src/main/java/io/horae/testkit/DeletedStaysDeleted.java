package io.horae.testkit;

import java.util.HashMap;
import java.util.Map;

/**
 * What is over stays over. Once all replicas have confirmed a delete, or an update, that was asked
 * for after all before it had come to rest:
 *
 * <ul>
 *   <li>no replica that confirmed it, and has kept its memory since, ever again begins a pop of
 *       what was there before;
 *   <li>nor does any other node once the cluster has settled, if fewer nodes than have confirmed it
 *       lost their memory. Until then, a node that was cut off or had an older view may still have
 *       the timer as it was.
 * </ul>
 */
final class DeletedStaysDeleted implements Invariant {

  private final Cluster cluster;
  private final Map<SimulatedHost, Long> lostMemoryMs = new HashMap<>();
  private long judged;

  DeletedStaysDeleted(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public void on(Happening happening) {
    if (happening instanceof Happening.Stopped stopped && stopped.memoryLost()) {
      lostMemoryMs.put(stopped.host(), cluster.nowMs());
    } else if (happening instanceof Happening.Confirmed confirmed
        && confirmed.operation().confirmedByAll()) {
      judged++;
    } else if (happening instanceof Happening.Popped popped) {
      Operation operation = cluster.log().of(popped.pop());
      if (operation != null) {
        for (Operation later : operation.story().operations()) {
          if (later.number() > operation.number() && later.ordered() && later.confirmedByAll()) {
            judge(popped, later);
          }
        }
      }
    }
  }

  private void judge(Happening.Popped popped, Operation later) {
    boolean remembers =
        later.replicas().contains(popped.host().id())
            && lostMemoryMs.getOrDefault(popped.host(), -1L) < later.askedMs();
    boolean isKnown =
        cluster.calm().settledBy(cluster.nowMs())
            && cluster.standings().failuresSince(later.askedMs(), later.story())
                < later.replicas().size();
    if (remembers || isKnown) {
      throw cluster.broken(
          this, popped.pop().timer().id(), null, popped + ", but all confirmed " + later);
    }
  }

  @Override
  public long judged() {
    return judged;
  }
}
