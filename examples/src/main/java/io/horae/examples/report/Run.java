package io.horae.examples.report;

import java.util.List;

/**
 * What happened, from when the first timer was created. Times are milliseconds from then on.
 *
 * @param title the run in a line
 * @param facts what was run and where, in a few words each
 * @param timers how many were created
 * @param lengthMs how long it took
 * @param phases one after the other, without gaps
 * @param lives of the nodes, in the order in which they joined
 * @param popsByBin how many pops came in each stretch of {@link #binMs}
 * @param binMs how long a stretch is
 * @param broken promises that did not hold; empty if all is well
 */
public record Run(
    String title,
    List<String> facts,
    int timers,
    long lengthMs,
    List<Phase> phases,
    List<Life> lives,
    List<Integer> popsByBin,
    long binMs,
    List<String> broken) {

  /** Copies the lists. */
  public Run {
    facts = List.copyOf(facts);
    phases = List.copyOf(phases);
    lives = List.copyOf(lives);
    popsByBin = List.copyOf(popsByBin);
    broken = List.copyOf(broken);
  }

  /** This run, with what it broke. */
  public Run breaking(List<String> promises) {
    return new Run(title, facts, timers, lengthMs, phases, lives, popsByBin, binMs, promises);
  }

  /** The phases in which the cluster changed. */
  public List<Change> changes() {
    return phases.stream().flatMap(phase -> phase.change().stream()).toList();
  }

  /** The pops of all phases. */
  public PopCounts pops() {
    return phases.stream().map(Phase::pops).reduce(PopCounts.NONE, PopCounts::plus);
  }

  /**
   * A node's time in the cluster.
   *
   * @param node its id
   * @param fromMs when it joined
   * @param leavingMs when it was asked to leave, or when it ended
   * @param toMs when it ended
   * @param end how
   */
  public record Life(String node, long fromMs, long leavingMs, long toMs, End end) {}

  /** How a node's time in the cluster ends. */
  public enum End {
    /** It is there until the run is over. */
    STAYS,
    /** It goes when it holds nothing that others do not have. */
    LEAVES,
    /** It is gone from one moment to the next. */
    KILLED
  }
}
