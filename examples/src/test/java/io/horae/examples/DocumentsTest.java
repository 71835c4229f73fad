package io.horae.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.jgroups.HostEvent;
import io.horae.jgroups.HostStatistics;
import io.horae.resync.BucketEvent;
import io.horae.resync.BucketMessage;
import io.horae.resync.BucketNodeOptions;
import io.horae.resync.BucketStatistics;
import io.horae.resync.Event;
import io.horae.resync.Message;
import io.horae.resync.Statistics;
import io.horae.resync.TimerNodeOptions;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

/**
 * What the documents show compiles and prints what they say, and where they lead there is
 * something.
 */
class DocumentsTest {

  @TempDir private Path classes;

  @TestFactory
  List<DynamicTest> javaBlocks_compileAndPrintWhatTheySay() throws IOException {
    Snippets snippets = new Snippets(classes);
    List<DynamicTest> tests = new ArrayList<>();
    for (Document document : Document.all()) {
      for (Document.Block block : document.blocks("java")) {
        String type = snippets.add(document, block);
        if (!block.output().isEmpty()) {
          tests.add(
              DynamicTest.dynamicTest(
                  document.name() + ", " + block.name(),
                  () -> assertEquals(block.output(), snippets.run(type))));
        }
      }
    }
    Optional<String> problems = snippets.compile();
    tests.add(
        0, DynamicTest.dynamicTest("all compile", () -> assertEquals("", problems.orElse(""))));
    return tests;
  }

  @Test
  void links_leadSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Document document : Document.all()) {
      for (String target : document.links()) {
        if (!leadsSomewhere(document.name(), target)) {
          broken.add(document.name() + ": " + target);
        }
      }
    }
    assertEquals(List.of(), broken);
  }

  /** Links to other sites are not looked at: a build needs no network. */
  private static boolean leadsSomewhere(String file, String target) {
    if (target.matches("[a-z]+:.*")) {
      return true;
    }
    int hash = target.indexOf('#');
    String path = hash < 0 ? target : target.substring(0, hash);
    Path source = Document.ROOT.resolve(file);
    Path destination = path.isEmpty() ? source : source.resolveSibling(path).normalize();
    if (!Files.exists(destination)) {
      return false;
    }
    return hash < 0
        || !destination.toString().endsWith(".md")
        || Document.of(Document.ROOT.relativize(destination).toString())
            .anchors()
            .contains(target.substring(hash + 1));
  }

  @Test
  void documents_areAllLedToFromTheFrontPage() throws IOException {
    List<String> led = Document.of("README.md").links();
    for (Document document : Document.all()) {
      if (document.name().startsWith("docs/")) {
        assertTrue(led.contains(document.name()), document.name() + " is not linked by README.md");
      }
    }
  }

  @Test
  void images_areWellFormed_standAlone_andFitBothColourSchemes() throws Exception {
    List<String> shown = new ArrayList<>();
    for (Document document : Document.all()) {
      document.links().forEach(link -> shown.add(link.replaceFirst("^docs/", "")));
    }
    List<Path> images;
    try (Stream<Path> files = Files.list(Document.ROOT.resolve("docs/images"))) {
      images = files.filter(file -> file.toString().endsWith(".svg")).toList();
    }
    assertFalse(images.isEmpty());
    for (Path image : images) {
      String name = image.getFileName().toString();
      Element svg =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(image.toFile())
              .getDocumentElement();
      assertEquals("svg", svg.getTagName(), name);
      assertFalse(svg.getAttribute("viewBox").isEmpty(), name + " has no viewBox");
      assertEquals(1, svg.getElementsByTagName("title").getLength(), name + " has no title");
      assertEquals(0, svg.getElementsByTagName("script").getLength(), name);
      String text = Files.readString(image);
      assertTrue(text.contains("prefers-color-scheme: dark"), name + " has no dark colours");
      assertFalse(text.matches("(?s).*(href|url\\(['\"]?https?:).*"), name + " refers elsewhere");
      assertTrue(shown.contains("images/" + name), name + " is shown nowhere");
    }
  }

  @Test
  void operating_explainsEveryStatisticEventAndOption() {
    String text = Document.read("docs/operating.md");
    for (RecordComponent value : Statistics.class.getRecordComponents()) {
      assertExplained(text, value.getName());
    }
    for (Statistics.Rejection reason : Statistics.Rejection.values()) {
      assertExplained(text, reason.name());
    }
    for (Class<?> event : Event.class.getPermittedSubclasses()) {
      assertExplained(text, event.getSimpleName());
    }
    for (Method option : TimerNodeOptions.class.getMethods()) {
      if (option.getDeclaringClass() == TimerNodeOptions.class
          && !Modifier.isStatic(option.getModifiers())) {
        assertExplained(text, option.getName());
      }
    }
  }

  @Test
  void operating_explainsWhatAHostCountsAndTells() {
    String text = Document.read("docs/operating.md");
    for (RecordComponent value : HostStatistics.class.getRecordComponents()) {
      assertExplained(text, value.getName());
    }
    for (Class<?> event : HostEvent.class.getPermittedSubclasses()) {
      assertExplained(text, event.getSimpleName());
    }
  }

  @Test
  void protocol_explainsEveryMessage() {
    String text = Document.read("docs/protocol.md");
    for (Class<?> message : Message.class.getPermittedSubclasses()) {
      if (message.isRecord()) {
        assertExplained(text, message.getSimpleName());
      }
    }
    for (Message.Reason reason : Message.Reason.values()) {
      assertExplained(text, reason.name());
    }
    for (Message.Extent extent : Message.Extent.values()) {
      assertExplained(text, extent.name());
    }
  }

  @Test
  void buckets_explainsEveryMessageStatisticEventAndOption() {
    String text = Document.read("docs/buckets.md");
    for (Class<?> message : BucketMessage.class.getDeclaredClasses()) {
      if (BucketMessage.class.isAssignableFrom(message) && message.isRecord()) {
        assertExplained(text, message.getSimpleName());
      }
    }
    for (RecordComponent value : BucketStatistics.class.getRecordComponents()) {
      assertExplained(text, value.getName());
    }
    for (Class<?> event : BucketEvent.class.getPermittedSubclasses()) {
      assertExplained(text, event.getSimpleName());
    }
    for (Method option : BucketNodeOptions.class.getMethods()) {
      if (option.getDeclaringClass() == BucketNodeOptions.class
          && !Modifier.isStatic(option.getModifiers())) {
        assertExplained(text, option.getName());
      }
    }
  }

  private static void assertExplained(String text, String name) {
    String pattern = "(?s).*`[^`\n]*\\b" + name + "\\b[^`\n]*`.*";
    assertTrue(text.matches(pattern), name + " is not explained");
  }
}
