package io.horae.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each invariant can fail: there is a defect that it notices, and a run without it that passes. */
class DefectsAreNoticedTest {

  @ParameterizedTest
  @EnumSource(Defect.class)
  void defect_isNoticed(Defect defect) {
    Map<String, Integer> others = new TreeMap<>();
    for (int seed = 0; seed < defect.seedsMax(); seed++) {
      try {
        defect.simulation(seed).tampering(defect).build().run();
      } catch (InvariantBroken broken) {
        if (broken.invariant().equals(defect.invariant())) {
          defect.simulation(seed).build().run(); // it is the defect and nothing else
          return;
        }
        others.merge(broken.invariant(), 1, Integer::sum);
      }
    }
    fail(defect + " was not noticed by " + defect.invariant() + ", but by " + others);
  }

  @Test
  void everyInvariant_canFail() {
    Set<String> shown =
        Arrays.stream(Defect.values()).map(Defect::invariant).collect(Collectors.toSet());
    for (Invariant invariant : Invariants.all(SimulationTest.NOBODY)) {
      assertTrue(shown.contains(invariant.name()), () -> "no defect for " + invariant.name());
    }
  }
}
