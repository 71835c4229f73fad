package io.horae.metrics;

import io.horae.placement.BucketTable;
import io.horae.placement.Node;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Supplier;

/**
 * A server's part of a {@link BucketTable} as meters.
 *
 * <table>
 *   <caption>The meters</caption>
 *   <tr><th>name</th><th>kind</th><th>what it says</th></tr>
 *   <tr><td>{@code horae.buckets}</td><td>gauge</td><td>all buckets of the table</td></tr>
 *   <tr><td>{@code horae.buckets.owned}</td><td>gauge</td>
 *     <td>those that the server is primary of; 0 if the table does not know it</td></tr>
 *   <tr><td>{@code horae.buckets.servers}</td><td>gauge</td><td>servers</td></tr>
 *   <tr><td>{@code horae.buckets.version}</td><td>gauge</td>
 *     <td>the table's version: alike on all servers, once all have heard</td></tr>
 * </table>
 */
public final class BucketTableMetrics implements MeterBinder {

  private final Node server;
  private final Supplier<BucketTable> tables;
  private final Iterable<Tag> tags;

  /**
   * Meters of a server's table.
   *
   * @param server the server, by its id
   * @param tables the latest table; called by the threads that read meters
   * @param tags what tells this server's meters from others
   * @throws IllegalArgumentException if anything is null
   */
  public BucketTableMetrics(Node server, Supplier<BucketTable> tables, Iterable<Tag> tags) {
    this.server = Meters.present(server, "server");
    this.tables = Meters.present(tables, "supplier of tables");
    this.tags = Meters.present(tags, "tags");
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters<BucketTable> meters = new Meters<>(registry, tags, tables);
    meters.gauge("horae.buckets", "all buckets of the table", BucketTable::size);
    meters.gauge("horae.buckets.owned", "buckets the server is primary of", this::owned);
    meters.gauge("horae.buckets.servers", "servers", table -> table.nodes().size());
    meters.gauge("horae.buckets.version", "the table's version", BucketTable::version);
  }

  private double owned(BucketTable table) {
    boolean isKnown = table.nodes().stream().anyMatch(node -> node.id().equals(server.id()));
    return isKnown ? table.count(server) : 0;
  }
}
