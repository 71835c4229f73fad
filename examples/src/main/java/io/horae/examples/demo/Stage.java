package io.horae.examples.demo;

import io.horae.examples.console.Progress;
import java.util.Locale;

/**
 * Where a run takes place: what was asked for, the cluster, the record, and the bars that show how
 * it goes.
 */
record Stage(
    DemoArguments arguments, DemoCluster cluster, Ledger ledger, Progress progress, long beganMs) {

  static final long STEP_MS = 40;

  /** The moment at which so much of the time has passed in which timers pop. */
  long moment(double part) {
    return beganMs + (long) (part * arguments.seconds() * 1_000);
  }

  /** Shows how much of a phase has passed. */
  void show(String title, long fromMs, long untilMs, long inFlight) {
    double part = (Clock.nowMs() - fromMs) / (double) Math.max(1, untilMs - fromMs);
    String note = grouped(ledger.cameCount()) + " pops";
    progress.update(
        ascii(title), part, inFlight == 0 ? note : note + ", " + grouped(inFlight) + " in flight");
  }

  void end(String title, String note) {
    progress.end(ascii(title), note);
  }

  /** Consoles do not all have arrows. */
  static String ascii(String title) {
    return title.replace("→", "->");
  }

  static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  static String seconds(long ms) {
    return String.format(Locale.ROOT, "%.1f s", ms / 1_000.0);
  }
}
