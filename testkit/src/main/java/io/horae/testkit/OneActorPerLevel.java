package io.horae.testkit;

import io.horae.resync.TimerId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * One node acts at each level.
 *
 * <ul>
 *   <li>Not two: in a cluster that had settled before a pop was due, and has been calm since, that
 *       pop comes once. Judged where the skew between levels leaves time for the primary's word to
 *       arrive: where it is at least {@value #SKEW_MS_LEAST} ms; and not for timers that may be
 *       late on some nodes by more than a half of that, see {@link Calm#lateMs}.
 *   <li>Not none: as long as nothing goes wrong, though nodes may join and leave and hear of that
 *       at different times, each pop of an operation that all replicas have confirmed comes when
 *       the primary's is due, and not when a backup's is. That is judged up to a pop on a node that
 *       has a view with another primary, which need not have that view yet: such a pop hands the
 *       timer on at once, and a backup may have to act until the new primary has popped it.
 * </ul>
 */
final class OneActorPerLevel implements Invariant {

  private static final long SKEW_MS_LEAST = 500;

  private record PopOf(long operation, int sequence) {}

  private record First(SimulatedHost host, long atMs) {}

  private final Cluster cluster;
  private final Map<PopOf, First> firsts = new HashMap<>();

  /** The timers that have gone to another primary by popping, and have not popped there yet. */
  private final Set<Long> handedOn = new HashSet<>();

  private long judged;

  OneActorPerLevel(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public void on(Happening happening) {
    if (happening instanceof Happening.PopOutcome outcome) {
      note(outcome);
    }
    if (!(happening instanceof Happening.Popped popped)) {
      return;
    }
    Operation operation = cluster.log().of(popped.pop());
    if (operation == null) {
      return;
    }
    int sequence = popped.pop().sequence();
    long skewMs =
        Math.min(
            cluster.scenario().optionsOf(popped.host().id()).skewMs(),
            operation.intervalMs() / (operation.story().replicationFactor() + 1));
    boolean judgeable =
        skewMs >= SKEW_MS_LEAST
            && cluster.standings().isSafe(operation.story())
            && cluster.calm().settledBy(operation.dueMs(sequence))
            && cluster.calm().lateMs(operation) + cluster.calm().steppedForwardMs(operation)
                < skewMs / 2;
    First before =
        firsts.putIfAbsent(
            new PopOf(operation.number(), sequence), new First(popped.host(), cluster.nowMs()));
    if (before == null) {
      judgeFirst(popped, operation);
    }
    if (judgeable) {
      judged++;
      if (before != null) {
        throw cluster.broken(
            this,
            operation.story().id(),
            null,
            popped + ", but it popped on " + before.host + " at " + before.atMs / 1e3 + " s");
      }
    }
  }

  private void note(Happening.PopOutcome outcome) {
    SimulatedHost host = outcome.host();
    TimerId timer = outcome.pop().timer();
    boolean isPrimary =
        !host.knowsView()
            || host.replicas(timer.id(), timer.replicationFactor()).get(0).equals(host.id());
    if (isPrimary) {
      handedOn.remove(timer.id());
    } else if (outcome.success()) {
      handedOn.add(timer.id());
    }
  }

  /** That it is the primary's pop. */
  private void judgeFirst(Happening.Popped popped, Operation operation) {
    long dueMs = operation.dueMs(popped.pop().sequence());
    long lateMs = cluster.nowMs() - dueMs;
    boolean isFair = cluster.calm().fairSince(operation.askedMs());
    boolean isHandedOn = handedOn.contains(popped.pop().timer().id());
    if (isFair
        && !isHandedOn
        && operation.isLast()
        && operation.ordered()
        && operation.confirmedMs() <= dueMs) {
      judged++;
      if (lateMs > cluster.calm().lateMs(operation)) {
        throw cluster.broken(
            this,
            operation.story().id(),
            null,
            "nobody acted as the primary: " + popped + " is late by " + lateMs + " ms");
      }
    }
  }

  @Override
  public long judged() {
    return judged;
  }
}
