package io.horae.benchmarks;

import io.horae.benchmarks.report.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Has Horae become slower? Compares it with textbook twins of its parts, in one run, and fails only
 * if it is not even half as far ahead as was recorded. No time is compared with that of another run
 * or of another machine.
 *
 * <p>Horae and its twin take turns, round by round, and of each the best round counts, in processor
 * time of the thread, so that what else the machine does strikes both or neither. What looks too
 * slow is given twice as many rounds again before it is called so.
 *
 * <pre>
 * ./gradlew :benchmarks:run -PmainClass=io.horae.benchmarks.RegressionGuard
 * mvn -q compile -Pbenchmarks -Dexec.mainClass=io.horae.benchmarks.RegressionGuard
 * </pre>
 *
 * <p>With {@code record} as its argument it writes down what it finds, in {@code guard.properties}.
 */
final class RegressionGuard {

  private static final String FILE = "guard.properties";
  private static final long WARM_UP_NS = 2_000_000_000L;
  private static final int ROUNDS = 20;
  private static final int MORE_ROUNDS = 40;
  private static final double ALLOWED = 0.5;

  private final String jdk = "jdk" + Runtime.version().feature();
  private final Properties recorded = new Properties();

  private RegressionGuard(Path file) throws IOException {
    if (Files.exists(file)) {
      try (var reader = Files.newBufferedReader(file)) {
        recorded.load(reader);
      }
    }
  }

  public static void main(String[] args) throws IOException {
    System.setProperty(Benchmarks.SLF4J_VERBOSITY, "ERROR");
    Path file = Benchmarks.home().resolve(FILE);
    RegressionGuard guard = new RegressionGuard(file);
    if (args.length > 0 && args[0].equals("record")) {
      guard.record(file);
    } else if (!guard.check()) {
      System.exit(1);
    }
  }

  private boolean check() {
    List<String> slow = new ArrayList<>();
    for (Twins twins : Twins.all()) {
      OptionalDouble expected = expected(twins.name());
      if (expected.isEmpty()) {
        slow.add(twins.name() + ": nothing is recorded");
        continue;
      }
      double least = expected.getAsDouble() * ALLOWED;
      Race race = new Race(twins);
      race.warmUp();
      race.run(ROUNDS);
      if (race.ratio() < least) {
        race.run(MORE_ROUNDS);
      }
      String line =
          String.format(
              Locale.ROOT,
              "%-12s %6.2f times as fast as its textbook twin; recorded %.2f",
              twins.name(),
              race.ratio(),
              expected.getAsDouble());
      System.out.println(line);
      if (race.ratio() < least) {
        slow.add(line);
      }
    }
    slow.forEach(line -> System.out.println("TOO SLOW: " + line));
    return slow.isEmpty();
  }

  /** What was recorded on this JDK, or else the least of what was on any. */
  private OptionalDouble expected(String name) {
    String own = recorded.getProperty(jdk + "." + name);
    return own != null
        ? OptionalDouble.of(Double.parseDouble(own))
        : recorded.stringPropertyNames().stream()
            .filter(key -> key.endsWith("." + name))
            .mapToDouble(key -> Double.parseDouble(recorded.getProperty(key)))
            .min();
  }

  private void record(Path file) throws IOException {
    TreeMap<String, String> lines = new TreeMap<>();
    recorded.stringPropertyNames().forEach(key -> lines.put(key, recorded.getProperty(key)));
    lines.keySet().removeIf(key -> key.startsWith(jdk + "."));
    Run run = Run.here("record");
    lines.put(jdk + ".recorded", run.facts().get("date") + " on " + run.facts().get("cpu"));
    for (Twins twins : Twins.all()) {
      Race race = new Race(twins);
      race.warmUp();
      race.run(MORE_ROUNDS);
      lines.put(jdk + "." + twins.name(), String.format(Locale.ROOT, "%.2f", race.ratio()));
    }
    StringBuilder text =
        new StringBuilder(
            """
            # How many times as fast as its textbook twin each part was, in one run.
            # Written by RegressionGuard, which fails at less than half of it.
            """);
    lines.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    Files.writeString(file, text);
  }

  /** Two that take turns. */
  private static final class Race {

    private final Twins twins;
    private long horaeNs = Long.MAX_VALUE;
    private long twinNs = Long.MAX_VALUE;

    Race(Twins twins) {
      this.twins = twins;
    }

    void run(int rounds) {
      for (int round = 0; round < rounds; round++) {
        horaeNs = Math.min(horaeNs, twins.horae().roundNs());
        twinNs = Math.min(twinNs, twins.twin().roundNs());
      }
    }

    /**
     * Long enough for the compiler, which has to wait too where the machine has other things to do:
     * so it is processor time that counts. What these rounds took does not.
     */
    void warmUp() {
      long usedNs = 0;
      while (usedNs < WARM_UP_NS) {
        usedNs += twins.horae().roundNs() + twins.twin().roundNs();
      }
    }

    double ratio() {
      return (double) twinNs / horaeNs;
    }
  }
}
