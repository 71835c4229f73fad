package io.horae.testkit;

import io.horae.placement.Node;
import io.horae.placement.Placement;
import io.horae.resync.TimerStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of {@link io.horae.resync.TimerNode}s on virtual time, in which everything goes wrong
 * that can. The seed decides all of it: the same seed gives the same run, event for event.
 *
 * <pre>{@code
 * Simulation.ofSeed(42).run();                                            // a small cluster
 * Simulation.builder().seed(42).nodes(50).timers(100_000).build().run();  // a large one
 * Simulation.builder().seed(42).stores(MyStore::new).build().run();       // on your own store
 * }</pre>
 *
 * <p>A run goes through rough spells, in which the network loses, repeats, delays and cuts
 * messages, nodes crash with and without their memory, pause, join, leave and die, clocks are set
 * and callbacks fail, and through calm ones; at the end comes a long calm. Clients create, change
 * and delete timers all the while. Named invariants watch, judging by what the clients saw; the
 * first that is broken ends the run.
 */
public final class Simulation {

  private final Scenario scenario;

  private Simulation(Scenario scenario) {
    this.scenario = scenario;
  }

  /**
   * The run of a seed, in which the seed decides everything.
   *
   * @param seed any number
   * @return the run: a small cluster with a few timers
   */
  public static Simulation ofSeed(long seed) {
    return builder().seed(seed).build();
  }

  /**
   * A run of which some things are set.
   *
   * @return a builder with nothing set
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Runs it.
   *
   * @return what was seen
   * @throws InvariantBroken if a promise was not kept
   */
  public SimulationReport run() {
    Cluster cluster = new Cluster(scenario, Invariants::all);
    SplittableRandom random = new SplittableRandom(~scenario.seed());
    cluster.membership().begin(scenario.nodes());
    Faults faults =
        new Faults(cluster, random.split(), scenario.faults(), Math.max(scenario.nodes() + 3, 4));
    long endMs = 20_000;
    for (int i = 0; i < scenario.spells(); i++) {
      long calmMs = endMs + random.nextLong(5_000, 60_000);
      faults.spell(endMs, calmMs);
      endMs = calmMs + random.nextLong(20_000, 150_000);
    }
    new Clients(cluster, random.split(), endMs).begin(scenario.timers());
    cluster.calm().watch();
    cluster.agenda().runUntil(endMs);
    wayToRest(cluster);
    cluster.end();
    return report(cluster);
  }

  /** All heals, a last view settles who is in the cluster, and tombstones fade. */
  private static void wayToRest(Cluster cluster) {
    Agenda agenda = cluster.agenda();
    agenda.runUntil(agenda.nowMs() + Faults.HEAL_MS_MAX + 1_000);
    List<Node> members = new ArrayList<>();
    for (Node member : cluster.membership().current().after()) {
      SimulatedHost host = cluster.host(member.id());
      if (host != null && !host.gone()) {
        members.add(member);
      }
    }
    if (members.isEmpty()) {
      members.add(cluster.membership().newHost().member());
    }
    cluster.membership().change(members);
    agenda.runUntil(agenda.nowMs() + 2 * Calm.SETTLE_MS + Scenario.TOMBSTONE_MS);
  }

  private SimulationReport report(Cluster cluster) {
    Map<String, Long> judged = new LinkedHashMap<>();
    for (Invariant invariant : cluster.invariants()) {
      judged.put(invariant.name(), invariant.judged());
    }
    return new SimulationReport(
        scenario.seed(),
        cluster.nowMs(),
        cluster.agenda().entered(),
        cluster.network().sent(),
        cluster.pops(),
        judged);
  }

  @Override
  public String toString() {
    return scenario.toString();
  }

  /** Sets up a {@link Simulation}. */
  public static final class Builder {

    private static final Supplier<TimerStore> IN_MEMORY = TimerStore::inMemory;

    long seed;
    int nodes;
    int timers;
    int burst;
    @Nullable Function<List<Node>, Placement> placement;
    Supplier<TimerStore> stores = IN_MEMORY;
    Tampering tampering = Tampering.NONE;

    private Builder() {}

    /**
     * What decides everything that is not set.
     *
     * @param seed any number; 0 unless it is set
     * @return this builder
     */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * How many nodes there are to begin with.
     *
     * @param nodes 1 to 50
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder nodes(int nodes) {
      if (nodes < 1 || nodes > 50) {
        throw new IllegalArgumentException("nodes must be 1 to 50: " + nodes);
      }
      this.nodes = nodes;
      return this;
    }

    /**
     * How many timers clients create.
     *
     * @param timers 1 to 100,000
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder timers(int timers) {
      if (timers < 1 || timers > 100_000) {
        throw new IllegalArgumentException("timers must be 1 to 100000: " + timers);
      }
      this.timers = timers;
      return this;
    }

    /**
     * How timers are placed.
     *
     * @param placement makes the placement of a cluster
     * @return this builder
     */
    public Builder placement(Function<List<Node>, Placement> placement) {
      this.placement = placement;
      return this;
    }

    /**
     * What nodes keep their timers in.
     *
     * @param stores makes empty stores; in memory unless it is set
     * @return this builder
     */
    public Builder stores(Supplier<TimerStore> stores) {
      this.stores = stores;
      return this;
    }

    /** How many timers clients create at once. */
    Builder burst(int burst) {
      this.burst = burst;
      return this;
    }

    /** Lets somebody spoil it. */
    Builder tampering(Tampering tampering) {
      this.tampering = tampering;
      return this;
    }

    String replay() {
      StringBuilder code = new StringBuilder("Simulation.builder().seed(").append(seed).append(')');
      if (nodes > 0) {
        code.append(".nodes(").append(nodes).append(')');
      }
      if (timers > 0) {
        code.append(".timers(").append(timers).append(')');
      }
      code.append(placement == null ? "" : ".placement(...)");
      code.append(stores == IN_MEMORY ? "" : ".stores(...)");
      return code.append(".build().run();").toString();
    }

    /**
     * Builds the run.
     *
     * @return the run, which can be run again and again
     */
    public Simulation build() {
      return new Simulation(new Scenario(this));
    }
  }
}
