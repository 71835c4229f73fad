package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Placements shared between threads: all of them get the answers that one thread got alone. */
class PlacementThreadsTest {

  private static final int THREADS = 4;
  private static final int KEYS = 50;
  private static final int ROUNDS = 8;
  private static final int FAILURES_MAX = 5;

  /** A lookup and its answers, found by one thread before there are others. */
  private record Question(
      Placement placement,
      long number,
      String text,
      int count,
      List<Node> ofNumber,
      List<Node> ofText) {

    static Question of(Placement placement, SplittableRandom random) {
      long number = random.nextLong();
      String text = "key" + number;
      int count = 1 + random.nextInt(5);
      return new Question(
          placement,
          number,
          text,
          count,
          List.copyOf(placement.replicas(number, count)),
          List.copyOf(placement.replicas(text, count)));
    }

    boolean isAnsweredTheSame() {
      return ofNumber.equals(placement.replicas(number, count))
          && ofText.equals(placement.replicas(text, count))
          && ofNumber.get(0).equals(placement.primary(number))
          && ofText.get(0).equals(placement.primary(text));
    }
  }

  @Test
  void lookups_fromManyThreads_areThoseOfOne() throws Exception {
    List<Question> questions = questions();
    CyclicBarrier start = new CyclicBarrier(THREADS);
    List<Callable<List<String>>> threads = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      // In another order on every thread, so that sizes and kinds take turns.
      List<Question> own = new ArrayList<>(questions);
      Collections.shuffle(own, new Random(thread));
      threads.add(
          () -> {
            start.await();
            return failures(own);
          });
    }
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    try {
      List<String> failures = new ArrayList<>();
      for (Future<List<String>> result : executor.invokeAll(threads)) {
        failures.addAll(result.get());
      }
      assertEquals(List.of(), failures);
    } finally {
      executor.shutdownNow();
    }
  }

  private static List<String> failures(List<Question> questions) {
    List<String> failures = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      for (Question question : questions) {
        try {
          if (!question.isAnsweredTheSame()) {
            failures.add("another answer to " + question);
          }
        } catch (RuntimeException e) {
          // Threads that write into each other's space end up anywhere.
          failures.add(e + " for " + question);
        }
        if (failures.size() == FAILURES_MAX) {
          return failures;
        }
      }
    }
    return failures;
  }

  private static List<Question> questions() {
    SplittableRandom random = new SplittableRandom(1);
    List<Question> questions = new ArrayList<>();
    for (Collisions rule : Collisions.values()) {
      for (SeededHash hash : List.of(SeededHash.murmur3(), Clusters.coarse(-100, 400))) {
        for (int size : List.of(1, 3, 24, 25, 120)) {
          List<Node> plain = Clusters.random(random, size);
          List<Node> weighted = Clusters.weighted(random, plain);
          List<Node> zoned = Clusters.zoned(random, weighted, 4);
          for (List<Node> nodes : List.of(plain, weighted, zoned)) {
            Placement placement =
                RendezvousPlacement.builder().nodes(nodes).hash(hash).collisions(rule).build();
            for (int key = 0; key < KEYS; key++) {
              questions.add(Question.of(placement, random));
            }
          }
        }
      }
    }
    for (int size : List.of(1, 3, 120)) {
      Placement continuum = KetamaContinuum.of(Clusters.random(random, size));
      for (int key = 0; key < KEYS; key++) {
        questions.add(Question.of(continuum, random));
      }
    }
    return questions;
  }
}
