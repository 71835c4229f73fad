package io.horae.benchmarks;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * How much memory does an outstanding timer take, with a million of them spread over an hour, and
 * how much is allocated by cancelling one and scheduling another, and by firing one and scheduling
 * it anew?
 *
 * <p>What is retained is the heap in use after a collection, with the timers less without; the
 * wheel itself, empty, counts too. What the caller keeps of each timer does not, nor do payloads;
 * but where a wheel does not take ids, a second figure is with Agrona's map from ids to what the
 * wheel hands out. {@code agrona} has neither: it has numbers of its own.
 *
 * <p>Every wheel has a JVM of its own, with the serial collector told to leave no gaps, so that the
 * heap in use is what can be reached. The range is that of several wheels, one after the other.
 * Arguments are the names of the wheels to measure, all if there is none.
 *
 * <pre>
 * ./gradlew :benchmarks:run -PmainClass=io.horae.benchmarks.WheelMemory
 * mvn -q compile -Pbenchmarks -Dexec.mainClass=io.horae.benchmarks.WheelMemory
 * </pre>
 */
final class WheelMemory {

  private static final List<String> NAMES =
      List.of(
          "horae",
          "agrona-4096",
          "agrona-524288",
          "agronaWithIds-4096",
          "agronaWithIds-524288",
          "netty-4096",
          "netty-524288",
          "kafka-20",
          "kafka-256",
          "executor");

  /** The property that tells a JVM which wheel is its own. */
  private static final String ONLY = "wheel";

  private static final int TIMERS = 1_000_000;
  private static final int ROUNDS = 3;
  private static final int OPERATIONS = 100_000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final String name;
  private final double[] bytes = new double[ROUNDS];
  private final double[] bytesWithIndex = new double[ROUNDS];
  private boolean hasHandles;
  private double allocatedByReplacing;
  private double allocatedByFiring;

  private WheelMemory(String name) {
    this.name = name;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    String only = System.getProperty(ONLY);
    if (only != null) {
      new WheelMemory(only).measure();
      return;
    }
    System.out.printf(
        "%-22s %17s %17s %17s %17s%n",
        "", "bytes a timer", "with index by id", "cancel, schedule", "fire, schedule");
    for (String name : args.length > 0 ? List.of(args) : NAMES) {
      Process jvm =
          new ProcessBuilder(
                  System.getProperty("java.home") + "/bin/java",
                  "-XX:+UseSerialGC",
                  "-XX:MarkSweepAlwaysCompactCount=1",
                  "-Xmx4g",
                  "-D" + ONLY + "=" + name,
                  "-cp",
                  System.getProperty("java.class.path"),
                  WheelMemory.class.getName())
              .inheritIO()
              .start();
      Wheel.expect(jvm.waitFor() == 0, "failed: " + name);
    }
  }

  private void measure() throws InterruptedException {
    Wheel.named(name, 1).close();
    for (int round = 0; round < ROUNDS; round++) {
      measureOnce(round);
    }
    System.out.printf(
        "%-22s %17s %17s %17.1f %17s%n",
        name,
        range(bytes),
        hasHandles ? range(bytesWithIndex) : "",
        allocatedByReplacing,
        Double.isNaN(allocatedByFiring) ? "" : String.format("%.1f", allocatedByFiring));
  }

  private static String range(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return String.format("%.1f to %.1f", sorted[0], sorted[sorted.length - 1]);
  }

  private void measureOnce(int round) throws InterruptedException {
    long nothing = bytesInUse();
    Wheel empty = Wheel.named(name, 1);
    long ofEmpty = bytesInUse() - nothing;
    empty.close();
    empty = null;

    Wheel wheel = Wheel.named(name, TIMERS);
    long before = bytesInUse() - ofEmpty;
    for (int timer = 0; timer < TIMERS; timer++) {
      wheel.schedule(timer, deadline(Wheel.START_MS));
    }
    bytes[round] = (double) (bytesInUse() - before) / TIMERS;

    Long2ObjectHashMap<Object> index = new Long2ObjectHashMap<>();
    hasHandles = wheel.handle(0) != null;
    if (hasHandles) {
      for (int timer = 0; timer < TIMERS; timer++) {
        index.put(Wheel.id(timer), wheel.handle(timer));
      }
      bytesWithIndex[round] = (double) (bytesInUse() - before) / TIMERS;
      Wheel.expect(index.size() == TIMERS, "ids of which some are the same");
    }
    if (round == ROUNDS - 1) {
      allocatedByReplacing = allocatedByReplacing(wheel);
      allocatedByFiring = wheel.canAdvance() ? allocatedByFiring(wheel) : Double.NaN;
    }
    Wheel.expect(wheel.size() == TIMERS, "outstanding: " + wheel.size());
    wheel.close();
  }

  private static double allocatedByReplacing(Wheel wheel) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < OPERATIONS; i++) {
      int timer = ThreadLocalRandom.current().nextInt(TIMERS);
      Wheel.expect(wheel.cancel(timer), "cannot cancel");
      wheel.schedule(timer, deadline(Wheel.START_MS));
    }
    return (double) (THREADS.getCurrentThreadAllocatedBytes() - before) / OPERATIONS;
  }

  private static double allocatedByFiring(Wheel wheel) {
    long[] nowMs = {Wheel.START_MS};
    wheel.nextDeadline = () -> deadline(nowMs[0]);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    int fired = 0;
    while (fired < OPERATIONS) {
      fired += wheel.advance(++nowMs[0]);
    }
    return (double) (THREADS.getCurrentThreadAllocatedBytes() - before) / fired;
  }

  private static long deadline(long nowMs) {
    return nowMs + 1 + ThreadLocalRandom.current().nextLong(Wheel.HOUR_MS);
  }

  /** Collects until nothing more goes: what has a finalizer takes several rounds. */
  private static long bytesInUse() throws InterruptedException {
    long least = Long.MAX_VALUE;
    for (int same = 0; same < 3; same++) {
      System.gc();
      long now = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      if (now < least - TIMERS / 100) {
        least = now;
        same = 0;
      }
      Thread.sleep(50);
    }
    return least;
  }
}
