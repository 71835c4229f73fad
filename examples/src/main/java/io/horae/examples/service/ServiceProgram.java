package io.horae.examples.service;

import io.horae.jgroups.Stacks;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jgroups.JChannel;

/** Runs a {@link TimerService} until the process is told to end. */
public final class ServiceProgram {

  private static final int FAILED = 1;
  private static final int BAD_ARGUMENTS = 2;
  private static final int DRAINED_WITHIN_SECONDS = 20;

  private static final String HELP =
      """
      Runs a member of a cluster of timer services until it is told to end (Ctrl-C, or SIGTERM);
      then it hands its timers to the others.

      usage: timer-service --id NAME [option] ...

        --id NAME          the member's id, unique in the cluster
        --port N           where to listen; 0 for any port that is free (0)
        --address HOST     on which address. Whoever reaches it can have this machine call any
                           other (127.0.0.1)
        --directory DIR    where members on this machine find each other (horae-timers/members in
                           the directory for temporary files)
        --jgroups FILE     a JGroups configuration for members on several machines, instead
        --help             this text
      """;

  private ServiceProgram() {}

  /**
   * Runs the service.
   *
   * @return the code to end the process with
   */
  public static int run(String[] args, PrintStream out, PrintStream err) {
    if (List.of(args).contains("--help")) {
      HELP.lines().forEach(out::println);
      return 0;
    }
    try {
      ServiceArguments arguments = ServiceArguments.parse(args);
      TimerService service =
          TimerService.start(arguments.id(), channel(arguments), arguments.socketAddress());
      Runtime.getRuntime().addShutdownHook(new Thread(() -> leave(service)));
      out.println(arguments.id() + " at " + service.uri());
      new CountDownLatch(1).await();
      return 0;
    } catch (IllegalArgumentException e) {
      err.println("timer-service: " + e.getMessage() + " (--help explains)");
      return BAD_ARGUMENTS;
    } catch (IOException e) {
      err.println("timer-service: cannot listen there: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      err.println("timer-service: no part of the cluster: " + e);
    }
    return FAILED;
  }

  private static JChannel channel(ServiceArguments arguments) throws Exception {
    String configuration = arguments.jgroups();
    return configuration == null
        ? Stacks.sharedDirectory(arguments.directory())
        : new JChannel(configuration);
  }

  private static void leave(TimerService service) {
    try {
      service.leave(DRAINED_WITHIN_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
