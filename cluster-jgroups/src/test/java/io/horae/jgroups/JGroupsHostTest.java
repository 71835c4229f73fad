package io.horae.jgroups;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.horae.resync.Confirmation;
import io.horae.resync.Event;
import io.horae.resync.Message;
import io.horae.resync.Outbox;
import io.horae.resync.Pop;
import io.horae.resync.TimerSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class JGroupsHostTest {

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
      host.start().get(30, TimeUnit.SECONDS);
    }
    Confirmation confirmation =
        hosts
            .get(0)
            .create(TimerSpec.once(1_000, "call back".getBytes(UTF_8)))
            .get(10, TimeUnit.SECONDS);
    assertEquals(2, confirmation.confirmed());
    assertEquals("call back", pops.poll(20, TimeUnit.SECONDS));
    hosts.get(2).leave().get(30, TimeUnit.SECONDS);
    hosts.get(0).leave().get(30, TimeUnit.SECONDS);
    hosts.forEach(JGroupsHost::close);
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
      host.start().get(30, TimeUnit.SECONDS);
      host.create(TimerSpec.once(10, new byte[0])).get(10, TimeUnit.SECONDS);
      assertEquals(pops.poll(20, TimeUnit.SECONDS), seen.poll(20, TimeUnit.SECONDS));
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
