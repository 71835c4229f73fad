/**
 * What the library does, to be seen from outside: meters for Micrometer, and events for JDK Flight
 * Recorder. The library itself depends on neither.
 *
 * <h2>Meters</h2>
 *
 * <p>{@link io.horae.metrics.TimerNodeMetrics} binds what a node's statistics say, {@link
 * io.horae.metrics.TimerWheelMetrics} a timer wheel for many threads, {@link
 * io.horae.metrics.BucketTableMetrics} a server's part of a table of buckets, {@link
 * io.horae.metrics.BucketNodeMetrics} what a server of buckets says. A service that uses them has
 * Micrometer: it does not come with this module.
 *
 * <pre>{@code
 * private volatile Statistics statistics = node.statistics();   // anew, now and then, by the node's thread
 *
 * new TimerNodeMetrics(() -> statistics, Tags.of("node", "10.0.0.1:7253")).bindTo(registry);
 * }</pre>
 *
 * <h2>Events</h2>
 *
 * <p>{@link io.horae.metrics.RecordedOutbox} stands between a node and its host, and records what
 * passes: the pages of a resync, its progress, pops that are late; {@link
 * io.horae.metrics.RecordedBucketOutbox} does so for transfers of buckets. While no recording wants
 * an event, it costs the question whether one does, and allocates nothing.
 *
 * <pre>{@code
 * TimerNode.builder("10.0.0.1:7253")
 *     .outbox(new RecordedOutbox("10.0.0.1:7253", host, clock, 100))
 *     .build();
 * }</pre>
 */
@NullMarked
package io.horae.metrics;

import org.jspecify.annotations.NullMarked;
