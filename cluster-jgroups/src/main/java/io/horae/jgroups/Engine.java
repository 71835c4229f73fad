package io.horae.jgroups;

import io.horae.placement.ClusterView;
import io.horae.resync.Confirmation;
import io.horae.resync.Event;
import io.horae.resync.Message;
import io.horae.resync.Outbox;
import io.horae.resync.Pop;
import io.horae.resync.Ticket;
import io.horae.resync.TimerNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the driver's thread drives: the node, the membership, and the operations that clients wait
 * for. Used by that thread alone.
 */
final class Engine implements Driver.Engine, Outbox, Membership.Effects {

  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

  /** After how long a resync is repeated in which some node did not answer. */
  private static final long RESYNC_AGAIN_MS = 5_000;

  private final JGroupsHost host;
  private final Transport transport;
  private final Consumer<Pop> pops;
  private final Consumer<HostEvent> listener;
  private final String self;
  private final TimerNode node;
  private final Membership membership;

  /** The operations that clients wait for, by number. */
  private final Map<Long, Waiting> waiting = new HashMap<>();

  /** Confirmations within the very call that starts an operation, whose number is not known yet. */
  private final Map<Long, Confirmation> premature = new HashMap<>();

  private boolean starting;
  private long resyncAtMs = Long.MAX_VALUE;
  private volatile @Nullable ClusterView view;
  final LongAdder listenerFailures = new LongAdder();

  /** A client that waits. */
  private record Waiting(int wanted, CompletableFuture<Confirmation> future) {}

  Engine(
      JGroupsHost host,
      Transport transport,
      Consumer<Pop> pops,
      Consumer<HostEvent> listener,
      String self,
      Function<Outbox, TimerNode> node,
      Function<Membership.Effects, Membership> membership) {
    this.host = host;
    this.transport = transport;
    this.pops = pops;
    this.listener = listener;
    this.self = self;
    this.node = node.apply(this);
    this.membership = membership.apply(this);
  }

  TimerNode node() {
    return node;
  }

  Membership membership() {
    return membership;
  }

  @Nullable ClusterView view() {
    return view;
  }

  @Override
  public long nextTickMs() {
    return Math.min(resyncAtMs, Math.min(node.nextTickMs(), membership.nextTickMs()));
  }

  @Override
  public void tick() {
    long nowMs = Driver.nowMs();
    membership.tick(nowMs);
    if (resyncAtMs <= nowMs) {
      resyncAtMs = Long.MAX_VALUE;
      node.resync(nowMs);
    }
    node.tick(nowMs);
  }

  // Clients.

  /** Starts an operation; its future completes when as many replicas have confirmed. */
  void start(Function<TimerNode, Ticket> call, int wanted, CompletableFuture<Confirmation> future) {
    starting = true;
    Ticket ticket;
    try {
      ticket = call.apply(node);
    } catch (RuntimeException e) {
      future.completeExceptionally(e);
      return;
    } finally {
      starting = false;
    }
    Waiting client = new Waiting(wanted, future);
    waiting.put(ticket.operation(), client);
    Confirmation known = premature.get(ticket.operation());
    premature.clear();
    if (known != null) {
      confirmed(known);
    }
  }

  @Override
  public void confirmed(Confirmation confirmation) {
    Waiting client = waiting.get(confirmation.operation());
    if (client == null) {
      if (starting) {
        premature.put(confirmation.operation(), confirmation);
      }
      return;
    }
    if (confirmation.confirmed() >= Math.min(client.wanted, confirmation.replicas())) {
      waiting.remove(confirmation.operation());
      client.future.complete(confirmation);
    } else if (confirmation.ended()) {
      waiting.remove(confirmation.operation());
      client.future.completeExceptionally(new UnconfirmedException(confirmation, client.wanted));
    }
  }

  /** Nobody will answer those who wait. */
  void abandon(RuntimeException why) {
    List<Waiting> clients = new ArrayList<>(waiting.values());
    waiting.clear();
    clients.forEach(client -> client.future.completeExceptionally(why));
  }

  // The node.

  @Override
  public void send(String to, Message message) {
    transport.send(to, message);
  }

  @Override
  public void pop(Pop pop) {
    pops.accept(pop);
  }

  @Override
  public void report(Event event) {
    tell(new HostEvent.NodeReported(event));
    if (event instanceof Event.ResyncProgress progress
        && progress.ended()
        && progress.nodesGivenUp() > 0) {
      resyncAtMs = Driver.nowMs() + RESYNC_AGAIN_MS;
    } else if (event instanceof Event.Drained) {
      host.drained();
    }
  }

  // The membership.

  @Override
  public void send(Address to, byte[] frame) {
    transport.send(to, frame);
  }

  @Override
  public void install(ClusterView view, Map<String, Address> addresses) {
    transport.nodes(addresses);
    this.view = view;
    resyncAtMs = Long.MAX_VALUE;
    tell(new HostEvent.ViewInstalled(view));
    long nowMs = Driver.nowMs();
    node.view(nowMs, view);
    if (view.after().stream().anyMatch(member -> member.id().equals(self))) {
      node.resync(nowMs);
    }
    host.installed(view);
  }

  @Override
  public void leaveRefused() {
    host.leaveRefused();
  }

  @Override
  public void idTaken() {
    LOG.warn("another member has the id {}", self);
    tell(new HostEvent.IdTaken(self));
  }

  private void tell(HostEvent event) {
    try {
      listener.accept(event);
    } catch (RuntimeException e) {
      listenerFailures.increment();
      LOG.warn("the listener failed at {}", event, e);
    }
  }
}
