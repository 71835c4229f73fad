package io.horae.testkit;

import io.horae.placement.ClusterView;
import io.horae.placement.Node;
import io.horae.placement.Placement;
import io.horae.resync.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Who decides on views. Nodes hear of them at different times: late, twice, an old one after a
 * newer, or not at all if a newer one comes first. Each then resyncs, and again if some node did
 * not answer. A leaving node goes when it says that it is drained.
 */
final class Membership {

  private final Cluster cluster;
  private final SplittableRandom random;
  private @Nullable ClusterView current;
  private @Nullable Placement placement;
  private final Map<Long, ClusterView> views = new HashMap<>();
  private final Map<Long, Long> decidedMs = new HashMap<>();
  private int names;

  Membership(Cluster cluster, SplittableRandom random) {
    this.cluster = cluster;
    this.random = random;
  }

  ClusterView current() {
    if (current == null) {
      throw new AssertionError("no view yet");
    }
    return current;
  }

  /** The view of an epoch; null if there was none. */
  @Nullable ClusterView view(long epoch) {
    return views.get(epoch);
  }

  /** When the current view was decided. */
  long changedMs() {
    return decidedMs(current());
  }

  /** When a view was decided. */
  long decidedMs(ClusterView view) {
    return decidedMs.getOrDefault(view.epoch(), 0L);
  }

  /** How many views were decided after a time. */
  long viewsSince(long timeMs) {
    return decidedMs.values().stream().filter(atMs -> atMs > timeMs).count();
  }

  boolean isMember(SimulatedHost host) {
    return current().after().contains(host.member());
  }

  /** The members that run. */
  List<SimulatedHost> running() {
    return cluster.hosts().stream().filter(host -> host.running() && isMember(host)).toList();
  }

  /** Where a timer belongs under the current view. */
  List<String> replicas(TimerStory story) {
    if (placement == null) {
      throw new AssertionError("no view yet");
    }
    return placement.replicas(story.id(), story.replicationFactor()).stream()
        .map(Node::id)
        .toList();
  }

  void begin(int nodes) {
    List<Node> members = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      members.add(newHost().member());
    }
    decide(ClusterView.of(1, members));
  }

  /** A new machine, running, that is in no view yet. */
  SimulatedHost newHost() {
    SimulatedHost host =
        new SimulatedHost(
            cluster,
            Node.of("n" + names++),
            new SimulatedClock(
                random.nextLong(-(1L << 45), 1L << 45),
                random.nextInt(-SimulatedClock.DRIFT_PPM_MAX, SimulatedClock.DRIFT_PPM_MAX + 1)));
    cluster.add(host);
    host.start(true);
    return host;
  }

  /** The next view. */
  void change(List<Node> members) {
    decide(current().next(members));
  }

  private void decide(ClusterView view) {
    current = view;
    placement = cluster.scenario().placement().apply(view.after());
    views.put(view.epoch(), view);
    decidedMs.put(view.epoch(), cluster.nowMs());
    cluster.standings().resized(view.after().size());
    cluster.tell(new Happening.Noted("decided: " + view));
    for (SimulatedHost host : cluster.hosts()) {
      if (!host.gone()) {
        announce(host, view, delayMs());
        if (random.nextInt(10) == 0) {
          announce(host, view, delayMs() + 5_000);
        }
      }
    }
    if (!view.leaving().isEmpty()) {
      settleLater(view);
    }
  }

  /** Those who left, or died, are gone one day; then a view says that nobody leaves any more. */
  private void settleLater(ClusterView changing) {
    cluster
        .agenda()
        .after(
            random.nextLong(5_000, 30_000),
            () -> {
              if (changing.epoch() == current().epoch()) {
                if (changing.leaving().stream().allMatch(this::isGone)) {
                  change(changing.after());
                } else {
                  settleLater(changing);
                }
              }
            });
  }

  private boolean isGone(Node node) {
    SimulatedHost host = cluster.host(node.id());
    return host == null || host.gone();
  }

  private long delayMs() {
    int kind = random.nextInt(20);
    return random.nextLong(kind == 0 ? 20_000 : kind < 6 ? 5_000 : 500);
  }

  private void announce(SimulatedHost host, ClusterView view, long delayMs) {
    cluster
        .agenda()
        .after(
            delayMs,
            () -> {
              boolean overtaken = view.epoch() < current().epoch();
              if (host.running() && !(overtaken && random.nextBoolean())) {
                host.told(view);
                resyncLater(host, 2_000);
                if (random.nextInt(10) == 0) {
                  resyncLater(host, 10_000);
                }
              }
            });
  }

  /** A node that has just started hears of the current view, and asks for what it should have. */
  void welcome(SimulatedHost host) {
    long life = host.life();
    cluster
        .agenda()
        .after(
            random.nextLong(500),
            () -> {
              if (host.running() && host.life() == life) {
                host.told(current());
                resyncLater(host, 1_000);
              }
            });
  }

  private void resyncLater(SimulatedHost host, long delayMsMax) {
    long life = host.life();
    cluster
        .agenda()
        .after(
            random.nextLong(delayMsMax),
            () -> {
              if (host.running() && host.life() == life) {
                host.resync();
              }
            });
  }

  void reported(SimulatedHost host, Event event) {
    if (event instanceof Event.Drained && !isMember(host)) {
      host.stop(true, true);
      host.go();
    } else if (event instanceof Event.ResyncProgress progress
        && progress.ended()
        && progress.nodesGivenUp() > 0) {
      resyncLater(host, 8_000);
    } else if (event instanceof Event.LimitReached) {
      host.trouble();
    }
  }

  /** Kills a machine for good, whatever it has. */
  void kill(SimulatedHost host) {
    if (host.running()) {
      host.stop(true, false);
    }
    host.go();
  }
}
