package io.horae.examples.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.horae.resync.TimerSpec;
import java.net.URLDecoder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a client wants of a timer, as {@code curl -d} sends it. */
final class Form {

  private static final List<String> FIELDS =
      List.of("after", "for", "callback", "body", "replicas");
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");
  private static final Pattern REPLICAS = Pattern.compile("[0-9]{1,2}");

  private final Map<String, String> fields = new LinkedHashMap<>();

  /**
   * Reads a form.
   *
   * @throws IllegalArgumentException if it is none, or has other fields than there are
   */
  Form(String text) {
    for (String field : text.strip().split("&", -1)) {
      if (field.isEmpty()) {
        continue;
      }
      int equals = field.indexOf('=');
      String name = equals < 0 ? field : field.substring(0, equals);
      if (equals < 0 || !FIELDS.contains(name)) {
        throw new IllegalArgumentException(
            "there is no field \"" + name + "\": the fields are " + String.join(", ", FIELDS));
      }
      fields.put(name, URLDecoder.decode(field.substring(equals + 1), UTF_8));
    }
  }

  /**
   * The timer that is wanted.
   *
   * @param replicas on how many nodes, unless the form says so
   * @throws IllegalArgumentException if something is missing or out of order
   */
  TimerSpec spec(int replicas) {
    long intervalMs = durationMs("after", required("after"));
    long repeatForMs = durationMs("for", fields.getOrDefault("for", required("after")));
    Callback callback = Callback.of(required("callback"), fields.getOrDefault("body", ""));
    return new TimerSpec(
        intervalMs, repeatForMs, replicas(fields.get("replicas"), replicas), callback.toPayload());
  }

  private String required(String name) {
    String value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the field \"" + name + "\" is missing");
    }
    return value;
  }

  private static int replicas(@Nullable String value, int otherwise) {
    if (value == null) {
      return otherwise;
    }
    if (!REPLICAS.matcher(value).matches()) {
      throw new IllegalArgumentException("replicas \"" + value + "\" must be a whole number");
    }
    return Integer.parseInt(value);
  }

  private static long durationMs(String name, String value) {
    Matcher parts = DURATION.matcher(value);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          name + " \"" + value + "\" must be a duration as in 500ms, 30s, 5m or 2h");
    }
    long unitMs =
        switch (parts.group(2)) {
          case "ms" -> 1;
          case "s" -> 1_000;
          case "m" -> 60_000;
          default -> 3_600_000;
        };
    return Long.parseLong(parts.group(1)) * unitMs;
  }
}
