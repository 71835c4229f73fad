package io.horae.testkit;

import io.horae.resync.TimerRecord;
import io.horae.timer.Cursor;
import io.horae.timer.Page;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Timers are where they belong.
 *
 * <ul>
 *   <li>When a cluster has settled, all replicas under its view have each timer that must live, and
 *       no other node has it.
 *   <li>At the end, after a calm in which tombstones fade: every record anywhere is of a live
 *       timer, and its machine is a replica under the view; all replicas have it, after the same
 *       change and within one pop of each other, and list the replicas in the order of the
 *       placement; but for a change that not all confirmed and whose node has crashed, which
 *       reaches all with the next pop. Nothing else is left: no timer whose pops are over or that
 *       is certainly deleted, and no node that was to leave.
 * </ul>
 */
final class RightHolders implements Invariant {

  private final Cluster cluster;
  private long judged;

  RightHolders(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public void calm() {
    for (TimerStory story : cluster.log().stories()) {
      if (cluster.mustLive(story) && cluster.standings().isSafe(story)) {
        for (String replica : cluster.membership().replicas(story)) {
          judged++;
          if (!Standings.holds(cluster.host(replica), story)) {
            throw cluster.broken(
                this, story.id(), replica, replica + " does not have " + story.last());
          }
        }
      }
    }
    cluster.hosts().forEach(this::judgeStrangers);
  }

  /** That a machine has let go all that is not its own. */
  private void judgeStrangers(SimulatedHost host) {
    Cursor from = Cursor.START;
    while (from != null) {
      Page<TimerRecord> page = host.store().scan(from, 1_000);
      for (Page.Timer<TimerRecord> timer : page.timers()) {
        TimerStory story = timer.payload().ended() ? null : cluster.log().story(timer.id());
        if (story != null && cluster.mustLive(story) && cluster.standings().isSafe(story)) {
          judged++;
          List<String> replicas = cluster.membership().replicas(story);
          if (!replicas.contains(host.id())) {
            throw broken(
                timer.payload(), host, host + " has kept what belongs to " + replicas + " alone");
          }
        }
      }
      from = page.next();
    }
  }

  @Override
  public void end() {
    Map<Long, TimerRecord> some = new HashMap<>();
    for (SimulatedHost host : cluster.hosts()) {
      if (!cluster.membership().isMember(host) && !host.gone()) {
        List<Page.Timer<TimerRecord>> left = host.store().scan(Cursor.START, 3).timers();
        throw cluster.broken(
            this,
            null,
            host.id(),
            host + " was to leave, but is not drained: " + left + " are left");
      }
      Cursor from = Cursor.START;
      while (from != null) {
        Page<TimerRecord> page = host.store().scan(from, 1_000);
        for (Page.Timer<TimerRecord> timer : page.timers()) {
          judge(host, timer.payload());
          if (!timer.payload().ended()) {
            some.put(timer.id(), timer.payload());
          }
        }
        from = page.next();
      }
    }
    some.values().forEach(this::judgeReplicas);
  }

  /** That a record is where it may be. */
  private void judge(SimulatedHost host, TimerRecord record) {
    judged++;
    TimerStory story = cluster.log().story(record.id());
    String what = host + " has " + record;
    if (story == null) {
      throw broken(record, host, what + ", which nobody asked for");
    }
    if (record.ended()) {
      long ageMs = host.clockMs() - record.startMs();
      if (ageMs > Scenario.TOMBSTONE_MS + Calm.SETTLE_MS) {
        throw broken(record, host, what + ", which has been over for " + ageMs + " ms");
      }
      return;
    }
    if (story.certain()
        && story.last().deletes()
        && !cluster.standings().haveAllLost(story.last())) {
      throw broken(record, host, what + ", which was deleted");
    }
    Operation operation = cluster.log().operation(Payload.operation(record));
    long overMs = operation.dueMs(operation.popsAsked()) + cluster.calm().lateMs(operation);
    if (overMs + Calm.SETTLE_MS < cluster.nowMs()) {
      throw broken(record, host, what + ", whose pops were over at " + overMs / 1e3 + " s");
    }
    List<String> replicas = cluster.membership().replicas(story);
    if (!replicas.contains(host.id())) {
      throw broken(record, host, what + ", which belongs to " + replicas);
    }
    if (!record.assignment().replicas().equals(replicas)) {
      throw broken(record, host, what + ", but the replicas are " + replicas);
    }
  }

  /** That all replicas have what one of them has. */
  private void judgeReplicas(TimerRecord record) {
    Operation operation = cluster.log().operation(Payload.operation(record));
    boolean isLaterForgotten =
        operation.story().operations().stream()
            .anyMatch(later -> later.number() >= operation.number() && isForgotten(later));
    if (isLaterForgotten) {
      return; // nobody knows that some replica misses it: it comes with the next pop
    }
    for (String replica : record.assignment().replicas()) {
      SimulatedHost host = cluster.host(replica);
      TimerRecord other = host == null ? null : host.store().find(record.id());
      if (other == null || !other.stamp().equals(record.stamp())) {
        throw cluster.broken(
            this, record.id(), replica, replica + " has " + other + ", another one " + record);
      }
      if (Math.abs(other.sequence() - record.sequence()) > 1) {
        throw cluster.broken(
            this, record.id(), replica, replica + " lags: " + other + ", another has " + record);
      }
    }
  }

  /** Whether the node that took an operation to the replicas crashed before all had it. */
  private boolean isForgotten(Operation operation) {
    boolean crashed =
        !operation.ended()
            || cluster.standings().hasLost(operation.host().id(), operation.askedMs());
    return !operation.confirmedByAll() && crashed;
  }

  private InvariantBroken broken(TimerRecord record, SimulatedHost host, String what) {
    return cluster.broken(this, record.id(), host.id(), what);
  }

  @Override
  public long judged() {
    return judged;
  }
}
