package com.example.reminders;

import io.horae.jgroups.JGroupsHost;
import io.horae.jgroups.Stacks;
import io.horae.metrics.RecordedOutbox;
import io.horae.metrics.TimerNodeMetrics;
import io.horae.placement.ClusterView;
import io.horae.placement.Node;
import io.horae.placement.Placement;
import io.horae.placement.RendezvousPlacement;
import io.horae.resync.Confirmation;
import io.horae.resync.Event;
import io.horae.resync.Message;
import io.horae.resync.Outbox;
import io.horae.resync.Pop;
import io.horae.resync.TimerNode;
import io.horae.resync.TimerSpec;
import io.horae.timer.TimerWheel;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Uses a little of each library module, and fails if anything is not as it should be. */
public final class Reminders {

  private static long nowMs;

  private Reminders() {}

  public static void main(String[] args) throws Exception {
    placeAKey();
    fireATimer();
    popOfANode();
    popInACluster();

    boolean isModular = Reminders.class.getModule().isNamed();
    check(Placement.class.getModule().isNamed() == isModular, "the library on the same path");
    System.out.println("works on the " + (isModular ? "module" : "class") + " path");
  }

  private static void placeAKey() {
    Placement placement =
        RendezvousPlacement.of(List.of(Node.of("a"), Node.of("b"), Node.of("c")));
    check(placement.replicas("user:42", 2).size() == 2, "two replicas of a key");
  }

  private static void fireATimer() {
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    wheel.schedule(1, 2_000, "call back");
    check(wheel.advance(3_000, 10, (id, deadline, payload) -> true) == 1, "one timer due");
  }

  private static void popOfANode() {
    List<Pop> pops = new ArrayList<>();
    Outbox host =
        new Outbox() {
          @Override
          public void send(String to, Message message) {
            throw new AssertionError("there is nobody else");
          }

          @Override
          public void pop(Pop pop) {
            pops.add(pop);
          }

          @Override
          public void confirmed(Confirmation confirmation) {}

          @Override
          public void report(Event event) {}
        };
    TimerNode node =
        TimerNode.builder("a").outbox(new RecordedOutbox("a", host, () -> nowMs, 100)).build();
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    new TimerNodeMetrics(node::statistics, Tags.empty()).bindTo(registry);
    node.view(nowMs, ClusterView.of(1, List.of(Node.of("a"))));
    node.resync(nowMs);
    node.create(nowMs, TimerSpec.once(30_000, new byte[0]));
    nowMs = 30_000;
    node.tick(nowMs);
    check(pops.size() == 1, "one pop");
    check(registry.get("horae.pops").functionCounter().count() == 1, "one pop counted");
  }

  private static void popInACluster() throws Exception {
    BlockingQueue<Pop> pops = new LinkedBlockingQueue<>();
    try (JGroupsHost host =
        JGroupsHost.builder("a").channel(Stacks.inProcess()).pops(pops::add).build()) {
      host.start().get(120, TimeUnit.SECONDS);
      host.create(TimerSpec.once(10, new byte[0])).get(120, TimeUnit.SECONDS);
      check(pops.poll(120, TimeUnit.SECONDS) != null, "a pop in a cluster of one");
    }
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError("expected " + what);
    }
  }
}
