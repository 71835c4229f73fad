package io.horae.benchmarks;

import io.horae.benchmarks.report.Question;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * A question that JMH answers: which benchmarks, with which parameters, and what in their results
 * is the subject, what the size.
 */
final class Timed {

  final Question question;

  /** Regular expressions of the benchmarks. */
  final List<String> includes;

  /** What a quick run asks in place of what the class says. */
  private final Map<String, String[]> quick = new LinkedHashMap<>();

  /** What a full run asks in place of what the class says. */
  private final Map<String, String[]> full = new LinkedHashMap<>();

  /** Arguments for the JVMs, in a full run only. */
  final List<String> fullJvmArgs = new ArrayList<>();

  private Function<BenchmarkParams, String> subject = Timed::method;
  private final String sizeParam;
  private String perParam = "";
  int threads = 1;

  /** How many iterations of a quick run are for the compiler. */
  int quickWarmups = 2;

  boolean onlyFull;
  boolean singleShots;

  /** A question whose sizes are the values of a parameter. */
  Timed(Question question, String sizeParam, String... includes) {
    this.question = question;
    this.sizeParam = sizeParam;
    this.includes = List.of(includes);
  }

  private static String method(BenchmarkParams params) {
    String name = params.getBenchmark();
    return name.substring(name.lastIndexOf('.') + 1);
  }

  Timed quick(String param, String... values) {
    quick.put(param, values);
    return this;
  }

  Timed full(String param, String... values) {
    full.put(param, values);
    return this;
  }

  /** In either kind of run. */
  Timed with(String param, String... values) {
    return quick(param, values).full(param, values);
  }

  /** Subjects are the values of a parameter, and not methods. */
  Timed subjectsAre(String param) {
    subject = params -> params.getParam(param);
    return this;
  }

  /** Results are for so many at once as a parameter says. */
  Timed per(String param) {
    perParam = param;
    return this;
  }

  Timed threads(int count) {
    threads = count;
    return this;
  }

  /** Much code, which the compiler takes seconds for: before that, figures are the compiler's. */
  Timed muchCode() {
    quickWarmups = 20;
    return this;
  }

  /** Each measurement is one call, so that the class says how many it takes. */
  Timed singleShots() {
    singleShots = true;
    return this;
  }

  Timed onlyFull(String... jvmArgs) {
    onlyFull = true;
    fullJvmArgs.addAll(List.of(jvmArgs));
    return this;
  }

  Map<String, String[]> params(boolean isQuick) {
    return isQuick ? quick : full;
  }

  String subject(BenchmarkParams params) {
    return subject.apply(params);
  }

  String size(BenchmarkParams params) {
    String size = params.getParam(sizeParam);
    return size == null ? "all" : size;
  }

  double divisor(BenchmarkParams params) {
    return perParam.isEmpty() ? 1 : Double.parseDouble(params.getParam(perParam));
  }
}
