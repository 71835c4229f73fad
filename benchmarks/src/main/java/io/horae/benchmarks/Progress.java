package io.horae.benchmarks;

import java.io.PrintStream;
import java.util.Collection;
import java.util.Locale;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.format.OutputFormat;

/**
 * A line for each result, with the time that is left: what was planned for the rest, stretched as
 * the part that is done was.
 */
final class Progress implements OutputFormat {

  private final PrintStream out;
  private final long begunNs = System.nanoTime();
  private final int count;
  private final double plannedSeconds;
  private int done;
  private double doneSeconds;
  private String question = "";
  private double secondsEach;

  /** Progress of so many results, which are planned to take so long together. */
  Progress(PrintStream out, int count, double plannedSeconds) {
    this.out = out;
    this.count = count;
    this.plannedSeconds = plannedSeconds;
  }

  /** What comes next, and how long each of its results is planned to take. */
  void begin(String question, double secondsEach) {
    this.question = question;
    this.secondsEach = secondsEach;
  }

  /** A result is there. */
  void done(String what) {
    done++;
    doneSeconds += secondsEach;
    out.printf("[%d/%d] %s: %s; %s left%n", done, count, question, what, left());
  }

  private String left() {
    double elapsed = (System.nanoTime() - begunNs) / 1e9;
    long seconds = Math.round((plannedSeconds - doneSeconds) * elapsed / doneSeconds);
    return seconds < 90
        ? Math.max(0, seconds) + " s"
        : String.format(Locale.ROOT, "%.0f min", Math.ceil(seconds / 60.0));
  }

  @Override
  public void endBenchmark(BenchmarkResult result) {
    if (result == null) {
      done("failed");
      return;
    }
    Result<?> score = result.getPrimaryResult();
    BenchmarkParams params = result.getParams();
    StringBuilder what =
        new StringBuilder(params.getBenchmark().replaceFirst(".*\\.(?=\\w+\\.\\w+$)", ""));
    for (Object name : params.getParamsKeys()) {
      what.append(' ').append(name).append('=').append(params.getParam((String) name));
    }
    done(
        String.format(
            Locale.ROOT,
            "%s: %.4g ± %.2g %s",
            what,
            score.getScore(),
            score.getScoreError(),
            score.getScoreUnit()));
  }

  /** What JMH or a benchmark says; of no interest unless something is wrong. */
  @Override
  public void println(String line) {
    if (line.contains("Exception") || line.contains("Error") || line.startsWith("\tat ")) {
      out.println(line);
    }
  }

  @Override
  public void iteration(BenchmarkParams benchmark, IterationParams params, int iteration) {}

  @Override
  public void iterationResult(
      BenchmarkParams benchmark, IterationParams params, int iteration, IterationResult data) {}

  @Override
  public void startBenchmark(BenchmarkParams params) {}

  @Override
  public void startRun() {}

  @Override
  public void endRun(Collection<RunResult> results) {}

  @Override
  public void print(String text) {}

  @Override
  public void flush() {
    out.flush();
  }

  @Override
  public void close() {}

  @Override
  public void verbosePrintln(String line) {}

  @Override
  public void write(int value) {}

  @Override
  public void write(byte[] bytes) {}
}
