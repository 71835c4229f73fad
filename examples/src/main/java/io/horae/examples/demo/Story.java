package io.horae.examples.demo;

import io.horae.examples.console.Progress;
import io.horae.examples.report.Change;
import io.horae.examples.report.Run;

/**
 * What happens, phase by phase: timers are created; a node joins, and another; both leave; one is
 * killed. Timers pop all the while, and a phase lasts until all is in place and its time is over.
 */
final class Story {

  /** When phases end, as parts of the time in which timers pop. */
  private static final double CREATED = 0.14;

  private static final double ONE_MORE = 0.3;
  private static final double TWO_MORE = 0.46;
  private static final double TWO_LESS = 0.66;

  private static final long TOGETHER_MS_MAX = 30_000;

  /** A second pop of a timer comes at most so much later than the first: the skew of a level. */
  private static final long LINGER_MS = 2_100;

  private static final String VICTIM = "n2";

  private final Stage stage;
  private final DemoCluster cluster;
  private final Ledger ledger;
  private final Chronicle chronicle;
  private final Creation creation;

  private Story(Stage stage) {
    this.stage = stage;
    cluster = stage.cluster();
    ledger = stage.ledger();
    chronicle = new Chronicle(stage);
    creation = new Creation(stage);
  }

  /** Plays it with a cluster of its own. */
  static Run play(DemoArguments arguments, Progress progress) throws Exception {
    Ledger ledger = new Ledger();
    try (DemoCluster cluster = new DemoCluster(arguments.placement(), ledger)) {
      comeTogether(cluster, arguments.nodes(), progress);
      Stage stage = new Stage(arguments, cluster, ledger, progress, Clock.nowMs());
      return new Story(stage).play();
    }
  }

  private static void comeTogether(DemoCluster cluster, int nodes, Progress progress)
      throws Exception {
    String title = "starting";
    long fromMs = Clock.nowMs();
    for (int i = 0; i < nodes; i++) {
      progress.update(title, i / (double) nodes, "");
      // One after the other: those that start at once may first be clusters of their own.
      cluster.start();
      cluster.awaitJoined(TOGETHER_MS_MAX);
    }
    while (!cluster.census().settled()) {
      if (Clock.nowMs() - fromMs > TOGETHER_MS_MAX) {
        throw new IllegalStateException(nodes + " nodes did not become a cluster");
      }
      Thread.sleep(Stage.STEP_MS);
    }
    progress.end(title, nodes + " nodes in " + Stage.seconds(Clock.nowMs() - fromMs));
  }

  private Run play() throws Exception {
    int nodes = stage.arguments().nodes();
    create(nodes + " nodes");
    change(title(nodes, nodes + 1), ONE_MORE, cluster::start);
    change(title(nodes + 1, nodes + 2), TWO_MORE, cluster::start);
    change(title(nodes + 2, nodes), TWO_LESS, () -> cluster.leave(2));
    if (stage.arguments().kills()) {
      String title = VICTIM + " killed";
      change(new Transition(stage, title, true, () -> cluster.kill(VICTIM)), title, 1);
    }
    awaitLastPops();
    return chronicle.run();
  }

  private static String title(int before, int after) {
    return before + " → " + after;
  }

  private void create(String title) throws InterruptedException {
    chronicle.begin(title);
    while (creation.goOn(Stage.STEP_MS)) {
      double part = ledger.createdCount() / (double) stage.arguments().timers();
      stage.progress().update(title, part, created());
    }
    if (creation.failedCount() > 0) {
      chronicle.trouble(Stage.grouped(creation.failedCount()) + " timers could not be created.");
    }
    stage.end(title, created() + " in " + Stage.seconds(Clock.nowMs() - stage.beganMs()));
    while (Clock.nowMs() < stage.moment(CREATED)) {
      Thread.sleep(Stage.STEP_MS);
    }
  }

  private String created() {
    return Stage.grouped(ledger.createdCount()) + " timers created";
  }

  private void change(String title, double until, Transition.Action action) throws Exception {
    change(new Transition(stage, title, false, action), title, until);
  }

  private void change(Transition transition, String title, double until) throws Exception {
    chronicle.begin(title);
    Change change = transition.make(creation.alive(), stage.moment(until));
    chronicle.changed(change);
    if (!transition.isSettled()) {
      chronicle.trouble(title + ": not all timers got into place in time.");
      cluster.members().forEach(node -> chronicle.trouble(node.standing()));
    }
  }

  /** Waits for all pops that are to come, and then for those that come again. */
  private void awaitLastPops() throws InterruptedException {
    String title = "last pops";
    long fromMs = Clock.nowMs();
    long overdueMs = fromMs;
    for (Ledger.Asked timer : ledger.asked()) {
      overdueMs = Math.max(overdueMs, timer.overdueMs(timer.pops()));
    }
    while (ledger.overCount() < ledger.askedCount() && Clock.nowMs() < overdueMs) {
      stage.show(title, fromMs, overdueMs, 0);
      Thread.sleep(Stage.STEP_MS);
    }
    long untilMs = Clock.nowMs() + LINGER_MS;
    while (Clock.nowMs() < untilMs) {
      stage.show(title, fromMs, untilMs, 0);
      Thread.sleep(Stage.STEP_MS);
    }
    stage.end(title, Stage.grouped(ledger.cameCount()) + " pops in all");
  }
}
