package io.horae.examples.service;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** JSON as it is written: texts, numbers and truth values in objects, objects in lists. */
final class Json {

  private Json() {}

  static String object(Map<String, ?> fields) {
    return fields.entrySet().stream()
        .map(field -> text(field.getKey()) + ":" + value(field.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String value(Object value) {
    return value instanceof Number || value instanceof Boolean
        ? value.toString()
        : text(value.toString());
  }

  private static String text(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (unit == '"' || unit == '\\') {
        json.append('\\').append(unit);
      } else if (unit < ' ') {
        json.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
      } else {
        json.append(unit);
      }
    }
    return json.append('"').toString();
  }
}
