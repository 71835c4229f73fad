package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.placement.ChronosViewId;
import io.horae.placement.Node;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimerIdTest {

  private static final String TEXT = "0190a3c55e7f0001-2-4010200a00082000";

  @Test
  void parse_theTextOfTheComment_givesItsParts() {
    TimerId timer = new TimerId(0x0190a3c55e7f0001L, 2, 0x4010200a00082000L);
    assertEquals(timer, TimerId.parse(TEXT));
    assertEquals(TEXT, timer.toString());
  }

  @Test
  void parse_whatToStringWrote_givesTheSame() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 10_000; i++) {
      long id = random.nextLong() >>> random.nextInt(64);
      TimerId timer = new TimerId(id, random.nextInt(1, 17), random.nextLong());
      assertEquals(timer, TimerId.parse(timer.toString()));
    }
  }

  @Test
  void toString_localeWithOtherDigits_isTheSame() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertEquals(TEXT, TimerId.parse(TEXT).toString());
    } finally {
      Locale.setDefault(before);
    }
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "timer",
        "0190a3c55e7f0001",
        "0190a3c55e7f0001-2",
        "0190a3c55e7f0001--4010200a00082000",
        "0190a3c55e7f0001-0-4010200a00082000",
        "0190a3c55e7f0001-02-4010200a00082000",
        "0190a3c55e7f0001--2-4010200a00082000",
        "0190a3c55e7f0001-100-4010200a00082000",
        "0190A3C55E7F0001-2-4010200a00082000",
        "190a3c55e7f0001-2-4010200a00082000",
        "00190a3c55e7f0001-2-4010200a00082000",
        "0190a3c55e7f0001-2-4010200a0008200",
        "0190a3c55e7f0001-2-4010200a000820000",
        "0190a3c55e7f0001-2-4010200a0008200g",
        "0190a3c55e7f0001-٢-4010200a00082000",
        " 0190a3c55e7f0001-2-4010200a00082000",
        "0190a3c55e7f0001-2-4010200a00082000\n"
      })
  void parse_anythingElse_isRefusedAndShown(String text) {
    var refusal = assertThrows(IllegalArgumentException.class, () -> TimerId.parse(text));
    assertEquals(
        "not a timer's handle, as in " + TEXT + ": \"" + text + "\"", refusal.getMessage());
  }

  @Test
  void parse_longText_isShownInPart() {
    var refusal =
        assertThrows(IllegalArgumentException.class, () -> TimerId.parse("x".repeat(1_000_000)));
    assertTrue(refusal.getMessage().endsWith(": \"" + "x".repeat(77) + "...\""));
  }

  @Test
  void parse_factorOfSeventeen_isRefused() {
    var refusal =
        assertThrows(
            IllegalArgumentException.class,
            () -> TimerId.parse("0190a3c55e7f0001-17-4010200a00082000"));
    assertEquals("replicationFactor must be 1 to 16: 17", refusal.getMessage());
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 17, Integer.MAX_VALUE})
  void new_factorOutOfRange_isRefused(int factor) {
    var refusal = assertThrows(IllegalArgumentException.class, () -> new TimerId(1, factor, 0));
    assertEquals("replicationFactor must be 1 to 16: " + factor, refusal.getMessage());
  }

  @Test
  void new_factorAtTheEnds_isTaken() {
    assertEquals(1, new TimerId(1, 1, 0).replicationFactor());
    assertEquals(16, new TimerId(1, 16, 0).replicationFactor());
  }

  @Test
  void mayBeOn_replicas_isTrueOfAllAndFalseOfMostOthers() {
    SplittableRandom random = new SplittableRandom(2);
    int others = 0;
    int mistaken = 0;
    for (int i = 0; i < 2_000; i++) {
      int first = random.nextInt();
      List<Node> nodes =
          IntStream.range(0, 20).mapToObj(n -> Node.of("node-" + (first + n))).toList();
      List<Node> replicas = nodes.subList(0, random.nextInt(1, 4));
      long filter = 0;
      for (Node node : replicas) {
        filter |= ChronosViewId.bloom(node);
      }
      TimerId timer = new TimerId(i, 2, filter);
      for (Node node : nodes) {
        if (replicas.contains(node)) {
          assertTrue(timer.mayBeOn(node));
        } else {
          others++;
          mistaken += timer.mayBeOn(node) ? 1 : 0;
        }
      }
    }
    assertTrue(mistaken < others / 50, mistaken + " of " + others);
    assertFalse(new TimerId(1, 2, 0).mayBeOn(Node.of("a")));
  }
}
