package io.horae.placement;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A hash read from a table, for examples that state their values. Asking for a value that is not in
 * the table fails, so an example also shows which seeds a placement uses.
 */
final class TableHash implements SeededHash {

  private record KeyAndSeed(long key, int seed) {}

  private final Map<String, Integer> nodeHashes = new HashMap<>();
  private final Map<String, Integer> secondHashes = new HashMap<>();
  private final Map<KeyAndSeed, Integer> keyHashes = new HashMap<>();
  private @Nullable SeededHash otherKeys;

  /** The hash of a node id under seed 0. */
  TableHash node(String id, int hash) {
    nodeHashes.put(id, hash);
    return this;
  }

  /** The hash of a node id under any other seed. */
  TableHash second(String id, int hash) {
    secondHashes.put(id, hash);
    return this;
  }

  /** The hash of a key. */
  TableHash key(long key, int seed, int hash) {
    keyHashes.put(new KeyAndSeed(key, seed), hash);
    return this;
  }

  /** Where to look for keys that are not in the table. */
  TableHash otherKeys(SeededHash hash) {
    otherKeys = hash;
    return this;
  }

  @Override
  public int hash(byte[] id, int seed) {
    String text = new String(id, UTF_8);
    if (seed != 0) {
      // No document has second hashes, and only ties look at them.
      return secondHashes.getOrDefault(text, SeededHash.murmur3().hash(id, seed));
    }
    return found(nodeHashes.get(text), text, seed);
  }

  @Override
  public int hash(long key, int seed) {
    Integer hash = keyHashes.get(new KeyAndSeed(key, seed));
    return hash == null && otherKeys != null
        ? otherKeys.hash(key, seed)
        : found(hash, Long.toUnsignedString(key), seed);
  }

  private static int found(@Nullable Integer hash, String what, int seed) {
    if (hash == null) {
      throw new AssertionError(
          "hash of " + what + " under seed " + Integer.toUnsignedString(seed) + " is not given");
    }
    return hash;
  }
}
