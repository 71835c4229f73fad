package io.horae.examples;

import io.horae.examples.console.Terminal;
import io.horae.examples.demo.ClusterDemo;
import io.horae.examples.service.ServiceProgram;
import java.util.Arrays;

/**
 * The examples, by their first word: {@code tour} for {@link PlacementTour}, {@code service} for
 * {@link ServiceProgram}, and without either {@link ClusterDemo}.
 */
public final class Examples {

  private Examples() {}

  /**
   * Runs an example, and ends the process with its code.
   *
   * @param args the name of an example and its arguments; each knows {@code --help}
   */
  public static void main(String[] args) {
    int code = run(args);
    if (code != 0) {
      System.exit(code);
    }
  }

  private static int run(String[] args) {
    String name = args.length == 0 ? "" : args[0];
    String[] rest = args.length == 0 ? args : Arrays.copyOfRange(args, 1, args.length);
    return switch (name) {
      case "tour" -> PlacementTour.run(rest, System.out, System.err);
      case "service" -> ServiceProgram.run(rest, System.out, System.err);
      default -> ClusterDemo.run(args, System.out, System.err, Terminal.isPresent());
    };
  }
}
