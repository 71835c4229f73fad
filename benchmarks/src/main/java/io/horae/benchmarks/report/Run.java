package io.horae.benchmarks.report;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** When, where and how figures were measured: names and values, in no more than a line each. */
public record Run(Map<String, String> facts) {

  /** What is known of this machine, this JVM and this moment. */
  public static Run here(String mode) {
    Map<String, String> facts = new TreeMap<>();
    facts.put("mode", mode);
    facts.put("date", LocalDate.now(ZoneOffset.UTC).toString());
    facts.put("jdk", Runtime.version() + ", " + System.getProperty("java.vm.name"));
    facts.put("os", System.getProperty("os.name") + " " + release());
    facts.put("cpu", Runtime.getRuntime().availableProcessors() + " × " + processor());
    facts.put("memory", memory());
    return new Run(facts);
  }

  /** Of the system, without what its distributor appends. */
  private static String release() {
    return System.getProperty("os.version").replaceFirst("-.*", "");
  }

  private static String processor() {
    return firstValue("/proc/cpuinfo", "model name", System.getProperty("os.arch"));
  }

  private static String memory() {
    String kilobytes = firstValue("/proc/meminfo", "MemTotal", "").replaceAll("\\D", "");
    return kilobytes.isEmpty()
        ? "unknown"
        : String.format(Locale.ROOT, "%.0f GB", Double.parseDouble(kilobytes) / (1 << 20));
  }

  private static String firstValue(String file, String name, String otherwise) {
    try (BufferedReader lines = Files.newBufferedReader(Path.of(file))) {
      return lines
          .lines()
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(otherwise);
    } catch (IOException e) {
      return otherwise; // not Linux
    }
  }

  /** All on one line. */
  String sentence() {
    return String.format(
        "%s mode, %s. JDK %s. %s, %s, %s.",
        facts.get("mode"),
        facts.get("date"),
        facts.get("jdk"),
        facts.get("cpu"),
        facts.get("memory"),
        facts.get("os"));
  }
}
