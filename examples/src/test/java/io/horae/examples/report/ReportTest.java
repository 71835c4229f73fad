package io.horae.examples.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.placement.ArcMovement;
import io.horae.placement.BucketTable;
import io.horae.placement.KetamaContinuum;
import io.horae.placement.Movement;
import io.horae.placement.Node;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ReportTest {

  private static final Pattern ARC =
      Pattern.compile("M(\\S+) ([^A]+)A\\S+ \\S+ 0 [01] 1 (\\S+) ([^M]+)");

  private final Run run = SampleRun.good();

  /** The page is written so that a reader of XML understands it too. */
  private static Document parsed(Run run) throws Exception {
    String page = Report.of(run).replace("<!DOCTYPE html>", "");
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(page.getBytes(UTF_8)));
  }

  private static List<Element> elements(Document page, String tag) {
    NodeList found = page.getElementsByTagName(tag);
    return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i)).toList();
  }

  private static List<String> texts(Document page, String tag) {
    return elements(page, tag).stream().map(Element::getTextContent).toList();
  }

  @Test
  void page_hasEveryPicture() throws Exception {
    Document page = parsed(run);

    List<String> pictures = new ArrayList<>();
    for (Element picture : elements(page, "svg")) {
      pictures.add(picture.getElementsByTagName("title").item(0).getTextContent());
    }
    for (Change change : run.changes()) {
      assertTrue(pictures.contains("Timers on each node, " + change.title()));
      assertTrue(pictures.contains("Timers in flight, " + change.title()));
    }
    assertTrue(pictures.contains("How many pops came how late"));
    int changes = run.changes().size();
    assertEquals(changes, pictures.stream().filter("The Ketama ring"::equals).count());
    assertEquals(changes, pictures.stream().filter("The tree of buckets"::equals).count());
    assertEquals(
        List.of("Every promise held."),
        elements(page, "p").stream()
            .filter(text -> text.getAttribute("class").startsWith("verdict"))
            .map(Element::getTextContent)
            .toList());
  }

  @Test
  void page_loadsNothing() throws Exception {
    Document page = parsed(run);

    for (String tag : List.of("script", "img", "iframe", "object", "image", "use", "a")) {
      assertEquals(List.of(), elements(page, tag), tag);
    }
    assertEquals(
        List.of("data:,"),
        elements(page, "link").stream().map(link -> link.getAttribute("href")).toList());
    String text = Report.of(run);
    assertFalse(text.contains("://"), "an address");
    assertFalse(text.contains("url("), "something to load");
    assertFalse(text.contains("@import"), "something to load");
  }

  @Test
  void page_escapesWhatItIsGiven() {
    assertTrue(Report.of(run).contains("&lt;seed &amp; 1&gt;"));
  }

  @Test
  void page_listsBrokenPromises() throws Exception {
    Document page = parsed(SampleRun.with(List.of("3 pops were lost.", "1 pops came early.")));

    assertEquals(List.of("3 pops were lost.", "1 pops came early."), texts(page, "li"));
    assertFalse(texts(page, "p").contains("Every promise held."));
  }

  @Test
  void page_saysWhatARingAndBucketsWouldHaveMoved() throws Exception {
    List<String> texts = texts(parsed(run), "p");

    for (Change change : run.changes()) {
      ArcMovement ring =
          ArcMovement.between(
              KetamaContinuum.of(change.nodesBefore()), KetamaContinuum.of(change.nodesAfter()));
      String moved = String.format(Locale.ROOT, "%.1f %% of the ring", 100 * ring.fractionMoved());
      assertTrue(texts.stream().anyMatch(text -> text.startsWith(moved)), moved);
    }
    // A fourth server takes a quarter of 256 buckets.
    assertTrue(
        texts.contains(
            "25.0 % of the hashes would move, in 64 buckets; the least for these shares is"
                + " 25.0 %"));
  }

  @Test
  void page_setsRunRingAndBucketsBesideEachOther() throws Exception {
    List<String> rows = new ArrayList<>();
    for (Element table : elements(parsed(run), "table")) {
      if (table.getAttribute("class").equals("placed")) {
        NodeList lines = table.getElementsByTagName("tr");
        for (int i = 1; i < lines.getLength(); i++) {
          NodeList cells = lines.item(i).getChildNodes();
          rows.add(
              IntStream.range(0, cells.getLength())
                  .mapToObj(cell -> cells.item(cell).getTextContent())
                  .collect(Collectors.joining("|")));
        }
      }
    }
    BucketStory story = new BucketStory(run.changes());
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < run.changes().size(); i++) {
      Change change = run.changes().get(i);
      Movement here = change.movement();
      ArcMovement ring =
          ArcMovement.between(
              KetamaContinuum.of(change.nodesBefore()), KetamaContinuum.of(change.nodesAfter()));
      double ringLeast = ring.hashesMovedLeast() / 0x1p32;
      String least = percent((double) here.primariesMovedLeast() / here.keys());
      expected.add(
          String.join(
              "|",
              change.title(),
              percent((double) here.primariesMoved() / here.keys()),
              least,
              percent(ring.fractionMoved()),
              percent(ringLeast),
              percent(moved(story.before(i), story.after(i)) / 256.0),
              percent(gained(story.before(i), story.after(i)) / 256.0)));
    }
    assertEquals(expected, rows);
  }

  /** Of 256 buckets, how many servers end up with more. */
  private static long gained(BucketTable before, BucketTable after) {
    return after.nodes().stream()
        .mapToLong(node -> after.count(node) - (knows(before, node) ? before.count(node) : 0))
        .filter(gain -> gain > 0)
        .sum();
  }

  private static boolean knows(BucketTable table, Node node) {
    return table.nodes().contains(node);
  }

  /** Of 256 buckets. */
  private static long moved(BucketTable before, BucketTable after) {
    return after.buckets().stream()
        .filter(
            bucket -> !before.bucketAt(bucket.mask().value()).primary().equals(bucket.primary()))
        .count();
  }

  private static String percent(double part) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * part);
  }

  @Test
  void arcs_goOnceAroundTheRing() throws Exception {
    for (Element picture : elements(parsed(run), "svg")) {
      String title = picture.getElementsByTagName("title").item(0).getTextContent();
      if (Set.of("The Ketama ring", "The tree of buckets").contains(title)) {
        assertEquals(2, turns(picture), 0.02, title + ": one turn before, one after");
      }
    }
  }

  /** How many turns all arcs of a picture make together. */
  private static double turns(Element picture) {
    double turns = 0;
    NodeList paths = picture.getElementsByTagName("path");
    for (int i = 0; i < paths.getLength(); i++) {
      Element path = (Element) paths.item(i);
      if (path.getAttribute("class").startsWith("arc")) {
        Matcher arc = ARC.matcher(path.getAttribute("d"));
        while (arc.find()) {
          double end = angle(arc.group(3), arc.group(4));
          turns += (end - angle(arc.group(1), arc.group(2)) + 1) % 1;
        }
      }
    }
    return turns;
  }

  private static double angle(String x, String y) {
    double right = Double.parseDouble(x) - Discs.CENTRE;
    double up = Discs.CENTRE - Double.parseDouble(y);
    return (Math.atan2(right, up) / (2 * Math.PI) + 1) % 1;
  }

  @Test
  void lateness_fallsIntoTheBinItBelongsTo() {
    Lateness lateness = Lateness.of(List.of(0L, 1L, 4L, 4_999L, 5_000L, 1_000_000L));

    assertEquals(List.of(1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2), lateness.counts());
    assertEquals("under 1 ms", Lateness.label(0));
    assertEquals("200–500 ms", Lateness.label(8));
    assertEquals("0.5–1 s", Lateness.label(9));
    assertEquals("2–5 s", Lateness.label(11));
    assertEquals("over 5 s", Lateness.label(12));
  }

  @Test
  void markup_leftOpen_isRefused() {
    Markup page = new Markup().open("p");

    assertThrows(IllegalStateException.class, page::toString);
    assertThrows(IllegalArgumentException.class, () -> page.raw("</style>"));
  }

  @Test
  void axis_endsWithARoundStep() {
    Axis axis = Axis.reaching(930, 0, 100, 4);

    assertEquals(List.of(0.0, 500.0, 1_000.0), axis.ticks(4));
    assertEquals(50, axis.at(500));
  }
}
