package io.horae.resync;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a bucket holds under a key. Neither array may be changed.
 *
 * @param hash the hash of the key, which says what bucket it is in
 * @param key the key
 * @param value what is kept under it
 * @param version the write that put it there
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content
public record Item(long hash, byte[] key, byte[] value, ItemVersion version) {

  /** How many bytes it counts for. */
  int bytes() {
    return key.length + value.length;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Item item
        && hash == item.hash
        && version.equals(item.version)
        && Arrays.equals(key, item.key)
        && Arrays.equals(value, item.value);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(hash) + version.hashCode();
  }

  @Override
  public String toString() {
    return new String(key, UTF_8) + " v" + version;
  }
}
