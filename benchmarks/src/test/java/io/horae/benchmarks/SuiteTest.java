package io.horae.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.benchmarks.report.Question;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;

class SuiteTest {

  private static Set<BenchmarkListEntry> benchmarks(Timed question) {
    PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
    return BenchmarkList.defaultList()
        .find(new Progress(nowhere, 0, 0), question.includes, List.of());
  }

  @Test
  void timed_everyExpressionMatchesABenchmark() {
    for (Timed question : Suite.timed()) {
      for (String include : question.includes) {
        Timed alone = new Timed(question.question, "", include);
        assertFalse(benchmarks(alone).isEmpty(), question.question.id() + ": " + include);
      }
    }
  }

  @Test
  void timed_everyParameterIsOneOfABenchmark() {
    for (Timed question : Suite.timed()) {
      Set<String> known = new HashSet<>();
      benchmarks(question)
          .forEach(entry -> known.addAll(entry.getParams().orElse(Map.of()).keySet()));
      for (boolean isQuick : new boolean[] {true, false}) {
        Set<String> chosen = question.params(isQuick).keySet();
        assertTrue(known.containsAll(chosen), question.question.id() + ": " + chosen);
      }
    }
  }

  @Test
  void questions_haveIdsOfTheirOwn_andAskOneOfHorae() {
    List<Question> questions = new ArrayList<>();
    Suite.timed().forEach(timed -> questions.add(timed.question));
    Computed.all().forEach(computed -> questions.add(computed.question()));
    assertEquals(questions.size(), questions.stream().map(Question::id).distinct().count());
    for (Question question : questions) {
      assertEquals(Question.Role.HORAE, question.subjects().get(0).role(), question.id());
    }
  }

  @Test
  void front_namesQuestions() {
    Set<String> ids = new HashSet<>();
    Suite.timed().forEach(timed -> ids.add(timed.question.id()));
    Computed.all().forEach(computed -> ids.add(computed.question().id()));
    assertTrue(ids.containsAll(Benchmarks.FRONT), Benchmarks.FRONT.toString());
  }

  @Test
  void twins_agree() {
    for (Twins twins : Twins.all()) { // they check themselves
      assertTrue(twins.horae().roundNs() >= 0 && twins.twin().roundNs() >= 0, twins.name());
    }
  }
}
