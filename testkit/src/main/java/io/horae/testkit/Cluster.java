package io.horae.testkit;

import io.horae.resync.Confirmation;
import io.horae.resync.Event;
import io.horae.resync.Message;
import io.horae.resync.Pop;
import io.horae.resync.TimerStore;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The simulated world: its machines and all that connects them, and the judges who watch. */
final class Cluster {

  private static final long TICK_LATENESS_MS_MAX = 20;

  private final Scenario scenario;
  private final Agenda agenda;
  private final SplittableRandom random;
  private final SimulatedNetwork network;
  private final Map<String, SimulatedHost> hosts = new LinkedHashMap<>();
  private final ClientLog log = new ClientLog();
  private final Trace trace = new Trace();
  private final Calm calm = new Calm(this);
  private final Standings standings = new Standings(this);
  private final Callbacks callbacks;
  private final Membership membership;
  private final List<Invariant> invariants;
  private long pops;

  Cluster(Scenario scenario, Function<Cluster, List<Invariant>> invariants) {
    this.scenario = scenario;
    SplittableRandom seeded = new SplittableRandom(scenario.seed());
    agenda = new Agenda(seeded.split());
    network = new SimulatedNetwork(agenda, seeded.split(), this::arrived);
    callbacks = new Callbacks(this, seeded.split());
    membership = new Membership(this, seeded.split());
    random = seeded.split();
    this.invariants = List.copyOf(invariants.apply(this));
  }

  Scenario scenario() {
    return scenario;
  }

  Agenda agenda() {
    return agenda;
  }

  long nowMs() {
    return agenda.nowMs();
  }

  SimulatedNetwork network() {
    return network;
  }

  ClientLog log() {
    return log;
  }

  Calm calm() {
    return calm;
  }

  Standings standings() {
    return standings;
  }

  Callbacks callbacks() {
    return callbacks;
  }

  Membership membership() {
    return membership;
  }

  List<Invariant> invariants() {
    return invariants;
  }

  long pops() {
    return pops;
  }

  /** All machines that ever were, those that are gone included. */
  Collection<SimulatedHost> hosts() {
    return hosts.values();
  }

  @Nullable SimulatedHost host(String id) {
    return hosts.get(id);
  }

  void add(SimulatedHost host) {
    hosts.put(host.id(), host);
  }

  SplittableRandom random() {
    return random;
  }

  TimerStore newStore() {
    return scenario.tampering().store(scenario.stores().get());
  }

  long tickLatenessMs() {
    return random.nextLong(TICK_LATENESS_MS_MAX);
  }

  // What nodes want

  void send(String from, String to, Message message) {
    tell(new Happening.Sent(from, to, message));
    network.send(from, to, message);
  }

  private void arrived(String from, String to, Message message) {
    SimulatedHost host = hosts.get(to);
    Message read = scenario.tampering().message(this, from, to, message);
    if (host != null && read != null) {
      host.receive(from, read);
    }
  }

  void pop(SimulatedHost host, Pop pop) {
    pops++;
    tell(new Happening.Popped(host, pop));
    callbacks.pop(host, pop);
  }

  void confirmed(SimulatedHost host, Confirmation confirmation) {
    Confirmation told = scenario.tampering().confirmation(confirmation);
    Operation operation = told == null ? null : log.confirmed(nowMs(), host, told);
    if (told != null && operation != null) {
      tell(new Happening.Confirmed(operation, told));
    }
  }

  void reported(SimulatedHost host, Event event) {
    tell(new Happening.Reported(host, event));
    membership.reported(host, event);
  }

  /** Whether a timer must be alive now. */
  boolean mustLive(TimerStory story) {
    return story.mustLive(nowMs(), calm.steppedForwardMs(story.last()));
  }

  // The judges

  void tell(Happening happening) {
    trace.add(nowMs(), happening);
    calm.on(happening);
    standings.on(happening);
    for (Invariant invariant : invariants) {
      invariant.on(happening);
    }
    scenario.tampering().on(this, happening);
  }

  /** All has been quiet for as long as it takes to settle. */
  void settled() {
    for (Invariant invariant : invariants) {
      invariant.calm();
    }
    standings.settled();
    log.rested(nowMs() - Calm.SETTLE_MS);
  }

  /** The end of the run. */
  void end() {
    for (Invariant invariant : invariants) {
      invariant.end();
    }
  }

  /** Ends the run: a promise was broken. */
  InvariantBroken broken(
      Invariant invariant, @Nullable Long timer, @Nullable String node, String what) {
    String message =
        invariant.name()
            + " is broken: "
            + what
            + "\nat "
            + nowMs() / 1e3
            + " s of "
            + scenario
            + "\n"
            + trace.about(timer, node)
            + "Replay: "
            + scenario.replay();
    return new InvariantBroken(invariant.name(), scenario.seed(), message);
  }
}
