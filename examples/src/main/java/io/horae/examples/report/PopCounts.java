package io.horae.examples.report;

import java.util.ArrayList;
import java.util.List;

/**
 * What became of pops.
 *
 * @param due how many there should have been
 * @param onTime those within {@value #ON_TIME_MS} ms after they were due
 * @param early those before they were due
 * @param late those that came later, but before the timer's interval had passed twice
 * @param overdue those that came after that
 * @param lost those that never came
 * @param doubled those that came again, with the same stamp and sequence number
 * @param differing those that came again with others, or that nobody had asked for
 */
public record PopCounts(
    int due, int onTime, int early, int late, int overdue, int lost, int doubled, int differing) {

  /** How late a pop may be and still count as on time. */
  public static final int ON_TIME_MS = 1_000;

  /** Of nothing. */
  public static final PopCounts NONE = new PopCounts(0, 0, 0, 0, 0, 0, 0, 0);

  /** What must not be, in a line each; empty if every promise held. */
  public List<String> broken() {
    List<String> broken = new ArrayList<>();
    add(broken, lost, "was lost.", "were lost.");
    add(broken, early, "came early.", "came early.");
    add(broken, overdue, "came after twice its interval.", "came after twice their interval.");
    String again = "not asked for, or came again as another pop.";
    add(broken, differing, "came that was " + again, "came that were " + again);
    return broken;
  }

  private static void add(List<String> broken, int count, String ofOne, String ofMany) {
    if (count > 0) {
      broken.add(Figures.grouped(count) + (count == 1 ? " pop " + ofOne : " pops " + ofMany));
    }
  }

  PopCounts plus(PopCounts other) {
    return new PopCounts(
        due + other.due,
        onTime + other.onTime,
        early + other.early,
        late + other.late,
        overdue + other.overdue,
        lost + other.lost,
        doubled + other.doubled,
        differing + other.differing);
  }
}
