package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MovementTest {

  private static final Node A = Node.of("A");
  private static final Node B = Node.of("B");
  private static final Node C = Node.of("C");
  private static final Node D = Node.of("D");

  /** A placement by hand: the replicas of key k are those of row k, by the nodes' letters. */
  private record Handmade(List<Node> nodes, List<String> rows) implements Placement {

    Handmade(List<Node> nodes, String... rows) {
      this(nodes, List.of(rows));
    }

    @Override
    public int replicas(long key, int[] into) {
      String row = rows.get((int) key);
      int count = Math.min(into.length, nodes.size());
      for (int level = 0; level < count; level++) {
        into[level] = nodes.indexOf(Node.of(row.substring(level, level + 1)));
      }
      return count;
    }

    @Override
    public int replicas(String key, int[] into) {
      return replicas(Long.parseLong(key), into);
    }
  }

  private static Movement between(Placement before, Placement after, int keys, int count) {
    Movement movement = Movement.between(before, after, LongStream.range(0, keys), count);
    Movement ofTexts =
        Movement.between(before, after, LongStream.range(0, keys).mapToObj(Long::toString), count);
    assertEquals(movement.toString(), ofTexts.toString());
    assertEquals(movement.changes(), ofTexts.changes());
    return movement;
  }

  private static Movement.Change change(Movement movement, String id) {
    return movement.changes().stream()
        .filter(change -> change.node().id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void between_sameTwice_movesNothing() {
    Placement placement = new Handmade(List.of(A, B, C), "AB", "BC", "CA");
    Movement movement = between(placement, placement, 3, 2);
    assertEquals(3, movement.keys());
    assertEquals(0, movement.primariesMoved());
    assertEquals(0, movement.backupsMoved());
    assertEquals(0, movement.copiesMoved());
    assertEquals(0, movement.primariesMovedLeast());
    assertEquals(0, movement.copiesMovedLeast());
    assertEquals(0, movement.movedBetweenStaying());
    assertEquals(
        List.of(
            new Movement.Change(A, 1, 0, 0, 1, 0, 0, 0, 0),
            new Movement.Change(B, 1, 0, 0, 1, 0, 0, 0, 0),
            new Movement.Change(C, 1, 0, 0, 1, 0, 0, 0, 0)),
        movement.changes());
  }

  @Test
  void between_nodeJoins_countsItsGainsAndTheOthersLosses() {
    Placement before = new Handmade(List.of(A, B, C), "AB", "BC", "CA", "AC");
    Placement after = new Handmade(List.of(A, B, C, D), "DB", "BD", "CA", "AC");
    Movement movement = between(before, after, 4, 2);
    assertEquals(1, movement.primariesMoved());
    assertEquals(1, movement.backupsMoved());
    assertEquals(2, movement.copiesMoved());
    assertEquals(1, movement.primariesMovedLeast());
    assertEquals(2, movement.copiesMovedLeast());
    assertEquals(0, movement.movedBetweenStaying());
    assertEquals(new Movement.Change(A, 2, 0, 1, 1, 0, 0, 0, 1), change(movement, "A"));
    assertEquals(new Movement.Change(C, 1, 0, 0, 2, 0, 1, 0, 1), change(movement, "C"));
    assertEquals(new Movement.Change(D, 0, 1, 0, 0, 1, 0, 2, 0), change(movement, "D"));
    assertEquals(1, change(movement, "D").primariesAfter());
    assertEquals(1, change(movement, "D").backupsAfter());
  }

  @Test
  void between_nodeLeaves_leastIsWhatItHeld() {
    Placement before = new Handmade(List.of(A, B, C), "AB", "AC", "AB", "BC");
    Placement after = new Handmade(List.of(B, C), "CB", "BC", "CB", "BC");
    Movement movement = between(before, after, 4, 2);
    assertEquals(3, movement.primariesMoved());
    assertEquals(3, movement.primariesMovedLeast());
    assertEquals(3, movement.copiesMoved());
    assertEquals(3, movement.copiesMovedLeast());
    assertEquals(0, movement.movedBetweenStaying());
    assertEquals(new Movement.Change(A, 3, 0, 3, 0, 0, 0, 0, 3), change(movement, "A"));
  }

  @Test
  void between_backupTakesOver_needsNoCopyOfItsOwn() {
    Placement before = new Handmade(List.of(A, B, C), "AB");
    Placement after = new Handmade(List.of(B, C), "BC");
    Movement movement = between(before, after, 1, 2);
    assertEquals(1, movement.primariesMoved());
    assertEquals(1, movement.backupsMoved());
    assertEquals(1, movement.copiesMoved());
    assertEquals(new Movement.Change(B, 0, 1, 0, 1, 0, 1, 0, 0), change(movement, "B"));
    assertEquals(new Movement.Change(C, 0, 0, 0, 0, 1, 0, 1, 0), change(movement, "C"));
    assertEquals(0, movement.movedBetweenStaying());
  }

  @Test
  void between_stayingNodesSwapPrimaries_isNoticed() {
    Placement before = new Handmade(List.of(A, B, C), "AB", "BC");
    Placement after = new Handmade(List.of(A, B, C), "BA", "BC");
    Movement movement = between(before, after, 2, 2);
    assertEquals(1, movement.movedBetweenStaying());
    assertEquals(1, movement.primariesMoved());
    assertEquals(1, movement.backupsMoved());
    assertEquals(0, movement.copiesMoved());
  }

  @Test
  void between_keysChangePlacesInVain_leastIsNothing() {
    Placement before = new Handmade(List.of(A, B, C), "AC", "BC");
    Placement after = new Handmade(List.of(A, B, C), "BC", "AC");
    Movement movement = between(before, after, 2, 2);
    assertEquals(2, movement.primariesMoved());
    assertEquals(0, movement.primariesMovedLeast());
    assertEquals(2, movement.copiesMoved());
    assertEquals(0, movement.copiesMovedLeast());
    assertEquals(2, movement.movedBetweenStaying());
  }

  @Test
  void between_stayingNodesPassABackupOn_isNoticed() {
    Placement before = new Handmade(List.of(A, B, C), "AB", "BC");
    Placement joined = new Handmade(List.of(A, B, C, D), "AC", "DC");
    Movement movement = between(before, joined, 2, 2);
    assertEquals(1, movement.movedBetweenStaying());
  }

  @Test
  void between_replicasFollowALeavingNode_isNotBetweenStaying() {
    Placement before = new Handmade(List.of(A, B, C, D), "AD", "DA");
    Placement after = new Handmade(List.of(A, B, C), "AB", "CA");
    assertEquals(0, between(before, after, 2, 2).movedBetweenStaying());
  }

  @Test
  void between_oneReplicaTurnsIntoTwo_copiesWhatIsMissing() {
    Placement before = new Handmade(List.of(A), "A", "A");
    Placement after = new Handmade(List.of(A, B), "AB", "BA");
    Movement movement = between(before, after, 2, 2);
    assertEquals(2, movement.copiesMoved());
    assertEquals(2, movement.copiesMovedLeast());
    assertEquals(1, movement.primariesMovedLeast());
    assertEquals(0, movement.movedBetweenStaying());
  }

  @Test
  void between_twoReplicasTurnIntoOne_copiesNothing() {
    Placement before = new Handmade(List.of(A, B), "AB", "BA");
    Placement after = new Handmade(List.of(A), "A", "A");
    Movement movement = between(before, after, 2, 2);
    assertEquals(0, movement.copiesMoved());
    assertEquals(0, movement.copiesMovedLeast());
    assertEquals(1, movement.primariesMovedLeast());
  }

  @Test
  void between_wholeClusterReplaced_movesEverything() {
    Placement before = new Handmade(List.of(A, B), "AB", "BA");
    Placement after = new Handmade(List.of(C, D), "CD", "DC");
    Movement movement = between(before, after, 2, 2);
    assertEquals(2, movement.primariesMoved());
    assertEquals(2, movement.primariesMovedLeast());
    assertEquals(4, movement.copiesMoved());
    assertEquals(4, movement.copiesMovedLeast());
    assertEquals(0, movement.movedBetweenStaying());
  }

  @Test
  void between_nodesInAnotherOrder_matchesThemById() {
    Placement before = new Handmade(List.of(A, B, C), "AB", "BC");
    Placement after = new Handmade(List.of(C, A, B), "AB", "BC");
    assertEquals(0, between(before, after, 2, 2).copiesMoved());
  }

  @Test
  void between_noKeys_movesNothing() {
    Placement placement = new Handmade(List.of(A, B));
    Movement movement = Movement.between(placement, placement, LongStream.empty(), 2);
    assertEquals(0, movement.keys());
    assertEquals(0, movement.copiesMovedLeast());
  }

  @Test
  void between_aMillionKeys_threeToFourMovesAQuarter() {
    Placement three = RendezvousPlacement.of(List.of(A, B, C));
    Placement four = RendezvousPlacement.of(List.of(A, B, C, D));
    Movement movement = Movement.between(three, four, LongStream.range(0, 1_000_000), 2);
    assertEquals(movement.primariesMoved(), movement.primariesMovedLeast());
    assertEquals(movement.copiesMoved(), movement.copiesMovedLeast());
    // Six standard deviations of a binomial: 2,600.
    assertTrue(Math.abs(movement.primariesMoved() - 250_000) < 2_600, movement.toString());
    assertEquals(movement.primariesMoved(), change(movement, "D").primariesGained());
    assertEquals(movement.copiesMoved(), change(movement, "D").copiesGained());
    assertEquals(0, movement.movedBetweenStaying());
  }

  @Test
  void between_parallelStream_countsTheSame() {
    Placement three = RendezvousPlacement.of(List.of(A, B, C));
    Placement four = RendezvousPlacement.of(List.of(A, B, C, D));
    Movement sequential = Movement.between(three, four, LongStream.range(0, 10_000), 2);
    Movement parallel = Movement.between(three, four, LongStream.range(0, 10_000).parallel(), 2);
    assertEquals(sequential.changes(), parallel.changes());
    Stream<String> texts = LongStream.range(0, 10_000).mapToObj(Long::toString);
    Stream<String> again = LongStream.range(0, 10_000).mapToObj(Long::toString);
    assertEquals(
        Movement.between(three, four, texts, 2).changes(),
        Movement.between(three, four, again.parallel(), 2).changes());
  }

  @Test
  void between_weightRaised_leastIsTheShareGained() {
    List<Node> nodes = new ArrayList<>(List.of(A, B, C));
    Placement before = RendezvousPlacement.of(nodes);
    nodes.set(0, A.withWeight(2));
    Placement after = RendezvousPlacement.of(nodes);
    Movement movement = Movement.between(before, after, LongStream.range(0, 12_000), 1);
    assertEquals(movement.primariesMoved(), movement.primariesMovedLeast());
    assertEquals(2.0, change(movement, "A").node().weight());
    assertEquals(movement.primariesMoved(), change(movement, "A").primariesGained());
  }

  @Test
  void between_anyPlacements_sumsAgreeWithListsByHand() {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 50; round++) {
      List<Node> pool = Clusters.random(random, 12);
      List<Node> some = pool.subList(0, 1 + random.nextInt(11));
      List<Node> others = pool.subList(random.nextInt(10), 12);
      Placement before = RendezvousPlacement.of(some);
      Placement after = RendezvousPlacement.of(others);
      int count = 1 + random.nextInt(4);
      long primaries = 0;
      long copies = 0;
      for (long key = 0; key < 200; key++) {
        List<Node> was = before.replicas(key, count);
        List<Node> is = after.replicas(key, count);
        primaries += was.get(0).equals(is.get(0)) ? 0 : 1;
        copies += is.stream().filter(node -> !was.contains(node)).count();
      }
      Movement movement = Movement.between(before, after, LongStream.range(0, 200), count);
      assertEquals(primaries, movement.primariesMoved());
      assertEquals(copies, movement.copiesMoved());
      assertEquals(0, movement.movedBetweenStaying());
    }
  }

  @Test
  void toString_localeWithOtherDigits_isTheSame() {
    Placement before = new Handmade(List.of(A, B, C), "AB", "BC", "CA", "AC");
    Placement after = new Handmade(List.of(A, B, C, D), "DB", "BD", "CA", "AC");
    Movement movement = between(before, after, 4, 2);
    String text = movement.toString();
    Locale locale = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertNotEquals("12", String.format("%d", 12), "else the locale shows nothing");
      assertEquals(text, movement.toString());
    } finally {
      Locale.setDefault(locale);
    }
  }
}
