package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Who may take which place, whatever the old and the new replicas are. */
class LevelRulesProperties {

  private static final List<String> NODES = List.of("a", "b", "c", "d", "e", "f", "g");

  @Provide
  Arbitrary<List<String>> replicas() {
    return Arbitraries.shuffle(NODES)
        .flatMap(order -> Arbitraries.integers().between(1, 5).map(n -> order.subList(0, n)));
  }

  /** The seed document: timer 1 goes from (C, A) to (B, A). */
  @Example
  void theWorkedExampleIsAsTheDocumentHasIt() {
    LevelRules rules = new LevelRules(List.of("C", "A"), List.of("B", "A"));
    assertTrue(rules.mayTake("A"));
    assertEquals(List.of(), rules.displacedBy("A"));
    assertEquals(List.of(), rules.retiredBy("A"));
    assertTrue(rules.mayTake("B"));
    assertEquals(List.of("A"), rules.displacedBy("B"));
    assertEquals(List.of("C"), rules.retiredBy("B"));
    assertFalse(rules.mayTake("C"));
  }

  @Property
  void onlyNewReplicasThatDoNotMoveUpTakeTheirPlaceUntold(
      @ForAll("replicas") List<String> before, @ForAll("replicas") List<String> after) {
    LevelRules rules = new LevelRules(before, after);
    for (String node : NODES) {
      boolean isReplica = after.contains(node);
      boolean movesUp = before.contains(node) && after.indexOf(node) > before.indexOf(node);
      assertEquals(isReplica && !movesUp, rules.mayTake(node), node);
    }
  }

  @Property
  void whoeverMustBeToldIsToldByTheNodeThatTakesItsLevel(
      @ForAll("replicas") List<String> before, @ForAll("replicas") List<String> after) {
    LevelRules rules = new LevelRules(before, after);
    for (int level = 0; level < before.size(); level++) {
      String node = before.get(level);
      if (level >= after.size()) {
        continue; // nobody takes its level: see theLastReplicaRetiresWhoeverStoodAboveIt
      }
      String taker = after.get(level);
      if (!after.contains(node)) {
        assertTrue(rules.retiredBy(taker).contains(node), node + " retired by " + taker);
      } else if (!rules.mayTake(node)) {
        assertTrue(rules.displacedBy(taker).contains(node), node + " displaced by " + taker);
      }
    }
  }

  @Property
  void nobodyIsToldByANodeThatStandsAboveItsOldLevel(
      @ForAll("replicas") List<String> before, @ForAll("replicas") List<String> after) {
    LevelRules rules = new LevelRules(before, after);
    for (String teller : after) {
      List<String> told = new ArrayList<>(rules.displacedBy(teller));
      told.addAll(rules.retiredBy(teller));
      for (String node : told) {
        assertTrue(before.indexOf(node) >= after.indexOf(teller), teller + " tells " + node);
      }
      assertFalse(told.contains(teller));
      assertTrue(new HashSet<>(rules.displacedBy(teller)).stream().allMatch(after::contains));
      assertTrue(rules.retiredBy(teller).stream().noneMatch(after::contains));
    }
  }

  @Property
  void theLastReplicaRetiresWhoeverStoodAboveIt(
      @ForAll("replicas") List<String> before, @ForAll("replicas") List<String> after) {
    LevelRules rules = new LevelRules(before, after);
    List<String> retired = rules.retiredBy(after.get(after.size() - 1));
    for (int level = after.size() - 1; level < before.size(); level++) {
      assertEquals(!after.contains(before.get(level)), retired.contains(before.get(level)));
    }
  }

  /** The nodes act in any order, each when it may; those told move when they are told. */
  @Property
  void inWhateverOrderTheyActAllGetInPlaceAndOneActsAsPrimaryThroughout(
      @ForAll("replicas") List<String> before,
      @ForAll("replicas") List<String> after,
      @ForAll Random random) {
    LevelRules rules = new LevelRules(before, after);
    Map<String, Integer> acting = new HashMap<>();
    before.forEach(node -> acting.put(node, before.indexOf(node)));
    Set<String> placed = new HashSet<>();
    while (!placed.containsAll(after)) {
      List<String> able =
          after.stream().filter(node -> !placed.contains(node) && rules.mayTake(node)).toList();
      List<String> told =
          after.stream()
              .filter(node -> !placed.contains(node))
              .filter(node -> placed.stream().anyMatch(by -> rules.displacedBy(by).contains(node)))
              .toList();
      List<String> next = new ArrayList<>(able);
      next.addAll(told);
      assertFalse(next.isEmpty(), "stuck with " + placed);
      String node = next.get(random.nextInt(next.size()));
      placed.add(node);
      acting.put(node, after.indexOf(node));
      rules.retiredBy(node).forEach(acting::remove);
      // Those that the node has displaced move with it.
      for (String moved : rules.displacedBy(node)) {
        placed.add(moved);
        acting.put(moved, after.indexOf(moved));
      }
      long primaries = acting.values().stream().filter(level -> level == 0).count();
      assertEquals(1, primaries, acting::toString);
    }
    Map<String, Integer> expected = new HashMap<>();
    after.forEach(node -> expected.put(node, after.indexOf(node)));
    assertEquals(expected, acting);
  }
}
