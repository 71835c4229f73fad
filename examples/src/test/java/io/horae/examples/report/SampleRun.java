package io.horae.examples.report;

import io.horae.examples.report.Change.Holding;
import io.horae.examples.report.Change.InFlight;
import io.horae.placement.Movement;
import io.horae.placement.Node;
import io.horae.placement.RendezvousPlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A run to draw: figures made up, but for what placements move. */
final class SampleRun {

  private static final List<List<Node>> CLUSTERS =
      Stream.of("n1 n2 n3", "n1 n2 n3 n4", "n1 n2 n3 n4 n5", "n1 n2 n3", "n1 n3")
          .map(ids -> Stream.of(ids.split(" ")).map(Node::of).toList())
          .toList();

  private SampleRun() {}

  static Run good() {
    return with(List.of());
  }

  static Run with(List<String> broken) {
    List<Phase> phases = new ArrayList<>();
    phases.add(phase("3 nodes", 0, 6_000, Optional.empty()));
    for (int i = 1; i < CLUSTERS.size(); i++) {
      List<Node> before = CLUSTERS.get(i - 1);
      List<Node> after = CLUSTERS.get(i);
      boolean killed = i == 4;
      String title = killed ? "n2 killed" : before.size() + " → " + after.size();
      phases.add(
          phase(
              title,
              i * 6_000L,
              (i + 1) * 6_000L,
              Optional.of(change(title, killed, before, after))));
    }
    return new Run(
        "20,000 timers on a cluster that changed",
        List.of("2 replicas", "rendezvous placement", "<seed & 1>"),
        20_000,
        30_000,
        phases,
        List.of(
            new Run.Life("n1", 0, 30_000, 30_000, Run.End.STAYS),
            new Run.Life("n2", 0, 24_000, 24_000, Run.End.KILLED),
            new Run.Life("n3", 0, 30_000, 30_000, Run.End.STAYS),
            new Run.Life("n4", 6_000, 18_000, 20_500, Run.End.LEAVES),
            new Run.Life("n5", 12_000, 18_000, 21_000, Run.End.LEAVES)),
        IntStream.range(0, 60).map(bin -> 250 + (bin * 7919) % 90).boxed().toList(),
        500,
        broken);
  }

  private static Phase phase(String title, long fromMs, long toMs, Optional<Change> change) {
    boolean killed = change.filter(Change::killed).isPresent();
    Lateness lateness =
        new Lateness(
            killed
                ? List.of(812, 700, 302, 80, 20, 9, 0, 3, 0, 0, 0, 611, 0)
                : List.of(1_812, 1_403, 302, 80, 20, 9, 0, 3, 0, 0, 0, 0, 0));
    int due = lateness.counts().stream().mapToInt(count -> count).sum();
    int late = killed ? 611 : 0;
    PopCounts pops = new PopCounts(due, due - late, 0, late, 0, 0, killed ? 4 : 0, 0);
    return new Phase(title, fromMs, toMs, pops, lateness, change);
  }

  private static Change change(String title, boolean killed, List<Node> before, List<Node> after) {
    Movement movement =
        Movement.between(
            RendezvousPlacement.of(before),
            RendezvousPlacement.of(after),
            LongStream.range(0, 10_000),
            2);
    List<Holding> was = new ArrayList<>();
    List<Holding> is = new ArrayList<>();
    for (Movement.Change moved : movement.changes()) {
      String node = moved.node().id();
      if (before.contains(moved.node())) {
        was.add(new Holding(node, (int) moved.primariesBefore(), (int) moved.backupsBefore()));
      }
      if (after.contains(moved.node())) {
        is.add(new Holding(node, (int) moved.primariesAfter(), (int) moved.backupsAfter()));
      }
    }
    List<InFlight> inFlight = new ArrayList<>();
    for (int at = 0; at <= 2_400; at += 100) {
      double part = at / 2_400.0;
      inFlight.add(new InFlight(at, Math.round(24_000 * part * Math.pow(1 - part, 2) * 4)));
    }
    return new Change(title, killed, before, after, was, is, movement, inFlight, 2_400);
  }
}
