package io.horae.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.placement.Node;
import io.horae.placement.Placement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * What a {@link Placement} must do. It makes no promise about how evenly keys are spread or how few
 * move, which are matters of the algorithm. Extend it for your own:
 *
 * <pre>{@code
 * class MyPlacementTest extends PlacementContract {
 *   protected Placement placement(List<Node> nodes) {
 *     return new MyPlacement(nodes);
 *   }
 * }
 * }</pre>
 */
public abstract class PlacementContract {

  private static final int KEYS = 2_000;

  /** For subclasses. */
  protected PlacementContract() {}

  /**
   * Makes the placement to be tested.
   *
   * @param nodes the cluster
   * @return a placement of that cluster
   */
  protected abstract Placement placement(List<Node> nodes);

  /** The cluster is what it was made of, in that order. */
  @Test
  public void nodes_areThoseGiven() {
    List<Node> nodes = cluster(5);
    assertEquals(nodes, placement(nodes).nodes());
  }

  /** The cluster cannot be changed, neither through the answer nor behind its back. */
  @Test
  public void nodes_cannotBeChanged() {
    List<Node> nodes = new ArrayList<>(cluster(5));
    Placement placement = placement(nodes);
    List<Node> before = placement.replicas(42, 3);
    nodes.clear();
    assertEquals(cluster(5), placement.nodes());
    assertEquals(before, placement.replicas(42, 3));
    assertThrows(UnsupportedOperationException.class, () -> placement.nodes().clear());
    assertThrows(UnsupportedOperationException.class, () -> placement.replicas(1, 3).clear());
    assertThrows(UnsupportedOperationException.class, () -> placement.replicas("a", 3).clear());
  }

  /** A key has as many replicas as asked for, all different, all of the cluster. */
  @Test
  public void replicas_areDistinctMembers() {
    for (int size : new int[] {1, 2, 3, 8, 20}) {
      Placement placement = placement(cluster(size));
      for (int count : new int[] {1, 2, 3, 5, 30}) {
        forKeys(key -> distinct(placement, placement.replicas(key, count), count));
        forTexts(key -> distinct(placement, placement.replicas(key, count), count));
      }
    }
  }

  private static void distinct(Placement placement, List<Node> replicas, int count) {
    assertEquals(Math.min(count, placement.nodes().size()), replicas.size());
    assertEquals(replicas.size(), new HashSet<>(replicas).size(), () -> "distinct: " + replicas);
    assertTrue(placement.nodes().containsAll(replicas));
  }

  /** Fewer replicas are the first of more: whoever asks for how many, the order is the same. */
  @Test
  public void replicas_fewerAreTheFirstOfMore() {
    Placement placement = placement(cluster(8));
    forKeys(
        key -> {
          List<Node> most = placement.replicas(key, 8);
          for (int count = 1; count < 8; count++) {
            assertEquals(most.subList(0, count), placement.replicas(key, count));
          }
          assertEquals(most.get(0), placement.primary(key));
        });
    forTexts(
        key -> {
          assertEquals(placement.replicas(key, 8).subList(0, 3), placement.replicas(key, 3));
          assertEquals(placement.replicas(key, 8).get(0), placement.primary(key));
        });
  }

  /** The calls that fill an array agree with those that return lists, and touch nothing else. */
  @Test
  public void replicas_intoArray_agreeWithList() {
    Placement placement = placement(cluster(3));
    forKeys(
        key -> {
          int[] into = {-1, -1, -1, -1, -1};
          assertEquals(3, placement.replicas(key, into));
          assertEquals(placement.replicas(key, 5), named(placement, into, 3));
          assertArrayEquals(new int[] {-1, -1}, Arrays.copyOfRange(into, 3, 5));
        });
    forTexts(
        key -> {
          int[] into = {-1, -1};
          assertEquals(2, placement.replicas(key, into));
          assertEquals(placement.replicas(key, 2), named(placement, into, 2));
        });
  }

  private static List<Node> named(Placement placement, int[] indexes, int count) {
    return Arrays.stream(indexes, 0, count).mapToObj(placement.nodes()::get).toList();
  }

  /** Every process gets the same answer: a placement made alike answers alike, again and again. */
  @Test
  public void replicas_areTheSameEverywhere() {
    Placement one = placement(cluster(8));
    Placement two = placement(cluster(8));
    forKeys(
        key -> {
          assertEquals(one.replicas(key, 3), two.replicas(key, 3));
          assertEquals(one.replicas(key, 3), one.replicas(key, 3));
        });
    forTexts(key -> assertEquals(one.replicas(key, 3), two.replicas(key, 3)));
  }

  /** Many threads at once get the answers that one does. */
  @Test
  public void replicas_ofManyThreads_areTheSame() {
    Placement placement = placement(cluster(8));
    Callable<List<List<Node>>> question =
        () -> LongStream.range(0, KEYS).mapToObj(key -> placement.replicas(key, 3)).toList();
    List<List<Node>> alone = assertDoesNotThrow(question::call);
    ManyThreads.ask(question).forEach(together -> assertEquals(alone, together));
  }

  /** Every node is the primary of some keys. */
  @Test
  public void primary_leavesNobodyOut() {
    Placement placement = placement(cluster(8));
    HashSet<Node> primaries = new HashSet<>();
    forKeys(key -> primaries.add(placement.primary(key)));
    assertEquals(new HashSet<>(placement.nodes()), primaries);
  }

  /** What makes no sense is refused. */
  @Test
  @SuppressWarnings("NullAway") // on purpose
  public void badInput_isRefused() {
    Placement placement = placement(cluster(3));
    assertThrows(IllegalArgumentException.class, () -> placement.replicas(1, 0));
    assertThrows(IllegalArgumentException.class, () -> placement.replicas("a", -1));
    assertThrows(IllegalArgumentException.class, () -> placement.replicas(1, new int[0]));
    assertThrows(IllegalArgumentException.class, () -> placement.replicas("a", new int[0]));
    assertThrows(IllegalArgumentException.class, () -> placement.replicas(1, (int[]) null));
    assertThrows(IllegalArgumentException.class, () -> placement.replicas("a", (int[]) null));
    assertThrows(IllegalArgumentException.class, () -> placement.replicas((String) null, 1));
    assertThrows(
        IllegalArgumentException.class, () -> placement.replicas((String) null, new int[1]));
    assertThrows(IllegalArgumentException.class, () -> placement.primary((String) null));
    assertThrows(IllegalArgumentException.class, () -> placement(List.of()));
    assertThrows(
        IllegalArgumentException.class, () -> placement(List.of(Node.of("a"), Node.of("a"))));
  }

  private static List<Node> cluster(int size) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      nodes.add(Node.of("10.0.0." + (i + 1) + ":7253"));
    }
    return List.copyOf(nodes);
  }

  private interface KeyCheck {
    void check(long key);
  }

  private static void forKeys(KeyCheck check) {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < KEYS; i++) {
      check.check(i < KEYS / 2 ? i : random.nextLong()); // neighbours and strangers
    }
  }

  private static void forTexts(Consumer<String> check) {
    for (int i = 0; i < KEYS / 10; i++) {
      check.accept("key-" + i);
    }
    check.accept("");
    check.accept("ключ");
  }
}
