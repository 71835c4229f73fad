package io.horae.benchmarks;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a resync may move at most, and what a node may take in memory. */
class ResyncCostTest {

  private static final double RECORDS_OVER_LEAST_MAX = 1.2;
  private static final double BYTES_OVER_WHEEL_MAX = 100;

  /** With payloads and without, in which case there is little to a record but where it belongs. */
  @ParameterizedTest
  @CsvSource({
    "3, 4, 2, 100",
    "10, 11, 2, 100",
    "10, 9, 2, 100",
    "50, 51, 2, 100",
    "10, 11, 3, 0",
    "10, 8, 3, 0"
  })
  void resync_movesLittleMoreThanWhatMustMove(int before, int after, int replicas, int payload) {
    ResyncCost cost = ResyncCost.of(before, after, 10_000, replicas, new byte[payload]);
    assertTrue(
        cost.recordsOverLeast() <= RECORDS_OVER_LEAST_MAX,
        () -> "times the least: " + cost.recordsOverLeast());
  }

  @Test
  void timerInANode_takesAHundredBytesMoreThanInAWheel() throws Exception {
    Map<String, Double> bytes = Footprint.bytes("memory-node");
    double wheel = bytes.get("wheel"); // with the same payloads
    double node = bytes.get("node");
    assertTrue(
        node > wheel && node <= wheel + BYTES_OVER_WHEEL_MAX, () -> "bytes a timer: " + bytes);
  }
}
