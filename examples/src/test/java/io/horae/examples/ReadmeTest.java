package io.horae.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.regex.Pattern.MULTILINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.placement.Placement;
import io.horae.timer.TimerWheel;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The front page says nothing that is not so: its code, commands, versions, modules and links. */
class ReadmeTest {

  private static final Path ROOT = root();

  private static final Pattern FENCED =
      Pattern.compile("^```(\\w*)\\n(.*?)^```$", MULTILINE | Pattern.DOTALL);
  private static final Pattern IMPORT = Pattern.compile("^import .*;\\n", MULTILINE);
  private static final Pattern TYPE =
      Pattern.compile("^(?:public )?(?:final )?(?:class|record|enum) (\\w+)", MULTILINE);
  private static final Pattern TOUR_COMMAND =
      Pattern.compile("^(?:\\./gradlew .*:examples:run|mvn .*(?:-Pexamples|exec:java)).*$");
  private static final Pattern TOUR_ARGUMENTS =
      Pattern.compile("(?:--args|-Dexec\\.args)=([\"'])(.*?)\\1");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");
  private static final Pattern INCLUDE = Pattern.compile("^include\\(\"([^\"]+)\"\\)", MULTILINE);
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

  @TempDir private Path compiled;

  /** A fenced block, and the text block that directly follows it, empty if none does. */
  private record Block(int number, String language, String content, String output) {

    String name() {
      return "block " + number + ": " + content.lines().findFirst().orElse("");
    }
  }

  /** Both builds run tests in the module's directory; an editor may choose another. */
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

  private static String read(String file) throws IOException {
    return Files.readString(ROOT.resolve(file)).replace("\r\n", "\n");
  }

