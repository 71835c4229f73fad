/**
 * Timer nodes as a JGroups cluster: a {@link io.horae.jgroups.JGroupsHost} gives a {@link
 * io.horae.resync.TimerNode} its views, its messages, its clock and its threads.
 *
 * <pre>{@code
 * JGroupsHost host = JGroupsHost.builder("10.0.0.1:7800")
 *     .configuration("horae-tcp-tls.xml")          // or Stacks.inProcess(), to try it out
 *     .pops(pop -> callBack(pop))                  // true: done; false or an exception: try again
 *     .build();
 * host.start().join();
 *
 * Confirmation confirmation = host.create(TimerSpec.once(30_000, payload)).join();
 * host.delete(confirmation.timer()).join();
 *
 * host.leave().join();                             // the others take the timers over first
 * }</pre>
 *
 * <h2>Who is in the cluster</h2>
 *
 * <p>JGroups says who can be reached; from that the host makes the {@linkplain
 * io.horae.placement.ClusterView views} of its node. For every JGroups view all members report to
 * its first member, the coordinator, who they are, which view they have, and whether they wish to
 * leave. When it has heard all, or after five seconds those that it could hear, the coordinator
 * decides: who comes for the first time <em>joins</em>; who wishes to go is <em>leaving</em>; who
 * is not in the JGroups view any more has died and is in no list; all others <em>stay</em>. All
 * members get the same decision, with the members' addresses.
 *
 * <p>The epoch is one more than the highest in the reports. Members take decisions of their present
 * JGroups view and its coordinator only. So no decision passes by the reports, the epoch of every
 * member only rises, and a coordinator that takes over goes on above the one that died without
 * having to know anything of it.
 *
 * <p>After a split each side goes on by itself: timers pop on both, with equal stamps and sequence
 * numbers. When JGroups merges the sides, the members' last views differ; the new epoch is above
 * all of them and leaves one out, which makes every node compare all that it has with the others.
 *
 * <p>Of two members with one id, the one that is in the cluster already counts, and the other waits
 * until it has gone. So a node that died can be started again at once.
 *
 * <h2>Coming and going</h2>
 *
 * <p>{@link io.horae.jgroups.JGroupsHost#start} completes with the first view; the node then takes
 * timers, while the resync goes on. {@link io.horae.jgroups.JGroupsHost#leave} hands all timers
 * over and closes then, also of several nodes at once; it fails if nobody else would stay. {@link
 * io.horae.jgroups.JGroupsHost#close} closes at once: to the others that is as if the node had
 * died, and they go on with their replicas.
 *
 * <h2>Threads and limits</h2>
 *
 * <p>One thread drives the node. What comes in waits for it in a queue; when {@code inputsMax}
 * messages and clients' calls wait, further messages are dropped and calls fail with {@link
 * java.util.concurrent.RejectedExecutionException}. Views and outcomes of pops are never dropped.
 * Pops run on the executor that the builder is given, as many at once as {@link
 * io.horae.resync.TimerNodeOptions#popsInFlightMax()} allows. Messages go without JGroups' flow
 * control and retransmission, since nodes themselves repeat what matters. What was dropped,
 * refused, not understood or sent by strangers is counted: see {@link
 * io.horae.jgroups.HostStatistics}.
 *
 * <h2>Security</h2>
 *
 * <p>Whoever is a member can read, change and delete all timers, so strangers must be kept out.
 * That is JGroups' job: TLS with certificates of both sides, {@code ASYM_ENCRYPT} with {@code
 * AUTH}, or {@code SYM_ENCRYPT} (one secret key on all members). Two resources are whole
 * configurations, and say how to make the keys: {@code horae-tcp-tls.xml}, TLS 1.3, and {@code
 * horae-tcp-secure.xml}, a secret key and AES-CBC. With either, a process with another key, or
 * none, neither joins nor reads; the second does not sign: where somebody may tamper with what is
 * under way, take TLS. A channel without is accepted on the loopback address only; {@code start}
 * refuses any other, unless {@link io.horae.jgroups.HostBuilder#allowUnsecured} says that the
 * network itself is safe. On the loopback address every user of the machine can join: where that
 * matters, use a key there too.
 */
@NullMarked
package io.horae.jgroups;

import org.jspecify.annotations.NullMarked;
