package io.horae.benchmarks;

import io.horae.placement.ClusterView;
import io.horae.placement.Node;
import io.horae.placement.Placement;
import io.horae.placement.RendezvousPlacement;
import io.horae.resync.Assignment;
import io.horae.resync.Codec;
import io.horae.resync.Confirmation;
import io.horae.resync.Decoded;
import io.horae.resync.Event;
import io.horae.resync.Message;
import io.horae.resync.Outbox;
import io.horae.resync.Pop;
import io.horae.resync.Stamp;
import io.horae.resync.TimerNode;
import io.horae.resync.TimerNodeOptions;
import io.horae.resync.TimerRecord;
import io.horae.resync.ViewStamp;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.BiConsumer;

/** A cluster of {@link TimerNode}s in one thread; its network is a queue. */
final class TimerCluster {

  static final long DAY_MS = 86_400_000;

  private static final int BATCH = 100;

  private final TimerNodeOptions options;
  private final Map<String, Host> hosts = new LinkedHashMap<>();
  private final Queue<Envelope> network = new ArrayDeque<>();
  private ClusterView view;
  private long nowMs;

  /** Sees every message with its length in bytes, if messages are written as bytes at all. */
  private BiConsumer<Message, Integer> observer = (message, length) -> {};

  private boolean writesBytes;
  private long confirmed;
  private long popped;

  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Envelope(String from, String to, Message message, byte[] frame) {}

  /** A cluster whose nodes have finished their first resync. */
  TimerCluster(List<Node> nodes, TimerNodeOptions options) {
    this.options = options;
    view = ClusterView.of(1, nodes);
    for (Node node : nodes) {
      Host host = new Host(node.id());
      hosts.put(node.id(), host);
      host.node.view(nowMs, view);
      host.node.resync(nowMs);
    }
    deliver();
  }

  /** From now on every message is written as bytes, as on a wire, and read from them. */
  void writeBytes(BiConsumer<Message, Integer> observer) {
    this.observer = observer;
    writesBytes = true;
  }

  TimerNode node(String id) {
    return hosts.get(id).node;
  }

  long nowMs() {
    return nowMs;
  }

  ClusterView view() {
    return view;
  }

  /** How many replicas have confirmed operations of clients, all together. */
  long confirmed() {
    return confirmed;
  }

  long popped() {
    return popped;
  }

  /** Gives every node its timers, as if clients had created them, due in a day at least. */
  List<TimerRecord> fill(int timers, int replicas, byte[] payload) {
    List<TimerRecord> all = records(view, timers, replicas, payload);
    Map<String, List<TimerRecord>> batches = new HashMap<>();
    for (TimerRecord timer : all) {
      for (String node : timer.assignment().replicas()) {
        List<TimerRecord> batch = batches.computeIfAbsent(node, unknown -> new ArrayList<>());
        batch.add(timer);
        if (batch.size() == BATCH) {
          replicate(node, batch);
        }
      }
    }
    batches.forEach(this::replicate);
    network.clear(); // what they say to the client
    return all;
  }

  /**
   * Gives the first node so many timers with nothing in common: each has a payload of its own, and
   * a list of replicas of its own, as if it had come in a message of its own.
   */
  void fillOneByOne(int timers, int payloadBytes) {
    Node only = view.after().get(0);
    for (int i = 1; i <= timers; i++) {
      Assignment assignment = new Assignment(ViewStamp.of(view), List.of(only.id()));
      TimerRecord record =
          new TimerRecord(
              Wheel.id(i),
              new Stamp(i, 1),
              0,
              DAY_MS + i,
              DAY_MS + i,
              0,
              1,
              assignment,
              new byte[payloadBytes],
              false);
      hosts.get(only.id()).node.receive(nowMs, "client", new Message.Replicate(0, List.of(record)));
      network.clear(); // what it says to the client; at once, or the queue would be counted too
    }
  }

