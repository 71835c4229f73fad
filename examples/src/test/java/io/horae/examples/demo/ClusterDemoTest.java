package io.horae.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.examples.Document;
import io.horae.examples.report.Lateness;
import io.horae.examples.report.Phase;
import io.horae.examples.report.PopCounts;
import io.horae.examples.report.Run;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterDemoTest {

  @TempDir private Path directory;

  /** What a run left behind. */
  private record Outcome(int code, String out, String err) {}

  private static Outcome run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        ClusterDemo.run(
            args,
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8),
            /* terminal= */ false);
    return new Outcome(code, out.toString(UTF_8), err.toString(UTF_8));
  }

  @Test
  void run_small_keepsEveryPromiseAndReportsIt() throws IOException {
    Path report = directory.resolve("made").resolve("report.html");

    Outcome outcome =
        run("--timers", "300", "--seconds", "6", "--seed", "7", "--report", report.toString());

    assertEquals("", outcome.err());
    assertEquals(0, outcome.code(), outcome.out());
    assertTrue(outcome.out().contains("Every promise held."), outcome.out());
    assertTrue(outcome.out().contains("300 timers created"), outcome.out());
    List<String> all = row(outcome, "all");
    assertTrue(Integer.parseInt(all.get(1)) >= 300, "all are due");
    assertEquals(List.of("0", "0"), List.of(all.get(3), all.get(6)), "early and lost");
    for (String phase : List.of("3 -> 4", "4 -> 5", "5 -> 3", "n2 killed")) {
      assertTrue(
          outcome.out().lines().anyMatch(line -> line.matches("  " + phase + " +#+ .*in place.*")),
          phase + " in\n" + outcome.out());
    }
    assertLooksAsInReadme(outcome.out());
    String page = Files.readString(report);
    assertTrue(page.contains("Every promise held."));
    assertTrue(page.contains("300 timers on 3 → 4 → 5 → 3 nodes, and one killed"));
    assertTrue(page.contains("seed 7"));
  }

  @Test
  void conclude_brokenPromise_saysSoAndEndsWithOne() throws IOException {
    PopCounts pops = new PopCounts(6, 2, 0, 0, 1, 3, 0, 0);
    Lateness lateness = Lateness.of(List.of(1L, 2L, 4_000L));
    Phase phase = new Phase("3 nodes", 0, 9_000, pops, lateness, Optional.empty());
    List<Phase> phases = List.of(phase);
    Run run =
        new Run("6 timers", List.of(), 6, 9_000, phases, List.of(), List.of(3), 9_000, List.of());

    Outcome outcome = concluded(run.breaking(run.pops().broken()));

    assertEquals(1, outcome.code());
    assertTrue(outcome.out().contains("BROKEN:"), outcome.out());
    assertFalse(outcome.out().contains("Every promise held."), outcome.out());
    String page = Files.readString(directory.resolve("report.html"));
    for (String line : List.of("3 pops were lost.", "1 pop came after twice its interval.")) {
      assertTrue(outcome.out().contains("  " + line), outcome.out());
      assertTrue(page.contains(line), line);
    }
    assertEquals(0, concluded(run).code());
  }

  private Outcome concluded(Run run) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int code =
        ClusterDemo.conclude(
            run, directory.resolve("report.html"), new PrintStream(out, true, UTF_8));
    return new Outcome(code, out.toString(UTF_8), "");
  }

  /** Every line of the front page's excerpt has a like one, whatever the figures. */
  private static void assertLooksAsInReadme(String out) {
    Document.Block excerpt =
        Document.of("README.md").blocks("text").stream()
            .filter(block -> block.content().contains("Every promise held."))
            .findFirst()
            .orElseThrow();
    Set<String> printed = out.lines().map(ClusterDemoTest::shape).collect(Collectors.toSet());
    for (String line : excerpt.content().lines().map(ClusterDemoTest::shape).toList()) {
      assertTrue(printed.contains(line), line + "\nis not in\n" + out);
    }
  }

  private static String shape(String line) {
    return line.strip().replaceAll("[0-9][0-9,.]*", "9").replaceAll(" +", " ");
  }

  /** The words of the line that begins with a word. */
  private static List<String> row(Outcome outcome, String first) {
    return outcome
        .out()
        .lines()
        .map(line -> List.of(line.strip().split("\\s+")))
        .filter(words -> words.get(0).equals(first))
        .findFirst()
        .orElseThrow(() -> new AssertionError(outcome.out()));
  }

  @Test
  void run_help_explainsEveryOption() {
    Outcome outcome = run("--nodes", "--help");

    assertEquals(0, outcome.code());
    for (String option :
        List.of(
            "--nodes",
            "--timers",
            "--replicas",
            "--placement",
            "--seed",
            "--seconds",
            "--report")) {
      assertTrue(outcome.out().contains(option + " "), option);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--nodes               | --nodes lacks its value",
        "--nodes 0             | --nodes \"0\" is out of order: write a whole number from 1 to 8",
        "--nodes 9             | --nodes \"9\" is out of order: write a whole number from 1 to 8",
        "--timers none         | --timers \"none\" is out of order: write a whole number from 1",
        "--replicas 4          | --replicas \"4\" is out of order: there are 3 nodes to begin with",
        "--placement round     | \"round\" is no placement: write rendezvous, ketama or buckets",
        "--seed x              | --seed \"x\" is out of order: write a whole number from -9223",
        "--seconds 4           | --seconds \"4\" is out of order: write a whole number from 5",
        "--sparkle             | there is no option \"--sparkle\": write --nodes, --timers",
        "three                 | there is no option \"three\"",
      })
  void run_badArgument_saysHowToWriteIt(String args, String message) {
    Outcome outcome = run(args.strip().split(" "));

    assertEquals(2, outcome.code());
    assertEquals("", outcome.out());
    assertEquals(1, outcome.err().lines().count(), outcome.err());
    assertTrue(outcome.err().contains(message), outcome.err());
    assertTrue(outcome.err().strip().endsWith("(--help explains)"), outcome.err());
  }

  @Test
  void kills_onlyIfOthersHaveItsTimers() {
    assertTrue(DemoArguments.parse("--replicas", "2").kills());
    assertFalse(DemoArguments.parse("--replicas", "1").kills());
  }
}