  private static List<Block> blocks() throws IOException {
    String readme = read("README.md");
    List<MatchResult> found = FENCED.matcher(readme).results().toList();
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      MatchResult block = found.get(i);
      String output = "";
      if (i + 1 < found.size()) {
        MatchResult next = found.get(i + 1);
        boolean follows = readme.substring(block.end(), next.start()).isBlank();
        output = follows && next.group(1).equals("text") ? next.group(2) : "";
      }
      blocks.add(new Block(i + 1, block.group(1), block.group(2), output));
    }
    return blocks;
  }

  private static List<Block> blocks(String language) throws IOException {
    return blocks().stream().filter(block -> block.language().equals(language)).toList();
  }

  @Test
  void readme_hasCodeWithItsOutput() throws IOException {
    assertTrue(
        blocks("java").stream().anyMatch(block -> !block.output().isEmpty()),
        "README.md has no java block that a text block follows");
  }

  @TestFactory
  Stream<DynamicTest> javaBlocks_compileAndPrintWhatTheySay() throws IOException {
    return blocks("java").stream()
        .map(
            block ->
                DynamicTest.dynamicTest(
                    block.name(),
                    () -> {
                      String printed = compileAndRun(block);
                      if (!block.output().isEmpty()) {
                        assertEquals(block.output(), printed);
                      }
                    }));
  }

  private String compileAndRun(Block block) throws Exception {
    Matcher type = TYPE.matcher(block.content());
    boolean isWhole = type.find();
    String name = isWhole ? type.group(1) : "Readme" + block.number();
    String source = isWhole ? block.content() : wrapped(name, block.content());
    Path directory = Files.createDirectories(compiled.resolve("block" + block.number()));
    Path file = Files.writeString(directory.resolve(name + ".java"), source);

    StringWriter problems = new StringWriter();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, UTF_8)) {
      boolean compiles =
          compiler
              .getTask(
                  problems,
                  files,
                  null,
                  List.of(
                      "--release",
                      "17",
                      "-Xlint:all",
                      "-Werror",
                      "-proc:none",
                      "-classpath",
                      libraryClassPath(),
                      "-d",
                      directory.toString()),
                  null,
                  files.getJavaFileObjects(file))
              .call();
      assertTrue(compiles, problems + "\n" + source);
    }
    URL[] classes = {directory.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(classes, getClass().getClassLoader())) {
      var main = loader.loadClass(name).getDeclaredMethod("main", String[].class);
      main.setAccessible(true);
      return printedBy(() -> main.invoke(null, (Object) new String[0]));
    }
  }

  private static String wrapped(String name, String statements) {
    String imports =
        IMPORT.matcher(statements).results().map(MatchResult::group).collect(Collectors.joining());
    return """
        import io.horae.placement.*;
        import io.horae.timer.*;
        import java.util.*;
        import java.util.stream.*;
        %s
        class %s {
          public static void main(String[] args) throws Exception {
        %s
          }
        }
        """
        .formatted(imports, name, IMPORT.matcher(statements).replaceAll(""));
  }

  /** The library and the annotations it is compiled with: all that its users need. */
  private static String libraryClassPath() throws URISyntaxException {
    List<String> places = new ArrayList<>();
    for (Class<?> type : List.of(Placement.class, TimerWheel.class, NullMarked.class)) {
      places.add(
          Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString());
    }
    return String.join(File.pathSeparator, places);
  }

  private interface Body {
    void run() throws Exception;
  }

  private static String printedBy(Body body) throws Exception {
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      body.run();
    } finally {
      System.setOut(out);
    }
    return printed.toString(UTF_8).replace("\r\n", "\n");
  }

  @Test
  void readme_hasACommandForEachBuild() throws IOException {
    List<String> commands = blocks("sh").stream().flatMap(ReadmeTest::tourCommands).toList();

    assertTrue(commands.stream().anyMatch(command -> command.startsWith("./gradlew ")));
    assertTrue(commands.stream().anyMatch(command -> command.startsWith("mvn ")));
  }

  @TestFactory
  Stream<DynamicTest> tourCommands_printWhatTheySay() throws IOException {
    return blocks("sh").stream()
        .flatMap(
            block ->
                tourCommands(block)
                    .map(
                        command ->
                            DynamicTest.dynamicTest(
                                command, () -> assertTourPrints(command, block.output()))));
  }

  private static Stream<String> tourCommands(Block block) {
    return block
        .content()
        .lines()
        .map(line -> line.replaceAll("\\s+#.*", ""))
        .filter(line -> TOUR_COMMAND.matcher(line).matches());
  }

  private static void assertTourPrints(String command, String output) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        PlacementTour.run(
            tourArguments(command),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8));
    assertEquals("", err.toString(UTF_8));
    assertEquals(0, code);
    if (!output.isEmpty()) {
      assertEquals(output, out.toString(UTF_8).replace("\r\n", "\n"));
    }
  }

  private static String[] tourArguments(String command) {
    Matcher arguments = TOUR_ARGUMENTS.matcher(command);
    if (!arguments.find()) {
      assertFalse(command.contains("args"), "arguments must be in quotes: " + command);
      return new String[0];
    }
    return WORD.matcher(arguments.group(2))
        .results()
        .map(word -> firstPresent(word.group(1), word.group(2), word.group(3)))
        .toArray(String[]::new);
  }

  private static String firstPresent(String... texts) {
    return Stream.of(texts).filter(text -> text != null).findFirst().orElseThrow();
  }

  @Test
  void dependencies_haveTheVersionOfTheProject() throws IOException {
    Properties properties = new Properties();
    properties.load(new StringReader(read("gradle.properties")));
    String version = properties.getProperty("version");
    String readme = read("README.md");

    assertEquals(
        List.of(version),
        groups(
            readme,
            "<groupId>io\\.horae</groupId>\\s*<artifactId>[a-z-]+</artifactId>\\s*"
                + "<version>([^<]*)</version>"));
    assertEquals(List.of(version), groups(readme, "\\(\"io\\.horae:[a-z-]+:([^\"]*)\"\\)"));
  }

  /** What the group of a pattern matches, each text once. */
  private static List<String> groups(String text, String pattern) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .distinct()
        .toList();
  }

  @Test
  void modules_areThoseOfTheBuild() throws IOException {
    List<String> rows =
        read("README.md")
            .lines()
            .dropWhile(line -> !line.startsWith("| module "))
            .skip(2)
            .takeWhile(line -> line.startsWith("|"))
            .toList();
    assertFalse(rows.isEmpty(), "README.md has no table that begins with \"| module \"");
    List<String> present =
        rows.stream()
            .filter(row -> !row.contains("to come"))
            .flatMap(row -> groups(row, "^\\| `([a-z-]+)`").stream())
            .sorted()
            .toList();
    List<String> toCome =
        rows.stream()
            .filter(row -> row.contains("to come"))
            .flatMap(row -> groups(row, "^\\| `([a-z-]+)`").stream())
            .toList();

    assertEquals(rows.size(), present.size() + toCome.size(), "a row without a module's name");
    assertEquals(
        INCLUDE
            .matcher(read("settings.gradle.kts"))
            .results()
            .map(include -> include.group(1))
            .sorted()
            .toList(),
        present);
    for (String module : present) {
      assertTrue(Files.isDirectory(ROOT.resolve(module)), module);
    }
  }

  @Test
  void links_leadSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (String file : List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md")) {
      if (Files.exists(ROOT.resolve(file))) {
        String prose = FENCED.matcher(read(file)).replaceAll("");
        for (String target : groups(prose, LINK.pattern())) {
          if (!leadsSomewhere(file, target)) {
            broken.add(file + ": " + target);
          }
        }
      }
    }
    assertEquals(List.of(), broken);
  }

  /** Links to other sites are not looked at: a build needs no network. */
  private static boolean leadsSomewhere(String file, String target) throws IOException {
    if (target.matches("[a-z]+:.*")) {
      return true;
    }
    int hash = target.indexOf('#');
    String path = hash < 0 ? target : target.substring(0, hash);
    Path destination =
        path.isEmpty() ? ROOT.resolve(file) : ROOT.resolve(file).resolveSibling(path);
    if (!Files.exists(destination)) {
      return false;
    }
    return hash < 0
        || !destination.toString().endsWith(".md")
        || anchors(Files.readString(destination)).contains(target.substring(hash + 1));
  }

  /** The names that a heading can be linked by. */
  private static List<String> anchors(String markdown) {
    String prose = FENCED.matcher(markdown.replace("\r\n", "\n")).replaceAll("");
    return groups(prose, "(?m)^#+ (.*)$").stream()
        .map(heading -> heading.toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .toList();
  }
}
