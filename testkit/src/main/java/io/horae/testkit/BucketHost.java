package io.horae.testkit;

import io.horae.placement.BucketPlan;
import io.horae.placement.BucketTable;
import io.horae.placement.ClusterView;
import io.horae.placement.HashMask;
import io.horae.placement.Node;
import io.horae.resync.BucketEvent;
import io.horae.resync.BucketMessage;
import io.horae.resync.BucketNode;
import io.horae.resync.BucketOutbox;
import io.horae.resync.BucketStatistics;
import io.horae.resync.Item;
import io.horae.resync.ItemStore;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A machine, and the server that runs on it, if one does. */
final class BucketHost implements BucketOutbox {

  private final BucketWorld world;
  private final Node member;
  private final Queue<Consumer<BucketNode>> waiting = new ArrayDeque<>();
  private ItemStore store = ItemStore.inMemory();
  private @Nullable BucketNode node;
  private long viewEpoch = -1;
  private long life;
  private boolean paused;
  private boolean leaving;
  private long tickAtMs = Long.MAX_VALUE;

  BucketHost(BucketWorld world, String id) {
    this.world = world;
    member = Node.of(id);
  }

  String id() {
    return member.id();
  }

  Node member() {
    return member;
  }

  boolean running() {
    return node != null;
  }

  boolean paused() {
    return paused;
  }

  boolean leaving() {
    return leaving;
  }

  long life() {
    return life;
  }

  ItemStore store() {
    return store;
  }

  /** The epoch of the view that it has; negative if it has none. */
  long viewEpoch() {
    return node == null ? -1 : viewEpoch;
  }

  /** What it has of a bucket; null if nothing whole. */
  BucketMessage.@Nullable Role roleAt(long hash) {
    return node == null ? null : node.roleAt(hash);
  }

  @Nullable BucketTable table() {
    return node == null ? null : node.table();
  }

  @Nullable BucketStatistics statistics() {
    return node == null ? null : node.statistics();
  }

  /** Whether it has a whole copy in which a key has this version or a later one. */
  boolean has(BucketKey key) {
    if (roleAt(key.hash()) == null) {
      return false;
    }
    Item item = store.find(key.hash(), key.bytes());
    return item == null ? key.mayBeAbsent() : item.version().compareTo(key.known()) >= 0;
  }

  void start() {
    ItemStore empty = new WatchedStore(world, ItemStore.inMemory());
    store = world.tampering().store(empty);
    life++;
    viewEpoch = -1;
    paused = false;
    leaving = false;
    waiting.clear();
    tickAtMs = Long.MAX_VALUE;
    node =
        world
            .tampering()
            .node(
                BucketNode.builder(id())
                    .incarnation(life)
                    .options(world.optionsOf(id()))
                    .store(store)
                    .outbox(this))
            .build();
    world.note(id() + ": starts");
  }

  /** The process ends, with all that it had. */
  void stop() {
    world.note(id() + ": dies");
    node = null;
    waiting.clear();
    store = ItemStore.inMemory();
  }

  void pause() {
    paused = true;
  }

  void resume() {
    paused = false;
    while (!waiting.isEmpty()) {
      call(waiting.remove());
    }
  }

  void told(ClusterView view) {
    call(
        running -> {
          viewEpoch = Math.max(viewEpoch, view.epoch());
          running.view(world.nowMs(), view);
        });
  }

  void receive(String from, BucketMessage message) {
    call(running -> running.receive(world.nowMs(), from, message));
  }

  void split(HashMask mask) {
    call(running -> running.split(world.nowMs(), mask));
  }

  void carryOut(BucketPlan plan) {
    call(running -> running.carryOut(world.nowMs(), plan));
  }

  /** Asks it to go in good order. */
  void leave() {
    world.note(id() + ": is to leave");
    leaving = true;
    call(running -> running.leave(world.nowMs()));
  }

  private void call(Consumer<BucketNode> call) {
    if (node == null) {
      return;
    }
    if (paused) {
      waiting.add(call);
      return;
    }
    try {
      call.accept(node);
    } catch (RuntimeException | AssertionError e) {
      if (e instanceof InvariantBroken) {
        throw e;
      }
      world.thrown(this, e);
    }
    world.check();
    planTick();
  }

  private void planTick() {
    if (node == null) {
      return;
    }
    long atMs = Math.max(world.nowMs(), node.nextTickMs());
    if (atMs != tickAtMs && atMs < Long.MAX_VALUE) {
      tickAtMs = atMs;
      long itsLife = life;
      world.agenda().at(atMs, () -> tick(itsLife, atMs));
    }
  }

  private void tick(long itsLife, long atMs) {
    if (itsLife == life && tickAtMs == atMs && node != null) {
      tickAtMs = Long.MAX_VALUE;
      call(running -> running.tick(world.nowMs()));
    }
  }

  @Override
  public void send(String to, BucketMessage message) {
    world.send(id(), to, message);
  }

  @Override
  public void report(BucketEvent event) {
    world.reported(this, event);
  }
}
