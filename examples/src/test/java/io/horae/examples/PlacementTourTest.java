package io.horae.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.placement.Movement;
import io.horae.placement.Node;
import io.horae.placement.Placement;
import io.horae.placement.RendezvousPlacement;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementTourTest {

  /** What a run left behind. */
  private record Outcome(int code, String out, String err) {

    /** The lines of a part, from below its title to the blank line after it. */
    List<String> part(String title) {
      return out.lines()
          .dropWhile(line -> !line.startsWith(title))
          .skip(1)
          .takeWhile(line -> !line.isBlank())
          .toList();
    }

    /** The words of the line in a part that begins with a word. */
    List<String> row(String title, String first) {
      return part(title).stream()
          .map(PlacementTourTest::words)
          .filter(words -> words.get(0).equals(first))
          .findFirst()
          .orElseThrow();
    }
  }

  private static Outcome run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        PlacementTour.run(
            args, new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    return new Outcome(code, out.toString(UTF_8), err.toString(UTF_8));
  }

  /** A tour that must succeed; its words are split at blanks. */
  private static Outcome tour(String args) {
    Outcome outcome = run(args.isEmpty() ? new String[0] : args.split(" "));
    assertEquals("", outcome.err());
    assertEquals(0, outcome.code());
    return outcome;
  }

  private static Placement cluster(String... ids) {
    return RendezvousPlacement.of(Stream.of(ids).map(Node::of).toList());
  }

  private static List<String> words(String text) {
    return Arrays.asList(text.strip().split("\\s+"));
  }

  private static long number(String text) {
    return Long.parseLong(text.replace(",", ""));
  }

  private static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Compares every figure of the table and the summary with the library's. */
  private static void assertShows(Movement movement, Outcome outcome) {
    for (Movement.Change change : movement.changes()) {
      String id = change.node().id();
      assertEquals(
          Stream.of(
                  change.primariesBefore(),
                  change.primariesGained(),
                  change.primariesLost(),
                  change.primariesAfter(),
                  change.copiesGained(),
                  change.copiesLost())
              .map(PlacementTourTest::grouped)
              .toList(),
          outcome.row("What moves", id).subList(1, 7));
      assertBar(
          outcome.row("Keys on each node, before", id),
          change.primariesBefore(),
          change.backupsBefore());
      assertBar(
          outcome.row("Keys on each node, after", id),
          change.primariesAfter(),
          change.backupsAfter());
    }
    List<String> primaries = outcome.row("In short", "primaries");
    assertEquals(grouped(movement.primariesMoved()), primaries.get(1));
    assertEquals(grouped(movement.primariesMovedLeast()), primaries.get(4));
    List<String> copies = outcome.row("In short", "copies");
    assertEquals(grouped(movement.copiesMoved()), copies.get(1));
    assertEquals(grouped(movement.copiesMovedLeast()), copies.get(4));
    assertTrue(
        outcome
            .part("In short")
            .contains(
                "  moved between nodes that stay: " + grouped(movement.movedBetweenStaying())));
  }

  private static void assertBar(List<String> row, long primaries, long backups) {
    assertEquals(grouped(primaries), row.get(1));
    assertEquals(grouped(backups), row.get(4));
  }

  private static long sum(Outcome outcome, String part, int column) {
    return outcome.part(part).stream()
        .skip(1)
        .mapToLong(line -> number(words(line).get(column)))
        .sum();
  }

  @Test
  void run_withoutArguments_showsAFourthNodeJoin() {
    Outcome outcome = tour("");

    assertEquals(
        List.of("stays", "stays", "stays", "joins"),
        outcome.part("The cluster").stream()
            .skip(1)
            .map(line -> line.substring(line.lastIndexOf(' ') + 1))
            .toList());
    assertShows(
        Movement.between(
            cluster("a", "b", "c"), cluster("a", "b", "c", "d"), LongStream.range(0, 100_000), 2),
        outcome);
    assertTrue(outcome.out().contains("  moved between nodes that stay: 0"));
  }

  @Test
  void run_nodeLeaves_showsWhatItGivesAway() {
    Outcome outcome = tour("a b c -d --keys 10000 --replicas 3");

    assertShows(
        Movement.between(
            cluster("a", "b", "c", "d"), cluster("a", "b", "c"), LongStream.range(0, 10_000), 3),
        outcome);
    List<String> moves = outcome.row("What moves", "d");
    assertEquals(moves.get(1), moves.get(3), "it loses every primary it had");
    assertEquals("0", moves.get(4));
    assertTrue(outcome.part("The cluster").contains("  d          1  -     leaves"));
  }

  @Test
  void run_weightsAndZones_placesByThem() {
    Outcome outcome = tour("a*2@east b@east c*2.5@west +d@west -e --keys 5000");

    Node a = Node.of("a").withWeight(2).withZone("east");
    Node b = Node.of("b").withZone("east");
    Node c = Node.of("c").withWeight(2.5).withZone("west");
    Node d = Node.of("d").withZone("west");
    assertShows(
        Movement.between(
            RendezvousPlacement.of(List.of(a, b, c, Node.of("e"))),
            RendezvousPlacement.of(List.of(a, b, c, d)),
            LongStream.range(0, 5000),
            2),
        outcome);
    assertEquals(List.of("c", "2.5", "west", "stays"), outcome.row("The cluster", "c"));
    assertEquals(List.of("e", "1", "-", "leaves"), outcome.row("The cluster", "e"));
    assertTrue(outcome.out().contains("one backup may move too"));
  }

  @Test
  void run_idsWithMarks_lastMarkCounts() {
    Outcome outcome = tour("x*y*2 me@host@east 10.0.0.1:7253 --keys 10");

    assertEquals(List.of("x*y", "2", "-", "stays"), outcome.row("The cluster", "x*y"));
    assertEquals(List.of("me@host", "1", "east", "stays"), outcome.row("The cluster", "me@host"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--keys 12345",
        "a b c d e -f --keys 777 --replicas 4",
        "a*9 b +c*0.1 --keys 1000 --replicas 2",
        "a@x b@x c@y +d@z --keys 1000 --replicas 3",
      })
  void run_anyCluster_barsAddUpToAllReplicas(String args) {
    Outcome outcome = tour(args);

    long keys = number(words(outcome.out()).get(0));
    int replicas = Integer.parseInt(words(outcome.out()).get(2));
    for (String part : List.of("Keys on each node, before", "Keys on each node, after")) {
      assertEquals(keys, sum(outcome, part, 1), part);
      assertEquals(keys * (replicas - 1), sum(outcome, part, 4), part);
    }
  }

  @Test
  void run_bars_growWithTheCount() {
    Outcome outcome = tour("a*3 b*1 --replicas 1 --keys 100000");

    assertEquals("#".repeat(40), outcome.row("Keys on each node", "a").get(7));
    assertEquals("#".repeat(13), outcome.row("Keys on each node", "b").get(7));

    // Of two nodes, both hold every key.
    Outcome full = tour("a b --replicas 2 --keys 100000");
    assertEquals("#".repeat(20) + "-".repeat(20), full.row("Keys on each node", "a").get(7));
  }

  @Test
  void run_sampleKeys_marksThoseThatMove() {
    Outcome outcome = run("a", "b", "c", "+d", "--key", "user:42", "--key", "two words");

    Placement before = cluster("a", "b", "c");
    Placement after = cluster("a", "b", "c", "d");
    List<String> lines = outcome.part("Where some keys live").stream().skip(1).toList();
    assertEquals(12, lines.size());
    for (int key = 0; key < 10; key++) {
      assertSample(lines.get(key), "" + key, before.replicas(key, 2), after.replicas(key, 2));
    }
    List<String> texts = List.of("user:42", "two words");
    for (int i = 0; i < texts.size(); i++) {
      String key = texts.get(i);
      assertSample(
          lines.get(10 + i), '"' + key + '"', before.replicas(key, 2), after.replicas(key, 2));
    }
    assertTrue(lines.stream().anyMatch(line -> line.contains("<- primary now d")), "none moved");
    assertTrue(lines.stream().anyMatch(line -> line.contains("<- backup now d")), "none moved");
  }

  private static void assertSample(String line, String key, List<Node> was, List<Node> is) {
    String expected = key + " " + ids(was) + " " + ids(is);
    if (!is.get(0).equals(was.get(0))) {
      expected += " <- primary now " + is.get(0).id();
    } else if (!is.get(1).equals(was.get(1))) {
      expected += " <- backup now " + is.get(1).id();
    }
    assertEquals(expected, line.strip().replaceAll(" +", " "));
  }

  private static String ids(List<Node> nodes) {
    return nodes.get(0).id() + ", " + nodes.get(1).id();
  }

  @Test
  void run_fewerKeysThanSamples_showsThoseThereAre() {
    assertEquals(1 + 3, tour("a b +c --keys 3").part("Where some keys live").size());
  }

  @Test
  void run_nobodyJoinsOrLeaves_showsNoMovement() {
    Outcome outcome = tour("a b c --keys 1000");

    assertEquals(1000, sum(outcome, "Keys on each node", 1));
    assertFalse(outcome.out().contains("What moves"));
    assertTrue(outcome.out().contains("nothing moves"));
  }

  @Test
  void run_collisions_areThoseAskedFor() {
    assertTrue(tour("--keys 10 --collisions STABLE").out().contains("collisions STABLE"));
    assertTrue(tour("--keys 10 --collisions decrement").out().contains("collisions DECREMENT"));

    // These two ids have the same hash; the rules then place differently.
    String colliding = "node-53119 node-70603 -other --keys 1000";
    assertFalse(
        tour(colliding + " --collisions STABLE")
            .part("What moves")
            .equals(tour(colliding + " --collisions INCREMENT").part("What moves")));
  }

  @Test
  void run_sameArguments_printsTheSame() {
    assertEquals(tour("a b +c*2 --keys 1000"), tour("a b +c*2 --keys 1000"));
  }

  @Test
  void run_manyKeys_reportsProgressApart() {
    Outcome outcome = run("a", "b", "+c", "--keys", "5000000", "--replicas", "1");

    assertEquals(0, outcome.code());
    assertEquals(9, outcome.err().lines().count());
    assertTrue(outcome.err().startsWith("500,000 of 5,000,000 keys"), outcome.err());
    assertTrue(outcome.out().startsWith("5,000,000 keys, 1 replica each"), outcome.out());
  }

  @Test
  void run_help_explainsEveryOption() {
    Outcome outcome = run("--keys", "--help");

    assertEquals(0, outcome.code());
    assertEquals("", outcome.err());
    for (String option : List.of("--keys", "--replicas", "--collisions", "--key ", "--help")) {
      assertTrue(outcome.out().contains(option), option);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--keys                | --keys lacks its value",
        "--keys many           | --keys \"many\" is out of order: write a whole number from 1",
        "--keys 0              | --keys \"0\" is out of order",
        "--keys 1000000000001  | write a whole number from 1 to 1000000000000",
        "--replicas 0          | --replicas \"0\" is out of order: write a whole number from 1",
        "--replicas 3000000000 | --replicas \"3000000000\" is out of order",
        "--replicas 1.5        | --replicas \"1.5\" is out of order",
        "--collisions SOME     | --collisions \"SOME\" is no rule: write INCREMENT, DECREMENT or",
        "--key                 | --key lacks its value",
        "--sparkle             | there is no option \"--sparkle\": write --keys",
        "--keys=10             | there is no option \"--keys=10\": write --keys",
        "a b*x                 | node \"b*x\": weight \"x\" is no number; write id, id*2.5",
        "a b*                  | node \"b*\": weight \"\" is no number",
        "a b*NaN               | weight \"NaN\" is no number",
        "a +b*0                | node \"+b*0\": weight of node \"b\" must be finite and above 0",
        "a b*-1                | must be finite and above 0: -1.0; write id, id*2.5",
        "a b@                  | node \"b@\": zone of node \"b\" must not be blank",
        "a b@east*2            | the weight goes before the zone \"east*2\"; write id, id*2.5",
        "a +                   | node \"+\": node id must not be null or blank",
        "a *2                  | node \"*2\": node id must not be null or blank",
        "a b +a                | duplicate node id: \"a\"; write each node once",
        "a b -b                | duplicate node id: \"b\"; write each node once",
        "+a +b                 | every node joins: write at least one without \"+\"",
        "-a -b                 | every node leaves: write at least one without \"-\"",
      })
  void run_badArgument_saysHowToWriteIt(String args, String message) {
    Outcome outcome = run(args.split(" "));

    assertEquals(2, outcome.code());
    assertEquals("", outcome.out());
    assertEquals(1, outcome.err().lines().count(), outcome.err());
    assertTrue(outcome.err().contains(message), outcome.err());
    assertTrue(outcome.err().strip().endsWith("(--help explains)"), outcome.err());
  }

  @Test
  void run_clusterReplacedWhole_isAllowed() {
    Outcome outcome = tour("-a +b --keys 100 --replicas 1");

    assertEquals("100", outcome.row("In short", "primaries").get(1));
  }
}