  private void replicate(String node, List<TimerRecord> batch) {
    hosts.get(node).node.receive(nowMs, "client", new Message.Replicate(0, batch));
    batch.clear();
  }

  /** Timers as they are under a view. */
  static List<TimerRecord> records(ClusterView view, int timers, int replicas, byte[] payload) {
    Placement placement = RendezvousPlacement.of(view.after());
    Map<List<String>, Assignment> assignments = new HashMap<>();
    List<TimerRecord> all = new ArrayList<>();
    for (int i = 1; i <= timers; i++) {
      long id = Wheel.id(i);
      List<String> nodes = placement.replicas(id, replicas).stream().map(Node::id).toList();
      Assignment assignment =
          assignments.computeIfAbsent(
              nodes, unknown -> new Assignment(ViewStamp.of(view), unknown));
      long intervalMs = DAY_MS + i % DAY_MS;
      all.add(
          new TimerRecord(
              id,
              new Stamp(i, 1),
              0,
              intervalMs,
              intervalMs,
              0,
              replicas,
              assignment,
              payload,
              false));
    }
    return all;
  }

  /** Tells all of a new view, with the nodes that join, and lets them resync to the end. */
  void change(ClusterView next) {
    view = next;
    next.joining().forEach(node -> hosts.put(node.id(), new Host(node.id())));
    hosts.values().forEach(host -> host.node.view(nowMs, next));
    hosts.values().forEach(host -> host.node.resync(nowMs));
    settle(DAY_MS);
  }

  void deliver() {
    for (Envelope envelope = network.poll(); envelope != null; envelope = network.poll()) {
      Message message = envelope.message();
      if (envelope.frame() != null) {
        message = ((Decoded.Understood) Codec.decode(envelope.frame())).message();
      }
      hosts.get(envelope.to()).node.receive(nowMs, envelope.from(), message);
    }
  }

  /** Lets time pass, until nobody has anything to do before this. */
  void settle(long beforeMs) {
    deliver();
    while (true) {
      long next = Long.MAX_VALUE;
      for (Host host : hosts.values()) {
        next = Math.min(next, host.node.nextTickMs());
      }
      if (next >= beforeMs) {
        return;
      }
      nowMs = Math.max(nowMs, next);
      for (Host host : hosts.values()) {
        if (host.node.nextTickMs() <= nowMs) {
          host.node.tick(nowMs);
          host.work();
          deliver();
        }
      }
    }
  }

  /** Sees that every timer is where it belongs, and nowhere else. */
  void check(int timers, int replicas) {
    long copies = 0;
    for (Host host : hosts.values()) {
      Wheel.expect(host.node.statistics().timersOfOthers() == 0, host.id + " holds others' timers");
      copies += host.node.statistics().timersByLevel().stream().mapToInt(i -> i).sum();
    }
    int each = Math.min(replicas, view.after().size());
    Wheel.expect(copies == (long) timers * each, "copies: " + copies);
  }

  /** A node, and what it wants done. */
  private final class Host implements Outbox {

    private final String id;
    private final TimerNode node;
    private final Queue<Pop> pops = new ArrayDeque<>();

    Host(String id) {
      this.id = id;
      node = TimerNode.builder(id).options(options).outbox(this).build();
    }

    /** Does what popped, at once and always well. */
    void work() {
      for (Pop pop = pops.poll(); pop != null; pop = pops.poll()) {
        popped++;
        node.popped(nowMs, pop, true);
      }
    }

    @Override
    public void send(String to, Message message) {
      byte[] frame = null;
      if (writesBytes) {
        frame = Codec.encode(message);
        observer.accept(message, frame.length);
      }
      network.add(new Envelope(id, to, message, frame));
    }

    @Override
    public void pop(Pop pop) {
      pops.add(pop);
    }

    @Override
    public void confirmed(Confirmation confirmation) {
      confirmed++;
    }

    @Override
    public void report(Event event) {}
  }
}
