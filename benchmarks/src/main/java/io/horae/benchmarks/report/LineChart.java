package io.horae.benchmarks.report;

import io.horae.benchmarks.report.Question.Role;
import io.horae.benchmarks.report.Question.Subject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The figures of a question as lines over its sizes, both axes logarithmic, with error bars. Horae
 * is the thick line, the work itself dashed.
 */
final class LineChart {

  private static final int WIDTH = 760;
  private static final int HEIGHT = 400;
  private static final int LEFT = 84;
  private static final int RIGHT = 540;
  private static final int TOP = 44;
  private static final int BOTTOM = 352;
  private static final double LABELS_APART = 16;

  private final Answer answer;
  private final Svg svg;
  private final double xLow;
  private final double xHigh;
  private final double yLow;
  private final double yHigh;

  private record Label(double y, String text, String colour) {}

  private LineChart(Answer answer) {
    this.answer = answer;
    Question question = answer.question();
    svg = new Svg(WIDTH, HEIGHT, question.title());
    xLow = sizes().stream().mapToDouble(Answer::number).min().orElseThrow();
    xHigh = sizes().stream().mapToDouble(Answer::number).max().orElseThrow();
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    for (Subject subject : answer.subjects()) {
      for (String size : sizes()) {
        Figure figure = answer.figure(subject, size);
        if (figure != null && figure.value() > 0) {
          least = Math.min(least, figure.value());
          most = Math.max(most, figure.value() + figure.spread());
        }
      }
    }
    yLow = Math.pow(10, Math.floor(Math.log10(least)));
    yHigh = Math.max(yLow * 10, Math.pow(10, Math.ceil(Math.log10(most))));
  }

  /** Whether there is a line to draw: two sizes that are numbers, and figures above 0. */
  static boolean canDraw(Answer answer) {
    List<String> sizes = answer.sizes();
    return sizes.size() > 1
        && sizes.stream().allMatch(size -> Answer.number(size) > 0)
        && answer.subjects().stream()
            .allMatch(
                subject ->
                    sizes.stream()
                        .map(size -> answer.figure(subject, size))
                        .allMatch(figure -> figure == null || figure.value() > 0));
  }

  static String draw(Answer answer) {
    return new LineChart(answer).draw();
  }

  private List<String> sizes() {
    return answer.sizes();
  }

  private String draw() {
    axes();
    List<Label> labels = new ArrayList<>();
    int colour = 0;
    for (Subject subject : answer.subjects()) {
      boolean isWork = subject.role() == Role.WORK;
      String ink = isWork ? "var(--muted)" : Svg.colour(colour++);
      double last = series(subject, ink);
      labels.add(new Label(last, subject.label(), ink));
    }
    labels(labels);
    return svg.toString();
  }

  private void axes() {
    for (double y = yLow; y <= yHigh * 1.001; y *= 10) {
      svg.gridLine(LEFT, y(y), RIGHT, y(y));
      svg.text(LEFT - 8, y(y) + 4, "end", "muted", tick(y));
    }
    for (String size : sizes()) {
      double x = x(Answer.number(size));
      svg.gridLine(x, TOP, x, BOTTOM);
      svg.text(x, BOTTOM + 18, "middle", "muted", Numbers.size(size));
    }
    Question question = answer.question();
    svg.text((LEFT + RIGHT) / 2.0, BOTTOM + 38, "middle", "muted", question.sizeName());
    svg.text(RIGHT, 24, "end", "muted", question.unit());
  }

  private static String tick(double value) {
    return value >= 1
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.4f", value).replaceAll("0+$", "");
  }

  /** Draws a line; returns the height that it ends at. */
  private double series(Subject subject, String ink) {
    boolean isHorae = subject.role() == Role.HORAE;
    StringBuilder points = new StringBuilder();
    List<Figure> figures = new ArrayList<>();
    for (String size : sizes()) {
      Figure figure = answer.figure(subject, size);
      if (figure != null) {
        figures.add(figure);
        points.append(
            String.format(Locale.ROOT, "%.1f,%.1f ", x(Answer.number(size)), y(figure.value())));
      }
    }
    String dashes = subject.role() == Role.WORK ? "5 4" : "none";
    svg.path(points.toString().strip(), ink, isHorae ? 3.5 : 1.8, dashes);
    for (Figure figure : figures) {
      double x = x(Answer.number(figure.size()));
      double low = Math.max(yLow, figure.value() - figure.spread());
      svg.line(x, y(low), x, y(Math.min(yHigh, figure.value() + figure.spread())), ink, 1);
      String hint =
          subject.label()
              + ", "
              + Numbers.size(figure.size())
              + ": "
              + Numbers.of(figure)
              + " "
              + answer.question().unit();
      svg.dot(x, y(figure.value()), isHorae ? 4 : 3, ink, hint);
    }
    return y(figures.get(figures.size() - 1).value());
  }

  /** Writes the names beside the ends of their lines, moved apart where those are close. */
  private void labels(List<Label> labels) {
    labels.sort(Comparator.comparingDouble(Label::y));
    double from = TOP;
    double room = (BOTTOM - TOP - LABELS_APART * (labels.size() - 1));
    for (int i = 0; i < labels.size(); i++) {
      Label label = labels.get(i);
      double highest = TOP + room + LABELS_APART * i;
      double y = Math.min(Math.max(label.y(), from), Math.max(from, highest));
      svg.line(RIGHT + 4, label.y(), RIGHT + 18, y, label.colour(), 1);
      svg.dot(RIGHT + 22, y, 4, label.colour(), label.text());
      svg.text(RIGHT + 32, y + 4, "start", "label", label.text());
      from = y + LABELS_APART;
    }
  }

  private double x(double value) {
    return LEFT + 12 + (RIGHT - LEFT - 24) * Math.log(value / xLow) / Math.log(xHigh / xLow);
  }

  private double y(double value) {
    return BOTTOM - (BOTTOM - TOP) * Math.log(value / yLow) / Math.log(yHigh / yLow);
  }
}
