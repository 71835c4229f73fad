package io.horae.metrics;

import io.horae.placement.ClusterView;
import io.horae.placement.Node;
import io.horae.resync.Confirmation;
import io.horae.resync.Event;
import io.horae.resync.Message;
import io.horae.resync.Outbox;
import io.horae.resync.Pop;
import io.horae.resync.TimerNode;
import io.horae.resync.TimerSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Two nodes on one clock, messages between them taking no time; the second joins when told to. */
final class TwoNodes {

  final Map<String, TimerNode> nodes = new HashMap<>();
  final List<Object> passedOn = new ArrayList<>();
  long nowMs;

  private final Deque<Runnable> inputs = new ArrayDeque<>();

  /** The outboxes may be wrapped. */
  TwoNodes(UnaryOperator<Outbox> wrapped) {
    for (String id : List.of("a", "b")) {
      nodes.put(id, TimerNode.builder(id).outbox(wrapped.apply(new Host(id))).build());
    }
    view(ClusterView.of(1, List.of(Node.of("a"))), "a");
  }

  /** Each pop succeeds. */
  private final class Host implements Outbox {
    private final String id;

    Host(String id) {
      this.id = id;
    }

    @Override
    public void send(String to, Message message) {
      passedOn.add(message);
      inputs.add(() -> nodes.get(to).receive(nowMs, id, message));
    }

    @Override
    public void pop(Pop pop) {
      passedOn.add(pop);
      inputs.add(() -> nodes.get(id).popped(nowMs, pop, true));
    }

    @Override
    public void confirmed(Confirmation confirmation) {
      passedOn.add(confirmation);
    }

    @Override
    public void report(Event event) {
      passedOn.add(event);
    }
  }

  private void view(ClusterView view, String... ids) {
    for (String id : ids) {
      nodes.get(id).view(nowMs, view);
      nodes.get(id).resync(nowMs);
    }
    settle();
  }

  /** Timers of one pop, an hour from now, each on both nodes if there are two. */
  void create(int timers) {
    for (int i = 0; i < timers; i++) {
      nodes.get("a").create(nowMs, TimerSpec.once(3_600_000, new byte[0]));
      settle();
    }
  }

  void joinOfB() {
    ClusterView alone = ClusterView.of(1, List.of(Node.of("a")));
    view(alone.next(List.of(Node.of("a"), Node.of("b"))), "a", "b");
    for (int tick = 0; tick < 100; tick++) {
      advance(100);
    }
  }

  void advance(long ms) {
    nowMs += ms;
    nodes.values().forEach(node -> node.tick(nowMs));
    settle();
  }

  private void settle() {
    while (!inputs.isEmpty()) {
      inputs.remove().run();
    }
  }
}
