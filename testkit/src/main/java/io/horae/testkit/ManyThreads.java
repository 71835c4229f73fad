package io.horae.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Asks the same thing of something that is to be safe for use by many threads. */
final class ManyThreads {

  private static final int THREADS = 4;

  private ManyThreads() {}

  /** The answers of threads that ask at the same time. */
  static <T> List<T> ask(Callable<T> question) {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      CyclicBarrier start = new CyclicBarrier(THREADS);
      List<Future<T>> futures = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        futures.add(
            threads.submit(
                () -> {
                  start.await();
                  return question.call();
                }));
      }
      List<T> answers = new ArrayList<>();
      for (Future<T> future : futures) {
        answers.add(future.get());
      }
      return answers;
    } catch (ExecutionException thrown) {
      throw new AssertionError("thrown while others asked the same", thrown.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError(interrupted);
    } finally {
      threads.shutdownNow();
    }
  }
}
