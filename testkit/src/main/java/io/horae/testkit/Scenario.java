package io.horae.testkit;

import io.horae.placement.BucketBalancer;
import io.horae.placement.BucketTable;
import io.horae.placement.Collisions;
import io.horae.placement.KetamaContinuum;
import io.horae.placement.Node;
import io.horae.placement.Placement;
import io.horae.placement.RendezvousPlacement;
import io.horae.placement.TabulatedPlacement;
import io.horae.resync.TimerNodeOptions;
import io.horae.resync.TimerStore;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;

/** What a run is to be like: all that its seed decides before it begins, and what was set. */
final class Scenario {

  /** For how long nodes keep tombstones: longer than anything is away. */
  static final long TOMBSTONE_MS = 120_000;

  /** The placements that there are. */
  private static final List<Function<List<Node>, Placement>> PLACEMENTS =
      List.of(
          RendezvousPlacement::of,
          nodes -> RendezvousPlacement.builder().nodes(nodes).collisions(Collisions.STABLE).build(),
          KetamaContinuum::of,
          Scenario::buckets,
          Scenario::table,
          Scenario::weightsAndZones);

  private final long seed;
  private final int nodes;
  private final int timers;
  private final int spells;
  private final int burst;
  private final String replay;
  private final Set<Fault> faults = EnumSet.noneOf(Fault.class);
  private final TimerNodeOptions.Builder options;
  private final Function<List<Node>, Placement> placement;
  private final Supplier<TimerStore> stores;
  private final Tampering tampering;

  Scenario(Simulation.Builder builder) {
    seed = builder.seed;
    SplittableRandom random = new SplittableRandom(seed ^ 0x5ce4a710L);
    int nodesDrawn = random.nextInt(3, 9);
    int timersDrawn = random.nextInt(5, 41);
    nodes = builder.nodes > 0 ? builder.nodes : nodesDrawn;
    timers = builder.timers > 0 ? builder.timers : timersDrawn;
    spells = random.nextInt(1, 4);
    // Each run has some kinds of fault and not the others: so each also happens undisturbed.
    for (Fault fault : Fault.values()) {
      if (random.nextInt(5) < 2) {
        faults.add(fault);
      }
    }
    Function<List<Node>, Placement> placementDrawn =
        PLACEMENTS.get(random.nextInt(PLACEMENTS.size()));
    placement = builder.placement != null ? builder.placement : placementDrawn;
    options = draw(random, timers);
    int burstDrawn = random.nextInt(4) == 0 ? random.nextInt(2, 100) : 1;
    burst = builder.burst > 0 ? builder.burst : burstDrawn;
    drawWindows(options, random, timers);
    stores = builder.stores;
    tampering = builder.tampering;
    replay = builder.replay();
  }

  private static Placement table(List<Node> nodes) {
    return TabulatedPlacement.builder()
        .placement(RendezvousPlacement.of(nodes))
        .partitions(256)
        .build();
  }

  /** Some nodes count for more, and replicas are in different zones if they can. */
  private static Placement weightsAndZones(List<Node> nodes) {
    List<Node> marked = new ArrayList<>();
    for (Node node : nodes) {
      int mark = Math.floorMod(node.id().hashCode(), 6);
      marked.add(node.withWeight(1 + mark % 2).withZone("zone" + mark / 2));
    }
    return RendezvousPlacement.of(marked);
  }

  /** Buckets that are shared out among nodes as they join, one after the other. */
  private static Placement buckets(List<Node> nodes) {
    BucketTable table = BucketTable.initial(nodes.get(0));
    for (Node node : nodes.subList(1, nodes.size())) {
      table = table.join(node).table();
      table = BucketBalancer.byCounts().plan(table).applyTo(table).table();
    }
    return table;
  }

  private static TimerNodeOptions.Builder draw(SplittableRandom random, int timers) {
    boolean large = timers > 1_000;
    TimerNodeOptions.Builder options =
        TimerNodeOptions.builder()
            .retryMs(random.nextLong(200, 600))
            .retryMsMax(random.nextLong(1_000, 5_000))
            .retriesMax(random.nextInt(3, 9))
            .popTimeoutMs(random.nextLong(2_000, 10_000))
            .tombstoneMs(TOMBSTONE_MS);
    if (!large && random.nextBoolean()) {
      options
          .skewMs(random.nextLong(500, 4_000))
          .pageTimersMax(random.nextInt(1, 10))
          .fetchesInFlightMax(random.nextInt(1, 4))
          .referencesPerMessageMax(random.nextInt(1, 10));
      int sweepTimersMax = random.nextInt(1, 20);
      if (timers <= 50) { // else nodes have more to do than they have time for
        options.sweepTimersMax(Math.max(sweepTimersMax, timers / 8));
      }
    }
    if (!large && random.nextInt(10) == 0) {
      options.operationsMax(random.nextInt(1, 10)).popsInFlightMax(random.nextInt(1, 5));
    }
    return options;
  }

  /** Windows that are often full, but not so small that timers wait for longer than a spell. */
  private static void drawWindows(
      TimerNodeOptions.Builder options, SplittableRandom random, int timers) {
    if (random.nextInt(3) == 0) {
      options
          .fetchTimersMax(Math.max(random.nextInt(1, 10), timers / 8))
          .offerTimersMax(Math.max(random.nextInt(1, 10), timers / 8));
    }
  }

  long seed() {
    return seed;
  }

  int nodes() {
    return nodes;
  }

  int timers() {
    return timers;
  }

  /** How often it gets rough. */
  int spells() {
    return spells;
  }

  /** How many timers are created at once. */
  int burst() {
    return burst;
  }

  Set<Fault> faults() {
    return faults;
  }

  Function<List<Node>, Placement> placement() {
    return placement;
  }

  Supplier<TimerStore> stores() {
    return stores;
  }

  Tampering tampering() {
    return tampering;
  }

  /** The options of a node: the same for all but for the seed of their jitter. */
  TimerNodeOptions optionsOf(String node) {
    return options.seed(seed + node.hashCode()).build();
  }

  /** The code that runs it again. */
  String replay() {
    return replay;
  }

  @Override
  public String toString() {
    return "seed " + seed + ": " + nodes + " nodes, " + timers + " timers, " + faults;
  }
}
