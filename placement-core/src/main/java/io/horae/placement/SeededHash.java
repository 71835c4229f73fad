package io.horae.placement;

/**
 * A 32-bit hash of a key under a seed: what rendezvous placement scores keys with.
 *
 * <p>An implementation is a pure function, safe for use by many threads at once, that gives the
 * same answer in every process. Hashes are compared as unsigned numbers. Those of one key under
 * different seeds must look unrelated: a checksum will not do, since it is linear, and nor will a
 * hash that merely adds the seed in the end.
 *
 * <p>Only {@link #hash(byte[], int)} must be written; the others have to agree with it and exist to
 * be made faster. On Guava, for one:
 *
 * <pre>{@code
 * SeededHash sip = (key, seed) -> Hashing.sipHash24(seed, 0).hashBytes(key).asInt();
 * }</pre>
 */
@FunctionalInterface
public interface SeededHash {

  /**
   * Hashes some bytes.
   *
   * @param key the bytes; never changed
   * @param seed any value
   * @return the hash, an unsigned 32-bit number
   */
  int hash(byte[] key, int seed);

  /**
   * Hashes a number as its 8 bytes, the lowest first.
   *
   * @param key the number
   * @param seed any value
   * @return the hash, an unsigned 32-bit number
   */
  default int hash(long key, int seed) {
    return hash(littleEndian(key), seed);
  }

  /**
   * Hashes some bytes under many seeds.
   *
   * @param key the bytes; never changed
   * @param seeds the seeds; never changed
   * @param hashes receives {@code hash(key, seeds[i])} at index {@code i}; at least as long as
   *     {@code seeds}
   */
  default void hashAll(byte[] key, int[] seeds, int[] hashes) {
    for (int i = 0; i < seeds.length; i++) {
      hashes[i] = hash(key, seeds[i]);
    }
  }

  /**
   * Hashes a number under many seeds.
   *
   * @param key the number
   * @param seeds the seeds; never changed
   * @param hashes receives {@code hash(key, seeds[i])} at index {@code i}; at least as long as
   *     {@code seeds}
   */
  default void hashAll(long key, int[] seeds, int[] hashes) {
    for (int i = 0; i < seeds.length; i++) {
      hashes[i] = hash(key, seeds[i]);
    }
  }

  /**
   * Whether different seeds always give different hashes of the same key. Placement then needs no
   * thought for equal scores. A hash that says so wrongly places keys wrongly.
   *
   * @return {@code true} if the hash of every key is an injective function of the seed
   */
  default boolean injectiveInSeed() {
    return false;
  }

  /**
   * MurmurHash3, the x86 32-bit variant: the default, and what Chronos uses. It is injective in its
   * seed.
   *
   * @return the hash
   */
  static SeededHash murmur3() {
    return Murmur3.X86_32;
  }

  private static byte[] littleEndian(long key) {
    byte[] bytes = new byte[Long.BYTES];
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[i] = (byte) (key >>> (8 * i));
    }
    return bytes;
  }
}
