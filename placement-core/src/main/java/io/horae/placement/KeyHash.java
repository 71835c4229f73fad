package io.horae.placement;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The hash that puts a key into a bucket.
 *
 * <p>An implementation is a pure function, safe for use by many threads at once, that gives the
 * same answer in every process. Buckets are cut by the low end of the hash, so that is where it
 * must be good. A hash of more than 64 bits is given as its low 64.
 *
 * <p>Only {@link #hash(byte[])} must be written. Every member of a cluster, and every client, must
 * use the same.
 */
@FunctionalInterface
public interface KeyHash {

  /**
   * Hashes some bytes. A text key is its UTF-8 bytes.
   *
   * @param key the bytes; never changed
   * @return the hash, or its low 64 bits
   */
  long hash(byte[] key);

  /**
   * Hashes a number: as its 8 bytes, the lowest first, unless an implementation says otherwise.
   *
   * @param key the number
   * @return the hash, or its low 64 bits
   */
  default long hash(long key) {
    return hash(
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(key).array());
  }

  /**
   * MD5, the default: the digest as a 128-bit number, its first byte the highest.
   *
   * @return the hash
   */
  static KeyHash md5() {
    return Md5KeyHash.INSTANCE;
  }

  /**
   * 64-bit FNV-1a, as published. A number is hashed as its 8 bytes, the highest first.
   *
   * @return the hash
   */
  static KeyHash fnv1a() {
    return FnvKeyHash.PUBLISHED;
  }

  /**
   * 64-bit FNV-1a as opencluster computes it: a byte from 0x80 on goes in as a 32-bit number with
   * its sign extended. For keys of ASCII it is {@link #fnv1a()}. A number is hashed as its 8 bytes,
   * the highest first; opencluster hashes an {@code int} likewise, as 4 bytes.
   *
   * @return the hash
   */
  static KeyHash opencluster() {
    return FnvKeyHash.OPENCLUSTER;
  }
}
