package io.horae.placement;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON as RFC 8259 has it and nothing beyond: no comments, no trailing commas, no repeated
 * names. Objects become {@link Map}s in the order of the file, arrays {@link List}s, whole numbers
 * {@link Long}s or, too large for that, {@link BigInteger}s, other numbers {@link BigDecimal}s.
 */
final class Json {

  private static final String DIGITS = "0123456789";

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** The value that the text is; {@code null} for null. */
  static @Nullable Object parse(String text) {
    Json json = new Json(text);
    json.skipBlanks();
    Object value = json.value();
    if (json.at != text.length()) {
      throw json.unexpected("the end");
    }
    return value;
  }

  /** Reads a value and the blanks behind it. */
  private @Nullable Object value() {
    Object value =
        switch (peek()) {
          case '{' -> object();
          case '[' -> array();
          case '"' -> string();
          case 't' -> literal("true", true);
          case 'f' -> literal("false", false);
          case 'n' -> literal("null", null);
          default -> number();
        };
    skipBlanks();
    return value;
  }

  private Map<String, Object> object() {
    Map<String, Object> fields = new LinkedHashMap<>();
    take('{');
    if (!taken('}')) {
      do {
        String name = string();
        skipBlanks();
        take(':');
        if (fields.containsKey(name)) {
          throw unexpected("a new name after \"" + name + '"');
        }
        fields.put(name, value());
      } while (taken(','));
      take('}');
    }
    return fields;
  }

  private List<Object> array() {
    List<Object> items = new ArrayList<>();
    take('[');
    if (!taken(']')) {
      do {
        items.add(value());
      } while (taken(','));
      take(']');
    }
    return items;
  }

  private String string() {
    if (peek() != '"') {
      throw unexpected("a string");
    }
    at++;
    StringBuilder string = new StringBuilder();
    while (peek() != '"') {
      char unit = next();
      if (unit < ' ') {
        at--;
        throw unexpected("an escaped control character");
      }
      string.append(unit == '\\' ? escaped() : unit);
    }
    at++;
    return string.toString();
  }

  private char escaped() {
    char unit = next();
    int plain = "\"\\/bfnrt".indexOf(unit);
    if (plain >= 0) {
      return "\"\\/\b\f\n\r\t".charAt(plain);
    }
    if (unit != 'u') {
      at--;
      throw unexpected("an escape");
    }
    int code = 0;
    for (int i = 0; i < 4; i++) {
      int digit = (DIGITS + "abcdef").indexOf(Character.toLowerCase(peek()));
      if (digit < 0) {
        throw unexpected("a hex digit");
      }
      code = 16 * code + digit;
      at++;
    }
    return (char) code;
  }

  private Number number() {
    int from = at;
    if (peek() == '-') {
      at++;
    }
    if (peek() == '0') {
      at++;
    } else {
      digits();
    }
    boolean whole = true;
    if (peek() == '.') {
      whole = false;
      at++;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      whole = false;
      at++;
      if (peek() == '+' || peek() == '-') {
        at++;
      }
      digits();
    }
    String number = text.substring(from, at);
    if (!whole) {
      return new BigDecimal(number);
    }
    BigInteger integer = new BigInteger(number);
    return integer.bitLength() < Long.SIZE ? (Number) integer.longValue() : integer;
  }

  private void digits() {
    int from = at;
    while (DIGITS.indexOf(peek()) >= 0) {
      at++;
    }
    if (at == from) {
      throw unexpected("a digit");
    }
  }

  private @Nullable Object literal(String word, @Nullable Object value) {
    if (!text.startsWith(word, at)) {
      throw unexpected(word);
    }
    at += word.length();
    return value;
  }

  /** Reads a sign and the blanks behind it. */
  private void take(char sign) {
    if (!taken(sign)) {
      throw unexpected("'" + sign + "'");
    }
  }

  private boolean taken(char sign) {
    if (peek() != sign) {
      return false;
    }
    at++;
    skipBlanks();
    return true;
  }

  /** The next character; 0, which stands nowhere in JSON, at the end. */
  private char peek() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  private char next() {
    if (at == text.length()) {
      throw unexpected("more");
    }
    return text.charAt(at++);
  }

  private void skipBlanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private IllegalArgumentException unexpected(String wanted) {
    String found = at < text.length() ? text.substring(at, Math.min(at + 10, text.length())) : "";
    return new IllegalArgumentException(
        "JSON at " + at + ": expected " + wanted + ", found \"" + found + '"');
  }
}
