package io.horae.examples.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.horae.placement.Movement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A run as one HTML page, light or dark as the reader has it. It needs no network, no script and no
 * other file.
 */
public final class Report {

  /** Browsers see to it that the page loads nothing and runs nothing. */
  private static final String POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

  private final Run run;
  private final Colours colours;
  private final Markup page = new Markup();

  private Report(Run run) {
    this.run = run;
    colours = new Colours(run.lives());
  }

  /** The page. */
  public static String of(Run run) {
    return new Report(run).html();
  }

  /** Writes the page into a file, and makes the directories above it. */
  public static void write(Run run, Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      Files.createDirectories(directory);
    }
    Files.writeString(file, of(run));
  }

  private String html() {
    page.open("html", "lang", "en");
    page.open("head");
    page.leaf("meta", "charset", "utf-8");
    page.leaf("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    page.leaf("meta", "name", "color-scheme", "content", "light dark");
    page.leaf("meta", "http-equiv", "Content-Security-Policy", "content", POLICY);
    // Else browsers ask the server for one.
    page.leaf("link", "rel", "icon", "href", "data:,");
    page.text("title", "Horae: " + run.title());
    page.open("style").raw(style()).close();
    page.close();
    page.open("body").open("main");
    header();
    timeline();
    phases();
    movements();
    shares();
    inFlight();
    lateness();
    placements();
    footer();
    page.close().close().close();
    return "<!DOCTYPE html>\n" + page + "\n";
  }

  private static String style() {
    try (InputStream in = Report.class.getResourceAsStream("report.css")) {
      if (in == null) {
        throw new AssertionError("report.css is missing");
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new AssertionError("report.css cannot be read", e);
    }
  }

  private void header() {
    PopCounts pops = run.pops();
    page.open("header");
    page.text("p", "Horae", "class", "brand");
    page.text("h1", run.title());
    page.text("p", String.join(" · ", run.facts()), "class", "facts");
    page.open("div", "class", "figures");
    figure(Figures.grouped(run.timers()), "timers", "");
    figure(Figures.grouped(pops.due()), "pops due", "");
    figure(Figures.grouped(pops.lost()), "lost", pops.lost() == 0 ? "good" : "bad");
    figure(Figures.grouped(pops.early()), "early", pops.early() == 0 ? "good" : "bad");
    figure(Figures.grouped(pops.late()), "late", "");
    figure(Figures.grouped(pops.doubled()), "doubled", "");
    page.close();
    if (run.broken().isEmpty()) {
      page.text("p", "Every promise held.", "class", "verdict good");
    } else {
      page.open("ul", "class", "verdict bad");
      run.broken().forEach(line -> page.text("li", line));
      page.close();
    }
    page.close();
  }

  private void figure(String value, String label, String style) {
    page.open("div", "class", "figure " + style);
    page.text("b", value).text("span", label).close();
  }

  private void section(String title, String text) {
    page.open("section").text("h2", title).text("p", text);
  }

  private void timeline() {
    section(
        "The run",
        "Pops as they arrived, and below them the nodes: a bar is the time that a node was in the"
            + " cluster, pale while it handed its timers over.");
    new TimelinePicture(run, colours).draw(page);
    page.close();
  }

  private void phases() {
    section(
        "Pops",
        "Judged by a record of its own, kept where the timers were asked for and where the pops"
            + " arrived. On time is within "
            + Figures.seconds(PopCounts.ON_TIME_MS)
            + " of the moment it was due; late is after that, but before the timer's interval had"
            + " passed twice; overdue is later still. A doubled pop came again with the same stamp"
            + " and sequence number.");
    page.open("div", "class", "scroll").open("table");
    row("th", "phase", "due", "on time", "early", "late", "overdue", "lost", "doubled");
    for (Phase phase : run.phases()) {
      row("td", phase.title(), phase.pops());
    }
    row("th", "all", run.pops());
    page.close().close().close();
  }

  private void row(String tag, String title, PopCounts pops) {
    page.open("tr").text(tag, title);
    cell(tag, pops.due(), "");
    cell(tag, pops.onTime(), "");
    cell(tag, pops.early(), "bad");
    cell(tag, pops.late(), "");
    cell(tag, pops.overdue(), "bad");
    cell(tag, pops.lost(), "bad");
    cell(tag, pops.doubled(), "");
    page.close();
  }

  private void cell(String tag, int count, String styleUnlessNone) {
    String style = count == 0 ? "none" : styleUnlessNone;
    page.text(tag, Figures.grouped(count), "class", style);
  }

  private void row(String tag, String... cells) {
    page.open("tr");
    List.of(cells).forEach(cell -> page.text(tag, cell));
    page.close();
  }

  private void movements() {
    section(
        "What moved",
        "Of the timers alive at each change: those that got another primary, and the copies that"
            + " had to be sent. The line across a bar is the least that any placement with these"
            + " shares could have moved.");
    page.open("div", "class", "scroll").open("table", "class", "moves");
    row("th", "change", "", "moved", "", "least", "between nodes that stay");
    for (Change change : run.changes()) {
      Movement movement = change.movement();
      long keys = movement.keys();
      long copies =
          movement.changes().stream()
              .mapToLong(moved -> moved.primariesAfter() + moved.backupsAfter())
              .sum();
      page.open("tr").text("th", change.title());
      movement("primaries", movement.primariesMoved(), movement.primariesMovedLeast(), keys);
      page.text("td", Figures.grouped(movement.movedBetweenStaying())).close();
      page.open("tr").text("th", "");
      movement("copies", movement.copiesMoved(), movement.copiesMovedLeast(), copies);
      page.text("td", "").close();
    }
    page.close().close().close();
  }

  private void movement(String what, long moved, long least, long of) {
    page.text("td", what);
    page.text("td", Figures.percent(moved, of));
    page.open("td", "class", "bar");
    page.open("svg", "viewBox", "0 0 300 16", "preserveAspectRatio", "none", "role", "img");
    page.text("title", Figures.grouped(moved) + " of " + Figures.grouped(of));
    double width = of == 0 ? 0 : 300.0 * moved / of;
    double mark = of == 0 ? 0 : 300.0 * least / of;
    page.leaf("rect", "class", "track", "x", 0, "y", 3, "width", 300, "height", 10);
    page.leaf("rect", "class", "moved", "x", 0, "y", 3, "width", width, "height", 10);
    page.leaf("rect", "class", "least", "x", mark - 1, "y", 0, "width", 2, "height", 16);
    page.close().close();
    page.text("td", Figures.percent(least, of));
  }

  private void shares() {
    section(
        "Shares",
        "The timers that each node held, as it counted itself: the faint bar above before the"
            + " change, the bar below when all was in place. Primaries full, backups pale; the"
            + " figures are those of the primaries.");
    int most = run.changes().stream().mapToInt(SharesPicture::most).max().orElse(0);
    page.open("div", "class", "pair");
    for (Change change : run.changes()) {
      page.open("figure").text("figcaption", change.title());
      new SharesPicture(change, colours, most).draw(page);
      page.close();
    }
    page.close().close();
  }

  private void inFlight() {
    section(
        "Timers in flight",
        "From the moment of each change, until all was in place: copies of timers that a node had"
            + " still to hand over, or that it was not sure another had. All the while they"
            + " popped. That a node was killed is noticed when it has been silent for some"
            + " seconds.");
    long most =
        run.changes().stream()
            .flatMap(change -> change.inFlight().stream())
            .mapToLong(Change.InFlight::timers)
            .max()
            .orElse(0);
    long longest = run.changes().stream().mapToLong(Change::settledMs).max().orElse(0);
    page.open("div", "class", "pair");
    for (Change change : run.changes()) {
      page.open("figure").text("figcaption", change.title());
      new InFlightPicture(change, most, longest).draw(page);
      page.close();
    }
    page.close().close();
  }

  private void lateness() {
    section(
        "Lateness",
        "How long after it was due each pop arrived, on a scale on which each line is ten times the"
            + " one below.");
    page.open("p", "class", "legend");
    page.text("i", "", "class", "kill").text("due after a node was killed");
    page.text("i", "", "class", "calm").text("all others");
    page.close();
    new LatenessPicture(run.phases()).draw(page);
    page.close();
  }

  private void placements() {
    List<Change> changes = run.changes();
    BucketStory story = new BucketStory(changes);
    List<RingPicture> rings = new ArrayList<>();
    List<BucketPicture> trees = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      Change change = changes.get(i);
      rings.add(new RingPicture(change.nodesBefore(), change.nodesAfter(), colours));
      trees.add(new BucketPicture(story.before(i), story.after(i), colours));
    }
    section(
        "The same cluster, placed otherwise",
        "What the same changes would have moved on a Ketama ring, and in 256 buckets, a tree of two"
            + " hex digits; beside it the least that could have, for these shares.");
    compare(rings, trees);
    page.text(
        "p",
        "Outer ring: the owners after the change; inner ring: before. What stays is faint.",
        "class",
        "key");
    page.open("p", "class", "legend");
    for (Run.Life life : run.lives()) {
      page.text("i", "", "class", colours.of(life.node())).text(life.node());
    }
    page.close();
    page.open("div", "class", "tabs");
    for (int i = 0; i < changes.size(); i++) {
      tab(i, changes.get(i), rings.get(i), trees.get(i));
    }
    page.close().close();
  }

  /** How much each would have moved, at a glance. */
  private void compare(List<RingPicture> rings, List<BucketPicture> trees) {
    page.open("div", "class", "scroll").open("table", "class", "placed");
    row("th", "change", "this run", "least", "Ketama ring", "least", "buckets", "least");
    for (int i = 0; i < rings.size(); i++) {
      Change change = run.changes().get(i);
      Movement movement = change.movement();
      page.open("tr").text("th", change.title());
      page.text("td", Figures.percent(movement.primariesMoved(), movement.keys()));
      page.text("td", Figures.percent(movement.primariesMovedLeast(), movement.keys()));
      page.text("td", rings.get(i).moved()).text("td", rings.get(i).least());
      page.text("td", trees.get(i).moved()).text("td", trees.get(i).least());
      page.close();
    }
    page.close().close();
  }

  private void tab(int index, Change change, RingPicture ring, BucketPicture tree) {
    String id = "change" + index;
    Object[] input = {"type", "radio", "name", "change", "id", id};
    if (index == 0) {
      page.leaf("input", with(input, "checked", "checked"));
    } else {
      page.leaf("input", input);
    }
    page.text("label", change.title(), "for", id);
    page.open("div", "class", "pair tab");
    page.open("figure").text("figcaption", "Ketama ring");
    ring.draw(page);
    page.text("p", ring.summary()).close();
    page.open("figure").text("figcaption", "Buckets");
    tree.draw(page);
    page.text("p", tree.summary()).close();
    page.close();
  }

  private static Object[] with(Object[] attributes, Object name, Object value) {
    Object[] more = Arrays.copyOf(attributes, attributes.length + 2);
    more[attributes.length] = name;
    more[attributes.length + 1] = value;
    return more;
  }

  private void footer() {
    page.open("footer");
    page.text("p", "Times are milliseconds of one clock, that of the process all nodes ran in.");
    page.close();
  }
}
