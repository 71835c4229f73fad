package io.horae.jgroups;

import io.horae.placement.ClusterView;
import io.horae.placement.Node;
import io.horae.placement.Placement;
import io.horae.placement.RendezvousPlacement;
import io.horae.resync.Confirmation;
import io.horae.resync.Message;
import io.horae.resync.Outbox;
import io.horae.resync.Pop;
import io.horae.resync.Ticket;
import io.horae.resync.TimerId;
import io.horae.resync.TimerNode;
import io.horae.resync.TimerNodeOptions;
import io.horae.resync.TimerRecord;
import io.horae.resync.TimerSpec;
import io.horae.resync.TimerStore;
import io.horae.timer.Cursor;
import io.horae.timer.Page;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.View;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link TimerNode} in a JGroups cluster: it gives the node its views, carries its messages,
 * tells it the time and drives it with a thread of its own. {@link io.horae.jgroups} is the guide.
 *
 * <p>Safe for use by many threads. Nothing blocks but {@link #close} and, for a moment, {@link
 * #statistics}. Futures are completed, and the listener is called, by the thread that drives the
 * node: what depends on them may call the host, but must not block.
 */
public final class JGroupsHost implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(JGroupsHost.class);

  /** More confirmations than any timer has replicas. */
  private static final int ALL = Integer.MAX_VALUE;

  private final Node self;
  private final String clusterName;
  private final JChannel channel;
  private final PopHandler handler;
  private final int popsRunningMax;
  private final Executor executor;
  private final ExecutorService ownExecutor;
  private final boolean unsecuredAllowed;

  private final Transport transport;
  private final Driver driver;
  private final Engine engine;

  private final CompletableFuture<ClusterView> started = new CompletableFuture<>();
  private final CompletableFuture<Void> left = new CompletableFuture<>();
  private final AtomicBoolean startCalled = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();

  private final AtomicInteger popsRunning = new AtomicInteger();
  private final LongAdder popsRefused = new LongAdder();
  private final LongAdder popsThrown = new LongAdder();
  private final LongAdder clientCallsRefused = new LongAdder();

  private JGroupsHost(Builder builder, JChannel channel, PopHandler handler) {
    self = builder.self;
    clusterName = builder.clusterName;
    this.channel = channel;
    this.handler = handler;
    popsRunningMax = builder.options.popsInFlightMax();
    unsecuredAllowed = builder.unsecuredAllowed;
    ExecutorService own = newExecutor(); // without a thread until it has something to do
    ownExecutor = own;
    executor = builder.executor == null ? own : builder.executor;
    transport = new Transport(channel, new Incoming());
    engine =
        new Engine(
            this,
            transport,
            this::hand,
            builder.listener,
            self.id(),
            outbox ->
                TimerNode.builder(self.id())
                    .incarnation(System.currentTimeMillis())
                    .placement(builder.placements)
                    .options(builder.options)
                    .store(builder.store)
                    .outbox(builder.outboxes.apply(outbox))
                    .build(),
            effects -> new Membership(self, epochIn(builder.store), effects));
    driver = new Driver("horae-" + self.id(), engine, builder.inputsMax);
  }

  private static ExecutorService newExecutor() {
    return Executors.newFixedThreadPool(
        Math.max(2, Runtime.getRuntime().availableProcessors()),
        action -> {
          Thread thread = new Thread(action, "horae-pops");
          thread.setDaemon(true);
          return thread;
        });
  }

  /** The highest epoch that a store's records are of: the node has had a view of that. */
  private static long epochIn(TimerStore store) {
    long epoch = 0;
    Cursor cursor = Cursor.START;
    while (cursor != null) {
      Page<TimerRecord> page = store.scan(cursor, 10_000);
      for (Page.Timer<TimerRecord> timer : page.timers()) {
        epoch = Math.max(epoch, timer.payload().assignment().view().epoch());
      }
      cursor = page.next();
    }
    return epoch;
  }

  /**
   * A host to be set up.
   *
   * @param nodeId the node's id, unique in the cluster
   * @return the builder
   * @throws IllegalArgumentException if the id is null or blank
   */
  public static Builder builder(String nodeId) {
    return new Builder(Node.of(nodeId));
  }

  /**
   * A host to be set up.
   *
   * @param node the node, with its weight and zone; its id is unique in the cluster
   * @return the builder
   */
  public static Builder builder(Node node) {
    return new Builder(node);
  }

  /**
   * This node, as it was set up.
   *
   * @return the node
   */
  public Node node() {
    return self;
  }

  /**
   * The view that the node has.
   *
   * @return the view; null before the first
   */
  public @Nullable ClusterView view() {
    return engine.view();
  }

  /**
   * The channel, to look at.
   *
   * @return the channel
   */
  public JChannel channel() {
    return channel;
  }

  // Coming and going.

  /**
   * Connects to the cluster and joins it.
   *
   * @return completes with the node's first view; from then on it takes timers. Fails if JGroups
   *     cannot connect, or if the host is closed before
   * @throws IllegalStateException if it was started before; or if the channel can be reached from
   *     other machines by anybody who likes: see {@link Builder#allowUnsecured}
   */
  public CompletableFuture<ClusterView> start() {
    if (!unsecuredAllowed) {
      Security.check(channel);
    }
    if (!startCalled.compareAndSet(false, true)) {
      throw new IllegalStateException("a host is started once");
    }
    driver.start();
    Thread connector = new Thread(this::connect, "horae-connect-" + self.id());
    connector.setDaemon(true);
    connector.start();
    return started.copy();
  }

  private void connect() {
    try {
      if (channel.getName() == null) {
        channel.setName(self.id());
      }
      channel.setReceiver(transport);
      channel.connect(clusterName);
    } catch (Exception e) {
      started.completeExceptionally(e);
      close();
    }
  }

  /** The engine has installed a view. */
  void installed(ClusterView view) {
    started.complete(view);
  }

  /**
   * Leaves in good order: the other nodes take over all timers, then the host closes. Several nodes
   * may leave at once.
   *
   * @return completes when that is done. Fails if nobody else would stay, and then the node stays;
   *     or if the host is closed before
   */
  public CompletableFuture<Void> leave() {
    boolean taken =
        driver.add(
            () -> {
              if (engine.view() == null) {
                end(); // it has taken no timer
              } else {
                engine.membership().leave(Driver.nowMs());
              }
            });
    if (!taken) {
      left.completeExceptionally(closedException());
    }
    return left.copy();
  }

  void leaveRefused() {
    left.completeExceptionally(
        new IllegalStateException(
            self.id() + " cannot leave: no other node stays to take its timers over"));
  }

  /** The node has nothing left that others do not have. */
  void drained() {
    end();
  }

  /** Closes, not in the driver's thread, as that takes time; then the node has left. */
  private void end() {
    Thread closer =
        new Thread(
            () -> {
              shutDown();
              left.complete(null);
            },
            "horae-leave-" + self.id());
    closer.setDaemon(true);
    closer.start();
  }

  /**
   * Closes at once, and the channel with it. Timers that other nodes have replicas of live on
   * there. What waits for an answer fails. Closing again does nothing.
   */
  @Override
  public void close() {
    shutDown();
    left.completeExceptionally(closedException());
  }

  private void shutDown() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    driver.close();
    channel.close();
    ownExecutor.shutdown();
    driver.join();
    engine.abandon(closedException());
    started.completeExceptionally(closedException());
  }

  private RejectedExecutionException closedException() {
    return new RejectedExecutionException("the host of " + self.id() + " is closed");
  }

  // Clients.

  /**
   * Creates a timer.
   *
   * @param spec what is wanted
   * @return completes when all replicas have confirmed it, with the timer's handle. Fails with
   *     {@link UnconfirmedException} if too few did, {@link RejectedExecutionException} if the node
   *     has too much to do, too many timers, or is closed, and as {@link TimerNode#create} says
   */
  public CompletableFuture<Confirmation> create(TimerSpec spec) {
    return create(spec, ALL);
  }

  /**
   * Creates a timer.
   *
   * @param spec what is wanted
   * @param confirmations how many replicas are to confirm it, at least 1; all if there are fewer
   * @return as {@link #create(TimerSpec)}, but with so many confirmations
   * @throws IllegalArgumentException if the number is below 1
   */
  public CompletableFuture<Confirmation> create(TimerSpec spec, int confirmations) {
    return call(node -> node.create(Driver.nowMs(), spec), confirmations);
  }

  /**
   * Changes a timer, which starts anew; or creates it, if there is none with this handle any more.
   *
   * @param timer the client's handle
   * @param spec what is wanted, with the replication factor of the handle
   * @return completes when all replicas have confirmed it, with the timer's handle from now on.
   *     Fails as {@link #create(TimerSpec)} does, and as {@link TimerNode#update} says
   */
  public CompletableFuture<Confirmation> update(TimerId timer, TimerSpec spec) {
    return update(timer, spec, ALL);
  }

  /**
   * Changes a timer.
   *
   * @param timer the client's handle
   * @param spec what is wanted, with the replication factor of the handle
   * @param confirmations how many replicas are to confirm it, at least 1; all if there are fewer
   * @return as {@link #update(TimerId, TimerSpec)}, but with so many confirmations
   * @throws IllegalArgumentException if the number is below 1
   */
  public CompletableFuture<Confirmation> update(TimerId timer, TimerSpec spec, int confirmations) {
    return call(node -> node.update(Driver.nowMs(), timer, spec), confirmations);
  }

  /**
   * Deletes a timer, whether or not there is one.
   *
   * @param timer the client's handle
   * @return completes when all replicas have confirmed it: from then on it does not pop. Fails as
   *     {@link #create(TimerSpec)} does
   */
  public CompletableFuture<Confirmation> delete(TimerId timer) {
    return delete(timer, ALL);
  }

  /**
   * Deletes a timer.
   *
   * @param timer the client's handle
   * @param confirmations how many replicas are to confirm it, at least 1; all if there are fewer
   * @return as {@link #delete(TimerId)}, but with so many confirmations
   * @throws IllegalArgumentException if the number is below 1
   */
  public CompletableFuture<Confirmation> delete(TimerId timer, int confirmations) {
    return call(node -> node.delete(Driver.nowMs(), timer), confirmations);
  }

  private CompletableFuture<Confirmation> call(
      Function<TimerNode, Ticket> call, int confirmations) {
    if (confirmations < 1) {
      throw new IllegalArgumentException("confirmations must be at least 1: " + confirmations);
    }
    CompletableFuture<Confirmation> future = new CompletableFuture<>();
    boolean taken =
        driver.offer(
            new Driver.Task() {
              @Override
              public void run() {
                engine.start(call, confirmations, future);
              }

              @Override
              public void abandoned() {
                future.completeExceptionally(closedException());
              }
            });
    if (!taken) {
      clientCallsRefused.increment();
      future.completeExceptionally(
          closed.get()
              ? closedException()
              : new RejectedExecutionException("inputsMax: " + self.id() + " has too much to do"));
    }
    return future;
  }

  // Pops.

  /** Hands a pop to the executor. Called by the driver's thread. */
  private void hand(Pop pop) {
    if (popsRunning.incrementAndGet() > popsRunningMax) { // those that take longer than they may
      popsRunning.decrementAndGet();
      refuse(pop);
      return;
    }
    try {
      executor.execute(() -> run(pop));
    } catch (RejectedExecutionException e) {
      popsRunning.decrementAndGet();
      refuse(pop);
    }
  }

  private void refuse(Pop pop) {
    popsRefused.increment();
    tellOutcome(pop, false);
  }

  private void run(Pop pop) {
    boolean success = false;
    try {
      success = handler.pop(pop);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      popsThrown.increment();
      LOG.debug("the handler failed at {}", pop, e);
    } finally {
      popsRunning.decrementAndGet();
      tellOutcome(pop, success);
    }
  }

  private void tellOutcome(Pop pop, boolean success) {
    driver.add(() -> engine.node().popped(Driver.nowMs(), pop, success));
  }

  // What comes in, by JGroups' threads.

  private final class Incoming implements Transport.Sink {
    @Override
    public boolean message(String from, Message message) {
      return driver.offer(() -> engine.node().receive(Driver.nowMs(), from, message));
    }

    @Override
    public void report(Address from, Report report) {
      driver.add(() -> engine.membership().reported(from, report));
    }

    @Override
    public void decision(Address from, Decision decision) {
      driver.add(() -> engine.membership().decided(from, decision));
    }

    @Override
    public void view(View view) {
      Address address = channel.getAddress();
      if (address != null) {
        driver.add(() -> engine.membership().viewAccepted(Driver.nowMs(), view, address));
      }
    }
  }

  // How it goes.

  /**
   * What the host and its node have done. Waits for the driver's thread to get to it, unless that
   * thread asks; after the host has closed it is the last state.
   *
   * @return a snapshot
   */
  public HostStatistics statistics() {
    if (!driver.isDriving() && startCalled.get()) {
      CompletableFuture<HostStatistics> future = new CompletableFuture<>();
      boolean taken =
          driver.add(
              new Driver.Task() {
                @Override
                public void run() {
                  future.complete(snapshot());
                }

                @Override
                public void abandoned() {
                  future.cancel(false);
                }
              });
      try {
        if (taken) {
          return future.join();
        }
      } catch (CompletionException | java.util.concurrent.CancellationException e) {
        LOG.debug("closed meanwhile", e);
      }
      driver.join();
    }
    return snapshot();
  }

  private HostStatistics snapshot() {
    ClusterView view = engine.view();
    return new HostStatistics(
        engine.node().statistics(),
        view == null ? 0 : view.epoch(),
        transport.sent.sum(),
        transport.bytesSent.sum(),
        transport.unsendable.sum(),
        transport.received.sum(),
        transport.dropped.sum(),
        transport.malformed.sum(),
        transport.unknown.sum(),
        transport.strangers.sum(),
        clientCallsRefused.sum(),
        popsRefused.sum(),
        popsThrown.sum(),
        driver.failures(),
        engine.listenerFailures.sum());
  }

  @Override
  public String toString() {
    return self + " in " + clusterName + ", " + engine.view();
  }

  /** Sets up a {@link JGroupsHost}. */
  public static final class Builder {

    private final Node self;
    private String clusterName = "horae";
    private @Nullable JChannel channel;
    private @Nullable PopHandler handler;
    private Function<List<Node>, Placement> placements = RendezvousPlacement::of;
    private TimerNodeOptions options = TimerNodeOptions.defaults();
    private TimerStore store = TimerStore.inMemory();
    private @Nullable Executor executor;
    private Consumer<HostEvent> listener = event -> {};
    private UnaryOperator<Outbox> outboxes = outbox -> outbox;
    private int inputsMax = 100_000;
    private boolean unsecuredAllowed;

    private Builder(Node self) {
      if (!Frames.fits(self)) {
        throw new IllegalArgumentException(
            "id and zone of a node must be well-formed and have at most 65535 bytes: " + self);
      }
      this.self = self;
    }

    /**
     * The name of the JGroups cluster. Members of one name make one cluster.
     *
     * @param name {@code horae} unless it is set
     * @return this builder
     */
    public Builder clusterName(String name) {
      if (name == null || name.isBlank()) {
        throw new IllegalArgumentException("cluster name must not be null or blank: " + name);
      }
      clusterName = name;
      return this;
    }

    /**
     * The channel to use; the host connects and closes it. Must be set, by this method or one of
     * the next two.
     *
     * @param channel a channel that is not connected; {@link Stacks} makes some
     * @return this builder
     * @throws IllegalArgumentException if it is null, connected or closed
     */
    public Builder channel(JChannel channel) {
      if (channel == null || !channel.isOpen() || channel.isConnected()) {
        throw new IllegalArgumentException(
            "channel must be open and not connected: "
                + (channel == null ? null : channel.getState()));
      }
      this.channel = channel;
      return this;
    }

    /**
     * Makes the channel by a JGroups configuration.
     *
     * @param configuration a file, a resource or a URL, as {@link JChannel#JChannel(String)} says
     * @return this builder
     * @throws Exception if JGroups cannot read it
     */
    public Builder configuration(String configuration) throws Exception {
      return channel(new JChannel(configuration));
    }

    /**
     * Makes the channel by a JGroups configuration.
     *
     * @param configuration the configuration, in XML
     * @return this builder
     * @throws Exception if JGroups cannot read it
     */
    public Builder configuration(InputStream configuration) throws Exception {
      return channel(new JChannel(configuration));
    }

    /**
     * What to do when a timer is due. Must be set.
     *
     * @param handler called by the executor's threads
     * @return this builder
     */
    public Builder pops(PopHandler handler) {
      this.handler = handler;
      return this;
    }

    /**
     * What runs the handler. When it refuses a pop, that counts as a failed one.
     *
     * @param executor one that does not run what it is given in the calling thread; unless it is
     *     set, a pool of the host's own with a thread for each processor
     * @return this builder
     */
    public Builder executor(Executor executor) {
      this.executor = executor;
      return this;
    }

    /**
     * How timers are placed; the same on all nodes.
     *
     * @param placements makes the placement of a cluster; {@link RendezvousPlacement#of} unless it
     *     is set
     * @return this builder
     */
    public Builder placement(Function<List<Node>, Placement> placements) {
      this.placements = placements;
      return this;
    }

    /**
     * The node's limits and times; the same on all nodes.
     *
     * @param options the options; the defaults unless it is set
     * @return this builder
     */
    public Builder options(TimerNodeOptions options) {
      this.options = options;
      return this;
    }

    /**
     * Where timers are kept.
     *
     * @param store a store of this node's own, in memory unless it is set
     * @return this builder
     */
    public Builder store(TimerStore store) {
      this.store = store;
      return this;
    }

    /**
     * What is told of views and of the node's progress.
     *
     * @param listener called by the driver's thread; it must not block
     * @return this builder
     */
    public Builder listener(Consumer<HostEvent> listener) {
      this.listener = listener;
      return this;
    }

    /**
     * Puts something between the node and the host, to see what passes, such as a {@code
     * RecordedOutbox}. The node's clock is {@code System.nanoTime() / 1_000_000}.
     *
     * @param outboxes makes, of the host's outbox, one that hands everything on to it; called by
     *     the driver's thread, it must not block
     * @return this builder
     */
    public Builder outbox(UnaryOperator<Outbox> outboxes) {
      this.outboxes = outboxes;
      return this;
    }

    /**
     * How many messages and clients' calls may wait for the driver's thread. What comes when it is
     * full is dropped, or refused, and counted.
     *
     * @param value 100_000 unless it is set; at least 1
     * @return this builder
     * @throws IllegalArgumentException if it is below 1
     */
    public Builder inputsMax(int value) {
      if (value < 1) {
        throw new IllegalArgumentException("inputsMax must be at least 1: " + value);
      }
      inputsMax = value;
      return this;
    }

    /**
     * Allows a channel that other machines can reach without authentication and encryption. Then
     * whoever reaches it can read, change and delete timers: for networks that see to it
     * themselves.
     *
     * @return this builder
     */
    public Builder allowUnsecured() {
      unsecuredAllowed = true;
      return this;
    }

    /**
     * Builds the host. It is not started.
     *
     * @return the host
     * @throws IllegalArgumentException if the channel or the handler was not set, or anything was
     *     set to null
     */
    public JGroupsHost build() {
      JChannel channel = this.channel;
      PopHandler handler = this.handler;
      if (channel == null || handler == null) {
        throw new IllegalArgumentException(
            "a host needs " + (channel == null ? "a channel" : "a handler of pops"));
      }
      if (placements == null
          || options == null
          || store == null
          || listener == null
          || outboxes == null) {
        throw new IllegalArgumentException(
            "placement, options, store, listener and outbox must not be null");
      }
      return new JGroupsHost(this, channel, handler);
    }
  }
}
