package io.horae.testkit;

import io.horae.resync.Message;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** The simulated network, in a storm. */
class SimulatedNetworkContractTest extends TransportContract {

  private final Map<String, Receiver> receivers = new HashMap<>();
  private final SplittableRandom random = new SplittableRandom(8);
  private final Agenda agenda = new Agenda(random.split());
  private final SimulatedNetwork network =
      new SimulatedNetwork(
          agenda,
          random.split(),
          (from, to, message) -> {
            Receiver receiver = receivers.get(to);
            if (receiver != null) {
              receiver.receive(from, message);
            }
          });

  SimulatedNetworkContractTest() {
    network.storm(0.5, 0.5, 1_000);
  }

  @Override
  protected void open(String node, Receiver receiver) {
    receivers.put(node, receiver);
  }

  @Override
  protected void close(String node) {
    receivers.remove(node);
  }

  @Override
  protected void send(String from, String to, Message message) {
    network.send(from, to, message);
  }

  @Override
  protected void settle() {
    agenda.runUntil(agenda.nowMs() + 10_000);
  }
}
