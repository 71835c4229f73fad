package io.horae.examples;

import io.horae.examples.console.Table;
import io.horae.placement.Movement;
import io.horae.placement.Node;
import io.horae.placement.Placement;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** What the tour prints: one method for each part, from top to bottom. */
final class TourReport {

  private static final int BAR_WIDTH = 40;
  private static final long SAMPLE_KEYS = 10;

  private final TourArguments arguments;
  private final Placement before;
  private final Placement after;
  private final Movement movement;

  TourReport(TourArguments arguments, Placement before, Placement after, Movement movement) {
    this.arguments = arguments;
    this.before = before;
    this.after = after;
    this.movement = movement;
  }

  void print(PrintStream out) {
    printCluster(out);
    printBars(
        out,
        changes() ? "Keys on each node, before" : "Keys on each node",
        Movement.Change::primariesBefore,
        Movement.Change::backupsBefore);
    if (changes()) {
      printBars(
          out,
          "Keys on each node, after",
          Movement.Change::primariesAfter,
          Movement.Change::backupsAfter);
    }
    printSamples(out);
    if (changes()) {
      printMoves(out);
      printSummary(out);
    } else {
      out.println();
      out.println("Nobody joins or leaves, so nothing moves: add +id or -id to see a change.");
    }
  }

  private boolean changes() {
    return !before.nodes().equals(after.nodes());
  }

  private void printCluster(PrintStream out) {
    out.printf(
        Locale.ROOT,
        "%,d keys, %d %s each, collisions %s%n",
        arguments.keys(),
        arguments.replicas(),
        arguments.replicas() == 1 ? "replica" : "replicas",
        arguments.collisions());
    title(out, "The cluster");
    Table table = new Table("lrll").row("node", "weight", "zone", "");
    arguments.view().staying().forEach(node -> addNode(table, node, "stays"));
    arguments.view().joining().forEach(node -> addNode(table, node, "joins"));
    arguments.view().leaving().forEach(node -> addNode(table, node, "leaves"));
    table.print(out);
  }

  private static void addNode(Table table, Node node, String part) {
    String weight = String.valueOf(node.weight());
    table.row(
        node.id(),
        weight.endsWith(".0") ? weight.substring(0, weight.length() - 2) : weight,
        Objects.requireNonNullElse(node.zone(), "-"),
        part);
  }

  private void printBars(
      PrintStream out,
      String title,
      ToLongFunction<Movement.Change> primaries,
      ToLongFunction<Movement.Change> backups) {
    title(out, title + " (# primary, - backup)");
    Table table = new Table("lrrrrl").row("node", "primary", "", "backup", "", "");
    for (Movement.Change change : movement.changes()) {
      long primary = primaries.applyAsLong(change);
      long backup = backups.applyAsLong(change);
      table.row(
          change.node().id(),
          grouped(primary),
          percent(primary, movement.keys()),
          grouped(backup),
          percent(backup, movement.keys()),
          bar(primary, backup));
    }
    table.print(out);
  }

  /** A bar that is full where a node holds the most keys that any holds before or after. */
  private String bar(long primary, long backup) {
    long fullest =
        movement.changes().stream()
            .mapToLong(
                change ->
                    Math.max(
                        change.primariesBefore() + change.backupsBefore(),
                        change.primariesAfter() + change.backupsAfter()))
            .max()
            .orElseThrow();
    double scale = (double) BAR_WIDTH / fullest;
    int filled = (int) Math.round(primary * scale);
    int whole = (int) Math.round((primary + backup) * scale);
    return "#".repeat(filled) + "-".repeat(whole - filled);
  }

  private void printSamples(PrintStream out) {
    title(out, "Where some keys live (primary first, then backups)");
    Table table = new Table("rlll");
    table.row("key", changes() ? "before" : "replicas", changes() ? "after" : "", "");
    int count = arguments.replicas();
    for (long key = 0; key < Math.min(SAMPLE_KEYS, arguments.keys()); key++) {
      addSample(table, "" + key, before.replicas(key, count), after.replicas(key, count));
    }
    for (String key : arguments.textKeys()) {
      String quoted = '"' + key + '"';
      addSample(table, quoted, before.replicas(key, count), after.replicas(key, count));
    }
    table.print(out);
  }

  private void addSample(Table table, String key, List<Node> was, List<Node> is) {
    table.row(key, ids(was), changes() ? ids(is) : "", moves(was, is));
  }

  private static String ids(List<Node> nodes) {
    return nodes.stream().map(Node::id).collect(Collectors.joining(", "));
  }

  /** What happened to one key, or nothing if it stayed where it was. */
  private static String moves(List<Node> was, List<Node> is) {
    List<String> moves = new ArrayList<>();
    if (!is.get(0).id().equals(was.get(0).id())) {
      moves.add("primary now " + is.get(0).id());
    }
    List<String> backupsBefore = was.stream().skip(1).map(Node::id).toList();
    is.stream()
        .skip(1)
        .map(Node::id)
        .filter(id -> !backupsBefore.contains(id))
        .forEach(id -> moves.add("backup now " + id));
    return moves.isEmpty() ? "" : "<- " + String.join(", ", moves);
  }

  private void printMoves(PrintStream out) {
    title(out, "What moves (a copy is a key on a node, as primary or backup)");
    Table table = new Table("lrrrrrr");
    table.row("", "primaries", "", "", "", "copies", "");
    table.row("node", "before", "gained", "lost", "after", "gained", "lost");
    for (Movement.Change change : movement.changes()) {
      table.row(
          change.node().id(),
          grouped(change.primariesBefore()),
          grouped(change.primariesGained()),
          grouped(change.primariesLost()),
          grouped(change.primariesAfter()),
          grouped(change.copiesGained()),
          grouped(change.copiesLost()));
    }
    table.print(out);
  }

  private void printSummary(PrintStream out) {
    long keys = movement.keys();
    long replicas = keys * Math.min(arguments.replicas(), after.nodes().size());
    title(out, "In short");
    new Table("lrrrr")
        .row("", "moved", "", "least possible", "")
        .row(
            "primaries",
            grouped(movement.primariesMoved()),
            percent(movement.primariesMoved(), keys),
            grouped(movement.primariesMovedLeast()),
            percent(movement.primariesMovedLeast(), keys))
        .row(
            "copies",
            grouped(movement.copiesMoved()),
            percent(movement.copiesMoved(), replicas),
            grouped(movement.copiesMovedLeast()),
            percent(movement.copiesMovedLeast(), replicas))
        .print(out);
    out.println("  moved between nodes that stay: " + grouped(movement.movedBetweenStaying()));
    if (movement.movedBetweenStaying() > 0 && isZoned()) {
      out.println("  (zones: where a primary moves to another zone, one backup may move too)");
    }
  }

  private boolean isZoned() {
    return movement.changes().stream().anyMatch(change -> change.node().zone() != null);
  }

  private static void title(PrintStream out, String title) {
    out.println();
    out.println(title);
  }

  private static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String percent(long part, long whole) {
    return String.format(Locale.ROOT, "%.1f %%", 100.0 * part / whole);
  }
}
