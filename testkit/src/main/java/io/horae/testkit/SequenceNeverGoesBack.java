package io.horae.testkit;

import io.horae.resync.Pop;
import io.horae.resync.Stamp;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pops go forward, and a client can tell a doubled one.
 *
 * <ul>
 *   <li>On a node that has kept a timer, replica or not, its pops never go back: neither to an
 *       earlier change of the timer nor to an earlier number, unless the client asked for it later.
 *       The same one may come again. On a replica that has let the timer go and got it again, they
 *       do not go back either, unless as many nodes as have it lost their memory: then it may be
 *       told old news.
 *   <li>Once a cluster has settled, this holds for all nodes together: no pop comes after a later
 *       one has gone well, wherever that was.
 *   <li>Pops of one stamp are of one operation, so stamp and number tell that a pop is a double.
 *   <li>A pop says that it is the last if it is, and not otherwise.
 * </ul>
 */
final class SequenceNeverGoesBack implements Invariant {

  private record Holder(SimulatedHost host, long timer) {}

  private record Change(long timer, Stamp stamp) {}

  private record Latest(Pop pop, long atMs) {}

  private final Cluster cluster;
  private final Map<Holder, Latest> latest = new HashMap<>();
  private final Map<Change, Long> operations = new HashMap<>();
  private long judged;

  SequenceNeverGoesBack(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public void on(Happening happening) {
    if (happening instanceof Happening.Popped popped) {
      judge(popped);
    } else if (happening instanceof Happening.PopOutcome outcome && outcome.success()) {
      Operation operation = cluster.log().of(outcome.pop());
      if (operation != null) {
        operation.succeed(outcome.pop().sequence());
      }
    } else if (happening instanceof Happening.Stopped stopped && stopped.memoryLost()) {
      latest.keySet().removeIf(holder -> holder.host == stopped.host());
    }
  }

  private void judge(Happening.Popped popped) {
    judged++;
    Pop pop = popped.pop();
    long timer = pop.timer().id();
    Operation operation = cluster.log().of(pop);
    if (operation == null) {
      return; // for NeverEarly
    }
    Latest before = latest.put(new Holder(popped.host(), timer), new Latest(pop, cluster.nowMs()));
    if (before != null
        && compare(before.pop, pop) > 0
        && !isAsked(cluster.log().of(before.pop), operation)
        && (popped.host().store().hasKept(timer, before.atMs)
            || (isReplica(popped.host(), pop)
                && cluster.standings().failuresSince(before.atMs, operation.story())
                    < pop.timer().replicationFactor()))) {
      throw cluster.broken(this, timer, null, popped + " after " + before.pop + " there");
    }
    Long sameStamp = operations.putIfAbsent(new Change(timer, pop.stamp()), operation.number());
    if (sameStamp != null && sameStamp != operation.number()) {
      throw cluster.broken(this, timer, null, popped + " has the stamp of operation " + sameStamp);
    }
    if (pop.last() != (pop.sequence() == operation.popsAsked())) {
      throw cluster.broken(
          this, timer, null, popped + " of " + operation.popsAsked() + ", last: " + pop.last());
    }
    if (pop.sequence() < operation.succeeded() && cluster.calm().settledBy(cluster.nowMs())) {
      throw cluster.broken(
          this, timer, null, popped + " in calm, after pop " + operation.succeeded());
    }
    operation.pop(pop.sequence());
  }

  /** Whether a client asked for one after the other, whose tombstones may have faded. */
  private static boolean isAsked(@Nullable Operation before, Operation after) {
    return before != null && before.number() < after.number() && after.ordered();
  }

  /** Another node, once it has let a timer go, may be told old news of it. */
  private static boolean isReplica(SimulatedHost host, Pop pop) {
    return host.knowsView()
        && host.replicas(pop.timer().id(), pop.timer().replicationFactor()).contains(host.id());
  }

  private static int compare(Pop left, Pop right) {
    int byStamp = left.stamp().compareTo(right.stamp());
    return byStamp != 0 ? byStamp : Integer.compare(left.sequence(), right.sequence());
  }

  @Override
  public long judged() {
    return judged;
  }
}
