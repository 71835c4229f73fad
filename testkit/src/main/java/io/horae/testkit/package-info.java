/**
 * Breaks clusters on purpose: a simulator for the timers of {@link io.horae.resync}, and contract
 * tests for what a host implements.
 *
 * <h2>The simulator</h2>
 *
 * {@link io.horae.testkit.Simulation} runs a whole cluster in one thread and on virtual time. A
 * seed decides everything, so a run that fails can be run again, event for event:
 *
 * <pre>{@code
 * @Test
 * void myStoreKeepsEveryPromise() {
 *   for (long seed = 0; seed < 1_000; seed++) {
 *     Simulation.builder().seed(seed).stores(MyStore::new).build().run();
 *   }
 * }
 * }</pre>
 *
 * <p>A run that breaks a promise ends with {@link io.horae.testkit.InvariantBroken}, whose message
 * names the promise, shows the last events that concern the timer or the node, and gives the line
 * of code that replays it:
 *
 * <pre>
 * NoTimerLost is broken: nobody has operation 2: update timer a4f112c404d8304 at n2, …
 * at 27.743 s of seed 258: 6 nodes, 16 timers, [RESTART, REPLACE]
 *      26.980 s  decided: view 3/2ac08d83a26ca347: staying [n3], joining [n5, n2], leaving [n0, n4]
 *      27.357 s  client: operation 2: update timer a4f112c404d8304 at n2, …
 *      …
 * Replay: Simulation.builder().seed(258).build().run();
 * </pre>
 *
 * <p>What goes wrong in a run: storms, in which messages are lost, repeated and late; cuts of the
 * network, one way or both; crashes with and without memory; pauses; clocks that drift and are set;
 * callbacks that fail, are slow or say nothing; nodes that join, leave, die and come back; views
 * that arrive late, twice, out of order or not at all. Each run has some kinds of these and not the
 * others, and rough spells with calm ones between.
 *
 * <p>What is promised, judged by what clients and hosts saw, each in a class of this package whose
 * comment says exactly when:
 *
 * <table>
 *   <caption>The invariants</caption>
 *   <tr><td>NoTimerLost</td><td>a timer lives while fewer of its copies failed than it has</td></tr>
 *   <tr><td>NeverEarly</td><td>no pop before its time, nor one that nobody asked for</td></tr>
 *   <tr><td>PoppedInTime</td><td>at once in calm, and before twice the interval while one replica
 *     is sound</td></tr>
 *   <tr><td>SequenceNeverGoesBack</td><td>pops count up, and doubled ones can be told</td></tr>
 *   <tr><td>DeletedStaysDeleted</td><td>what all replicas know to be over never pops
 *     again</td></tr>
 *   <tr><td>OneActorPerLevel</td><td>in calm, one node pops; while nodes merely join and leave, the
 *     primary does</td></tr>
 *   <tr><td>RightHolders</td><td>after a calm, exactly the right nodes have each timer, and nothing
 *     else is left</td></tr>
 *   <tr><td>ResyncEnds, OperationsEnd</td><td>what was begun comes to an end; in
 *     calm, all replicas confirm what clients ask for</td></tr>
 *   <tr><td>LimitsKept</td><td>every limit of the options</td></tr>
 *   <tr><td>NothingThrown</td><td>no exception comes out of a node</td></tr>
 * </table>
 *
 * <h2>Contract tests</h2>
 *
 * Extend {@link io.horae.testkit.TimerStoreContract}, {@link io.horae.testkit.ItemStoreContract},
 * {@link io.horae.testkit.PlacementContract}, {@link io.horae.testkit.SeededHashContract} or {@link
 * io.horae.testkit.TransportContract} in your own tests, and JUnit runs them against your
 * implementation.
 */
@NullMarked
package io.horae.testkit;

import org.jspecify.annotations.NullMarked;
