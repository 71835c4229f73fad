package io.horae.jgroups;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.placement.ClusterView;
import io.horae.resync.Confirmation;
import io.horae.resync.Event;
import io.horae.resync.Message;
import io.horae.resync.Outbox;
import io.horae.resync.Pop;
import io.horae.resync.TimerSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class JGroupsHostTest {

  private static final int TIMERS = 500;

  @Test
  void create_threeNodes_popsOnce() throws Exception {
    BlockingQueue<String> pops = new LinkedBlockingQueue<>();
    List<JGroupsHost> hosts = new ArrayList<>();
    for (String id : List.of("a", "b", "c")) {
      hosts.add(
          JGroupsHost.builder(id)
              .clusterName("three")
              .channel(Stacks.inProcess())
              .pops(pop -> pops.add(new String(pop.payload(), UTF_8)))
              .build());
    }
    for (JGroupsHost host : hosts) {
      host.start().get(120, TimeUnit.SECONDS);
    }
    assertTrue(TransportTest.await(() -> areSettled(hosts)));
    Confirmation confirmation =
        hosts
            .get(0)
            .create(TimerSpec.once(1_000, "call back".getBytes(UTF_8)))
            .get(120, TimeUnit.SECONDS);
    assertEquals(2, confirmation.confirmed());
    assertEquals("call back", pops.poll(120, TimeUnit.SECONDS));
    hosts.get(2).leave().get(120, TimeUnit.SECONDS);
    hosts.get(0).leave().get(120, TimeUnit.SECONDS);
    hosts.forEach(JGroupsHost::close);
  }

  /** The coordinator is one of those that leave. */
  @Test
  void leave_twoAtOnce_bothHandOver() throws Exception {
    Set<String> pops = ConcurrentHashMap.newKeySet();
    List<JGroupsHost> hosts = new ArrayList<>();
    for (String id : List.of("a", "b", "c", "d")) {
      hosts.add(
          JGroupsHost.builder(id)
              .clusterName("two leave")
              .channel(Stacks.inProcess())
              .pops(pop -> pops.add(new String(pop.payload(), UTF_8)))
              .build());
      hosts.get(hosts.size() - 1).start().get(120, TimeUnit.SECONDS);
    }
    assertTrue(TransportTest.await(() -> areSettled(hosts)));
    List<CompletableFuture<Confirmation>> created = new ArrayList<>();
    for (int i = 0; i < TIMERS; i++) {
      byte[] payload = String.valueOf(i).getBytes(UTF_8);
      created.add(hosts.get(i % hosts.size()).create(TimerSpec.once(3_000 + i, payload)));
    }
    for (CompletableFuture<Confirmation> timer : created) {
      assertEquals(2, timer.get(120, TimeUnit.SECONDS).confirmed());
    }

    CompletableFuture<Void> first = hosts.get(0).leave();
    CompletableFuture<Void> second = hosts.get(1).leave();
    first.get(120, TimeUnit.SECONDS);
    second.get(120, TimeUnit.SECONDS);

    List<JGroupsHost> rest = hosts.subList(2, 4);
    assertTrue(TransportTest.await(() -> areSettled(rest)));
    assertTrue(TransportTest.await(() -> pops.size() == TIMERS));
    hosts.forEach(JGroupsHost::close);
  }

  @Test
  void leave_nobodyElseThere_isRefused_untilSomebodyIs() throws Exception {
    List<JGroupsHost> hosts = new ArrayList<>();
    for (String id : List.of("a", "b")) {
      hosts.add(
          JGroupsHost.builder(id)
              .clusterName("one leaves")
              .channel(Stacks.inProcess())
              .pops(pop -> true)
              .build());
    }
    JGroupsHost a = hosts.get(0);
    a.start().get(120, TimeUnit.SECONDS);
    ExecutionException refused =
        assertThrows(ExecutionException.class, () -> a.leave().get(120, TimeUnit.SECONDS));
    assertTrue(refused.getCause().getMessage().startsWith("a cannot leave"), refused::toString);

    hosts.get(1).start().get(120, TimeUnit.SECONDS);
    assertTrue(TransportTest.await(() -> areSettled(hosts)));
    CompletableFuture<Void> first = a.leave();
    CompletableFuture<Void> again = a.leave();
    first.get(120, TimeUnit.SECONDS);
    again.get(120, TimeUnit.SECONDS);
    a.leave().get(120, TimeUnit.SECONDS);
    assertTrue(TransportTest.await(() -> areSettled(hosts.subList(1, 2))));

    CompletableFuture<Void> never = hosts.get(1).leave();
    assertThrows(ExecutionException.class, () -> never.get(120, TimeUnit.SECONDS));
    hosts.get(1).close();
    assertThrows(ExecutionException.class, () -> hosts.get(1).leave().get(120, TimeUnit.SECONDS));
  }

  /** Whether all have one view, of just themselves, and have resynced under it. */
  static boolean areSettled(List<JGroupsHost> hosts) {
    ClusterView view = hosts.get(0).view();
    for (JGroupsHost host : hosts) {
      Event.ResyncProgress resync = host.statistics().node().resync();
      if (view == null
          || !view.equals(host.view())
          || view.after().size() != hosts.size()
          || !view.leaving().isEmpty()
          || resync == null
          || !resync.ended()
          || resync.view().epoch() != view.epoch()) {
        return false;
      }
    }
    return true;
  }

  @Test
  void outbox_thatStandsBefore_seesWhatPasses() throws Exception {
    BlockingQueue<Pop> seen = new LinkedBlockingQueue<>();
    BlockingQueue<Pop> pops = new LinkedBlockingQueue<>();
    try (JGroupsHost host =
        JGroupsHost.builder("a")
            .clusterName("seen")
            .channel(Stacks.inProcess())
            .pops(pops::add)
            .outbox(outbox -> new Watched(outbox, seen))
            .build()) {
      host.start().get(120, TimeUnit.SECONDS);
      host.create(TimerSpec.once(10, new byte[0])).get(120, TimeUnit.SECONDS);
      assertEquals(pops.poll(120, TimeUnit.SECONDS), seen.poll(120, TimeUnit.SECONDS));
    }
  }

  private record Watched(Outbox outbox, BlockingQueue<Pop> seen) implements Outbox {
    @Override
    public void send(String to, Message message) {
      outbox.send(to, message);
    }

    @Override
    public void pop(Pop pop) {
      seen.add(pop);
      outbox.pop(pop);
    }

    @Override
    public void confirmed(Confirmation confirmation) {
      outbox.confirmed(confirmation);
    }

    @Override
    public void report(Event event) {
      outbox.report(event);
    }
  }
}
