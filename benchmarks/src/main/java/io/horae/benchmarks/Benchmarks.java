package io.horae.benchmarks;

import io.horae.benchmarks.report.Figure;
import io.horae.benchmarks.report.Question;
import io.horae.benchmarks.report.Report;
import io.horae.benchmarks.report.Results;
import io.horae.benchmarks.report.Run;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs everything and writes the results: {@code quick}, which it also does without arguments, or
 * {@code full}. Anything else is for JMH.
 *
 * <pre>
 * quick|full [-only REGEX] [-jvm JAVA] [-results DIRECTORY]
 *   -only     ask only the questions whose ids match; the others keep their figures
 *   -jvm      run on this JVM
 *   -results  where results are, benchmarks/results if it is not said
 * report [-results DIRECTORY]
 *   write the pages again from the figures that are there
 * </pre>
 */
final class Benchmarks {

  /** Iterations are short but many, so that errors come out small enough to tell. */
  private static final TimeValue QUICK_WARMUP = TimeValue.milliseconds(200);

  private static final TimeValue QUICK_ITERATION = TimeValue.milliseconds(100);
  private static final int QUICK_ITERATIONS = 6;

  /** What the project's front page tells, in good and in bad, of one JDK. */
  static final Set<String> FRONT =
      Set.of(
          "rendezvous",
          "ketama",
          "tabulated",
          "bucket",
          "build-ring",
          "movement",
          "wheel-replace",
          "wheel-expire",
          "wheel-drain",
          "concurrent-cancel",
          "concurrent-replace",
          "concurrent-expire",
          "memory-timer");

  private static final String FRONT_JDK = "jdk17";

  /** To start a JVM, and to set up what is measured. */
  private static final double SECONDS_EACH_FORK = 0.8;

  private static final double FULL_SECONDS_EACH = 2 * (3 + 5 + SECONDS_EACH_FORK);

  /** Peers that log have nothing to log with, which SLF4J would tell in every JVM. */
  static final String SLF4J_VERBOSITY = "slf4j.internal.verbosity";

  private final boolean isQuick;
  private final Pattern only;
  private final Path directory;
  private final Results results;
  private final Run run;

  private Benchmarks(boolean isQuick, Pattern only, Path directory) throws IOException {
    this.isQuick = isQuick;
    this.only = only;
    this.directory = directory;
    results = Results.read(directory);
    run = Run.here(isQuick ? "quick" : "full");
  }

  public static void main(String[] args) throws Exception {
    String mode = args.length == 0 ? "quick" : args[0];
    if (!List.of("quick", "full", "report").contains(mode)) {
      org.openjdk.jmh.Main.main(args);
      return;
    }
    Map<String, String> options = options(args);
    String jvm = options.remove("-jvm");
    if (jvm != null) {
      System.exit(runOn(jvm, mode, options));
    }
    System.setProperty(SLF4J_VERBOSITY, "ERROR");
    Path all = Path.of(options.getOrDefault("-results", home().resolve("results").toString()));
    if (mode.equals("report")) {
      for (String jdk : List.of("jdk17", "jdk25")) {
        report(Results.read(all.resolve(jdk)), all.resolve(jdk));
      }
      return;
    }
    Path own = all.resolve("jdk" + Runtime.version().feature());
    Pattern only = Pattern.compile(options.getOrDefault("-only", ""));
    new Benchmarks(mode.equals("quick"), only, own).run();
  }

  private static Map<String, String> options(String[] args) {
    Map<String, String> options = new LinkedHashMap<>();
    for (int i = 1; i < args.length; i += 2) {
      if (!List.of("-only", "-jvm", "-results").contains(args[i]) || i + 1 == args.length) {
        throw new IllegalArgumentException(
            "after " + args[0] + ": -only REGEX, -jvm JAVA or -results DIRECTORY, not " + args[i]);
      }
      options.put(args[i], args[i + 1]);
    }
    return options;
  }

