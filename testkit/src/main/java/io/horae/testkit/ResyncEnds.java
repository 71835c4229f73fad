package io.horae.testkit;

import io.horae.resync.Event;
import java.util.HashMap;
import java.util.Map;

/**
 * Every resync that a host starts begins, reports so, and ends; unless a newer view, another start
 * or the end of its node overtakes it. By the end of the run, after a long calm, the last one of
 * every node has ended with the answers of all nodes.
 */
final class ResyncEnds implements Invariant {

  private final Cluster cluster;

  /** Whether the last resync of a node that was started has ended. */
  private final Map<SimulatedHost, Boolean> ended = new HashMap<>();

  private long judged;

  ResyncEnds(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public void on(Happening happening) {
    if (happening instanceof Happening.Resynced resynced) {
      ended.put(resynced.host(), false);
    } else if (happening instanceof Happening.Stopped stopped) {
      ended.remove(stopped.host());
    } else if (happening instanceof Happening.Reported reported
        && reported.event() instanceof Event.ResyncProgress progress) {
      judged++;
      if (progress.nodesDone() < 0
          || progress.nodesLeft() < 0
          || (progress.ended() && progress.nodesLeft() > 0)) {
        throw cluster.broken(this, null, reported.host().id(), "no such progress: " + reported);
      }
      ended.put(reported.host(), progress.ended());
    }
  }

  @Override
  public void end() {
    ended.forEach(
        (host, isEnded) -> {
          if (!isEnded || (host.unsynced() && cluster.membership().isMember(host))) {
            throw cluster.broken(this, null, host.id(), "a resync of " + host + " has not ended");
          }
        });
  }

  @Override
  public long judged() {
    return judged;
  }
}
