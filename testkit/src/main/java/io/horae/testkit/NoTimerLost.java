package io.horae.testkit;

/**
 * A timer is not lost while fewer of its copies failed than it has: see {@link Standings}.
 *
 * <ul>
 *   <li>Some machine has it, alive and as the client last wanted it, whenever a node ends, when the
 *       cluster has settled and at the end.
 *   <li>All pops that were due before the last calm have been handed to some host, by the end.
 * </ul>
 *
 * <p>Judged are timers of which all replicas have confirmed the last operation, and that operation
 * came after the others were at rest; until all their pops can have been.
 */
final class NoTimerLost implements Invariant {

  private final Cluster cluster;
  private long judged;

  NoTimerLost(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public void on(Happening happening) {
    if (happening instanceof Happening.Stopped stopped && stopped.memoryLost()) {
      judgeAll();
    }
  }

  @Override
  public void calm() {
    judgeAll();
  }

  @Override
  public void end() {
    judgeAll();
    for (TimerStory story : cluster.log().stories()) {
      if (cluster.standings().isSafe(story) && !story.last().deletes()) {
        judgePops(story.last());
      }
    }
  }

  private void judgeAll() {
    for (TimerStory story : cluster.log().stories()) {
      if (cluster.mustLive(story) && cluster.standings().isSafe(story)) {
        judged++;
        if (cluster.hosts().stream().noneMatch(host -> Standings.holds(host, story))) {
          throw cluster.broken(this, story.id(), null, "nobody has " + story.last());
        }
      }
    }
  }

  private void judgePops(Operation operation) {
    long byMs = cluster.nowMs() - Calm.SETTLE_MS - cluster.calm().lateMs(operation);
    for (int pop = 1; pop <= operation.popsAsked() && operation.dueMs(pop) < byMs; pop++) {
      judged++;
      if (!operation.hasPopped(pop)) {
        throw cluster.broken(
            this, operation.story().id(), null, "pop " + pop + " never came of " + operation);
      }
    }
  }

  @Override
  public long judged() {
    return judged;
  }
}
