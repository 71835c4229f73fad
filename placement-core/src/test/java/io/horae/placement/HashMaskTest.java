package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HashMaskTest {

  @Test
  void contains_theDocumentsHashes() {
    // The last 64 bits of 0a0bec73c71375329404fe632c7679c9, 10b3…c976 and 06f9…0834.
    assertTrue(HashMask.parse("000F/0009").contains(0x9404fe632c7679c9L));
    assertTrue(HashMask.parse("000F/0006").contains(0x53f5dbbc07c2c976L));
    assertTrue(HashMask.parse("000F/0004").contains(0xafabf5a4b0e90834L));
    assertFalse(HashMask.parse("000F/0004").contains(0x53f5dbbc07c2c976L));
    assertTrue(HashMask.parse("00FF/0034").contains(0xafabf5a4b0e90834L));
  }

  @Test
  void split_theDocumentsBucket() {
    assertEquals(
        List.of(
            "00FF/0004",
            "00FF/0014",
            "00FF/0024",
            "00FF/0034",
            "00FF/0044",
            "00FF/0054",
            "00FF/0064",
            "00FF/0074",
            "00FF/0084",
            "00FF/0094",
            "00FF/00A4",
            "00FF/00B4",
            "00FF/00C4",
            "00FF/00D4",
            "00FF/00E4",
            "00FF/00F4"),
        HashMask.parse("000F/0004").split().stream().map(HashMask::toString).toList());
  }

  @Property(tries = 500)
  void everyHashOfAMaskIsInExactlyOneOfItsParts(
      @ForAll long hash, @ForAll @IntRange(min = 1, max = 15) int digits) {
    HashMask mask = HashMask.of(hash, digits);
    assertTrue(mask.contains(hash));
    List<HashMask> holders = mask.split().stream().filter(part -> part.contains(hash)).toList();
    assertEquals(List.of(HashMask.of(hash, digits + 1)), holders);
    mask.split().forEach(part -> assertEquals(mask, part.parent()));
    mask.split().forEach(part -> assertTrue(mask.contains(part) && !part.contains(mask)));
  }

  @Property(tries = 500)
  void whatIsPrintedIsParsed(@ForAll long hash, @ForAll @IntRange(min = 1, max = 16) int digits) {
    HashMask mask = HashMask.of(hash, digits);
    assertEquals(mask, HashMask.parse(mask.toString()));
    assertEquals(mask, HashMask.parse(mask.toString().toLowerCase(java.util.Locale.ROOT)));
    assertEquals(2 * Math.max(4, digits) + 1, mask.toString().length());
    assertEquals(digits, mask.digits());
  }

  @ParameterizedTest
  @CsvSource({
    "F/9, 000F/0009",
    "0000000F/0009, 000F/0009",
    "FFFFF/12345, FFFFF/12345",
    "FFFFFFFFFFFFFFFF/8000000000000000, FFFFFFFFFFFFFFFF/8000000000000000"
  })
  void parse_otherWidths(String text, String printed) {
    assertEquals(printed, HashMask.parse(text).toString());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 7, 0x1f, 0xf0, 0xf0f, 0x7f, 0xff0f, Long.MIN_VALUE, Long.MAX_VALUE})
  void mask_withHolesOrBrokenDigits(long mask) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> new HashMask(mask, 0)).getMessage();
    assertTrue(
        message.contains(Long.toHexString(mask).toUpperCase(java.util.Locale.ROOT)), message);
  }

  @Test
  void value_outsideItsMask() {
    assertRefused("000F/0010", () -> new HashMask(0xf, 0x10));
    assertRefused("000F/0010", () -> HashMask.parse("F/10"));
    assertRefused("FFFFFFFFFFFFFFF0", () -> new HashMask(0xf, -16));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "/", "F", "F/", "/9", "F/9/", "000F 0009", "G/0", "F/-1", "-F/1", " F/9"})
  void parse_notAHashmask(String text) {
    assertRefused('"' + text + '"', () -> HashMask.parse(text));
  }

  @Test
  void bad_depths() {
    assertRefused("0", () -> HashMask.of(1, 0));
    assertRefused("17", () -> HashMask.of(1, 17));
    assertRefused("FFFFFFFFFFFFFFFF/0000000000000005", () -> HashMask.of(5, 16).split());
    assertRefused("000F/0005", () -> HashMask.of(5, 1).parent());
    assertRefused("null", () -> HashMask.parse(null));
    assertRefused("11111111111111111", () -> HashMask.parse("11111111111111111/1"));
  }

  @Test
  void order_isByMaskThenValueUnsigned() {
    List<HashMask> sorted =
        List.of(
            HashMask.parse("F/0"),
            HashMask.parse("F/F"),
            HashMask.parse("FF/0"),
            HashMask.of(Long.MAX_VALUE, 16),
            HashMask.of(-1, 16));
    List<HashMask> reversed = new java.util.ArrayList<>(sorted);
    java.util.Collections.reverse(reversed);
    assertEquals(sorted, reversed.stream().sorted().toList());
  }

  private static void assertRefused(String part, org.junit.jupiter.api.function.Executable call) {
    String message = assertThrows(IllegalArgumentException.class, call).getMessage();
    assertTrue(message.contains(part), () -> part + " is not in: " + message);
  }
}
