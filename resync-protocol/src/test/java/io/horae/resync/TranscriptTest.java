package io.horae.resync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole stories, message by message; the README beside them says how to read them. With {@code
 * -Dtranscripts.rewrite=true} what comes of their commands is written into the files instead of
 * being compared: read such a change as closely as code.
 */
class TranscriptTest {

  private static final Path FOLDER = Path.of("src/test/resources/transcripts");

  static Stream<String> stories() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".txt"))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("stories")
  void replays(String story) throws IOException {
    Path file = FOLDER.resolve(story);
    List<String> told = Files.readAllLines(file, UTF_8);
    List<String> replayed = Script.replayed(told);
    if (replayed.equals(told)) {
      return;
    }
    if (Boolean.getBoolean("transcripts.rewrite")) {
      Files.write(file, replayed, UTF_8);
    } else {
      fail(story + " (- as told, + as it is):\n" + Script.difference(told, replayed));
    }
  }
}
