/**
 * Timers that several nodes keep, that pop while one of them lives, and that move to their new
 * homes when the cluster changes, with none lost; and items in buckets that move while they are
 * being used.
 *
 * <h2>The model</h2>
 *
 * <p>A {@linkplain io.horae.resync.TimerNode node} is one member's state machine. It starts no
 * thread, opens no socket and reads no clock: a host tells it the time, what clients ask for, what
 * other nodes say and who is in the cluster, and does what it puts into its {@linkplain
 * io.horae.resync.Outbox outbox}. Every timer has an ordered list of replicas, which all nodes
 * compute alike from its id and the {@linkplain io.horae.placement.ClusterView view}. The primary
 * pops at the deadline, each further level a little later, unless it hears that the pop is done. A
 * replica knows a timer as a {@linkplain io.horae.resync.TimerRecord record}, and records join, so
 * messages may be lost, doubled and late.
 *
 * <h2>What the host does</h2>
 *
 * <ol>
 *   <li>It calls a node from one thread at a time, and never from within its outbox: it queues what
 *       leads back to the node.
 *   <li>It tells the time with every call, in milliseconds of a clock that runs evenly, such as
 *       {@code System.nanoTime() / 1_000_000}. Clocks of different nodes need not agree. Should a
 *       clock step back, time stands still until it has caught up; a step forward counts as time
 *       that has passed.
 *   <li>It gives the node every view, in the order of their epochs, and then calls {@code resync}
 *       if the node is in the cluster afterwards; also when the node has just started, as it may
 *       have been away. A node that leaves goes on getting views until it is {@linkplain
 *       io.horae.resync.Event.Drained drained}.
 *   <li>It gives each start of a node another incarnation.
 *   <li>It carries messages to other nodes, as values or through the {@linkplain
 *       io.horae.resync.Codec codec}. It may lose, repeat, delay and reorder them, but it must not
 *       keep one for longer than tombstones live.
 *   <li>It acts on pops, and says how each went, within the time limit if it can. Success means: do
 *       not pop this again.
 *   <li>It calls {@code tick} when {@code nextTickMs} has come.
 *   <li>A node that was away for longer than tombstones live starts with an empty store.
 * </ol>
 *
 * <h2>The driver loop</h2>
 *
 * <pre>{@code
 * BlockingQueue<Runnable> inputs = new LinkedBlockingQueue<>();      // all that calls the node
 * LongSupplier clock = () -> System.nanoTime() / 1_000_000;
 *
 * TimerNode node = TimerNode.builder("10.0.0.1:7253")
 *     .incarnation(System.currentTimeMillis())
 *     .outbox(new Outbox() {
 *       public void send(String to, Message message) {
 *         transport.send(to, Codec.encode(message));
 *       }
 *       public void pop(Pop pop) {
 *         workers.execute(() -> {
 *           boolean success = callBack(pop);
 *           inputs.add(() -> node.popped(clock.getAsLong(), pop, success));
 *         });
 *       }
 *       public void confirmed(Confirmation confirmation) { clients.answer(confirmation); }
 *       public void report(Event event) { log.info("{}", event); }
 *     })
 *     .build();
 *
 * // Elsewhere: membership, transport and clients.
 * inputs.add(() -> { node.view(clock.getAsLong(), view); node.resync(clock.getAsLong()); });
 * inputs.add(() -> node.receive(clock.getAsLong(), from, message));
 * inputs.add(() -> clients.opened(node.create(clock.getAsLong(), spec)));
 *
 * while (running) {
 *   long wait = node.nextTickMs() - clock.getAsLong();
 *   Runnable input = inputs.poll(Math.max(0, wait), TimeUnit.MILLISECONDS);
 *   if (input != null) {
 *     input.run();
 *   }
 *   if (node.nextTickMs() <= clock.getAsLong()) {
 *     node.tick(clock.getAsLong());
 *   }
 * }
 * }</pre>
 *
 * <h2>The transitions</h2>
 *
 * <p>What becomes of a timer that a node holds, when, and who is told, is the table at the head of
 * {@link io.horae.resync.TimerNode}; what becomes of a bucket's copy, that of {@link
 * io.horae.resync.BucketNode}.
 *
 * <h2>The messages</h2>
 *
 * <p>{@link io.horae.resync.Message.Replicate} brings records: a timer that was created, changed or
 * deleted, or that has popped; or records that were asked for by name. The receiver joins them with
 * what it has. {@link io.horae.resync.Message.Acknowledge} answers with what it knows then, which
 * may be more: an operation that is behind is stamped anew and sent again.
 *
 * <p>{@link io.horae.resync.Message.FetchPage} asks a node for the timers that the asker is a
 * replica of under the new view. {@link io.horae.resync.Message.Page} answers with a hundred of
 * them and with where to go on: as records if the asker cannot have them and it falls to this node
 * to send them, else as references. {@link io.horae.resync.Message.Rejected} answers if the two
 * have different views, or if the node is not ready.
 *
 * <p>{@link io.horae.resync.Message.Refer} tells a replica that holds a timer that another has
 * taken its place below it, so that it takes its own. {@link io.horae.resync.Message.Retire} tells
 * a node that it is no longer a replica. {@link io.horae.resync.Message.Processed} tells those that
 * held a timer before that the sender holds it now: when a node that is no longer a replica has
 * heard so from all that are, it lets the timer go.
 *
 * <p>{@link io.horae.resync.Message.Offer} asks the replicas of a timer whether they have it; those
 * that do say {@code Processed}, those that do not say {@link io.horae.resync.Message.FetchTimers}.
 * So whatever was lost before, no timer stays where it does not belong, and none is let go too
 * early.
 *
 * <h2>What holds</h2>
 *
 * <ul>
 *   <li>No timer is lost while fewer nodes fail at once than it has replicas.
 *   <li>A timer asked for in <i>n</i> pops after <i>n</i> and, while one of its replicas lives and
 *       the host's callbacks succeed, before 2<i>n</i>.
 *   <li>A pop that happens twice, as it may when replicas cannot see each other or while a timer
 *       changes hands, has the same stamp and sequence number both times.
 *   <li>A timer whose deletion all replicas have confirmed does not pop again.
 *   <li>Every resync ends.
 * </ul>
 *
 * <h2>Buckets</h2>
 *
 * <p>A {@linkplain io.horae.resync.BucketNode server} serves the buckets of a {@linkplain
 * io.horae.placement.BucketTable table} that it is primary of, keeps their backups level, and sends
 * them to others until all have alike, while a {@linkplain io.horae.resync.BucketClient client}
 * reads and writes through a table that may be stale. What a host of servers does:
 *
 * <ol>
 *   <li>It calls a server from one thread at a time, never from within its outbox, with the time of
 *       a clock that runs evenly; and {@code tick} when {@code nextTickMs} has come.
 *   <li>It gives every server every view, in the order of their epochs, with the same members in
 *       the same view everywhere. A view that is missed costs no item; the server asks the others
 *       for what it missed before it serves anything. A server that is in no view serves nothing.
 *   <li>Each start of a server begins with an empty store and another incarnation, and is followed
 *       by a view with a higher epoch, with the same members if need be: until then it does not
 *       take part. If that is forgotten, the others {@linkplain
 *       io.horae.resync.BucketEvent.Restarted say so}.
 *   <li>A view without a server says that it is dead, be it so or not: nothing that it has counts
 *       any more. Two views in a row should not take both servers that hold a bucket: let the first
 *       come to rest, which {@link io.horae.resync.BucketStatistics#sending} and the table show,
 *       before the next server is shut down.
 *   <li>A server that is to be shut down it first has {@linkplain io.horae.resync.BucketNode#leave
 *       leave}, and stops it when it has reported {@link io.horae.resync.BucketEvent.Drained}. Then
 *       it brings a view without it.
 *   <li>It carries messages between servers, and between clients and servers, as values or through
 *       the {@linkplain io.horae.resync.Codec codec}. The same connection may carry messages about
 *       timers: {@link io.horae.resync.BucketMessage} tells which are for whom. It may lose,
 *       repeat, delay and reorder them, but it must not keep one for longer than {@linkplain
 *       io.horae.resync.BucketNodeOptions#receiptMs receipts} are kept.
 *   <li>It may send its clients {@linkplain io.horae.resync.BucketEvent.Changed what has changed};
 *       they find their way without.
 *   <li>It gives each client another number.
 * </ol>
 *
 * <pre>{@code
 * BucketNode server = BucketNode.builder("10.0.0.1:7253")
 *     .incarnation(System.currentTimeMillis())
 *     .store(ItemStore.inMemory())
 *     .outbox(new BucketOutbox() {
 *       public void send(String to, BucketMessage message) {
 *         transport.send(to, Codec.encode(message));
 *       }
 *       public void report(BucketEvent event) { log.info("{}", event); }
 *     })
 *     .build();
 * inputs.add(() -> server.view(clock.getAsLong(), view));
 * inputs.add(() -> server.receive(clock.getAsLong(), from, message));
 *
 * BucketClient client = BucketClient.builder(random.nextLong())
 *     .table(BucketTable.initial(Node.of("10.0.0.1:7253")))
 *     .outbox(new BucketClientOutbox() {
 *       public void send(String server, BucketMessage.Request request) {
 *         transport.send(server, Codec.encode(request));
 *       }
 *       public void done(BucketResult result) { callers.remove(result.number()).accept(result); }
 *     })
 *     .build();
 * }</pre>
 *
 * <p>How a bucket moves: {@link io.horae.resync.BucketMessage.Offer}; {@link
 * io.horae.resync.BucketMessage.Accept} or {@link io.horae.resync.BucketMessage.Refuse}; {@link
 * io.horae.resync.BucketMessage.Items} in windows, each {@linkplain
 * io.horae.resync.BucketMessage.Taken taken}, while writes go on and are {@linkplain
 * io.horae.resync.BucketMessage.Forward forwarded}; {@link io.horae.resync.BucketMessage.Last}, by
 * which the receiver is the primary; {@link io.horae.resync.BucketMessage.Configure} to its
 * backups; {@link io.horae.resync.BucketMessage.Publish} to all, by which who is not on the list
 * any more forgets. A new backup is filled likewise, and ends with {@code Configure}. A split needs
 * no message of its own: backups are configured for the parts, and cut what they have.
 *
 * <p>What is promised is said in {@link io.horae.resync.BucketNode}.
 */
@NullMarked
package io.horae.resync;

import org.jspecify.annotations.NullMarked;
