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

/** Each promise about buckets can be broken: by a defect that it notices. */
class BucketDefectsAreNoticedTest {

  @ParameterizedTest
  @EnumSource(BucketDefect.class)
  void defect_isNoticed(BucketDefect defect) {
    Map<String, Integer> others = new TreeMap<>();
    for (int seed = 0; seed < defect.seedsMax(); seed++) {
      try {
        BucketSimulation.spoiled(seed, defect).run();
      } catch (InvariantBroken broken) {
        if (broken.invariant().equals(defect.invariant())) {
          BucketSimulation.ofSeed(seed).run(); // it is the defect and nothing else
          return;
        }
        others.merge(broken.invariant(), 1, Integer::sum);
      }
    }
    fail(defect + " was not noticed by " + defect.invariant() + ", but by " + others);
  }

  @Test
  void everyPromise_canBeBroken() {
    Set<String> shown =
        Arrays.stream(BucketDefect.values())
            .map(BucketDefect::invariant)
            .collect(Collectors.toSet());
    BucketSimulation.ofSeed(0)
        .run()
        .judged()
        .keySet()
        .forEach(name -> assertTrue(shown.contains(name), () -> "no defect for " + name));
  }
}
