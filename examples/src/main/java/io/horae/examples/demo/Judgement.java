package io.horae.examples.demo;

import io.horae.examples.demo.Ledger.Asked;
import io.horae.examples.demo.Ledger.Came;
import io.horae.examples.report.Lateness;
import io.horae.examples.report.PopCounts;
import io.horae.resync.Stamp;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What became of every pop that was asked for. Each belongs to the phase in which it was due; one
 * that nobody asked for, to that in which it came.
 */
final class Judgement {

  private final Ledger ledger;
  private final List<Phase> phases = new ArrayList<>();

  /** What is counted for a phase. */
  private static final class Phase {
    private final long fromMs;
    private final List<Long> latenessMs = new ArrayList<>();
    private int due;
    private int onTime;
    private int early;
    private int late;
    private int overdue;
    private int lost;
    private int doubled;
    private int differing;

    Phase(long fromMs) {
      this.fromMs = fromMs;
    }
  }

  /**
   * Judges.
   *
   * @param phasesFromMs when each phase began, in order
   */
  Judgement(Ledger ledger, List<Long> phasesFromMs) {
    this.ledger = ledger;
    phasesFromMs.forEach(fromMs -> phases.add(new Phase(fromMs)));
    judge();
  }

  private void judge() {
    List<Asked> asked = ledger.asked();
    List<List<Came>> byTimer = new ArrayList<>();
    asked.forEach(timer -> byTimer.add(new ArrayList<>()));
    for (Came pop : ledger.came()) {
      if (pop.timer() < 0 || pop.timer() >= asked.size()) {
        phase(pop.atMs()).differing++;
      } else {
        byTimer.get(pop.timer()).add(pop);
      }
    }
    for (int timer = 0; timer < asked.size(); timer++) {
      judge(asked.get(timer), byTimer.get(timer));
    }
  }

  private void judge(Asked timer, List<Came> pops) {
    Set<Stamp> stamps = new HashSet<>();
    List<List<Came>> bySequence = new ArrayList<>();
    for (int sequence = 1; sequence <= timer.pops(); sequence++) {
      bySequence.add(new ArrayList<>());
    }
    for (Came pop : pops) {
      stamps.add(pop.stamp());
      if (pop.sequence() < 1 || pop.sequence() > timer.pops() || stamps.size() > 1) {
        phase(pop.atMs()).differing++;
      } else {
        bySequence.get(pop.sequence() - 1).add(pop);
      }
    }
    for (int sequence = 1; sequence <= timer.pops(); sequence++) {
      judge(timer, sequence, bySequence.get(sequence - 1));
    }
  }

  private void judge(Asked timer, int sequence, List<Came> pops) {
    Phase phase = phase(timer.dueMs(sequence));
    phase.due++;
    if (pops.isEmpty()) {
      phase.lost++;
      return;
    }
    phase.doubled += pops.size() - 1;
    long cameMs = pops.stream().mapToLong(Came::atMs).min().orElseThrow();
    long latenessMs = cameMs - timer.dueMs(sequence);
    if (latenessMs < 0) {
      phase.early++;
      return;
    }
    phase.latenessMs.add(latenessMs);
    if (cameMs >= timer.overdueMs(sequence)) {
      phase.overdue++;
    } else if (latenessMs > PopCounts.ON_TIME_MS) {
      phase.late++;
    } else {
      phase.onTime++;
    }
  }

  private Phase phase(long atMs) {
    int at = phases.size() - 1;
    while (at > 0 && phases.get(at).fromMs > atMs) {
      at--;
    }
    return phases.get(at);
  }

  /** What became of the pops of a phase, counted from 0. */
  PopCounts pops(int index) {
    Phase phase = phases.get(index);
    return new PopCounts(
        phase.due,
        phase.onTime,
        phase.early,
        phase.late,
        phase.overdue,
        phase.lost,
        phase.doubled,
        phase.differing);
  }

  /** How late the pops of a phase were, counted from 0. */
  Lateness lateness(int index) {
    return Lateness.of(phases.get(index).latenessMs);
  }
}
