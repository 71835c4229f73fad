package io.horae.benchmarks.report;

import io.horae.benchmarks.report.Question.Role;
import io.horae.benchmarks.report.Question.Subject;
import java.util.ArrayList;
import java.util.List;

/** The figures of a question that has one size only, as bars. */
final class BarChart {

  private static final int WIDTH = 760;
  private static final int ROW = 26;
  private static final int TOP = 44;
  private static final int LEFT = 250;
  private static final int RIGHT = 680;

  private BarChart() {}

  static boolean canDraw(Answer answer) {
    return answer.sizes().size() == 1 && answer.subjects().size() > 1;
  }

  static String draw(Answer answer) {
    String size = answer.sizes().get(0);
    List<Subject> subjects = new ArrayList<>(answer.subjects());
    double most = 0;
    for (Subject subject : subjects) {
      most = Math.max(most, answer.figure(subject, size).value());
    }
    Svg svg = new Svg(WIDTH, TOP + ROW * subjects.size() + 16, answer.question().title());
    svg.text(RIGHT, 24, "end", "muted", answer.question().unit());
    double y = TOP;
    for (Subject subject : subjects) {
      Figure figure = answer.figure(subject, size);
      double length = (RIGHT - LEFT) * figure.value() / most;
      String ink =
          subject.role() == Role.HORAE
              ? Svg.colour(0)
              : subject.role() == Role.WORK ? "var(--grid)" : "var(--muted)";
      svg.text(LEFT - 10, y + ROW / 2.0 + 4, "end", "label", subject.label());
      svg.bar(LEFT, y + 3, Math.max(1, length), ROW - 8, ink);
      svg.text(LEFT + length + 6, y + ROW / 2.0 + 4, "start", "label", Numbers.of(figure));
      y += ROW;
    }
    return svg.toString();
  }
}
