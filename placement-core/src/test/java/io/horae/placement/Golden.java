package io.horae.placement;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file of vectors taken from another implementation, or a part of one. Each file says in its
 * field "source" where its values are from and in "rule" how to read them.
 *
 * <p>Reading something as what it is not throws, so that no vector is passed over.
 */
record Golden(@Nullable Object value) {

  /** The resource {@code /golden/<name>}. */
  static Golden load(String name) {
    try (InputStream in = Golden.class.getResourceAsStream("/golden/" + name)) {
      if (in == null) {
        throw new IllegalArgumentException("no golden file " + name);
      }
      return new Golden(Json.parse(new String(in.readAllBytes(), UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isNull() {
    return value == null;
  }

  boolean has(String name) {
    return map().containsKey(name);
  }

  Golden field(String name) {
    if (!has(name)) {
      throw new IllegalArgumentException("no field " + name + " among " + map().keySet());
    }
    return new Golden(map().get(name));
  }

  Map<String, Golden> fields() {
    Map<String, Golden> fields = new LinkedHashMap<>();
    map().forEach((name, field) -> fields.put((String) name, new Golden(field)));
    return fields;
  }

  List<Golden> items() {
    return list().stream().map(item -> new Golden(item)).toList();
  }

  Golden item(int index) {
    return new Golden(list().get(index));
  }

  String text() {
    return (String) Objects.requireNonNull(value);
  }

  List<String> texts() {
    return items().stream().map(Golden::text).toList();
  }

  long number() {
    return (Long) Objects.requireNonNull(value);
  }

  int index() {
    return Math.toIntExact(number());
  }

  /** An unsigned 32-bit number. */
  int u32() {
    long number = number();
    if (number != (number & 0xffff_ffffL)) {
      throw new IllegalArgumentException("not an unsigned 32-bit number: " + number);
    }
    return (int) number;
  }

  int[] u32s() {
    return items().stream().mapToInt(Golden::u32).toArray();
  }

  /** An unsigned 64-bit number, which the files write as text. */
  long u64() {
    return Long.parseUnsignedLong(text());
  }

  private Map<?, ?> map() {
    return (Map<?, ?>) Objects.requireNonNull(value);
  }

  private List<?> list() {
    return (List<?>) Objects.requireNonNull(value);
  }
}