  private static int runOn(String jvm, String mode, Map<String, String> options)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                jvm,
                "-cp",
                System.getProperty("java.class.path"),
                Benchmarks.class.getName(),
                mode));
    options.forEach((name, value) -> command.addAll(List.of(name, value)));
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  /** The module's directory, which is the working directory or just below. */
  static Path home() {
    Path module = Path.of("benchmarks");
    return Files.isDirectory(module) ? module : Path.of("");
  }

  private void run() throws Exception {
    List<Timed> timed = new ArrayList<>();
    int count = 0;
    double planned = 0;
    for (Timed question : Suite.timed()) {
      if (isWanted(question.question) && !(isQuick && question.onlyFull)) {
        timed.add(question);
        int own = count(question);
        count += own;
        planned += own * secondsEach(question);
      }
    }
    List<Computed> computed =
        Computed.all().stream().filter(question -> isWanted(question.question())).toList();
    for (Computed question : computed) {
      count++;
      planned += question.seconds();
    }
    Progress progress = new Progress(System.out, count, planned);
    for (Computed question : computed) {
      progress.begin(question.question().id(), question.seconds());
      List<Figure> figures = question.compute().get();
      results.put(question.question().id(), run, figures);
      results.write(directory);
      progress.done(figures.size() + " figures");
    }
    List<RunResult> raw = new ArrayList<>();
    for (Timed question : timed) {
      progress.begin(question.question.id(), secondsEach(question));
      raw.addAll(ask(question, progress));
      results.write(directory);
      writeRaw(raw);
    }
    report(results, directory);
    System.out.println("results are in " + directory.toAbsolutePath().normalize());
  }

  /** What JMH has to say, in its own format. */
  private void writeRaw(List<RunResult> raw) throws IOException {
    Path file = directory.resolve("jmh.json");
    try (PrintStream json = new PrintStream(file.toFile(), StandardCharsets.UTF_8)) {
      ResultFormatFactory.getInstance(ResultFormatType.JSON, json).writeOut(raw);
    }
  }

  private boolean isWanted(Question question) {
    return only.matcher(question.id()).find();
  }

  private double secondsEach(Timed question) {
    return isQuick
        ? question.quickWarmups * 0.2 + QUICK_ITERATIONS * 0.1 + SECONDS_EACH_FORK
        : FULL_SECONDS_EACH;
  }

  private ChainedOptionsBuilder options(Timed question) {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .threads(question.threads)
            .addProfiler(GCProfiler.class)
            .verbosity(VerboseMode.NORMAL)
            .jvmArgsPrepend("-D" + SLF4J_VERBOSITY + "=ERROR")
            .shouldFailOnError(false);
    question.includes.forEach(options::include);
    question.params(isQuick).forEach(options::param);
    if (question.singleShots) {
      return options;
    }
    if (isQuick) {
      options
          .forks(1)
          .warmupIterations(question.quickWarmups)
          .warmupTime(QUICK_WARMUP)
          .measurementIterations(QUICK_ITERATIONS)
          .measurementTime(QUICK_ITERATION);
    } else {
      options.jvmArgsAppend(question.fullJvmArgs.toArray(String[]::new));
    }
    return options;
  }

  /** How many results JMH will have. */
  private int count(Timed question) {
    Map<String, String[]> chosen = question.params(isQuick);
    int count = 0;
    for (BenchmarkListEntry benchmark :
        BenchmarkList.defaultList()
            .find(new Progress(System.out, 0, 0), question.includes, List.of())) {
      int own = 1;
      for (Map.Entry<String, String[]> param : benchmark.getParams().orElse(Map.of()).entrySet()) {
        own *= chosen.getOrDefault(param.getKey(), param.getValue()).length;
      }
      count += own;
    }
    return count;
  }

  private Collection<RunResult> ask(Timed question, Progress progress) throws RunnerException {
    Collection<RunResult> answers = new Runner(options(question).build(), progress).run();
    List<Figure> figures = new ArrayList<>();
    for (RunResult answer : answers) {
      BenchmarkParams params = answer.getParams();
      Result<?> score = answer.getPrimaryResult();
      Result<?> bytes = answer.getSecondaryResults().get("gc.alloc.rate.norm");
      double divisor = question.divisor(params);
      figures.add(
          new Figure(
              question.question.id(),
              question.subject(params),
              question.size(params),
              score.getScore() / divisor,
              score.getScoreError() / divisor,
              bytes == null ? Double.NaN : bytes.getScore() / divisor));
    }
    results.put(question.question.id(), run, figures);
    return answers;
  }

  private static void report(Results results, Path directory) throws IOException {
    List<Question> questions = new ArrayList<>();
    Suite.timed().forEach(question -> questions.add(question.question));
    Computed.all().forEach(question -> questions.add(question.question()));
    Report report = new Report(questions, results);
    if (report.hasAnswers()) {
      String jdk = directory.getFileName().toString();
      report.write(directory, "Results on JDK " + jdk.replace("jdk", ""));
      if (directory.getParent().equals(home().resolve("results"))) {
        Report.insert(
            home().resolve("README.md"), "summary of " + jdk, "\n" + report.summary() + "\n");
        if (jdk.equals(FRONT_JDK)) {
          String some = report.summary(question -> FRONT.contains(question.id()));
          Path front = home().toAbsolutePath().resolveSibling("README.md");
          Report.insert(front, "speed", "\n" + some + "\n");
        }
      }
    }
  }
}
