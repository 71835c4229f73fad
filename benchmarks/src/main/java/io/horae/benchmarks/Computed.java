package io.horae.benchmarks;

import io.horae.benchmarks.report.Figure;
import io.horae.benchmarks.report.Question;
import java.util.ArrayList;
import java.util.List;

/**
 * A question that is answered by computing or by counting, the same every time, and not by timing.
 *
 * @param question what is asked
 * @param seconds about how long the answer takes
 * @param compute gives the answer
 */
record Computed(Question question, double seconds, Answering compute) {

  /** Gives the figures of a question. */
  @FunctionalInterface
  interface Answering {
    List<Figure> get() throws Exception;
  }

  static List<Computed> all() {
    List<Computed> all = new ArrayList<>(Quality.questions());
    all.addAll(Footprint.questions());
    all.addAll(ResyncCost.questions());
    return List.copyOf(all);
  }
}
