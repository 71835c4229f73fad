package io.horae.examples.demo;

import io.horae.examples.console.Table;
import io.horae.examples.report.Change;
import io.horae.examples.report.Phase;
import io.horae.examples.report.PopCounts;
import io.horae.examples.report.Run;
import io.horae.placement.Movement;
import java.io.PrintStream;
import java.util.Locale;

/** What a run came to, as the console shows it. */
final class Summary {

  private final Run run;

  Summary(Run run) {
    this.run = run;
  }

  void print(PrintStream out) {
    out.println();
    out.println("What moved (of the timers that lived then; copies are primaries and backups)");
    Table moved =
        new Table("lrrrrr")
            .row("", "primaries", "least", "copies", "least", "between")
            .row("", "", "possible", "", "possible", "staying");
    run.changes().forEach(change -> addMoves(moved, change));
    moved.print(out);

    out.println();
    out.println("Pops, by when they were due");
    Table pops =
        new Table("lrrrrrrr")
            .row("", "due", "on time", "early", "late", "overdue", "lost", "doubled");
    for (Phase phase : run.phases()) {
      addPops(pops, Stage.ascii(phase.title()), phase.pops());
    }
    addPops(pops, "all", run.pops());
    pops.print(out);

    out.println();
    if (run.broken().isEmpty()) {
      out.println("Every promise held.");
    } else {
      out.println("BROKEN:");
      run.broken().forEach(line -> out.println("  " + Stage.ascii(line)));
    }
  }

  private static void addMoves(Table table, Change change) {
    Movement movement = change.movement();
    long copies =
        movement.changes().stream()
            .mapToLong(moved -> moved.primariesAfter() + moved.backupsAfter())
            .sum();
    table.row(
        Stage.ascii(change.title()),
        percent(movement.primariesMoved(), movement.keys()),
        percent(movement.primariesMovedLeast(), movement.keys()),
        percent(movement.copiesMoved(), copies),
        percent(movement.copiesMovedLeast(), copies),
        Stage.grouped(movement.movedBetweenStaying()));
  }

  private static void addPops(Table table, String title, PopCounts pops) {
    table.row(
        title,
        Stage.grouped(pops.due()),
        Stage.grouped(pops.onTime()),
        Stage.grouped(pops.early()),
        Stage.grouped(pops.late()),
        Stage.grouped(pops.overdue()),
        Stage.grouped(pops.lost()),
        Stage.grouped(pops.doubled()));
  }

  private static String percent(long part, long whole) {
    return String.format(Locale.ROOT, "%.1f %%", whole == 0 ? 0 : 100.0 * part / whole);
  }
}
