package io.horae.examples.demo;

import io.horae.examples.report.Change;
import io.horae.examples.report.Phase;
import io.horae.examples.report.Run;
import io.horae.examples.report.Run.Life;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Writes down what happens, and makes the account of it. */
final class Chronicle {

  private static final long BIN_MS = 250;

  private final Stage stage;
  private final List<String> titles = new ArrayList<>();
  private final List<Long> begins = new ArrayList<>();
  private final List<Optional<Change>> changes = new ArrayList<>();
  private final List<String> troubles = new ArrayList<>();

  Chronicle(Stage stage) {
    this.stage = stage;
  }

  /** A phase begins. */
  void begin(String title) {
    titles.add(title);
    begins.add(titles.size() == 1 ? stage.beganMs() : Clock.nowMs());
    changes.add(Optional.empty());
  }

  /** The phase that began last changed the cluster. */
  void changed(Change change) {
    changes.set(changes.size() - 1, Optional.of(change));
  }

  /** Something that must not be. */
  void trouble(String what) {
    troubles.add(what);
  }

  /** The account of all that has happened until now. */
  Run run() {
    long endMs = Clock.nowMs();
    Judgement judgement = new Judgement(stage.ledger(), begins);
    List<Phase> phases = new ArrayList<>();
    for (int i = 0; i < titles.size(); i++) {
      long toMs = i + 1 < begins.size() ? begins.get(i + 1) : endMs;
      phases.add(
          new Phase(
              titles.get(i),
              since(begins.get(i)),
              since(toMs),
              judgement.pops(i),
              judgement.lateness(i),
              changes.get(i)));
    }
    Run run =
        new Run(
            title(),
            facts(endMs),
            stage.ledger().askedCount(),
            since(endMs),
            phases,
            stage.cluster().lives().stream().map(life -> until(endMs, life)).toList(),
            popsByBin(endMs),
            BIN_MS,
            List.of());
    List<String> broken = new ArrayList<>(troubles);
    broken.addAll(run.pops().broken());
    return run.breaking(broken);
  }

  private String title() {
    int nodes = stage.arguments().nodes();
    String kill = stage.arguments().kills() ? ", and one killed" : "";
    return String.format(
        Locale.ROOT,
        "%,d timers on %d → %d → %d → %d nodes%s",
        stage.ledger().askedCount(),
        nodes,
        nodes + 1,
        nodes + 2,
        nodes,
        kill);
  }

  private List<String> facts(long endMs) {
    DemoArguments arguments = stage.arguments();
    return List.of(
        arguments.placement().name().toLowerCase(Locale.ROOT) + " placement",
        arguments.replicas() + (arguments.replicas() == 1 ? " replica" : " replicas"),
        "seed " + arguments.seed(),
        Stage.seconds(since(endMs)),
        "JDK " + Runtime.version().feature(),
        Runtime.getRuntime().availableProcessors() + " processors");
  }

  private List<Integer> popsByBin(long endMs) {
    int bins = (int) (since(endMs) / BIN_MS + 1);
    List<Integer> counts = new ArrayList<>(Collections.nCopies(bins, 0));
    for (Ledger.Came pop : stage.ledger().came()) {
      int bin = (int) Math.min(bins - 1, since(pop.atMs()) / BIN_MS);
      counts.set(bin, counts.get(bin) + 1);
    }
    return counts;
  }

  private long since(long atMs) {
    return Math.max(0, atMs - stage.beganMs());
  }

  private Life until(long endMs, Life life) {
    return new Life(
        life.node(),
        since(life.fromMs()),
        since(Math.min(endMs, life.leavingMs())),
        since(Math.min(endMs, life.toMs())),
        life.end());
  }
}
