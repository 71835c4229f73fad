package io.horae.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.horae.placement.BucketBalancer;
import io.horae.placement.BucketTable;
import io.horae.placement.KetamaContinuum;
import io.horae.placement.Movement;
import io.horae.placement.Node;
import io.horae.placement.Placement;
import io.horae.placement.RendezvousPlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The figures by which to choose a placement are those that come of counting. */
class PlacementFiguresTest {

  private static final int KEYS = 100_000;

  /** A way to place keys: what it makes of a cluster, and of the next one. */
  private interface Way {
    Placement first(List<Node> nodes);

    Placement next(Placement before, List<Node> nodes);
  }

  private static Way anew(Function<List<Node>, Placement> placements) {
    return new Way() {
      @Override
      public Placement first(List<Node> nodes) {
        return placements.apply(nodes);
      }

      @Override
      public Placement next(Placement before, List<Node> nodes) {
        return placements.apply(nodes);
      }
    };
  }

  /** Buckets stay where they are but for what the balancer moves. */
  private record Buckets(int digits) implements Way {
    @Override
    public Placement first(List<Node> nodes) {
      BucketTable table = BucketTable.builder().server(nodes.get(0)).buckets(256).build();
      while (table.bucketAt(0).mask().digits() < digits) {
        for (var bucket : table.buckets()) {
          table = table.split(bucket.mask()).table();
        }
      }
      for (Node node : nodes.subList(1, nodes.size())) {
        table = evened(table.join(node).table());
      }
      return table;
    }

    @Override
    public Placement next(Placement before, List<Node> nodes) {
      BucketTable table = (BucketTable) before;
      if (nodes.size() > table.nodes().size()) {
        return evened(table.join(nodes.get(nodes.size() - 1)).table());
      }
      Node gone =
          table.nodes().stream().filter(node -> !nodes.contains(node)).findFirst().orElseThrow();
      return table.leave(gone).table();
    }

    private static BucketTable evened(BucketTable table) {
      return BucketBalancer.byCounts().plan(table).applyTo(table).table();
    }
  }

  private static List<Node> cluster(int size) {
    return IntStream.range(0, size).mapToObj(i -> Node.of("10.0.0." + i + ":7253")).toList();
  }

  /** A row of the table. */
  private static String row(String name, Way way, int size) {
    List<Node> nodes = cluster(size);
    Placement now = way.first(nodes);
    int[] held = new int[size];
    int[] primary = new int[1];
    for (long key = 0; key < KEYS; key++) {
      now.replicas(key, primary);
      held[primary[0]]++;
    }
    double most = IntStream.of(held).max().orElseThrow() * (double) size / KEYS;
    double least = IntStream.of(held).min().orElseThrow() * (double) size / KEYS;
    Movement joined = movement(now, way.next(now, cluster(size + 1)));
    Movement left = movement(now, way.next(now, nodes.subList(0, size - 1)));
    return String.format(
        Locale.ROOT,
        "| %s | %d | %.2f to %.2f | %s | %s | %s |",
        name,
        size,
        least,
        most,
        moved(joined),
        moved(left),
        percent(joined.movedBetweenStaying() + left.movedBetweenStaying(), 2L * KEYS));
  }

  private static Movement movement(Placement before, Placement after) {
    return Movement.between(before, after, LongStream.range(0, KEYS), 1);
  }

  private static String moved(Movement movement) {
    return percent(movement.primariesMoved(), movement.keys())
        + " of "
        + percent(movement.primariesMovedLeast(), movement.keys());
  }

  private static String percent(long part, long all) {
    return String.format(Locale.ROOT, "%.1f %%", 100.0 * part / all);
  }

  private static List<String> rows() {
    List<String> rows = new ArrayList<>();
    for (int size : List.of(3, 10, 100)) {
      rows.add(row("rendezvous", anew(RendezvousPlacement::of), size));
      rows.add(row("Ketama", anew(KetamaContinuum::of), size));
      rows.add(row("256 buckets", new Buckets(2), size));
      rows.add(row("4,096 buckets", new Buckets(3), size));
    }
    return rows;
  }

  @Test
  void table_isWhatComesOfCounting() {
    List<String> documented = Document.of("docs/choosing-a-placement.md").table("| | nodes |");

    assertEquals(String.join("\n", rows()), String.join("\n", documented));
  }
}
