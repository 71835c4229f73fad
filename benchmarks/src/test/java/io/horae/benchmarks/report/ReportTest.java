package io.horae.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

  private static final Question LOOKUP =
      Question.of("lookup", "Keys", "Looking a key up", "nodes", "ns")
          .horae("horae", "Horae <us>")
          .peer("slow", "the slow")
          .peer("fast", "the fast")
          .work("loop", "bare & loop");

  private static final List<Figure> FIGURES =
      List.of(
          figure("horae", "10", 100, 10),
          figure("slow", "10", 900, 10),
          figure("fast", "10", 105, 5),
          figure("loop", "10", 50, 1),
          figure("horae", "1000", 1_000, 10),
          figure("slow", "1000", 3_000, 10),
          figure("fast", "1000", 105_000, 10));

  @TempDir private Path directory;

  private static Figure figure(String subject, String size, double value, double error) {
    return new Figure("lookup", subject, size, value, error, 24);
  }

  private static Results results(List<Figure> figures) {
    Results results = new Results();
    results.put("lookup", Run.here("quick"), figures);
    return results;
  }

  private static Answer answer() {
    return new Answer(LOOKUP, FIGURES);
  }

  @Test
  void bestPeer_isTheOneWithTheLeast_neverTheWorkItself() {
    assertEquals("fast", answer().bestPeer("10").id());
    assertEquals("slow", answer().bestPeer("1000").id());
  }

  @Test
  void ahead_isThePeerOverHorae_withTheErrorsOfBoth() {
    Answer.Ratio ratio = answer().ahead("1000");
    assertEquals(3, ratio.value(), 1e-9);
    assertEquals(3 * Math.hypot(0.01, 10.0 / 3_000), ratio.error(), 1e-9);
    assertFalse(ratio.isUndecided());
    assertTrue(answer().ahead("10").isUndecided());
  }

  @Test
  void bestPeer_countsSubjectsThatTheQuestionDoesNotKnow() {
    Answer answer =
        new Answer(LOOKUP, List.of(figure("horae", "10", 100, 1), figure("new", "10", 50, 1)));
    assertEquals("new", answer.bestPeer("10").id());
    assertEquals(0.5, answer.ahead("10").value(), 1e-9);
  }

  @Test
  void exponent_isTheSlopeOfTheLogarithms() {
    Answer answer = answer();
    assertEquals(0.5, answer.exponent(LOOKUP.subjects().get(0)).orElseThrow(), 1e-9);
    assertEquals(1.5, answer.exponent(LOOKUP.subjects().get(2)).orElseThrow(), 1e-9);
    assertTrue(answer.exponent(LOOKUP.subjects().get(3)).isEmpty(), "of one figure");
  }

  @Test
  void exponent_countsFromAHundredthOfTheLargestSize() {
    List<Figure> figures =
        List.of(
            figure("horae", "1", 1_000_000, 0),
            figure("horae", "10", 10, 0),
            figure("horae", "1000", 1_000, 0));
    Answer answer = new Answer(LOOKUP, figures);
    assertEquals(1, answer.exponent(LOOKUP.subjects().get(0)).orElseThrow(), 1e-9);
  }

  @Test
  void write_putsEveryFigureIntoTheTable() throws IOException {
    new Report(List.of(LOOKUP), results(FIGURES)).write(directory, "Results");
    String page = Files.readString(directory.resolve("REPORT.md"));
    assertTrue(page.contains("| 10 | **100 ± 10** | 900 ± 10 | 105 ± 5 | *50.0 ± 1.0* |"), page);
    assertTrue(page.contains("| the fast | 1.05 ± 0.12 ×, within errors |"), page);
    assertTrue(page.contains("| the slow | 3.00 ± 0.03 × |"), page);
    assertTrue(page.contains("1,000"), page);
    assertTrue(page.contains("![Looking a key up](lookup.svg)"), page);
  }

  @Test
  void write_drawsWellFormedXml() throws Exception {
    new Report(List.of(LOOKUP), results(FIGURES)).write(directory, "Results");
    Path drawing = directory.resolve("lookup.svg");
    var document =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(drawing.toFile());
    assertEquals("svg", document.getDocumentElement().getTagName());
    assertEquals(4, document.getElementsByTagName("polyline").getLength());
    assertFalse(Files.readString(drawing).contains("NaN"));
  }

  @Test
  void write_oneSize_drawsBars() throws Exception {
    List<Figure> one = FIGURES.stream().filter(figure -> figure.size().equals("10")).toList();
    new Report(List.of(LOOKUP), results(one)).write(directory, "Results");
    var document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(directory.resolve("lookup.svg").toFile());
    assertEquals(1 + 4, document.getElementsByTagName("rect").getLength());
  }

  @Test
  void summary_hasALineForEachQuestionWithPeers() {
    String summary = new Report(List.of(LOOKUP), results(FIGURES)).summary();
    assertTrue(
        summary.contains(
            "| Looking a key up | 10 · 1,000 nodes | 100 · 1,000 ns | ~1.05 · 3.00 × | the fast, the slow |"),
        summary);
  }

  @Test
  void ahead_horaeFailed_isUnknown() {
    Answer answer =
        new Answer(LOOKUP, List.of(figure("horae", "10", 100, 1), figure("fast", "1000", 50, 1)));
    assertNull(answer.ahead("1000"));
    assertNull(answer.horae("1000"));
  }

  @Test
  void summary_ofSome_leavesTheOthersOut() {
    Report report = new Report(List.of(LOOKUP), results(FIGURES));
    assertEquals(report.summary(), report.summary(LOOKUP::equals));
    assertFalse(report.summary(question -> false).contains("Looking a key up"));
  }

  @Test
  void results_readWhatTheyWrote() throws IOException {
    Figure computed = new Figure("quality", "horae", "3", 1.25, Double.NaN, Double.NaN);
    Results results = results(FIGURES);
    results.put(
        "quality", new Run(Map.of("mode", "full", "cpu", "2 × \"fast\"")), List.of(computed));
    results.write(directory);
    Results read = Results.read(directory);
    assertEquals(results.figures(), read.figures());
    assertEquals(results.run("lookup"), read.run("lookup"));
    assertEquals("2 × 'fast'", read.run("quality").facts().get("cpu"));
  }

  @Test
  void results_put_replacesTheFiguresOfThatQuestionOnly() {
    Results results = results(FIGURES);
    results.put("other", Run.here("quick"), List.of(new Figure("other", "horae", "1", 1, 1, 1)));
    results.put("lookup", Run.here("full"), FIGURES.subList(0, 1));
    assertEquals(2, results.figures().size());
    assertEquals("full", results.run("lookup").facts().get("mode"));
    assertEquals("quick", results.run("other").facts().get("mode"));
  }

  @Test
  void insert_replacesWhatIsBetweenTheLines() throws IOException {
    Path page = directory.resolve("page.md");
    Files.writeString(page, "before\n<!-- x -->\nold\n<!-- /x -->\nafter\n");
    Report.insert(page, "x", "new\n");
    assertEquals("before\n<!-- x -->\nnew\n<!-- /x -->\nafter\n", Files.readString(page));
    assertThrows(IllegalStateException.class, () -> Report.insert(page, "y", "new\n"));
  }
}
