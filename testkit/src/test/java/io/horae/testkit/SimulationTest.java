package io.horae.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.resync.TimerStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Clusters in which everything goes wrong. {@code -Dhorae.seeds=100000} runs that many seeds,
 * {@code -Dhorae.large=true} a cluster of 50 nodes and 100,000 timers too.
 */
class SimulationTest {

  @Test
  void everySeedKeepsEveryPromise() {
    Seeds seeds = new Seeds(Simulation::ofSeed).run(0, Seeds.wanted());
    for (InvariantBroken broken : seeds.broken()) {
      throw broken;
    }
    // A promise that is hardly ever judged is not checked.
    for (Invariant invariant : Invariants.all(NOBODY)) {
      AtomicLong judged = seeds.judged().get(invariant.name());
      assertTrue(
          judged.get() > 5 * Seeds.wanted(), () -> invariant.name() + " judged only " + judged);
    }
  }

  /** A cluster in which nothing happens: for the names of its judges. */
  static final Cluster NOBODY =
      new Cluster(new Scenario(Simulation.builder()), cluster -> List.of());

  @Test
  void middlingCluster() {
    Simulation.builder().seed(1).nodes(10).timers(2_000).build().run();
  }

  @Test
  @EnabledIfSystemProperty(named = "horae.large", matches = "true")
  void largeCluster() {
    Simulation.builder().seed(1).nodes(50).timers(100_000).build().run();
  }

  @Test
  void run_sameSeed_sameRun() {
    for (long seed = 0; seed < 5; seed++) {
      assertEquals(Simulation.ofSeed(seed).run(), Simulation.ofSeed(seed).run());
    }
  }

  @Test
  void run_brokenPromise_saysHowToReplayIt() {
    InvariantBroken broken =
        assertThrows(
            InvariantBroken.class,
            () ->
                Simulation.builder()
                    .seed(1)
                    .nodes(4)
                    .stores(() -> TimerStore.inMemory())
                    .tampering(Defect.STORE_THROWS)
                    .build()
                    .run());
    List<String> lines = broken.getMessage().lines().toList();
    assertTrue(lines.get(0).startsWith("NothingThrown is broken: "), lines::toString);
    assertTrue(lines.size() < 70, () -> "a short trace has fewer lines than " + lines.size());
    assertEquals(
        "Replay: Simulation.builder().seed(1).nodes(4).stores(...).build().run();",
        lines.get(lines.size() - 1));
  }

  @Test
  void builder_badSize_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> Simulation.builder().nodes(51));
    assertThrows(IllegalArgumentException.class, () -> Simulation.builder().nodes(0));
    assertThrows(IllegalArgumentException.class, () -> Simulation.builder().timers(100_001));
    assertThrows(IllegalArgumentException.class, () -> Simulation.builder().timers(0));
  }
}
