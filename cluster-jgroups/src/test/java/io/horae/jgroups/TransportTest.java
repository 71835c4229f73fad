package io.horae.jgroups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.resync.Codec;
import io.horae.resync.Message;
import io.horae.testkit.TransportContract;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.View;
import org.junit.jupiter.api.Test;

class TransportTest extends TransportContract {

  private static final int SILENCE_SECONDS = 5;

  private static final AtomicLong CLUSTERS = new AtomicLong();

  private final String cluster = "transport-" + CLUSTERS.incrementAndGet();
  private final Map<String, Endpoint> endpoints = new HashMap<>();
  private final AtomicLong handled = new AtomicLong();
  private final AtomicLong sent = new AtomicLong();

  /** A channel with a transport, and a driver before the receiver, as in a host. */
  private final class Endpoint implements Transport.Sink {
    final JChannel channel;
    final Transport transport;
    final Driver driver;
    final Receiver receiver;
    volatile int members;

    Endpoint(String node, Receiver receiver) throws Exception {
      this.receiver = receiver;
      channel = Stacks.inProcess();
      transport = new Transport(channel, this);
      driver =
          new Driver(
              node,
              new Driver.Engine() {
                @Override
                public long nextTickMs() {
                  return Long.MAX_VALUE;
                }

                @Override
                public void tick() {}
              },
              1_000);
      driver.start();
      channel.setName(node).setReceiver(transport).connect(cluster);
    }

    @Override
    public boolean message(String from, Message message) {
      return driver.offer(
          () -> {
            receiver.receive(from, message);
            handled.incrementAndGet();
          });
    }

    @Override
    public void report(Address from, Report report) {}

    @Override
    public void decision(Address from, Decision decision) {}

    @Override
    public void view(View view) {
      Map<String, Address> addresses = new HashMap<>();
      view.getMembers().forEach(member -> addresses.put(member.toString(), member));
      transport.nodes(addresses);
      members = view.size();
    }
  }

  @Override
  protected void open(String node, Receiver receiver) {
    try {
      endpoints.put(node, new Endpoint(node, receiver));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    awaitMembers();
  }

  @Override
  protected void close(String node) {
    Endpoint endpoint = endpoints.remove(node);
    endpoint.driver.close();
    endpoint.channel.close();
    awaitMembers();
  }

  private void awaitMembers() {
    int all = endpoints.size();
    assertTrue(
        await(() -> endpoints.values().stream().allMatch(endpoint -> endpoint.members == all)));
  }

  @Override
  protected void send(String from, String to, Message message) {
    Transport transport = endpoints.get(from).transport;
    long before = transport.sent.sum();
    transport.send(to, message);
    sent.addAndGet(transport.sent.sum() - before);
  }

  @Override
  protected void settle() {
    long arrived = -1;
    // What has not come after a while in which nothing came is lost, as messages may be.
    while (handled.get() < sent.get() && handled.get() > arrived) {
      arrived = handled.get();
      long before = arrived;
      await(SILENCE_SECONDS, () -> handled.get() > before);
    }
    sent.set(handled.get());
  }

  /** Waits for something to happen, up to a time that no machine should need. */
  static boolean await(BooleanSupplier condition) {
    return await(120, condition);
  }

  private static boolean await(int seconds, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      LockSupport.parkNanos(1_000_000); // whoever is to make it happen needs the processor
    }
    return true;
  }

  @Test
  void receive_rubbish_isCounted() throws Exception {
    open("a", (from, message) -> {});
    open("b", (from, message) -> {});
    Endpoint a = endpoints.get("a");
    Transport b = endpoints.get("b").transport;
    Address to = endpoints.get("b").channel.getAddress();
    byte[] message = Codec.encode(new Message.FetchTimers(List.of(1L)));
    byte[] later = message.clone();
    later[1] = 99;
    a.channel.send(to, new byte[] {1, 2, 3});
    a.channel.send(to, new byte[0]);
    a.channel.send(to, "a Java object");
    a.channel.send(to, new byte[] {Frames.MAGIC, 1, 1});
    a.channel.send(to, later);
    assertTrue(await(() -> b.malformed.sum() + b.unknown.sum() == 5));
    assertEquals(4, b.malformed.sum());
    assertEquals(1, b.unknown.sum());

    b.nodes(Map.of());
    a.channel.send(to, message);
    assertTrue(await(() -> b.strangers.sum() == 1));
    assertEquals(0, b.received.sum());
    closeAll();
    close("a");
    close("b");
  }
}
