package io.horae.benchmarks.report;

import io.horae.benchmarks.report.Question.Role;
import io.horae.benchmarks.report.Question.Subject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The figures of one question, by size and subject. */
final class Answer {

  private final Question question;
  private final Map<String, Map<String, Figure>> bySize = new LinkedHashMap<>();
  private final List<Subject> subjects = new ArrayList<>();

  /**
   * Sorts out the figures of a question. A subject that the question does not know is a peer: to
   * overlook one would flatter Horae.
   */
  Answer(Question question, List<Figure> figures) {
    this.question = question;
    List<Figure> own =
        figures.stream().filter(figure -> figure.question().equals(question.id())).toList();
    for (Figure figure : own) {
      bySize
          .computeIfAbsent(figure.size(), unknown -> new LinkedHashMap<>())
          .put(figure.subject(), figure);
    }
    for (Subject subject : question.subjects()) {
      if (own.stream().anyMatch(figure -> figure.subject().equals(subject.id()))) {
        subjects.add(subject);
      }
    }
    for (Figure figure : own) {
      if (subjects.stream().noneMatch(subject -> subject.id().equals(figure.subject()))) {
        subjects.add(new Subject(figure.subject(), figure.subject(), Role.PEER));
      }
    }
  }

  Question question() {
    return question;
  }

  boolean isEmpty() {
    return bySize.isEmpty();
  }

  /** Numbers in their order, then what is none. */
  List<String> sizes() {
    return bySize.keySet().stream().sorted(Comparator.comparingDouble(Answer::number)).toList();
  }

  /** Those that have figures. */
  List<Subject> subjects() {
    return List.copyOf(subjects);
  }

  /** Null if there is none. */
  Figure figure(Subject subject, String size) {
    return bySize.get(size).get(subject.id());
  }

  /** Horae's own figure, null if there is none. */
  Figure horae(String size) {
    return subjects.stream()
        .filter(subject -> subject.role() == Role.HORAE)
        .findFirst()
        .map(subject -> figure(subject, size))
        .orElse(null);
  }

  /** The peer with the least, null if there is none. */
  Subject bestPeer(String size) {
    Subject best = null;
    for (Subject subject : subjects) {
      Figure figure = figure(subject, size);
      if (subject.role() == Role.PEER
          && figure != null
          && (best == null || figure.value() < figure(best, size).value())) {
        best = subject;
      }
    }
    return best;
  }

  boolean hasPeers() {
    return sizes().stream().anyMatch(size -> bestPeer(size) != null && horae(size) != null);
  }

  /** How many times as much the best peer takes, null without Horae or a peer. */
  Ratio ahead(String size) {
    Subject best = bestPeer(size);
    Figure horae = horae(size);
    return best == null || horae == null ? null : Ratio.of(figure(best, size), horae);
  }

  /**
   * The power of the size that a subject's figures grow with: the slope of the best line through
   * their logarithms, from a hundredth of the largest size on; nothing if sizes are no numbers or
   * fewer than two.
   */
  OptionalDouble exponent(Subject subject) {
    double largest = sizes().stream().mapToDouble(Answer::number).max().orElse(Double.NaN);
    int count = 0;
    double sumX = 0;
    double sumY = 0;
    double sumXx = 0;
    double sumXy = 0;
    for (String size : sizes()) {
      Figure figure = figure(subject, size);
      if (figure == null || !(number(size) * 100 >= largest) || !(figure.value() > 0)) {
        continue;
      }
      double x = Math.log(number(size));
      double y = Math.log(figure.value());
      count++;
      sumX += x;
      sumY += y;
      sumXx += x * x;
      sumXy += x * y;
    }
    double spread = count * sumXx - sumX * sumX;
    return count < 2 || !(spread > 0)
        ? OptionalDouble.empty()
        : OptionalDouble.of((count * sumXy - sumX * sumY) / spread);
  }

  /** A size as a number, NaN if it is none. */
  static double number(String size) {
    try {
      return Double.parseDouble(size);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** How many times as much, and by how much that may be off. */
  record Ratio(double value, double error) {

    static Ratio of(Figure more, Figure less) {
      double value = more.value() / less.value();
      double relative = Math.hypot(more.spread() / more.value(), less.spread() / less.value());
      return new Ratio(value, value * relative);
    }

    /** Whether it cannot be told from 1. */
    boolean isUndecided() {
      return Math.abs(value - 1) <= error;
    }
  }
}
