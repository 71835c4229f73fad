package io.horae.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.regex.Pattern.MULTILINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.examples.demo.ClusterDemo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The front page says nothing that is not so: its commands, versions and modules. */
class ReadmeTest {

  private static final Document README = Document.of("README.md");

  private static final Pattern COMMAND =
      Pattern.compile("^(?:\\./gradlew .*:examples:run|mvn .*(?:-Pexamples|exec:java)).*$");
  private static final Pattern ARGUMENTS =
      Pattern.compile("(?:--args|-Dexec\\.args)=([\"'])(.*?)\\1");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");
  private static final Pattern INCLUDE = Pattern.compile("^include\\(\"([^\"]+)\"\\)", MULTILINE);

  @Test
  void readme_hasCodeWithItsOutput() throws IOException {
    assertTrue(
        README.blocks("java").stream().anyMatch(block -> !block.output().isEmpty()),
        "README.md has no java block that a text block follows");
  }

  @Test
  void readme_hasACommandForEachBuild() throws IOException {
    List<String> commands = README.blocks("sh").stream().flatMap(ReadmeTest::commands).toList();

    assertTrue(commands.stream().anyMatch(command -> command.startsWith("./gradlew ")));
    assertTrue(commands.stream().anyMatch(command -> command.startsWith("mvn ")));
  }

  /** What it prints is another matter: figures differ from run to run. */
  @TestFactory
  Stream<DynamicTest> demoCommands_areUnderstood() throws IOException {
    return README.blocks("sh").stream()
        .flatMap(ReadmeTest::commands)
        .map(ReadmeTest::arguments)
        .filter(arguments -> arguments.length == 0 || arguments[0].startsWith("--"))
        .map(
            arguments ->
                DynamicTest.dynamicTest(
                    "demo " + String.join(" ", arguments),
                    () -> assertEquals("", ClusterDemo.problemWith(arguments))));
  }

  @TestFactory
  Stream<DynamicTest> tourCommands_printWhatTheySay() throws IOException {
    return README.blocks("sh").stream()
        .flatMap(
            block ->
                commands(block)
                    .filter(command -> List.of(arguments(command)).contains("tour"))
                    .map(
                        command ->
                            DynamicTest.dynamicTest(
                                command, () -> assertTourPrints(command, block.output()))));
  }

  private static Stream<String> commands(Document.Block block) {
    return block
        .content()
        .lines()
        .map(line -> line.replaceAll("\\s+#.*", ""))
        .filter(line -> COMMAND.matcher(line).matches());
  }

  private static void assertTourPrints(String command, String output) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        PlacementTour.run(
            Stream.of(arguments(command)).skip(1).toArray(String[]::new),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8));
    assertEquals("", err.toString(UTF_8));
    assertEquals(0, code);
    if (!output.isEmpty()) {
      assertEquals(output, out.toString(UTF_8).replace("\r\n", "\n"));
    }
  }

  private static String[] arguments(String command) {
    Matcher arguments = ARGUMENTS.matcher(command);
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
    properties.load(new StringReader(Document.read("gradle.properties")));
    String version = properties.getProperty("version");
    String readme = README.text();

    assertEquals(
        List.of(version),
        Document.groups(
            readme,
            "<groupId>io\\.horae</groupId>\\s*<artifactId>[a-z-]+</artifactId>\\s*"
                + "<version>([^<]*)</version>"));
    assertEquals(
        List.of(version), Document.groups(readme, "\\(\"io\\.horae:[a-z-]+:([^\"]*)\"\\)"));
  }

  @Test
  void modules_areThoseOfTheBuild() throws IOException {
    List<String> rows = README.table("| module ");
    assertFalse(rows.isEmpty(), "README.md has no table that begins with \"| module \"");
    List<String> present =
        rows.stream()
            .filter(row -> !row.contains("to come"))
            .flatMap(row -> Document.groups(row, "^\\| `([a-z-]+)`").stream())
            .sorted()
            .toList();
    List<String> toCome =
        rows.stream()
            .filter(row -> row.contains("to come"))
            .flatMap(row -> Document.groups(row, "^\\| `([a-z-]+)`").stream())
            .toList();

    assertEquals(rows.size(), present.size() + toCome.size(), "a row without a module's name");
    assertEquals(
        INCLUDE
            .matcher(Document.read("settings.gradle.kts"))
            .results()
            .map(include -> include.group(1))
            .sorted()
            .toList(),
        present);
    for (String module : present) {
      assertTrue(Files.isDirectory(Document.ROOT.resolve(module)), module);
    }
  }
}
