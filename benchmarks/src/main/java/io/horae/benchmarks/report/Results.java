package io.horae.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The figures of a JDK and the run that each question's are from, in one JSON file. A later run of
 * some questions replaces theirs and leaves the others.
 */
public final class Results {

  private static final String FILE = "figures.json";
  private static final Pattern FACT = Pattern.compile("\"([^\"]*)\":\"([^\"]*)\"");

  private final Map<String, Run> runs = new TreeMap<>();
  private final List<Figure> figures = new ArrayList<>();

  /** Reads what a directory has; empty if it has nothing. */
  public static Results read(Path directory) throws IOException {
    Results results = new Results();
    Path file = directory.resolve(FILE);
    if (Files.notExists(file)) {
      return results;
    }
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith("{\"question\":")) {
        results.figures.add(Figure.parse(line));
      } else if (line.startsWith("{\"run\":")) {
        Map<String, String> facts = new TreeMap<>();
        Matcher fact = FACT.matcher(line);
        while (fact.find()) {
          facts.put(fact.group(1), fact.group(2));
        }
        results.runs.put(facts.remove("run"), new Run(facts));
      }
    }
    return results;
  }

  /** Puts the figures of a question in the place of those that it had. */
  public void put(String question, Run run, List<Figure> some) {
    figures.removeIf(figure -> figure.question().equals(question));
    figures.addAll(some);
    runs.put(question, run);
  }

  public void write(Path directory) throws IOException {
    List<String> lines = new ArrayList<>();
    runs.forEach((question, run) -> lines.add(toJson(question, run)));
    figures.forEach(figure -> lines.add(figure.toJson()));
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(FILE), "[\n" + String.join(",\n", lines) + "\n]\n");
  }

  private static String toJson(String question, Run run) {
    StringBuilder line = new StringBuilder("{\"run\":\"").append(question).append('"');
    run.facts()
        .forEach(
            (name, value) ->
                line.append(",\"")
                    .append(name)
                    .append("\":\"")
                    .append(value.replace('"', '\''))
                    .append('"'));
    return line.append('}').toString();
  }

  List<Figure> figures() {
    return List.copyOf(figures);
  }

  /** The run that a question's figures are from, null if it has none. */
  Run run(String question) {
    return runs.get(question);
  }
}
