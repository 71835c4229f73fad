package io.horae.examples.demo;

import io.horae.resync.TimerSpec;
import java.util.SplittableRandom;

/**
 * When the timers of a run are due: all through it, by a seed. Nine in ten pop once; the tenth pops
 * three times.
 */
final class TimerPlan {

  private static final int POPS_OF_THE_RECURRING = 3;
  private static final double FIRST = 0.12;
  private static final long INTERVAL_MS_MIN = 2_000;

  private final SplittableRandom random;
  private final long lengthMs;
  private final int replicas;

  /**
   * A plan.
   *
   * @param lengthMs how long after the beginning of the run the last pop is due
   */
  TimerPlan(long seed, long lengthMs, int replicas) {
    random = new SplittableRandom(seed);
    this.lengthMs = lengthMs;
    this.replicas = replicas;
  }

  /**
   * The next timer.
   *
   * @param sinceMs how long the run has been going on
   * @param timer its number, which it carries
   */
  TimerSpec next(long sinceMs, int timer) {
    int pops = random.nextInt(10) == 0 ? POPS_OF_THE_RECURRING : 1;
    double at = FIRST + (1 - FIRST) * random.nextDouble();
    long intervalMs = Math.max(INTERVAL_MS_MIN, ((long) (at * lengthMs) - sinceMs) / pops);
    return TimerSpec.once(intervalMs, Ledger.payload(timer))
        .repeatedFor(intervalMs * pops)
        .onReplicas(replicas);
  }
}
