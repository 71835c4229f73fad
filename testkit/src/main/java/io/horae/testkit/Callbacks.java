package io.horae.testkit;

import io.horae.resync.Pop;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * What hosts do with pops: they succeed at once, but for sick hosts, where they may fail, take
 * their time, or never say anything.
 */
final class Callbacks {

  /** How long a host takes when all is well. */
  static final long QUICK_MS_MAX = 30;

  private static final long SLOW_MS_MAX = 15_000;

  private final Cluster cluster;
  private final SplittableRandom random;
  private final Set<SimulatedHost> sick = new HashSet<>();

  Callbacks(Cluster cluster, SplittableRandom random) {
    this.cluster = cluster;
    this.random = random;
  }

  void sicken(SimulatedHost host) {
    sick.add(host);
    host.trouble();
  }

  void cure(SimulatedHost host) {
    sick.remove(host);
    host.trouble();
  }

  boolean sick() {
    return !sick.isEmpty();
  }

  boolean sick(SimulatedHost host) {
    return sick.contains(host);
  }

  void pop(SimulatedHost host, Pop pop) {
    int kind = sick.contains(host) ? random.nextInt(5) : 4;
    long quickMs = random.nextLong(QUICK_MS_MAX);
    switch (kind) {
      case 0, 1 -> answer(host, pop, quickMs, false);
      case 2 -> answer(host, pop, random.nextLong(SLOW_MS_MAX), true);
      case 3 -> {} // never a word
      default -> answer(host, pop, quickMs, true);
    }
  }

  private void answer(SimulatedHost host, Pop pop, long afterMs, boolean success) {
    long life = host.life();
    long handedMs = cluster.nowMs();
    cluster
        .agenda()
        .after(
            afterMs,
            () -> {
              if (host.life() == life && host.running()) {
                if (!success || afterMs >= QUICK_MS_MAX) {
                  host.trouble();
                  cluster.calm().disturb();
                }
                host.popped(pop, handedMs, success);
              }
            });
  }
}
