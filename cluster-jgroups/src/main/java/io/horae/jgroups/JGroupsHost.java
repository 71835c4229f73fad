package io.horae.jgroups;

import io.horae.placement.ClusterView;
import io.horae.placement.Node;
import io.horae.resync.Confirmation;
import io.horae.resync.Message;
import io.horae.resync.Pop;
import io.horae.resync.Ticket;
import io.horae.resync.TimerId;
import io.horae.resync.TimerNode;
import io.horae.resync.TimerRecord;
import io.horae.resync.TimerSpec;
import io.horae.resync.TimerStore;
import io.horae.timer.Cursor;
import io.horae.timer.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
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
  private final PopRunner pops;
  private final boolean unsecuredAllowed;

  private final Transport transport;
  private final Driver driver;
  private final Engine engine;

  private final CompletableFuture<ClusterView> started = new CompletableFuture<>();

  /** Completes when the node has left; fails if the host is closed before. */
  private final CompletableFuture<Void> left = new CompletableFuture<>();

  /** Who waits for the node to leave. For the driver's thread alone. */
  private final List<CompletableFuture<Void>> wishes = new ArrayList<>();

  private final AtomicBoolean startCalled = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();

  private final LongAdder clientCallsRefused = new LongAdder();

  JGroupsHost(HostBuilder builder, JChannel channel, PopHandler handler) {
    self = builder.self;
    clusterName = builder.clusterName;
    this.channel = channel;
    int popsMax = builder.options.popsInFlightMax();
    pops = new PopRunner(handler, builder.executor, popsMax, this::popped);
    unsecuredAllowed = builder.unsecuredAllowed;
    transport = new Transport(channel, new Incoming());
    engine =
        new Engine(
            this,
            transport,
            pops::run,
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
  public static HostBuilder builder(String nodeId) {
    return new HostBuilder(Node.of(nodeId));
  }

  /**
   * A host to be set up.
   *
   * @param node the node, with its weight and zone; its id is unique in the cluster
   * @return the builder
   */
  public static HostBuilder builder(Node node) {
    return new HostBuilder(node);
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
   *     other machines by anybody who likes: see {@link HostBuilder#allowUnsecured}
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
   * @return completes when that is done. Fails if nobody else would stay, and then the node stays,
   *     and may be asked to leave again; or if the host is closed before
   */
  public CompletableFuture<Void> leave() {
    CompletableFuture<Void> wish = left.copy();
    driver.add(
        () -> {
          if (engine.view() == null) {
            end(); // it has taken no timer
          } else {
            wishes.add(wish);
            engine.membership().leave(Driver.nowMs());
          }
        });
    return wish;
  }

  void leaveRefused() {
    List<CompletableFuture<Void>> refused = List.copyOf(wishes);
    wishes.clear();
    refused.forEach(
        wish ->
            wish.completeExceptionally(
                new IllegalStateException(
                    self.id() + " cannot leave: no other node stays to take its timers over")));
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
    pops.close();
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

  /** What came of a pop. */
  private void popped(Pop pop, boolean success) {
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
        pops.refused.sum(),
        pops.thrown.sum(),
        driver.failures(),
        engine.listenerFailures.sum());
  }

  @Override
  public String toString() {
    return self + " in " + clusterName + ", " + engine.view();
  }
}
