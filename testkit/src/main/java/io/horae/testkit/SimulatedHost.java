package io.horae.testkit;

import io.horae.placement.ClusterView;
import io.horae.placement.Node;
import io.horae.placement.Placement;
import io.horae.resync.Confirmation;
import io.horae.resync.Event;
import io.horae.resync.Message;
import io.horae.resync.Outbox;
import io.horae.resync.Pop;
import io.horae.resync.Ticket;
import io.horae.resync.TimerId;
import io.horae.resync.TimerNode;
import io.horae.resync.TimerSpec;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A machine with a clock and a disk, and the node that runs on it, if one does. It does what any
 * host must: calls the node with its own clock's time, ticks when the node wants it, and carries
 * out the node's wishes after the call in which it made them.
 */
final class SimulatedHost implements Outbox {

  private final Cluster cluster;
  private final Node member;
  private final SimulatedClock clock;
  private final Queue<Runnable> effects = new ArrayDeque<>();
  private final Queue<Runnable> waiting = new ArrayDeque<>();

  private WatchedTimers store;

  /** What the machine had when it last lost its memory. */
  private @Nullable WatchedTimers lost;

  private @Nullable TimerNode node;
  private @Nullable ClusterView view;
  private @Nullable Placement placement;

  private long life;
  private boolean paused;
  private boolean gone;

  /** When the node is ticked next; ticks that were planned for other times are void. */
  private long tickAtMs = Long.MAX_VALUE;

  private long memorySinceMs;
  private long troubledMs;
  private boolean resyncing;
  private boolean resyncIncomplete;

  SimulatedHost(Cluster cluster, Node member, SimulatedClock clock) {
    this.cluster = cluster;
    this.member = member;
    this.clock = clock;
    this.store = newStore();
  }

  String id() {
    return member.id();
  }

  Node member() {
    return member;
  }

  /** The number of the process that runs on it, or ran last. */
  long life() {
    return life;
  }

  /** The time of its clock. */
  long clockMs() {
    return clock.read(cluster.nowMs());
  }

  /** What the machine has kept; also while nothing runs on it. */
  WatchedTimers store() {
    return store;
  }

  /** What the machine had when it last lost its memory. */
  WatchedTimers lost() {
    if (lost == null) {
      throw new AssertionError(id() + " has lost nothing");
    }
    return lost;
  }

  private WatchedTimers newStore() {
    return new WatchedTimers(cluster.newStore(), cluster::nowMs);
  }

  boolean running() {
    return node != null;
  }

  boolean paused() {
    return paused;
  }

  /** Whether it will not come back. */
  boolean gone() {
    return gone;
  }

  boolean knowsView() {
    return node != null && view != null;
  }

  /** The newest view that this process was told of. */
  ClusterView view() {
    if (view == null) {
      throw new AssertionError(id() + " has no view");
    }
    return view;
  }

  boolean hasView(ClusterView current) {
    return node != null && view != null && view.epoch() == current.epoch();
  }

  /** Whether a resync runs, or has ended without some node's answer. */
  boolean unsynced() {
    return resyncing || resyncIncomplete;
  }

  /** Something is wrong with this machine, or no longer. */
  void trouble() {
    troubledMs = cluster.nowMs();
  }

  /** When its memory was last empty. */
  long memorySinceMs() {
    return memorySinceMs;
  }

  /** Since when nothing has been wrong with it; {@link Long#MAX_VALUE} if something is. */
  long soundSinceMs() {
    return node == null || paused || cluster.callbacks().sick(this) ? Long.MAX_VALUE : troubledMs;
  }

  /** A timer's replicas under the view of this node. */
  List<String> replicas(long timer, int count) {
    if (placement == null) {
      throw new AssertionError(id() + " has no view");
    }
    return placement.replicas(timer, count).stream().map(Node::id).toList();
  }

  // The process

  void start(boolean empty) {
    if (empty) {
      store = newStore();
      memorySinceMs = cluster.nowMs();
    }
    life++;
    gone = false;
    trouble();
    paused = false;
    view = null;
    placement = null;
    resyncing = false;
    resyncIncomplete = false;
    TimerNode.Builder builder =
        TimerNode.builder(id())
            .incarnation(clockMs())
            .placement(cluster.scenario().placement())
            .options(cluster.scenario().optionsOf(id()))
            .store(store)
            .outbox(this);
    node = cluster.scenario().tampering().node(builder).build();
    cluster.tell(new Happening.Started(this, empty));
  }

  void stop(boolean memoryLost, boolean drained) {
    trouble();
    node = null;
    paused = false;
    waiting.clear();
    effects.clear();
    tickAtMs = Long.MAX_VALUE;
    if (memoryLost) {
      lost = store;
      store = newStore();
    }
    cluster.tell(new Happening.Stopped(this, memoryLost, drained));
  }

  /** Never to start again. */
  void go() {
    gone = true;
  }

  void pause() {
    trouble();
    paused = true;
  }

