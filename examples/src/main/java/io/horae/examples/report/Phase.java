package io.horae.examples.report;

import java.util.Optional;

/**
 * A part of a run.
 *
 * @param title such as "3 → 4 nodes"
 * @param fromMs when it began
 * @param toMs when it ended
 * @param pops what became of the pops that were due in it
 * @param lateness how late they were
 * @param change how the cluster changed, if it did
 */
public record Phase(
    String title,
    long fromMs,
    long toMs,
    PopCounts pops,
    Lateness lateness,
    Optional<Change> change) {}
