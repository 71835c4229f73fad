package io.horae.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Buckets that move while they are being used, and while everything goes wrong. {@code
 * -Dhorae.seeds=100000} runs that many seeds.
 */
class BucketSimulationTest {

  /** As many as a build has time for. */
  private static final long USUAL = 200;

  @Test
  void everySeedKeepsEveryPromise() {
    long wanted = Long.getLong("horae.seeds", USUAL);
    Seeds seeds = Seeds.ofBuckets(USUAL).run(Long.getLong("horae.seed.first", 0), wanted);
    for (InvariantBroken broken : seeds.broken()) {
      throw broken;
    }
    // A promise that is hardly ever judged is not checked.
    seeds
        .judged()
        .forEach(
            (name, judged) ->
                assertTrue(judged.get() > 2 * wanted, () -> name + " judged only " + judged));
    assertEquals(15, seeds.judged().size());
  }

  @Test
  void run_sameSeed_sameRun() {
    for (long seed = 0; seed < 5; seed++) {
      assertEquals(BucketSimulation.ofSeed(seed).run(), BucketSimulation.ofSeed(seed).run());
    }
  }

  @Test
  void run_brokenPromise_saysHowToReplayIt() {
    InvariantBroken broken =
        assertThrows(
            InvariantBroken.class,
            () -> BucketSimulation.spoiled(1, BucketDefect.STORE_THROWS).run());
    List<String> lines = broken.getMessage().lines().toList();
    assertTrue(lines.get(0).startsWith("NothingIsThrown is broken: "), lines::toString);
    assertEquals("Replay: BucketSimulation.ofSeed(1).run();", lines.get(lines.size() - 1));
  }

  @Test
  void linearization_readOfAnOlderValue_isFound() {
    BucketKey key = new BucketKey("k");
    AtomicLong moment = new AtomicLong();
    step(key, moment, "a", "1");
    step(key, moment, "b", "2");
    assertEquals("", Linearization.unfit(key.steps()));
    step(key, moment, "c", null, "2");
    assertEquals("", Linearization.unfit(key.steps()));
    step(key, moment, "c", null, "1");
    assertTrue(Linearization.unfit(key.steps()).startsWith("c GET k"));
  }

  private static void step(BucketKey key, AtomicLong moment, String client, String put) {
    step(key, moment, client, put, "");
  }

  private static void step(
      BucketKey key, AtomicLong moment, String client, String put, String found) {
    BucketHistories.step(key, moment, client, put, found);
  }
}
