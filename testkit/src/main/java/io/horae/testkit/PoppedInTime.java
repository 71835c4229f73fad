package io.horae.testkit;

import java.util.HashSet;
import java.util.Set;

/**
 * A timer asked for in {@code n} pops before {@code 2n}, and almost at once in calm. Of an
 * operation that all replicas have confirmed, in time for a pop, and that no other has followed:
 *
 * <ul>
 *   <li>if the cluster had settled before the pop was due, and stays calm, some node pops it at
 *       once;
 *   <li>if the view has not changed since the operation, and there is a replica that has been sound
 *       since then, or for {@value #RECOVERY_MS} ms before the pop was due with its memory kept,
 *       and stays so for an interval more, then within that interval that replica pops it, or some
 *       host reports that it has; whatever happens to all others and to the network.
 * </ul>
 *
 * <p>A node is sound while it runs, is not paused, its clock is not set, its callbacks go well and
 * it reports no limit as reached. Both leave time for what the replicas cannot know: how long the
 * record was under way, and what clocks are off or were set back.
 */
final class PoppedInTime implements Invariant {

  /** How long a node takes to catch up. */
  private static final long RECOVERY_MS = 20_000;

  private record PopAt(SimulatedHost host, long operation, int sequence) {}

  private final Cluster cluster;
  private final Set<PopAt> seen = new HashSet<>();
  private long judged;

  PoppedInTime(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public void on(Happening happening) {
    if (happening instanceof Happening.Confirmed confirmed) {
      Operation operation = confirmed.operation();
      if (operation.confirmedMs() == cluster.nowMs()
          && !operation.deletes()
          && operation.ordered()) {
        long elapsedMs = cluster.nowMs() - operation.askedMs();
        watch(operation, (int) (elapsedMs / operation.intervalMs()) + 1);
      }
    } else if (happening instanceof Happening.Popped popped) {
      Operation operation = cluster.log().of(popped.pop());
      if (operation != null) {
        seen.add(new PopAt(popped.host(), operation.number(), popped.pop().sequence()));
      }
    }
  }

  /** Looks twice at a pop: soon after it is due, and an interval later. */
  private void watch(Operation operation, int sequence) {
    if (sequence > operation.popsAsked() || !operation.isLast()) {
      return;
    }
    long dueMs = operation.dueMs(sequence);
    cluster
        .agenda()
        .at(
            dueMs,
            () -> {
              long lateMs = cluster.calm().lateMs(operation);
              cluster.agenda().after(lateMs, () -> judgeInCalm(operation, sequence, lateMs));
              cluster
                  .agenda()
                  .after(
                      operation.intervalMs() + lateMs,
                      () -> judgeInStorm(operation, sequence, lateMs));
              watch(operation, sequence + 1);
            });
  }

  private void judgeInCalm(Operation operation, int sequence, long lateMs) {
    if (operation.isLast()
        && cluster.standings().isSafe(operation.story())
        && cluster.calm().settledBy(operation.dueMs(sequence))) {
      judged++;
      if (!operation.hasPopped(sequence)) {
        throw broken(operation, sequence, lateMs, "though all is calm");
      }
    }
  }

  private void judgeInStorm(Operation operation, int sequence, long lateMs) {
    long sinceMs = cluster.standings().sinceMs(operation.story());
    if (!operation.isLast()
        || !cluster.standings().isSafe(operation.story())
        || sinceMs > operation.dueMs(sequence)
        || cluster.membership().changedMs() > sinceMs
        || (sinceMs == operation.askedMs() && !isOfCurrentView(operation))
        || operation.succeeded() >= sequence
        || lateMs < cluster.calm().lateMs(operation) - operation.intervalMs() / 10) {
      return; // not to be judged, or popped, or the clocks have gone worse since
    }
    for (String replica : cluster.membership().replicas(operation.story())) {
      SimulatedHost host = cluster.host(replica);
      if (host != null
          && host.memorySinceMs() <= sinceMs
          && host.soundSinceMs() <= Math.max(sinceMs, operation.dueMs(sequence) - RECOVERY_MS)) {
        judged++;
        if (!seen.contains(new PopAt(host, operation.number(), sequence))) {
          throw broken(operation, sequence, lateMs, "though " + replica + " was sound");
        }
      }
    }
  }

  private boolean isOfCurrentView(Operation operation) {
    return cluster.membership().current().epoch() == operation.view().epoch();
  }

  private InvariantBroken broken(Operation operation, int sequence, long lateMs, String though) {
    return cluster.broken(
        this,
        operation.story().id(),
        null,
        "pop "
            + sequence
            + " was due at "
            + operation.dueMs(sequence) / 1e3
            + " s, "
            + though
            + " and "
            + lateMs
            + " ms were granted: "
            + operation);
  }

  @Override
  public long judged() {
    return judged;
  }
}
