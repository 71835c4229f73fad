package io.horae.jgroups;

import io.horae.resync.Pop;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the service's handler for timers that are due, and tells what came of it. No more run at
 * once than the node may have on its way: those that take longer than they may would pile up.
 */
final class PopRunner {

  private static final Logger LOG = LoggerFactory.getLogger(PopRunner.class);

  private final PopHandler handler;
  private final int runningMax;
  private final Outcomes outcomes;
  private final ExecutorService own = newExecutor(); // without a thread until it has a task
  private final Executor executor;

  private final AtomicInteger running = new AtomicInteger();
  final LongAdder refused = new LongAdder();
  final LongAdder thrown = new LongAdder();

  /** Is told what came of a pop, by any thread. */
  @FunctionalInterface
  interface Outcomes {
    void popped(Pop pop, boolean success);
  }

  /**
   * A runner.
   *
   * @param executor what runs the handler; null for threads of the runner's own
   */
  PopRunner(PopHandler handler, @Nullable Executor executor, int runningMax, Outcomes outcomes) {
    this.handler = handler;
    this.runningMax = runningMax;
    this.outcomes = outcomes;
    this.executor = executor == null ? own : executor;
  }

  private static ExecutorService newExecutor() {
    return Executors.newFixedThreadPool(
        Math.max(2, Runtime.getRuntime().availableProcessors()),
        action -> {
          Thread thread = new Thread(action, "horae-pops");
          thread.setDaemon(true);
          return thread;
        });
  }

  /** Hands a pop to the executor. */
  void run(Pop pop) {
    if (running.incrementAndGet() > runningMax) {
      refuse(pop);
      return;
    }
    try {
      executor.execute(() -> handle(pop));
    } catch (RejectedExecutionException e) {
      refuse(pop);
    }
  }

  private void refuse(Pop pop) {
    running.decrementAndGet();
    refused.increment();
    outcomes.popped(pop, false);
  }

  private void handle(Pop pop) {
    boolean success = false;
    try {
      success = handler.pop(pop);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      thrown.increment();
      LOG.debug("the handler failed at {}", pop, e);
    } finally {
      running.decrementAndGet();
      outcomes.popped(pop, success);
    }
  }

  /** Ends the runner's own threads once they have done what they have. */
  void close() {
    own.shutdown();
  }
}
