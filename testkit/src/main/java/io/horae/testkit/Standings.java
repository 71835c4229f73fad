package io.horae.testkit;

import io.horae.resync.TimerRecord;
import io.horae.resync.TimerStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How safe each timer is. A timer stands on so many copies from the moment that all its replicas
 * confirmed it, or that a calm cluster settled; from then on the nodes that had it and lost their
 * memory are counted. While they are fewer than its copies the timer must not be lost: a node may
 * let it go only when all new replicas have it, so a loss of memory costs it one copy at most.
 */
final class Standings {

  /** A moment from which a timer is known to be on all its replicas. */
  private record Base(long sinceMs, int copies) {}

  /** A node lost what it had. */
  private record Loss(long atMs, String node, TimerStore had) {}

  private record Size(long atMs, int members) {}

  private final Cluster cluster;
  private final Map<TimerStory, Base> bases = new HashMap<>();
  private final List<Loss> losses = new ArrayList<>();
  private final List<Size> sizes = new ArrayList<>();

  Standings(Cluster cluster) {
    this.cluster = cluster;
  }

  void on(Happening happening) {
    if (happening instanceof Happening.Confirmed confirmed) {
      Operation operation = confirmed.operation();
      if (operation.confirmedMs() == cluster.nowMs()
          && operation.isLast()
          && operation.ordered()
          && !operation.deletes()) {
        bases.put(
            operation.story(),
            new Base(
                operation.askedMs(),
                Math.min(operation.replicas().size(), confirmed.confirmation().replicas())));
      }
    } else if (happening instanceof Happening.Stopped stopped
        && stopped.memoryLost()
        && !stopped.drained()) {
      losses.add(new Loss(cluster.nowMs(), stopped.host().id(), stopped.host().lost()));
    }
  }

  /** The cluster has so many members from now on. */
  void resized(int members) {
    sizes.add(new Size(cluster.nowMs(), members));
  }

  void settled() {
    for (TimerStory story : cluster.log().stories()) {
      if (cluster.mustLive(story) && (isSafe(story) || isOnAllReplicas(story))) {
        int members = cluster.membership().current().after().size();
        bases.put(story, new Base(cluster.nowMs(), Math.min(members, story.replicationFactor())));
      }
    }
  }

  /** Whether it must not be lost: it was on all its replicas, and enough memories are left. */
  boolean isSafe(TimerStory story) {
    Base base = bases.get(story);
    if (base == null || !story.certain()) {
      return false;
    }
    int copies = base.copies;
    for (int i = sizes.size() - 1; i >= 0; i--) {
      copies = Math.min(copies, sizes.get(i).members);
      if (sizes.get(i).atMs < base.sinceMs) {
        break; // that was the size at the time
      }
    }
    return failuresSince(base.sinceMs, had -> holds(had, story)) < copies;
  }

  /** Since when it is known to be on all its replicas; {@link Long#MAX_VALUE} if it is not. */
  long sinceMs(TimerStory story) {
    Base base = bases.get(story);
    return base == null || !story.certain() ? Long.MAX_VALUE : base.sinceMs;
  }

  /** Whether a node has lost its memory since some time. */
  boolean hasLost(String node, long sinceMs) {
    return losses.stream().anyMatch(loss -> loss.atMs >= sinceMs && loss.node.equals(node));
  }

  /** Whether no replica of an operation has a memory of it. */
  boolean haveAllLost(Operation operation) {
    return operation.replicas().stream().allMatch(node -> hasLost(node, operation.askedMs()));
  }

  /** How many nodes have lost what they knew of a timer, ended or not, since some time. */
  int failuresSince(long sinceMs, TimerStory story) {
    return failuresSince(sinceMs, had -> had.find(story.id()) != null);
  }

  private int failuresSince(long sinceMs, Predicate<TimerStore> counts) {
    Set<String> nodes = new HashSet<>();
    for (int i = losses.size() - 1; i >= 0 && losses.get(i).atMs >= sinceMs; i--) {
      if (counts.test(losses.get(i).had)) {
        nodes.add(losses.get(i).node);
      }
    }
    return nodes.size();
  }

  private boolean isOnAllReplicas(TimerStory story) {
    return cluster.membership().replicas(story).stream()
        .allMatch(node -> holds(cluster.host(node), story));
  }

  /** Whether a machine has the timer, alive and as its last operation wants it. */
  static boolean holds(@Nullable SimulatedHost host, TimerStory story) {
    return host != null && holds(host.store(), story);
  }

  private static boolean holds(TimerStore store, TimerStory story) {
    TimerRecord record = store.find(story.id());
    return record != null && !record.ended() && Payload.operation(record) == story.last().number();
  }
}
