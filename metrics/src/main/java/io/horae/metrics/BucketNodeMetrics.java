package io.horae.metrics;

import io.horae.resync.BucketStatistics;
import io.horae.resync.BucketStatistics.Rejection;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * The {@linkplain BucketStatistics statistics} of a {@link io.horae.resync.BucketNode} as meters.
 *
 * <table>
 *   <caption>The meters</caption>
 *   <tr><th>name</th><th>kind</th><th>what it says</th></tr>
 *   <tr><td>{@code horae.buckets.ready}</td><td>gauge</td>
 *     <td>1 if the server knows the whole table under its view, else 0</td></tr>
 *   <tr><td>{@code horae.buckets.held}, by {@code as}</td><td>gauge</td>
 *     <td>buckets: served as {@code primary}, {@code yielding}, a whole {@code copy}, {@code
 *     filling}, being sent ({@code sending}, which are primary too)</td></tr>
 *   <tr><td>{@code horae.transfers}, by {@code outcome}</td><td>counter</td>
 *     <td>transfers from this server: {@code done}, {@code failed}</td></tr>
 *   <tr><td>{@code horae.items}, by {@code way}</td><td>counter</td>
 *     <td>items {@code sent} and {@code taken} in transfers</td></tr>
 *   <tr><td>{@code horae.requests}, by {@code kind}</td><td>counter</td><td>{@code read}s and
 *     {@code write}s answered; writes that were {@code repeated}; requests answered with {@code
 *     redirect} or {@code retry}</td></tr>
 *   <tr><td>{@code horae.writes.open}</td><td>gauge</td>
 *     <td>writes that some backup does not have yet</td></tr>
 *   <tr><td>{@code horae.buckets.messages.rejected}, by {@code reason}</td><td>counter</td>
 *     <td>messages not acted on</td></tr>
 * </table>
 *
 * <p>As with {@link TimerNodeMetrics}, the node's own thread has to make the snapshots.
 */
public final class BucketNodeMetrics implements MeterBinder {

  private final Supplier<BucketStatistics> snapshots;
  private final Iterable<Tag> tags;

  /**
   * Meters of a node.
   *
   * @param snapshots the latest statistics; called by the threads that read meters
   * @param tags what tells this node's meters from others
   * @throws IllegalArgumentException if anything is null
   */
  public BucketNodeMetrics(Supplier<BucketStatistics> snapshots, Iterable<Tag> tags) {
    this.snapshots = Meters.present(snapshots, "supplier of snapshots");
    this.tags = Meters.present(tags, "tags");
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters<BucketStatistics> meters = new Meters<>(registry, tags, snapshots);
    meters.gauge("horae.buckets.ready", "1 or 0", now -> now.ready() ? 1 : 0);
    String name = "horae.buckets.held";
    String about = "buckets held";
    meters.gauge(name, about, BucketStatistics::primaries, "as", "primary");
    meters.gauge(name, about, BucketStatistics::yielding, "as", "yielding");
    meters.gauge(name, about, BucketStatistics::copies, "as", "copy");
    meters.gauge(name, about, BucketStatistics::filling, "as", "filling");
    meters.gauge(name, about, BucketStatistics::sending, "as", "sending");
    name = "horae.transfers";
    about = "transfers from this server";
    meters.counter(name, about, BucketStatistics::transfersDone, "outcome", "done");
    meters.counter(name, about, BucketStatistics::transfersFailed, "outcome", "failed");
    name = "horae.items";
    about = "items in transfers";
    meters.counter(name, about, BucketStatistics::itemsSent, "way", "sent");
    meters.counter(name, about, BucketStatistics::itemsTaken, "way", "taken");
    name = "horae.requests";
    about = "requests of clients";
    meters.counter(name, about, BucketStatistics::reads, "kind", "read");
    meters.counter(name, about, BucketStatistics::writes, "kind", "write");
    meters.counter(name, about, BucketStatistics::writesRepeated, "kind", "repeated");
    meters.counter(name, about, BucketStatistics::redirects, "kind", "redirect");
    meters.counter(name, about, BucketStatistics::retries, "kind", "retry");
    meters.gauge("horae.writes.open", "some backup waits", BucketStatistics::writesOpen);
    for (Rejection reason : Rejection.values()) {
      meters.counter(
          "horae.buckets.messages.rejected",
          "messages not acted on",
          now -> now.rejected().getOrDefault(reason, 0L),
          "reason",
          reason.name().toLowerCase(Locale.ROOT).replace('_', '.'));
    }
  }
}
