package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reader of golden files: were it lax, a broken file could pass for a good one. */
class JsonTest {

  @Test
  void parse_everyKindOfValue() {
    assertEquals(
        Map.of("a", List.of(1L, -2L, true, false), "b", Map.of(), "c", List.of()),
        Json.parse(" {\"a\" : [1, -2 ,true,false],\n\"b\":{ }\t, \"c\":[ ]}\r\n"));
    assertNull(Json.parse("null"));
  }

  @Test
  void parse_numbers() {
    assertEquals(0L, Json.parse("-0"));
    assertEquals(Long.MIN_VALUE, Json.parse("-9223372036854775808"));
    assertEquals(new BigInteger("18446744073709551615"), Json.parse("18446744073709551615"));
    assertEquals(new BigDecimal("-1.50E+3"), Json.parse("-1.50e+3"));
  }

  @Test
  void parse_strings() {
    assertEquals("\"\\/\b\f\n\r\t", Json.parse("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""));
    assertEquals("é節\ud83d\ude00\ud800", Json.parse("\"\\u00e9節\\uD83D\\uDE00\\ud800\""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "[1,]",
        "{\"a\":1,}",
        "[1 2]",
        "[,1]",
        "{a:1}",
        "{\"a\" 1}",
        "{1:1}",
        "[1",
        "{",
        "\"a",
        "\"a\\\"",
        "\"\t\"",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\u12",
        "01",
        "-",
        "1.",
        ".5",
        "1e",
        "+1",
        "0x1",
        "nul",
        "True",
        "NaN",
        "1 1",
        "[]]",
        "// 1\n1",
        "{\"a\":1,\"a\":1}"
      })
  void parse_whatIsNotJson(String text) {
    assertThrows(IllegalArgumentException.class, () -> Json.parse(text));
  }
}
