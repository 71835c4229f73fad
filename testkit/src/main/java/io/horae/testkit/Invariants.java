package io.horae.testkit;

import java.util.List;

/** The promises that every run must keep. */
final class Invariants {

  private Invariants() {}

  static List<Invariant> all(Cluster cluster) {
    return List.of(
        new NothingThrown(cluster),
        new NeverEarly(cluster),
        new SequenceNeverGoesBack(cluster),
        new DeletedStaysDeleted(cluster),
        new NoTimerLost(cluster),
        new PoppedInTime(cluster),
        new OneActorPerLevel(cluster),
        new LimitsKept(cluster),
        new OperationsEnd(cluster),
        new ResyncEnds(cluster),
        new RightHolders(cluster));
  }
}
