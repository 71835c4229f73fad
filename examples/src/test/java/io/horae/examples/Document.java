package io.horae.examples;

import static java.util.regex.Pattern.DOTALL;
import static java.util.regex.Pattern.MULTILINE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Markdown file of the project.
 *
 * @param name its path from the root of the project
 * @param text all of it
 */
public record Document(String name, String text) {

  /** The root of the project. Both builds run tests in the module's; an editor may elsewhere. */
  static final Path ROOT = root();

  private static final Pattern FENCED =
      Pattern.compile("(?:^<!-- given\\n(.*?)^-->\\n)?^```(\\w*)\\n(.*?)^```$", MULTILINE | DOTALL);
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)|(?:src|href)=\"(.*?)\"");

  /**
   * A fenced block.
   *
   * @param number counted from 1 on
   * @param language what the fence says
   * @param given what readers need not see but the compiler does: a comment above the block
   * @param content what stands between the fences
   * @param output the text block that directly follows, empty if none does
   */
  public record Block(int number, String language, String given, String content, String output) {

    String name() {
      return "block " + number + ": " + content.lines().findFirst().orElse("");
    }
  }

  private static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("settings.gradle.kts"))) {
      directory = directory.getParent();
      if (directory == null) {
        throw new AssertionError("no settings.gradle.kts above " + Path.of("").toAbsolutePath());
      }
    }
    return directory;
  }

  static String read(String file) {
    try {
      return Files.readString(ROOT.resolve(file)).replace("\r\n", "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static Document of(String name) {
    return new Document(name, read(name));
  }

  /** All that readers are led to. */
  static List<Document> all() throws IOException {
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      return Stream.concat(
              Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/README.md"),
              docs.map(file -> "docs/" + file.getFileName())
                  .filter(name -> name.endsWith(".md"))
                  .sorted())
          .map(Document::of)
          .toList();
    }
  }

  List<Block> blocks() {
    List<MatchResult> found = FENCED.matcher(text).results().toList();
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      MatchResult block = found.get(i);
      String output = "";
      if (i + 1 < found.size()) {
        MatchResult next = found.get(i + 1);
        boolean follows = text.substring(block.end(), next.start()).isBlank();
        output = follows && next.group(2).equals("text") ? next.group(3) : "";
      }
      String given = Objects.requireNonNullElse(block.group(1), "");
      blocks.add(new Block(i + 1, block.group(2), given, block.group(3), output));
    }
    return blocks;
  }

  public List<Block> blocks(String language) {
    return blocks().stream().filter(block -> block.language().equals(language)).toList();
  }

  private String prose() {
    return FENCED.matcher(text).replaceAll("");
  }

  /** Where it leads to. */
  List<String> links() {
    return LINK.matcher(prose())
        .results()
        .map(link -> link.group(1) == null ? link.group(2) : link.group(1))
        .distinct()
        .toList();
  }

  /** The names that its headings can be linked by. */
  List<String> anchors() {
    return groups(prose(), "(?m)^#+ (.*)$").stream()
        .map(heading -> heading.toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .toList();
  }

  /** The rows of the first table whose header begins so, without the header. */
  List<String> table(String header) {
    return text.lines()
        .dropWhile(line -> !line.startsWith(header))
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .toList();
  }

  /** What the group of a pattern matches, each text once. */
  static List<String> groups(String text, String pattern) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .distinct()
        .toList();
  }
}
