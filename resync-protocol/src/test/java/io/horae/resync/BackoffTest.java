package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackoffTest {

  private static TimerNodeOptions.Builder options(long retryMs, long retryMsMax) {
    return TimerNodeOptions.builder().retryMs(retryMs).retryMsMax(retryMsMax);
  }

  @Test
  void waitMs_doublesUpToTheMost_withAQuarterEitherWay() {
    Backoff backoff = new Backoff(options(100, 1_000).build());
    long[] expected = {100, 100, 200, 400, 800, 1_000, 1_000};
    for (int tries = 0; tries < expected.length; tries++) {
      for (int i = 0; i < 100; i++) {
        long waitMs = backoff.waitMs(tries);
        assertTrue(waitMs >= expected[tries] * 3 / 4, tries + " tries: " + waitMs);
        assertTrue(waitMs <= expected[tries] * 5 / 4, tries + " tries: " + waitMs);
      }
    }
  }

  @Test
  void waitMs_usesTheWholeRange() {
    Backoff backoff = new Backoff(options(8, 8).build());
    Set<Long> seen = new HashSet<>();
    IntStream.range(0, 1_000).forEach(i -> seen.add(backoff.waitMs(1)));
    assertEquals(Set.of(6L, 7L, 8L, 9L, 10L), seen);
  }

  @Test
  void waitMs_neverOverflowsNorIsZero() {
    for (long retryMs : new long[] {1, 2, 3, 1L << 33, (1L << 40) - 1, 1L << 40}) {
      Backoff backoff = new Backoff(options(retryMs, 1L << 40).build());
      for (int tries : new int[] {1, 2, 30, 31, 32, 64, Integer.MAX_VALUE}) {
        long waitMs = backoff.waitMs(tries);
        assertTrue(waitMs >= 1 && waitMs <= (1L << 40) * 5 / 4, retryMs + ", " + tries);
      }
    }
  }

  @Test
  void waitMs_mostBelowTheLeast_isTheLeast() {
    Backoff backoff = new Backoff(options(1_000, 10).build());
    assertTrue(backoff.waitMs(5) >= 750);
  }

  @Test
  void waitMs_sameSeed_sameWaits() {
    assertEquals(waits(7), waits(7));
    assertNotEquals(waits(7), waits(8));
  }

  private static List<Long> waits(long seed) {
    Backoff backoff = new Backoff(options(1_000, 30_000).seed(seed).build());
    return IntStream.range(0, 20).mapToObj(backoff::waitMs).toList();
  }
}
