package io.horae.testkit;

import io.horae.resync.Event;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells quiet times from others. The cluster is calm while all members run, the network is whole
 * and fair, everyone has the current view, and the last resync of each has ended with every node's
 * answer; nobody who should leave is left, all callbacks go well and no limit is reached.
 */
final class Calm {

  /** How long calm must last before all that is on its way must have arrived. */
  static final long SETTLE_MS = 40_000;

  /** A clock that is set back stands still until then for its node. */
  private static final long STANDSTILL_MS = 10_000;

  private record Delay(long atMs, long byMs) {}

  private final Cluster cluster;
  private long disturbedMs;
  private long settledMs = -1;
  private long stormyMs = -1;
  private final List<Delay> forwardSteps = new ArrayList<>();
  private long roughUntilMs = -1;
  private final List<Delay> delays = new ArrayList<>();

  Calm(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Something is not as it should be, now. */
  void disturb() {
    disturbedMs = cluster.nowMs();
  }

  void on(Happening happening) {
    if (happening instanceof Happening.Started
        || happening instanceof Happening.Stopped
        || happening instanceof Happening.Viewed
        || happening instanceof Happening.Stepped
        || happening instanceof Happening.Noted
        || (happening instanceof Happening.Reported reported
            && (reported.event() instanceof Event.ResyncProgress
                || reported.event() instanceof Event.LimitReached))) {
      disturb();
    }
    if ((happening instanceof Happening.Stopped stopped && !stopped.drained())
        || (happening instanceof Happening.Reported limited
            && limited.event() instanceof Event.LimitReached)) {
      rough();
    }
  }

  /** Since when the cluster has been calm; {@link Long#MAX_VALUE} if it is not. */
  long sinceMs() {
    if (!cluster.network().fair() || cluster.callbacks().sick()) {
      return Long.MAX_VALUE;
    }
    for (SimulatedHost host : cluster.hosts()) {
      boolean left = host.gone() && !cluster.membership().isMember(host);
      if (!left && !isWell(host)) {
        return Long.MAX_VALUE;
      }
    }
    return disturbedMs;
  }

  private boolean isWell(SimulatedHost host) {
    return host.running()
        && !host.paused()
        && host.hasView(cluster.membership().current())
        && cluster.membership().isMember(host)
        && !host.unsynced();
  }

  /** Whether all has been calm for long enough to settle, by a time in the past. */
  boolean settledBy(long timeMs) {
    long sinceMs = sinceMs();
    return sinceMs != Long.MAX_VALUE && sinceMs + SETTLE_MS <= timeMs;
  }

  /** Looks again and again whether all has settled, and says so once per calm. */
  void watch() {
    if (settledMs < disturbedMs && settledBy(cluster.nowMs())) {
      settledMs = cluster.nowMs();
      cluster.settled();
    }
    cluster.agenda().after(5_000, this::watch);
  }

  /** Something has gone wrong that takes a while to heal, and then to settle. */
  void rough() {
    roughUntilMs = cluster.nowMs() + Faults.HEAL_MS_MAX + SETTLE_MS;
  }

  /** Whether nothing has been wrong since some time: at most, nodes have joined and left. */
  boolean fairSince(long timeMs) {
    return timeMs > roughUntilMs;
  }

  // How far times may be off

  void stormy() {
    stormyMs = cluster.nowMs();
  }

  void stepped(long byMs) {
    if (byMs > 0) {
      forwardSteps.add(new Delay(cluster.nowMs(), byMs));
    } else {
      heldUp(-byMs);
    }
  }

  /** Some node has lost so much time: its clock was set back, or it took messages late. */
  void heldUp(long byMs) {
    delays.add(new Delay(cluster.nowMs(), byMs));
  }

  /** By how much all clocks together have been set forward since an operation was asked for. */
  long steppedForwardMs(Operation operation) {
    return forwardSteps.stream()
        .filter(step -> step.atMs >= operation.askedMs())
        .mapToLong(Delay::byMs)
        .sum();
  }

  /**
   * By how much a timer may be late through no fault of its nodes: a record that is under way for a
   * while is late by that while, each time that it moves, be it that its node pauses; and so is one
   * on a clock that is set back.
   */
  long lateMs(Operation operation) {
    long delayMs =
        cluster.network().stormy() || stormyMs >= operation.askedMs()
            ? SimulatedNetwork.STORM_DELAY_MS_MAX
            : SimulatedNetwork.FAIR_DELAY_MS_MAX;
    long heldUpMs =
        delays.stream()
            .filter(delay -> delay.atMs + STANDSTILL_MS >= operation.askedMs())
            .mapToLong(Delay::byMs)
            .sum();
    long movesMs =
        SimulatedNetwork.FAIR_DELAY_MS_MAX * cluster.membership().viewsSince(operation.askedMs());
    return 3 * delayMs
        + movesMs
        + heldUpMs
        + ClockErrors.ofMs(cluster.nowMs() - operation.askedMs())
        + 100;
  }
}
