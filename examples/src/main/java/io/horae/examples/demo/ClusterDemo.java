package io.horae.examples.demo;

import io.horae.examples.console.Progress;
import io.horae.examples.report.Report;
import io.horae.examples.report.Run;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * A cluster of timer nodes in one process, each on a JGroups channel of its own over loopback: it
 * grows, shrinks and loses a node while its timers pop, and what became of every pop is judged by
 * an independent record.
 */
public final class ClusterDemo {

  private static final int PROMISE_BROKEN = 1;
  private static final int BAD_ARGUMENTS = 2;
  private static final int TITLE_WIDTH = 10;

  private static final String HELP =
      """
      Runs a cluster of timer nodes in this process and changes it while its timers pop: a node
      joins, and another, both leave, and one is killed without warning. Then it says what became
      of every pop, and writes a report with pictures.

      usage: cluster-demo [option] ...

        --nodes N          how many nodes to begin with, 1 to 8 (3)
        --timers N         how many timers to create; one in ten pops three times (20000)
        --replicas N       on how many nodes each timer is kept, at most as many as there are to
                           begin with; with 1, no node is killed (2)
        --placement NAME   where timers go: rendezvous, ketama or buckets (rendezvous)
        --seed N           decides when timers are due (1)
        --seconds N        for how long timers pop, 5 to 3600 (36)
        --report FILE      where the report goes (horae-report.html)
        --help             this text

      ends with 0 if every promise held: no pop lost, early, or later than twice its interval, and
      none doubled with another stamp or sequence number; 1 if not; 2 if the arguments are wrong
      """;

  private ClusterDemo() {}

  /**
   * Tells what is wrong with arguments.
   *
   * @return how to write them; empty if they are right
   */
  public static String problemWith(String... args) {
    if (List.of(args).contains("--help")) {
      return "";
    }
    try {
      DemoArguments.parse(args);
      return "";
    } catch (IllegalArgumentException e) {
      return e.getMessage() + " (--help explains)";
    }
  }

  /**
   * Runs the demonstration.
   *
   * @param terminal whether {@code out} is a terminal, on which lines can be written anew
   * @return the code to end the process with
   */
  public static int run(String[] args, PrintStream out, PrintStream err, boolean terminal) {
    if (List.of(args).contains("--help")) {
      HELP.lines().forEach(out::println);
      return 0;
    }
    String problem = problemWith(args);
    if (!problem.isEmpty()) {
      err.println("cluster-demo: " + problem);
      return BAD_ARGUMENTS;
    }
    DemoArguments arguments = DemoArguments.parse(args);
    Quiet.jgroups();
    try {
      Run run = Story.play(arguments, new Progress(out, terminal, TITLE_WIDTH));
      return conclude(run, arguments.report(), out);
    } catch (IOException e) {
      err.println("cluster-demo: the report could not be written: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      err.println("cluster-demo: interrupted");
    } catch (ExecutionException | TimeoutException | IllegalStateException e) {
      err.println("cluster-demo: the cluster did not come together: " + e);
    } catch (Exception e) {
      err.println("cluster-demo: JGroups failed: " + e);
    }
    return PROMISE_BROKEN;
  }

  /** Says what a run came to, writes its report, and tells the code to end the process with. */
  static int conclude(Run run, Path report, PrintStream out) throws IOException {
    new Summary(run).print(out);
    Report.write(run, report);
    out.println();
    out.println("The report: " + report.toAbsolutePath().normalize().toUri());
    return run.broken().isEmpty() ? 0 : PROMISE_BROKEN;
  }
}
