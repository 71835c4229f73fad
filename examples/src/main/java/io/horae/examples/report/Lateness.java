package io.horae.examples.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How many pops came how late, in bins that grow.
 *
 * @param counts of each bin
 */
public record Lateness(List<Integer> counts) {

  /** Where each bin begins, in milliseconds. */
  static final List<Integer> FROM_MS =
      List.of(0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000);

  /** Copies the list. */
  public Lateness {
    counts = List.copyOf(counts);
    if (counts.size() != FROM_MS.size()) {
      throw new IllegalArgumentException(
          "there are " + FROM_MS.size() + " bins, not " + counts.size());
    }
  }

  /** Counts; what is early counts as not late at all. */
  public static Lateness of(List<Long> latenessMs) {
    List<Integer> counts = new ArrayList<>(Collections.nCopies(FROM_MS.size(), 0));
    for (long ms : latenessMs) {
      int bin = FROM_MS.size() - 1;
      while (bin > 0 && ms < FROM_MS.get(bin)) {
        bin--;
      }
      counts.set(bin, counts.get(bin) + 1);
    }
    return new Lateness(counts);
  }

  Lateness plus(Lateness other) {
    List<Integer> sums = new ArrayList<>();
    for (int bin = 0; bin < counts.size(); bin++) {
      sums.add(counts.get(bin) + other.counts.get(bin));
    }
    return new Lateness(sums);
  }

  static String label(int bin) {
    int from = FROM_MS.get(bin);
    if (bin == FROM_MS.size() - 1) {
      return "over " + from / 1_000 + " s";
    }
    int to = FROM_MS.get(bin + 1);
    if (to >= 1_000) {
      return Markup.number(from / 1_000.0) + "–" + to / 1_000 + " s";
    }
    return bin == 0 ? "under 1 ms" : from + "–" + to + " ms";
  }
}