  void resume() {
    trouble();
    paused = false;
    while (node != null && !paused && !waiting.isEmpty()) {
      waiting.remove().run();
    }
    planTick();
  }

  void step(long byMs) {
    trouble();
    clock.step(byMs);
    cluster.tell(new Happening.Stepped(this, byMs));
    planTick();
  }

  // What reaches the node

  void told(ClusterView newer) {
    whenAwake(
        () -> {
          if (view == null || newer.epoch() > view.epoch()) {
            view = newer;
            placement = cluster.scenario().placement().apply(newer.after());
            resyncing = false;
            resyncIncomplete = true; // until it has resynced under this view
          }
          cluster.tell(new Happening.Viewed(this, newer));
          call(node -> node.view(clockMs(), newer));
        });
  }

  void resync() {
    whenAwake(
        () -> {
          if (view != null) {
            cluster.tell(new Happening.Resynced(this));
            call(node -> node.resync(clockMs()));
          }
        });
  }

  void receive(String from, Message message) {
    whenAwake(
        () -> {
          cluster.tell(new Happening.Delivered(from, id(), message));
          call(node -> node.receive(clockMs(), from, message));
        });
  }

  void popped(Pop pop, long handedMs, boolean success) {
    whenAwake(
        () -> {
          cluster.tell(new Happening.PopOutcome(this, pop, handedMs, success));
          boolean told = cluster.scenario().tampering().outcome(success);
          call(node -> node.popped(clockMs(), pop, told));
        });
  }

  /** A client's wish: to create if there is no handle, to delete if there is no spec. */
  @Nullable Operation ask(@Nullable TimerId timer, @Nullable TimerSpec spec) {
    TimerNode asked = node;
    if (asked == null) {
      return null;
    }
    long nowMs = clockMs();
    Ticket ticket;
    try {
      if (timer == null) {
        ticket = asked.create(nowMs, java.util.Objects.requireNonNull(spec));
      } else {
        ticket = spec == null ? asked.delete(nowMs, timer) : asked.update(nowMs, timer, spec);
      }
    } catch (RejectedExecutionException refused) {
      cluster.tell(new Happening.Noted(id() + ": refuses a client: " + refused.getMessage()));
      carryOut();
      return null;
    } catch (RuntimeException | AssertionError thrown) {
      cluster.tell(new Happening.Threw(this, thrown));
      return null;
    }
    Operation operation =
        cluster
            .log()
            .asked(
                cluster.nowMs(),
                this,
                cluster.membership().decidedMs(view()),
                ticket.operation(),
                ticket.timer(),
                spec);
    cluster.tell(new Happening.Asked(operation));
    carryOut();
    return operation;
  }

  private void whenAwake(Runnable action) {
    if (paused) {
      waiting.add(action);
    } else if (node != null) {
      action.run();
    }
  }

  private void call(Consumer<TimerNode> call) {
    if (node != null) {
      try {
        call.accept(node);
      } catch (RuntimeException | AssertionError thrown) {
        if (thrown instanceof InvariantBroken broken) {
          throw broken;
        }
        cluster.tell(new Happening.Threw(this, thrown));
      }
      carryOut();
    }
  }

  private void carryOut() {
    long before = life;
    while (life == before && !effects.isEmpty()) {
      effects.remove().run();
    }
    planTick();
  }

  private void planTick() {
    if (node == null || paused) {
      return;
    }
    long nowMs = cluster.nowMs();
    long wantedMs = clock.reaches(node.nextTickMs());
    long atMs = wantedMs == Long.MAX_VALUE ? wantedMs : Math.max(nowMs + 1, wantedMs);
    if (atMs != tickAtMs && (atMs < tickAtMs || tickAtMs <= nowMs)) {
      tickAtMs = atMs;
      if (atMs != Long.MAX_VALUE) {
        long tickLife = life;
        cluster.agenda().at(atMs + cluster.tickLatenessMs(), () -> tick(tickLife, atMs));
      }
    }
  }

  private void tick(long tickLife, long plannedMs) {
    if (tickLife == life && plannedMs == tickAtMs && node != null && !paused) {
      tickAtMs = Long.MAX_VALUE;
      call(node -> node.tick(clockMs()));
    }
  }

  // What the node wants

  @Override
  public void send(String to, Message message) {
    effects.add(() -> cluster.send(id(), to, message));
  }

  @Override
  public void pop(Pop pop) {
    effects.add(() -> cluster.pop(this, pop));
  }

  @Override
  public void confirmed(Confirmation confirmation) {
    effects.add(() -> cluster.confirmed(this, confirmation));
  }

  @Override
  public void report(Event event) {
    effects.add(
        () -> {
          if (event instanceof Event.ResyncProgress progress) {
            resyncing = !progress.ended();
            resyncIncomplete = !progress.ended() || progress.nodesGivenUp() > 0;
          }
          cluster.reported(this, event);
        });
  }

  @Override
  public String toString() {
    return id();
  }
}
