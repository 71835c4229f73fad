package io.horae.examples.demo;

import io.horae.examples.demo.DemoCluster.Census;
import io.horae.examples.report.Change;
import io.horae.examples.report.Change.InFlight;
import io.horae.placement.Movement;
import io.horae.placement.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** A change of the cluster, watched from the moment it begins until all is where it belongs. */
final class Transition {

  private static final long SETTLED_MS_MAX = 60_000;

  private final Stage stage;
  private final String title;
  private final boolean kills;
  private final Action action;
  private final List<InFlight> inFlight = new ArrayList<>();
  private long settledMs = -1;

  /** What changes the cluster; it does not wait for that to be done. */
  interface Action {
    void run() throws Exception;
  }

  Transition(Stage stage, String title, boolean kills, Action action) {
    this.stage = stage;
    this.title = title;
    this.kills = kills;
    this.action = action;
  }

  /** Whether all got into place within the time that it may take. */
  boolean isSettled() {
    return settledMs >= 0;
  }

  /**
   * Makes the change.
   *
   * @param alive the ids of the timers that live
   * @param untilMs when to return, if all is in place by then
   * @return what came of it
   */
  Change make(LongStream alive, long untilMs) throws Exception {
    long[] timers = alive.toArray();
    DemoCluster cluster = stage.cluster();
    Census before = cluster.census();
    List<Node> nodesBefore = cluster.nodes();
    long fromMs = Clock.nowMs();
    action.run();
    List<Node> nodesAfter = cluster.nodes();
    Census after = watch(fromMs, untilMs);
    stage.end(
        title,
        isSettled()
            ? "all in place after " + Stage.seconds(settledMs)
            : "not all in place after " + Stage.seconds(SETTLED_MS_MAX));
    Movement movement =
        Movement.between(
            stage.arguments().placement().of(nodesBefore),
            stage.arguments().placement().of(nodesAfter),
            LongStream.of(timers),
            stage.arguments().replicas());
    return new Change(
        title,
        kills,
        nodesBefore,
        nodesAfter,
        before.holdings(),
        after.holdings(),
        movement,
        inFlight,
        isSettled() ? settledMs : SETTLED_MS_MAX);
  }

  /** Watches; returns what the nodes counted when all was in place, or at the end. */
  private Census watch(long fromMs, long untilMs) throws InterruptedException {
    Census settled = null;
    while (true) {
      Census census = stage.cluster().census();
      long nowMs = Clock.nowMs();
      if (settled == null) {
        inFlight.add(new InFlight(nowMs - fromMs, census.inFlight()));
      }
      if (settled == null && census.settled()) {
        settled = census;
        settledMs = nowMs - fromMs;
      }
      if (settled != null && nowMs >= untilMs) {
        return settled;
      }
      if (nowMs - fromMs > SETTLED_MS_MAX) {
        return settled == null ? census : settled;
      }
      stage.show(title, fromMs, untilMs, census.inFlight());
      Thread.sleep(Stage.STEP_MS);
    }
  }
}
