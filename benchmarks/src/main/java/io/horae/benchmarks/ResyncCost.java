package io.horae.benchmarks;

import io.horae.benchmarks.report.Figure;
import io.horae.benchmarks.report.Question;
import io.horae.placement.ClusterView;
import io.horae.placement.Node;
import io.horae.placement.Placement;
import io.horae.placement.RendezvousPlacement;
import io.horae.resync.Codec;
import io.horae.resync.Message;
import io.horae.resync.TimerNodeOptions;
import io.horae.resync.TimerRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What does a resync move, beside the least that it could? Counts messages, records and bytes, as
 * {@link Codec} writes them, while a cluster of nodes in one thread takes in a node or lets one go.
 * The least is a record for each copy of a timer on a node that did not have it.
 *
 * <p>Arguments: nodes before, nodes after, timers, replicas, bytes of payload; any number of such
 * fives. Without any, the sizes that the README has.
 *
 * <pre>
 * ./gradlew :benchmarks:run -PmainClass=io.horae.benchmarks.ResyncCost
 * mvn -q compile -Pbenchmarks -Dexec.mainClass=io.horae.benchmarks.ResyncCost
 * </pre>
 */
public final class ResyncCost {

  private static final int[][] SIZES = {
    {3, 4, 100_000, 2, 100},
    {10, 11, 100_000, 2, 100},
    {10, 9, 100_000, 2, 100},
    {50, 51, 100_000, 2, 100},
    {10, 11, 1_000_000, 2, 100},
    {10, 9, 1_000_000, 2, 100},
  };

  private final Map<String, Long> bytesByKind = new TreeMap<>();
  private long leastBytes;
  private long messages;
  private long bytes;
  private long records;
  private long recordBytes;

  private ResyncCost() {}

  public static void main(String[] args) {
    System.out.printf(
        "%-10s %10s %9s %8s %14s %14s %7s %14s %7s %9s%n",
        "nodes",
        "timers",
        "replicas",
        "payload",
        "least bytes",
        "record bytes",
        "ratio",
        "all bytes",
        "ratio",
        "messages");
    List<int[]> sizes = new ArrayList<>(List.of(SIZES));
    if (args.length > 0) {
      sizes.clear();
      for (int at = 0; at + 5 <= args.length; at += 5) {
        int[] size = new int[5];
        for (int i = 0; i < size.length; i++) {
          size[i] = Integer.parseInt(args[at + i]);
        }
        sizes.add(size);
      }
    }
    for (int[] size : sizes) {
      ResyncCost cost = of(size[0], size[1], size[2], size[3], new byte[size[4]]);
      System.out.printf(
          Locale.ROOT,
          "%-10s %,10d %9d %8d %,14d %,14d %7.2f %,14d %7.2f %,9d  %s%n",
          size[0] + " to " + size[1],
          size[2],
          size[3],
          size[4],
          cost.leastBytes,
          cost.recordBytes,
          cost.recordsOverLeast(),
          cost.bytes,
          (double) cost.bytes / cost.leastBytes,
          cost.messages,
          cost.bytesByKind);
    }
  }

  /** Bytes of the records that were moved, over the least. */
  double recordsOverLeast() {
    return (double) recordBytes / leastBytes;
  }

  static ResyncCost of(int before, int after, int timers, int replicas, byte[] payload) {
    ResyncCost cost = new ResyncCost();
    TimerCluster cluster = new TimerCluster(Members.of(before), TimerNodeOptions.defaults());
    List<TimerRecord> all = cluster.fill(timers, replicas, payload);
    ClusterView next = cluster.view().next(Members.of(after));
    for (TimerRecord moved : moved(all, cluster.view(), next)) {
      cost.leastBytes += size(moved);
    }
    cluster.writeBytes(cost::count);
    cluster.change(next);
    cluster.check(timers, replicas);
    Wheel.expect(cost.records > 0, "nothing has moved");
    return cost;
  }

  static List<Computed> questions() {
    Question moved =
        Question.of(
                "resync-moved",
                "Replicated timers",
                "What a resync moves",
                "nodes, and timers",
                "bytes over the least")
            .text(
                "A node joins or leaves; timers of 100 bytes are on two nodes each. The least is a"
                    + " record for each copy on a node that did not have it. All messages are the"
                    + " records and the references, by which nodes find out who misses what and who"
                    + " may let go. Counted, the same every time.")
            .horae("records", "records")
            .horae("all", "all messages");
    return List.of(new Computed(moved, 60, ResyncCost::figures));
  }

  private static List<Figure> figures() {
    List<Figure> figures = new ArrayList<>();
    for (int[] size : SIZES) {
      ResyncCost cost = of(size[0], size[1], size[2], size[3], new byte[size[4]]);
      String name = String.format(Locale.ROOT, "%d to %d, %,d", size[0], size[1], size[2]);
      figures.add(figure("records", name, cost.recordsOverLeast()));
      figures.add(figure("all", name, (double) cost.bytes / cost.leastBytes));
    }
    return figures;
  }

  private static Figure figure(String subject, String size, double value) {
    return new Figure("resync-moved", subject, size, value, Double.NaN, Double.NaN);
  }

  /** A record for each copy of a timer on a node that does not have it yet. */
  static List<TimerRecord> moved(List<TimerRecord> all, ClusterView first, ClusterView second) {
    Placement before = RendezvousPlacement.of(first.after());
    Placement after = RendezvousPlacement.of(second.after());
    List<TimerRecord> moved = new ArrayList<>();
    for (TimerRecord timer : all) {
      List<Node> had = before.replicas(timer.id(), timer.replicationFactor());
      for (Node node : after.replicas(timer.id(), timer.replicationFactor())) {
        if (!had.contains(node)) {
          moved.add(timer);
        }
      }
    }
    return moved;
  }

  /** The bytes of a record among others that have the same replicas. */
  private static int size(TimerRecord record) {
    return Codec.encode(new Message.Replicate(0, List.of(record, record))).length
        - Codec.encode(new Message.Replicate(0, List.of(record))).length;
  }

  private void count(Message message, int length) {
    messages++;
    bytes += length;
    bytesByKind.merge(message.getClass().getSimpleName(), (long) length, Long::sum);
    List<TimerRecord> carried =
        message instanceof Message.Page page
            ? page.records()
            : message instanceof Message.Replicate replicate ? replicate.records() : List.of();
    records += carried.size();
    carried.forEach(record -> recordBytes += size(record));
  }
}
