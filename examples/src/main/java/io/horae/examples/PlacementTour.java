package io.horae.examples;

import io.horae.placement.Movement;
import io.horae.placement.Placement;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * Shows where the keys of a cluster live, and what moves when nodes join or leave. The cluster is
 * given on the command line; the same arguments always print the same text.
 */
public final class PlacementTour {

  private static final int BAD_ARGUMENTS = 2;

  /** From this many keys on, the wait is long enough to want a sign of life. */
  private static final long PROGRESS_KEYS_MIN = 5_000_000;

  private static final String HELP =
      """
      Shows where keys live in a cluster, and what moves when nodes join or leave.

      usage: placement-tour [node | +node | -node | option] ...

      nodes, each written once
        a  b  c            members that stay
        +d                 a node that joins
        -c                 a member that leaves
        a*2.5              with a weight: two and a half times the keys of weight 1
        a@east             with a zone: replicas of a key go to different zones
        +a*2.5@east        all of it together, the weight before the zone
        without any        a b c +d

      options
        --keys N           place the number keys 0 to N-1 (100000)
        --replicas N       replicas of each key, the primary among them (2)
        --collisions RULE  for equal hashes: INCREMENT, DECREMENT or STABLE (INCREMENT)
        --key TEXT         show where this text key lives as well; can be repeated
        --help             this text
      """;

  private PlacementTour() {}

  /**
   * Runs the tour; ends the process with code 2 if the arguments are wrong.
   *
   * @param args see {@code --help}
   */
  public static void main(String[] args) {
    int code = run(args, System.out, System.err);
    if (code != 0) {
      System.exit(code);
    }
  }

  static int run(String[] args, PrintStream out, PrintStream err) {
    if (List.of(args).contains("--help")) {
      HELP.lines().forEach(out::println);
      return 0;
    }
    TourArguments arguments;
    try {
      arguments = TourArguments.parse(args);
    } catch (IllegalArgumentException e) {
      err.println("placement-tour: " + e.getMessage() + " (--help explains)");
      return BAD_ARGUMENTS;
    }
    Placement before = arguments.placement(arguments.view().before());
    Placement after = arguments.placement(arguments.view().after());
    LongStream keys = withProgress(arguments.keys(), err);
    Movement movement = Movement.between(before, after, keys, arguments.replicas());
    new TourReport(arguments, before, after, movement).print(out);
    return 0;
  }

  private static LongStream withProgress(long count, PrintStream err) {
    LongStream keys = LongStream.range(0, count);
    if (count < PROGRESS_KEYS_MIN) {
      return keys;
    }
    long tenth = count / 10;
    return keys.peek(
        key -> {
          if (key > 0 && key % tenth == 0) {
            err.println(String.format(Locale.ROOT, "%,d of %,d keys", key, count));
          }
        });
  }
}
