package io.horae.jgroups;

import io.horae.placement.Node;
import io.horae.placement.Placement;
import io.horae.placement.RendezvousPlacement;
import io.horae.resync.Outbox;
import io.horae.resync.TimerNodeOptions;
import io.horae.resync.TimerStore;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jgroups.JChannel;
import org.jspecify.annotations.Nullable;

/**
 * Sets up a {@link JGroupsHost}: a channel and a handler of pops must be given, all else has a
 * default.
 */
public final class HostBuilder {

  final Node self;
  String clusterName = "horae";
  private @Nullable JChannel channel;
  private @Nullable PopHandler handler;
  Function<List<Node>, Placement> placements = RendezvousPlacement::of;
  TimerNodeOptions options = TimerNodeOptions.defaults();
  TimerStore store = TimerStore.inMemory();
  @Nullable Executor executor;
  Consumer<HostEvent> listener = event -> {};
  UnaryOperator<Outbox> outboxes = outbox -> outbox;
  int inputsMax = 100_000;
  boolean unsecuredAllowed;

  HostBuilder(Node self) {
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
  public HostBuilder clusterName(String name) {
    if (name == null || name.isBlank()) {
      throw new IllegalArgumentException("cluster name must not be null or blank: " + name);
    }
    clusterName = name;
    return this;
  }

  /**
   * The channel to use; the host connects and closes it. Must be set, by this method or one of the
   * next two.
   *
   * @param channel a channel that is not connected; {@link Stacks} makes some
   * @return this builder
   * @throws IllegalArgumentException if it is null, connected or closed
   */
  public HostBuilder channel(JChannel channel) {
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
  public HostBuilder configuration(String configuration) throws Exception {
    return channel(new JChannel(configuration));
  }

  /**
   * Makes the channel by a JGroups configuration.
   *
   * @param configuration the configuration, in XML
   * @return this builder
   * @throws Exception if JGroups cannot read it
   */
  public HostBuilder configuration(InputStream configuration) throws Exception {
    return channel(new JChannel(configuration));
  }

  /**
   * What to do when a timer is due. Must be set.
   *
   * @param handler called by the executor's threads
   * @return this builder
   */
  public HostBuilder pops(PopHandler handler) {
    this.handler = handler;
    return this;
  }

  /**
   * What runs the handler. When it refuses a pop, that counts as a failed one.
   *
   * @param executor one that does not run what it is given in the calling thread; unless it is set,
   *     a pool of the host's own with a thread for each processor
   * @return this builder
   */
  public HostBuilder executor(Executor executor) {
    this.executor = executor;
    return this;
  }

  /**
   * How timers are placed; the same on all nodes.
   *
   * @param placements makes the placement of a cluster; {@link RendezvousPlacement#of} unless it is
   *     set
   * @return this builder
   */
  public HostBuilder placement(Function<List<Node>, Placement> placements) {
    this.placements = placements;
    return this;
  }

  /**
   * The node's limits and times; the same on all nodes.
   *
   * @param options the options; the defaults unless it is set
   * @return this builder
   */
  public HostBuilder options(TimerNodeOptions options) {
    this.options = options;
    return this;
  }

  /**
   * Where timers are kept.
   *
   * @param store a store of this node's own, in memory unless it is set
   * @return this builder
   */
  public HostBuilder store(TimerStore store) {
    this.store = store;
    return this;
  }

  /**
   * What is told of views and of the node's progress.
   *
   * @param listener called by the driver's thread; it must not block
   * @return this builder
   */
  public HostBuilder listener(Consumer<HostEvent> listener) {
    this.listener = listener;
    return this;
  }

  /**
   * Puts something between the node and the host, to see what passes, such as a {@code
   * RecordedOutbox}. The node's clock is {@code System.nanoTime() / 1_000_000}.
   *
   * @param outboxes makes, of the host's outbox, one that hands everything on to it; called by the
   *     driver's thread, it must not block
   * @return this builder
   */
  public HostBuilder outbox(UnaryOperator<Outbox> outboxes) {
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
  public HostBuilder inputsMax(int value) {
    if (value < 1) {
      throw new IllegalArgumentException("inputsMax must be at least 1: " + value);
    }
    inputsMax = value;
    return this;
  }

  /**
   * Allows a channel that other machines can reach without authentication and encryption. Then
   * whoever reaches it can read, change and delete timers: for networks that see to it themselves.
   *
   * @return this builder
   */
  public HostBuilder allowUnsecured() {
    unsecuredAllowed = true;
    return this;
  }

  /**
   * Builds the host. It is not started.
   *
   * @return the host
   * @throws IllegalArgumentException if the channel or the handler was not set, or anything was set
   *     to null
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
