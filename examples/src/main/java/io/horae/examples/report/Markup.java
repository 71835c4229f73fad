package io.horae.examples.report;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayDeque;
import java.util.Deque;

/** HTML and SVG as it is written: every tag is closed, every text and value escaped. */
final class Markup {

  private final StringBuilder out = new StringBuilder();
  private final Deque<String> tags = new ArrayDeque<>();

  /**
   * Opens an element.
   *
   * @param attributes names and values, in turn
   */
  Markup open(String tag, Object... attributes) {
    start(tag, attributes);
    out.append('>');
    tags.push(tag);
    return this;
  }

  /** Closes the element that was opened last. */
  Markup close() {
    out.append("</").append(tags.pop()).append('>');
    return this;
  }

  /** An element with nothing in it. */
  Markup leaf(String tag, Object... attributes) {
    start(tag, attributes);
    out.append("/>");
    return this;
  }

  /** An element with a text in it. */
  Markup text(String tag, String text, Object... attributes) {
    return open(tag, attributes).text(text).close();
  }

  Markup text(String text) {
    out.append(escaped(text));
    return this;
  }

  /** Text that is no markup and must not be escaped: a style sheet. */
  Markup raw(String text) {
    if (text.contains("</")) {
      throw new IllegalArgumentException("would end its element: " + text);
    }
    out.append(text);
    return this;
  }

  private void start(String tag, Object... attributes) {
    out.append('<').append(tag);
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(' ').append(attributes[i]).append("=\"");
      out.append(escaped(value(attributes[i + 1]))).append('"');
    }
  }

  private static String value(Object value) {
    return value instanceof Double number ? number(number) : String.valueOf(value);
  }

  /** A number as short as a picture needs it. */
  static String number(double value) {
    String text =
        BigDecimal.valueOf(value)
            .setScale(2, RoundingMode.HALF_UP)
            .stripTrailingZeros()
            .toPlainString();
    return text.equals("-0") ? "0" : text;
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  @Override
  public String toString() {
    if (!tags.isEmpty()) {
      throw new IllegalStateException("still open: " + tags);
    }
    return out.toString();
  }
}
