package io.horae.examples.demo;

import io.horae.examples.console.CommandLine;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * The command line, read and checked.
 *
 * @param nodes how many nodes the cluster begins with
 * @param timers how many timers are created
 * @param replicas how many copies of each timer there are
 * @param placement where they go
 * @param seed what decides when timers are due
 * @param seconds for how long timers pop
 * @param report where the report goes
 */
record DemoArguments(
    int nodes,
    int timers,
    int replicas,
    DemoPlacement placement,
    long seed,
    int seconds,
    Path report) {

  static final int NODES_MAX = 8;
  private static final int TIMERS_MAX = 1_000_000;
  private static final int SECONDS_MIN = 5;
  private static final int SECONDS_MAX = 3_600;

  /**
   * Reads the command line.
   *
   * @throws IllegalArgumentException if it is wrong, with a line that says how to write it
   */
  static DemoArguments parse(String... args) {
    int nodes = 3;
    int timers = 20_000;
    int replicas = 2;
    DemoPlacement placement = DemoPlacement.RENDEZVOUS;
    long seed = 1;
    int seconds = 36;
    Path report = Path.of("horae-report.html");

    CommandLine rest = new CommandLine(args);
    while (rest.hasNext()) {
      String word = rest.next();
      switch (word) {
        case "--nodes" -> nodes = (int) rest.number(word, 1, NODES_MAX);
        case "--timers" -> timers = (int) rest.number(word, 1, TIMERS_MAX);
        case "--replicas" -> replicas = (int) rest.number(word, 1, NODES_MAX);
        case "--placement" ->
            placement =
                rest.oneOf(word, DemoPlacement.class, "placement", "rendezvous, ketama or buckets");
        case "--seed" -> seed = rest.number(word, Long.MIN_VALUE, Long.MAX_VALUE);
        case "--seconds" -> seconds = (int) rest.number(word, SECONDS_MIN, SECONDS_MAX);
        case "--report" -> report = path(word, rest.value(word));
        default ->
            throw new IllegalArgumentException(
                "there is no option \""
                    + word
                    + "\": write --nodes, --timers, --replicas, --placement, --seed, --seconds or"
                    + " --report, a space, the value");
      }
    }
    if (replicas > nodes) {
      throw new IllegalArgumentException(
          "--replicas \""
              + replicas
              + "\" is out of order: there are "
              + nodes
              + " nodes to begin with, so write a whole number from 1 to "
              + nodes);
    }
    return new DemoArguments(nodes, timers, replicas, placement, seed, seconds, report);
  }

  /** Whether a node is killed: not if timers would go with it. */
  boolean kills() {
    return replicas > 1;
  }

  private static Path path(String option, String value) {
    try {
      return Path.of(value);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          option + " \"" + value + "\" is no path: write the name of a file", e);
    }
  }
}
