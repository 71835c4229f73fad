package io.horae.testkit;

import io.horae.resync.Message;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A network that delivers what it likes, when it likes. In fair weather every message arrives once,
 * within {@value #FAIR_DELAY_MS_MAX} ms, though not in order; in a storm messages are lost, come
 * twice and late; a cut lets nothing through, one way.
 */
final class SimulatedNetwork {

  /** The longest that a message is under way in fair weather. */
  static final long FAIR_DELAY_MS_MAX = 50;

  /** The longest that a message is under way in a storm. */
  static final long STORM_DELAY_MS_MAX = 3_000;

  /** Where messages come out. */
  interface Receiver {
    void receive(String from, String to, Message message);
  }

  private record Link(String from, String to) {}

  private final Agenda agenda;
  private final SplittableRandom random;
  private final Receiver receiver;

  /** How many cuts there are of a link. */
  private final Map<Link, Integer> cuts = new HashMap<>();

  private double loss;
  private double repetition;
  private long delayMsMax = FAIR_DELAY_MS_MAX;
  private int storms;
  private long sent;

  SimulatedNetwork(Agenda agenda, SplittableRandom random, Receiver receiver) {
    this.agenda = agenda;
    this.random = random;
    this.receiver = receiver;
  }

  void send(String from, String to, Message message) {
    sent++;
    int copies = random.nextDouble() < repetition ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      if (random.nextDouble() >= loss) {
        agenda.after(
            random.nextLong(1, delayMsMax + 1), () -> deliver(new Link(from, to), message));
      }
    }
  }

  private void deliver(Link link, Message message) {
    if (!cuts.containsKey(link)) {
      receiver.receive(link.from, link.to, message);
    }
  }

  /** Cuts a link one way, once more. */
  void cut(String from, String to) {
    cuts.merge(new Link(from, to), 1, Integer::sum);
  }

  /** Takes back one cut. */
  void heal(String from, String to) {
    cuts.computeIfPresent(new Link(from, to), (link, count) -> count == 1 ? null : count - 1);
  }

  /** Begins a storm, in place of one that blows. */
  void storm(double loss, double repetition, long delayMsMax) {
    storms++;
    this.loss = loss;
    this.repetition = repetition;
    this.delayMsMax = delayMsMax;
  }

  /** Ends a storm; the weather is fair when all have ended. */
  void calm() {
    if (--storms == 0) {
      loss = 0;
      repetition = 0;
      delayMsMax = FAIR_DELAY_MS_MAX;
    }
  }

  /** Whether every message arrives in time. */
  boolean fair() {
    return storms == 0 && cuts.isEmpty();
  }

  boolean stormy() {
    return storms > 0;
  }

  long sent() {
    return sent;
  }
}
