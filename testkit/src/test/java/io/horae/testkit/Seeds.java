package io.horae.testkit;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * Runs many seeds on all cores, and shows on the error stream how far it has come if there are more
 * than usual.
 */
final class Seeds {

  /** As many as a build has time for. */
  static final long USUAL = 2_000;

  private final LongFunction<SimulationReport> runs;
  private final long usual;
  private final ConcurrentLinkedQueue<InvariantBroken> broken = new ConcurrentLinkedQueue<>();
  private final Map<String, AtomicLong> judged = new TreeMap<>();
  private final AtomicLong done = new AtomicLong();

  Seeds(LongFunction<Simulation> simulations) {
    this(seed -> simulations.apply(seed).run(), USUAL);
  }

  private Seeds(LongFunction<SimulationReport> runs, long usual) {
    this.runs = runs;
    this.usual = usual;
  }

  /** Seeds of another simulator, of which a build runs so many. */
  static Seeds ofBuckets(long usual) {
    return new Seeds(seed -> BucketSimulation.ofSeed(seed).run(), usual);
  }

  /** The number of seeds asked for by {@code -Dhorae.seeds=...}. */
  static long wanted() {
    return Long.getLong("horae.seeds", USUAL);
  }

  /** Runs seeds until the first is broken, or all of them. */
  Seeds run(long from, long count) {
    ProgressBar bar = new ProgressBar(count, count > usual);
    LongStream.range(from, from + count)
        .parallel()
        .forEach(
            seed -> {
              if (broken.isEmpty()) {
                try {
                  add(runs.apply(seed));
                } catch (InvariantBroken failure) {
                  broken.add(failure);
                }
                bar.show(done.incrementAndGet());
              }
            });
    return this;
  }

  private synchronized void add(SimulationReport report) {
    report
        .judged()
        .forEach(
            (name, count) -> judged.computeIfAbsent(name, it -> new AtomicLong()).addAndGet(count));
  }

  /** The failures, if any. */
  ConcurrentLinkedQueue<InvariantBroken> broken() {
    return broken;
  }

  /** How often each invariant had something to judge. */
  Map<String, AtomicLong> judged() {
    return judged;
  }
}
