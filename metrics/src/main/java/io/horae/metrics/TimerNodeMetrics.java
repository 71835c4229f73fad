package io.horae.metrics;

import io.horae.resync.Event.ResyncProgress;
import io.horae.resync.Statistics;
import io.horae.resync.Statistics.Rejection;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The {@linkplain Statistics statistics} of a {@link io.horae.resync.TimerNode} as meters.
 *
 * <table>
 *   <caption>The meters</caption>
 *   <tr><th>name</th><th>kind</th><th>what it says</th></tr>
 *   <tr><td>{@code horae.timers}, by {@code role}</td><td>gauge</td>
 *     <td>live timers: as {@code primary}, as {@code backup} of any level, or {@code other}: no
 *     longer a replica, but not let go yet</td></tr>
 *   <tr><td>{@code horae.timers.unsettled}</td><td>gauge</td><td>timers on their way</td></tr>
 *   <tr><td>{@code horae.timers.fetched}</td><td>counter</td><td>brought by resyncs</td></tr>
 *   <tr><td>{@code horae.timers.let.go}</td><td>counter</td>
 *     <td>handed over to new replicas</td></tr>
 *   <tr><td>{@code horae.tombstones}</td><td>gauge</td><td>tombstones kept</td></tr>
 *   <tr><td>{@code horae.operations}</td><td>gauge</td><td>waiting for confirmation</td></tr>
 *   <tr><td>{@code horae.pops}</td><td>counter</td><td>handed to the host</td></tr>
 *   <tr><td>{@code horae.pops.failed}</td><td>counter</td>
 *     <td>failed, or not answered in time</td></tr>
 *   <tr><td>{@code horae.pops.suppressed}</td><td>counter</td>
 *     <td>another replica was first</td></tr>
 *   <tr><td>{@code horae.pops.in.flight}</td><td>gauge</td>
 *     <td>waiting for the host's word</td></tr>
 *   <tr><td>{@code horae.messages.rejected}, by {@code reason}</td><td>counter</td>
 *     <td>messages not acted on</td></tr>
 *   <tr><td>{@code horae.resync.running}</td><td>gauge</td><td>1 while one runs, else 0</td></tr>
 *   <tr><td>{@code horae.resync.nodes}, by {@code state}</td><td>gauge</td>
 *     <td>nodes of the last resync: {@code done}, {@code left}, {@code given.up}</td></tr>
 * </table>
 *
 * <p>Meters ask for a snapshot whenever they are read, from whatever thread that is. A node is not
 * for several threads: its own has to make the snapshot, and leave it where others can see it.
 */
public final class TimerNodeMetrics implements MeterBinder {

  private final Supplier<Statistics> snapshots;
  private final Iterable<Tag> tags;

  /**
   * Meters of a node.
   *
   * @param snapshots the latest statistics; called by the threads that read meters
   * @param tags what tells this node's meters from others
   * @throws IllegalArgumentException if anything is null
   */
  public TimerNodeMetrics(Supplier<Statistics> snapshots, Iterable<Tag> tags) {
    this.snapshots = Meters.present(snapshots, "supplier of snapshots");
    this.tags = Meters.present(tags, "tags");
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters<Statistics> meters = new Meters<>(registry, tags, snapshots);
    String held = "live timers held";
    meters.gauge("horae.timers", held, now -> now.timersByLevel().get(0), "role", "primary");
    meters.gauge("horae.timers", held, TimerNodeMetrics::backups, "role", "backup");
    meters.gauge("horae.timers", held, Statistics::timersOfOthers, "role", "other");
    meters.gauge("horae.timers.unsettled", "timers on their way", Statistics::timersUnsettled);
    meters.counter("horae.timers.fetched", "brought by resyncs", Statistics::timersFetched);
    meters.counter("horae.timers.let.go", "handed over", Statistics::timersLetGo);
    meters.gauge("horae.tombstones", "tombstones kept", Statistics::tombstones);
    meters.gauge("horae.operations", "waiting for confirmation", Statistics::operations);
    meters.counter("horae.pops", "handed to the host", Statistics::pops);
    meters.counter("horae.pops.failed", "failed or not answered", Statistics::popsFailed);
    meters.counter("horae.pops.suppressed", "others first", Statistics::duplicatesSuppressed);
    meters.gauge("horae.pops.in.flight", "waiting for the host", Statistics::popsInFlight);
    for (Rejection reason : Rejection.values()) {
      String name = reason.name().toLowerCase(Locale.ROOT).replace('_', '.');
      meters.counter(
          "horae.messages.rejected",
          "messages not acted on",
          now -> now.rejected().getOrDefault(reason, 0L),
          "reason",
          name);
    }
    meters.gauge("horae.resync.running", "1 or 0", resync(run -> run.ended() ? 0 : 1));
    String nodes = "nodes of the last resync";
    meters.gauge("horae.resync.nodes", nodes, resync(ResyncProgress::nodesDone), "state", "done");
    meters.gauge("horae.resync.nodes", nodes, resync(ResyncProgress::nodesLeft), "state", "left");
    meters.gauge(
        "horae.resync.nodes", nodes, resync(ResyncProgress::nodesGivenUp), "state", "given.up");
  }

  private static double backups(Statistics now) {
    return now.timersByLevel().stream().skip(1).mapToInt(Integer::intValue).sum();
  }

  /** Of the last resync, or 0 if there was none. */
  private static ToDoubleFunction<Statistics> resync(ToDoubleFunction<ResyncProgress> value) {
    return now -> {
      ResyncProgress resync = now.resync();
      return resync == null ? 0 : value.applyAsDouble(resync);
    };
  }
}
