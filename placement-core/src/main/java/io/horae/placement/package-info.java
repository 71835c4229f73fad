/**
 * Where keys live: for every key an ordered list of distinct nodes, the same on every member of the
 * cluster, found without asking any of them, and changing as little as possible when the cluster
 * does.
 *
 * <h2>The model</h2>
 *
 * <p>A {@linkplain io.horae.placement.Node node} is a name, with a weight and a zone if it needs
 * them. A {@linkplain io.horae.placement.Placement placement} maps a key, a number or a text, to
 * its replicas: level 0 is the primary, the others are backups. Placements are immutable: when the
 * cluster changes, a member builds the next one, and the two together say what has to move.
 *
 * <pre>{@code
 * List<Node> three = List.of(Node.of("10.0.0.1:7253"), Node.of("10.0.0.2:7253"),
 *     Node.of("10.0.0.3:7253"));
 * Placement before = RendezvousPlacement.of(three);
 * before.primary("session-17");        // the node that owns it
 * before.replicas("session-17", 2);    // the owner and one backup
 *
 * ClusterView view = ClusterView.of(1, three).next(four);    // one node joins
 * Placement after = RendezvousPlacement.of(view.after());
 * Movement.between(before, after, keys, 2);                  // what moves, and the least that could
 * }</pre>
 *
 * <h2>When to use what</h2>
 *
 * <ul>
 *   <li>{@link io.horae.placement.RendezvousPlacement} moves the least, balances best and knows
 *       weights and zones. A lookup looks at every node: in a cluster of 1,000, for less than a
 *       nanosecond each.
 *   <li>{@link io.horae.placement.TabulatedPlacement} where lookups are many and nodes too: the
 *       replicas of some thousands of partitions, by any placement, in a table.
 *   <li>{@link io.horae.placement.BucketTable} where data moves in pieces and who holds what must
 *       be known: hashes are cut into buckets, each with an owner, that move one by one and are
 *       split when there are too few. {@link io.horae.placement.BucketBalancer} plans it; clients
 *       work from old tables.
 *   <li>{@link io.horae.placement.Collisions#STABLE} for anything new; {@link
 *       io.horae.placement.Collisions#DECREMENT} to agree with a Chronos cluster, bit for bit.
 *   <li>{@link io.horae.placement.KetamaContinuum} to find keys where the clients of a memcached or
 *       Couchbase cluster put them, in their {@linkplain io.horae.placement.KetamaDialect dialect}.
 *       A lookup costs the same however many nodes there are.
 *   <li>{@link io.horae.placement.SeededHash} to bring a hash of one's own.
 *   <li>{@link io.horae.placement.ClusterView} to tell members, before and after, and one view from
 *       another.
 *   <li>{@link io.horae.placement.Movement} to plan a change, or to judge a placement; {@link
 *       io.horae.placement.ArcMovement} for continuums, without keys.
 * </ul>
 *
 * <p>Nothing here holds a thread, opens a socket, reads a clock or logs. Arguments are checked: a
 * null, a blank or duplicate id, a count below 1 is an {@link java.lang.IllegalArgumentException}
 * that names the value.
 */
@NullMarked
package io.horae.placement;

import org.jspecify.annotations.NullMarked;
