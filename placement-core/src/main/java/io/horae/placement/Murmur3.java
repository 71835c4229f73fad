package io.horae.placement;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Austin Appleby's MurmurHash3 in its x86 variants: 32 bits for placement, 128 bits for Chronos'
 * Bloom filters.
 *
 * <p>The 32-bit hash runs over the key in blocks of four bytes. What it makes of a block does not
 * depend on the seed, so hashing one key under many seeds mixes each block once and then folds it
 * into all the states in a loop over an {@code int[]}, which the JIT compiles to vector code. Every
 * step of the fold is a bijection of the state, hence so is the whole hash of its seed.
 */
final class Murmur3 implements SeededHash {

  static final SeededHash X86_32 = new Murmur3();

  private static final VarHandle INT_LE =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /**
   * A loop compiled while it ran over a few seeds only is not vectorised, so for number keys short
   * and long loops are kept apart: a cluster that grew is served as well as one that was born
   * large.
   */
  static final int SHORT_LOOP_MAX = 24;

  // The four lanes of the 128-bit hash.
  private static final int[] LANE_FACTOR = {0x239b961b, 0xab0e9789, 0x38b34ae5, 0xa1e38b93};
  private static final int[] LANE_BLOCK_ROTATION = {15, 16, 17, 18};
  private static final int[] LANE_STATE_ROTATION = {19, 17, 15, 13};
  private static final int[] LANE_ADDEND = {0x561ccd1b, 0x0bcaa747, 0x96cd1c35, 0x32ac3b17};

  private Murmur3() {}

  @Override
  public boolean injectiveInSeed() {
    return true;
  }

  @Override
  public int hash(byte[] key, int seed) {
    int state = seed;
    int tail = key.length & ~3;
    for (int at = 0; at < tail; at += 4) {
      state = fold(state, mix((int) INT_LE.get(key, at)));
    }
    return finish(state ^ mix(tail(key, tail, key.length)), key.length);
  }

  @Override
  public int hash(long key, int seed) {
    return hash(mix((int) key), mix((int) (key >>> 32)), seed);
  }

  @Override
  public void hashAll(byte[] key, int[] seeds, int[] hashes) {
    int count = seeds.length;
    System.arraycopy(seeds, 0, hashes, 0, count);
    int tail = key.length & ~3;
    for (int at = 0; at < tail; at += 4) {
      foldAll(hashes, count, mix((int) INT_LE.get(key, at)));
    }
    finishAll(hashes, count, mix(tail(key, tail, key.length)), key.length);
  }

  @Override
  public void hashAll(long key, int[] seeds, int[] hashes) {
    int low = mix((int) key);
    int high = mix((int) (key >>> 32));
    if (seeds.length <= SHORT_LOOP_MAX) {
      for (int i = 0; i < seeds.length; i++) {
        hashes[i] = hash(low, high, seeds[i]);
      }
    } else {
      hashMany(low, high, seeds, hashes);
    }
  }

  private static void hashMany(int low, int high, int[] seeds, int[] hashes) {
    for (int i = 0; i < seeds.length; i++) {
      hashes[i] = hash(low, high, seeds[i]);
    }
  }

  /** Hashes a number, given as its halves {@linkplain #mix mixed}. */
  static int hash(int low, int high, int seed) {
    return finish(fold(fold(seed, low), high), Long.BYTES);
  }

  /** The seed under which a number, given as its halves {@linkplain #mix mixed}, has a hash. */
  static int seed(int low, int high, int hash) {
    return unfold(unfold(unavalanche(hash) ^ Long.BYTES, high), low);
  }

  private static void foldAll(int[] states, int count, int block) {
    for (int i = 0; i < count; i++) {
      states[i] = fold(states[i], block);
    }
  }

  private static void finishAll(int[] states, int count, int tail, int length) {
    for (int i = 0; i < count; i++) {
      states[i] = finish(states[i] ^ tail, length);
    }
  }

  static int mix(int block) {
    return Integer.rotateLeft(block * 0xcc9e2d51, 15) * 0x1b873593;
  }

  private static int fold(int state, int block) {
    return Integer.rotateLeft(state ^ block, 13) * 5 + 0xe6546b64;
  }

  private static int unfold(int state, int block) {
    // The inverse of 5, modulo 2³².
    return Integer.rotateRight((state - 0xe6546b64) * 0xcccccccd, 13) ^ block;
  }

  private static int finish(int state, int length) {
    return avalanche(state ^ length);
  }

  private static int avalanche(int state) {
    int h = state;
    h = (h ^ (h >>> 16)) * 0x85ebca6b;
    h = (h ^ (h >>> 13)) * 0xc2b2ae35;
    return h ^ (h >>> 16);
  }

  private static int unavalanche(int hash) {
    // The inverses of the two factors, last first. A shift by half or more undoes itself.
    int h = (hash ^ (hash >>> 16)) * 0x7ed1b41d;
    h = (h ^ (h >>> 13) ^ (h >>> 26)) * 0xa5cb9243;
    return h ^ (h >>> 16);
  }

  /** Up to four bytes from {@code from} as a little-endian number; 0 when there are none. */
  private static int tail(byte[] key, int from, int to) {
    int block = 0;
    for (int at = Math.min(to, from + 4) - 1; at >= from; at--) {
      block = (block << 8) | (key[at] & 0xff);
    }
    return block;
  }

  /** The x86 128-bit hash as its four words, first to last. */
  static int[] x86128(byte[] key, int seed) {
    int[] h = {seed, seed, seed, seed};
    int tail = key.length & ~15;
    for (int at = 0; at < tail; at += 16) {
      for (int lane = 0; lane < 4; lane++) {
        h[lane] ^= mixLane(lane, (int) INT_LE.get(key, at + 4 * lane));
        h[lane] = Integer.rotateLeft(h[lane], LANE_STATE_ROTATION[lane]) + h[(lane + 1) & 3];
        h[lane] = h[lane] * 5 + LANE_ADDEND[lane];
      }
    }
    for (int lane = 0; lane < 4; lane++) {
      h[lane] ^= mixLane(lane, tail(key, Math.min(key.length, tail + 4 * lane), key.length));
      h[lane] ^= key.length;
    }
    gather(h);
    for (int lane = 0; lane < 4; lane++) {
      h[lane] = avalanche(h[lane]);
    }
    gather(h);
    return h;
  }

  private static int mixLane(int lane, int block) {
    return Integer.rotateLeft(block * LANE_FACTOR[lane], LANE_BLOCK_ROTATION[lane])
        * LANE_FACTOR[(lane + 1) & 3];
  }

  private static void gather(int[] h) {
    h[0] += h[1] + h[2] + h[3];
    h[1] += h[0];
    h[2] += h[0];
    h[3] += h[0];
  }
}
