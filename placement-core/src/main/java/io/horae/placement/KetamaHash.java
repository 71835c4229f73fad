package io.horae.placement;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A 32-bit hash of a key: the place on the continuum where the search for its node begins.
 *
 * <p>An implementation is a pure function, safe for use by many threads at once, that gives the
 * same answer in every process. Only {@link #hash(byte[])} must be written; the others have to
 * agree with it and exist to be made faster.
 */
@FunctionalInterface
public interface KetamaHash {

  /**
   * Hashes some bytes.
   *
   * @param key the bytes; never changed
   * @return the hash, an unsigned 32-bit number
   */
  int hash(byte[] key);

  /**
   * Hashes a text as its UTF-8 bytes.
   *
   * @param key the text
   * @return the hash, an unsigned 32-bit number
   */
  default int hash(String key) {
    return hash(key.getBytes(UTF_8));
  }

  /**
   * Hashes a number as its 8 bytes, the lowest first.
   *
   * @param key the number
   * @return the hash, an unsigned 32-bit number
   */
  default int hash(long key) {
    return hash(
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(key).array());
  }

  /**
   * Hashes many texts.
   *
   * @param keys the texts
   * @param hashes receives the hash of each, in their order; at least as long as {@code keys}
   */
  default void hashAll(List<String> keys, int[] hashes) {
    for (int i = 0; i < keys.size(); i++) {
      hashes[i] = hash(keys.get(i));
    }
  }

  /**
   * The first four bytes of a key's MD5, the lowest first: what every Ketama client uses unless
   * told otherwise. Keys of up to 55 ASCII characters, and numbers, are hashed without garbage.
   *
   * @return the hash
   */
  static KetamaHash md5() {
    return Md5.FIRST_WORD;
  }

  /**
   * The hash that twemproxy calls {@code fnv1a_64}, and uses unless its configuration names
   * another. It is not quite FNV-1a: it keeps 32 bits of the state and reads bytes as signed.
   *
   * @return the hash
   */
  static KetamaHash twemproxyFnv1a64() {
    return TwemproxyFnv1a64.HASH;
  }
}
