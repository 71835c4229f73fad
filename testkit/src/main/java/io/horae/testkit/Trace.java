package io.horae.testkit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The last things that happened, to be looked through when something fails. */
final class Trace {

  private static final int KEPT_MAX = 100_000;
  private static final int SHOWN_MAX = 60;

  private record Line(long atMs, Happening happening) {}

  private final Deque<Line> lines = new ArrayDeque<>();

  void add(long atMs, Happening happening) {
    if (lines.size() == KEPT_MAX) {
      lines.removeFirst();
    }
    lines.add(new Line(atMs, happening));
  }

  /** The last lines that concern a timer, or a node. */
  String about(@Nullable Long timer, @Nullable String node) {
    List<String> shown = new ArrayList<>();
    Iterator<Line> back = lines.descendingIterator();
    while (back.hasNext() && shown.size() < SHOWN_MAX) {
      Line line = back.next();
      if ((timer != null && line.happening.concernsTimer(timer))
          || line.happening.concernsNode(node == null ? "" : node)) {
        String what = line.happening.describe(timer);
        shown.add(String.format(Locale.ROOT, "  %9.3f s  %s%n", line.atMs / 1e3, what));
      }
    }
    Collections.reverse(shown);
    return String.join("", shown);
  }
}
