package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** A table beside the placement that it was made from, which is its model. */
class TabulatedProperties {

  private static final int PARTITIONS = 256;

  /** Another hash that never collides. */
  private static final SeededHash REVERSED =
      new SeededHash() {
        @Override
        public int hash(byte[] key, int seed) {
          return Integer.reverse(SeededHash.murmur3().hash(key, seed));
        }

        @Override
        public boolean injectiveInSeed() {
          return true;
        }
      };

  /** One of each kind, with whatever can be set for it. */
  private static Placement anyPlacement(SplittableRandom random, List<Node> nodes) {
    return switch (random.nextInt(9)) {
      case 0 -> KetamaContinuum.of(nodes);
      case 1 -> rendezvous(Clusters.weighted(random, nodes), Collisions.INCREMENT);
      case 2 -> rendezvous(Clusters.zoned(random, nodes, 3), Collisions.STABLE);
      case 3 -> RendezvousPlacement.builder().nodes(nodes).hash(Clusters.coarse(-5, 40)).build();
      case 4 -> RendezvousPlacement.builder().nodes(nodes).hash(REVERSED).build();
      case 5 -> {
        BucketTable table = BucketTable.initial(nodes.get(0));
        for (Node node : nodes.subList(1, nodes.size())) {
          table = table.join(node).table();
        }
        yield BucketBalancer.byCounts().plan(table).applyTo(table).table();
      }
      default -> rendezvous(nodes, List.of(Collisions.values()).get(random.nextInt(3)));
    };
  }

  private static RendezvousPlacement rendezvous(List<Node> nodes, Collisions rule) {
    return RendezvousPlacement.builder().nodes(nodes).collisions(rule).build();
  }

  private static TabulatedPlacement table(SplittableRandom random, Placement placement) {
    return TabulatedPlacement.builder()
        .placement(placement)
        .partitions(PARTITIONS)
        .replicas(1 + random.nextInt(4))
        .build();
  }

  @Property(tries = 100, shrinking = ShrinkingMode.OFF)
  void aKeyIsWhereItsPartitionIs(@ForAll long seed, @ForAll @IntRange(min = 1, max = 20) int size) {
    SplittableRandom random = new SplittableRandom(seed);
    Placement placement = anyPlacement(random, Clusters.random(random, size));
    TabulatedPlacement table = table(random, placement);
    assertEquals(placement.nodes(), table.nodes());
    for (int i = 0; i < 50; i++) {
      long key = random.nextLong();
      String text = "key:" + key;
      for (int count = 1; count <= 6; count++) {
        assertEquals(placement.replicas(table.partitionOf(key), count), table.replicas(key, count));
        assertEquals(
            placement.replicas(table.partitionOf(text), count), table.replicas(text, count));
      }
      assertEquals(placement.primary(table.partitionOf(key)), table.primary(key));
      assertEquals(placement.primary(table.partitionOf(text)), table.primary(text));
    }
  }

  /** Nodes join, leave, do both at once and change places in the list. */
  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void theNextTableIsThatMadeFromTheStart(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int size) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> nodes = Clusters.random(random, size + 4);
    TabulatedPlacement table = table(random, anyPlacement(random, nodes.subList(0, size)));
    for (int step = 0; step < 6; step++) {
      List<Node> some = new ArrayList<>(nodes);
      for (int leaving = random.nextInt(4); leaving > 0 && some.size() > 1; leaving--) {
        some.remove(random.nextInt(some.size()));
      }
      if (random.nextBoolean()) {
        some = Clusters.shuffled(random, some);
      }
      boolean sameKind = random.nextInt(4) > 0;
      Placement after = sameKind ? rendezvous(some, Collisions.STABLE) : anyPlacement(random, some);
      TabulatedPlacement next = table.next(after);
      TabulatedPlacement anew = table(after, table);
      for (long key = 0; key < 1000; key++) {
        int count = 1 + (int) key % 4;
        assertEquals(anew.replicas(key, count), next.replicas(key, count));
      }
      assertEquals(after, next.placement());
      table = next;
    }
  }

  private static TabulatedPlacement table(Placement placement, TabulatedPlacement like) {
    return TabulatedPlacement.builder()
        .placement(placement)
        .partitions(like.partitions())
        .replicas(4)
        .build();
  }

  @Property(tries = 30, shrinking = ShrinkingMode.OFF)
  void whatMovesIsTheLeast(@ForAll long seed, @ForAll @IntRange(min = 3, max = 12) int size) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> nodes = Clusters.random(random, size + 1);
    TabulatedPlacement few = table(random, rendezvous(nodes.subList(0, size), Collisions.STABLE));
    TabulatedPlacement more = few.next(rendezvous(nodes, Collisions.STABLE));
    for (List<TabulatedPlacement> change : List.of(List.of(few, more), List.of(more, few))) {
      Movement movement =
          Movement.between(change.get(0), change.get(1), LongStream.range(0, 3_000), 2);
      assertTrue(movement.primariesMoved() > 0);
      assertEquals(movement.primariesMovedLeast(), movement.primariesMoved());
      assertEquals(movement.copiesMovedLeast(), movement.copiesMoved());
      assertEquals(0, movement.movedBetweenStaying());
    }
  }

  /** Keys that count up, by any step, are spread over partitions as random ones would be. */
  @Property(tries = 100, shrinking = ShrinkingMode.OFF)
  void everyPartitionGetsItsShare(
      @ForAll long first, @ForAll @IntRange(min = 0, max = 56) int shift, @ForAll byte factor) {
    TabulatedPlacement table =
        TabulatedPlacement.builder()
            .placement(RendezvousPlacement.of(List.of(Node.of("a"))))
            .partitions(PARTITIONS)
            .build();
    int[] numbers = new int[PARTITIONS];
    int[] texts = new int[PARTITIONS];
    int keys = 100 * PARTITIONS;
    long step = (long) (factor | 1) << shift;
    // Beyond that they would come round.
    int distinct = shift > 45 ? 1 << (Long.SIZE - shift) : keys;
    for (int i = 0; i < keys; i++) {
      long key = first + step * i;
      numbers[table.partitionOf(i < distinct ? key : key + i)]++;
      texts[table.partitionOf("" + key)]++;
    }
    // Of 256 counts with a deviation of 10, one in 10¹⁰ lies beyond 70 of 100.
    assertArrayEquals(new int[0], outside(numbers), () -> "step " + step);
    if (distinct == keys) {
      assertArrayEquals(new int[0], outside(texts), () -> "step " + step);
    }
  }

  private static int[] outside(int[] counts) {
    return Arrays.stream(counts).filter(count -> count < 40 || count > 170).toArray();
  }
}
