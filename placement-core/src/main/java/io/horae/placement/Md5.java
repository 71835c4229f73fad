package io.horae.placement;

import static java.lang.Integer.rotateLeft;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * MD5 (RFC 1321), for what a continuum needs of it: the first word of a short key's digest, without
 * garbage, and all four words of a node key's.
 *
 * <p>A message of up to 55 bytes is a single block, so that its digest is one run of 64 steps. The
 * steps of one message wait for each other and leave most of the processor idle; {@link #hashAll}
 * takes the same step for many keys in a loop over {@code int[]}s, which the JIT can make vector
 * code of.
 */
final class Md5 implements KetamaHash {

  static final Md5 FIRST_WORD = new Md5();

  /** What fits into a block beside the end mark and the length. */
  static final int ONE_BLOCK_MAX = 55;

  private static final int BLOCK_BYTES = 64;
  static final int LENGTH_WORD = 14;
  private static final int END_MARK = 0x80;

  // Where the state of four words stands behind the block.
  private static final int A = 16;
  private static final int B = 17;
  private static final int C = 18;
  private static final int D = 19;

  static final int A_START = 0x67452301;
  static final int B_START = 0xefcdab89;
  static final int C_START = 0x98badcfe;
  static final int D_START = 0x10325476;

  /** How far each round's steps rotate, four after four. */
  static final int[] ROTATIONS = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

  /**
   * The whole part of 2³² · |sin(step)|, steps counted from 1. Read from an array on purpose: with
   * literals in the code a digest was slower (124 against 92 ns in a plain loop on JDK 17), it
   * seems because the JIT then adds them last, where the next step waits.
   */
  static final int[] CONSTANTS = new int[64];

  static {
    for (int step = 0; step < CONSTANTS.length; step++) {
      CONSTANTS[step] = (int) (long) (0x1p32 * Math.abs(StrictMath.sin(step + 1.0)));
    }
  }

  /** Each thread's working space: a block and the state. */
  private static final ThreadLocal<int[]> SPACE = ThreadLocal.withInitial(() -> new int[20]);

  private static final VarHandle INT_LE =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private Md5() {}

  @Override
  public int hash(byte[] key) {
    int[] space = SPACE.get();
    digest(key, space);
    return space[A];
  }

  @Override
  public int hash(String key) {
    int[] space = SPACE.get();
    int length = key.length();
    if (length > ONE_BLOCK_MAX) {
      return hash(key.getBytes(UTF_8));
    }
    int last = length >> 2;
    for (int word = 0; word <= last; word++) {
      long characters = word(key, 4 * word);
      if (characters < 0) {
        return hash(key.getBytes(UTF_8));
      }
      space[word] = (int) characters;
    }
    start(space);
    finish(space, last + 1, length);
    return space[A];
  }

  @Override
  public int hash(long key) {
    int[] space = SPACE.get();
    space[0] = (int) key;
    space[1] = (int) (key >>> 32);
    space[2] = END_MARK;
    start(space);
    finish(space, 3, Long.BYTES);
    return space[A];
  }

  @Override
  public void hashAll(List<String> keys, int[] hashes) {
    Md5Lanes.hashAll(keys, hashes);
  }

  /** Writes the four words of a digest, first word first. */
  static void digest(byte[] message, int[] into, int at) {
    int[] space = SPACE.get();
    digest(message, space);
    System.arraycopy(space, A, into, at, 4);
  }

  /**
   * The four characters from {@code at} on as a word, with the end mark behind the last of the key;
   * negative if one is not ASCII.
   */
  static long word(String key, int at) {
    int left = key.length() - at;
    if (left >= 4) {
      int c0 = key.charAt(at);
      int c1 = key.charAt(at + 1);
      int c2 = key.charAt(at + 2);
      int c3 = key.charAt(at + 3);
      return (c0 | c1 | c2 | c3) < 0x80 ? c0 | c1 << 8 | c2 << 16 | c3 << 24 : -1;
    }
    int word = END_MARK << (8 * left);
    for (int i = 0; i < left; i++) {
      int c = key.charAt(at + i);
      if (c >= 0x80) {
        return -1;
      }
      word |= c << (8 * i);
    }
    return word & 0xffff_ffffL;
  }

  private static void digest(byte[] message, int[] space) {
    start(space);
    int at = 0;
    for (; message.length - at >= BLOCK_BYTES; at += BLOCK_BYTES) {
      for (int word = 0; word < LENGTH_WORD + 2; word++) {
        space[word] = (int) INT_LE.get(message, at + 4 * word);
      }
      compress(space);
    }
    int word = 0;
    for (; message.length - at >= 4; at += 4) {
      space[word++] = (int) INT_LE.get(message, at);
    }
    int tail = END_MARK;
    for (int i = message.length - 1; i >= at; i--) {
      tail = tail << 8 | (message[i] & 0xff);
    }
    space[word++] = tail;
    if (word > LENGTH_WORD) {
      // No room for the length: it goes into a block of its own.
      Arrays.fill(space, word, LENGTH_WORD + 2, 0);
      compress(space);
      word = 0;
    }
    finish(space, word, message.length);
  }

  /**
   * Takes the last block into the state: what is in it, zeros from a word on, the length in bits.
   */
  private static void finish(int[] space, int word, int length) {
    for (int i = word; i < LENGTH_WORD; i++) {
      space[i] = 0;
    }
    space[LENGTH_WORD] = length << 3;
    space[LENGTH_WORD + 1] = length >>> 29;
    compress(space);
  }

  private static void start(int[] space) {
    space[A] = A_START;
    space[B] = B_START;
    space[C] = C_START;
    space[D] = D_START;
  }

  /** Takes the block into the state. */
  private static void compress(int[] space) {
    int a = space[A];
    int b = space[B];
    int c = space[C];
    int d = space[D];
    int[] k = CONSTANTS;

    // Round 1.
    a = f(a, b, c, d, space[0], 7, k[0]);
    d = f(d, a, b, c, space[1], 12, k[1]);
    c = f(c, d, a, b, space[2], 17, k[2]);
    b = f(b, c, d, a, space[3], 22, k[3]);
    a = f(a, b, c, d, space[4], 7, k[4]);
    d = f(d, a, b, c, space[5], 12, k[5]);
    c = f(c, d, a, b, space[6], 17, k[6]);
    b = f(b, c, d, a, space[7], 22, k[7]);
    a = f(a, b, c, d, space[8], 7, k[8]);
    d = f(d, a, b, c, space[9], 12, k[9]);
    c = f(c, d, a, b, space[10], 17, k[10]);
    b = f(b, c, d, a, space[11], 22, k[11]);
    a = f(a, b, c, d, space[12], 7, k[12]);
    d = f(d, a, b, c, space[13], 12, k[13]);
    c = f(c, d, a, b, space[14], 17, k[14]);
    b = f(b, c, d, a, space[15], 22, k[15]);
    // Round 2.
    a = g(a, b, c, d, space[1], 5, k[16]);
    d = g(d, a, b, c, space[6], 9, k[17]);
    c = g(c, d, a, b, space[11], 14, k[18]);
    b = g(b, c, d, a, space[0], 20, k[19]);
    a = g(a, b, c, d, space[5], 5, k[20]);
    d = g(d, a, b, c, space[10], 9, k[21]);
    c = g(c, d, a, b, space[15], 14, k[22]);
    b = g(b, c, d, a, space[4], 20, k[23]);
    a = g(a, b, c, d, space[9], 5, k[24]);
    d = g(d, a, b, c, space[14], 9, k[25]);
    c = g(c, d, a, b, space[3], 14, k[26]);
    b = g(b, c, d, a, space[8], 20, k[27]);
    a = g(a, b, c, d, space[13], 5, k[28]);
    d = g(d, a, b, c, space[2], 9, k[29]);
    c = g(c, d, a, b, space[7], 14, k[30]);
    b = g(b, c, d, a, space[12], 20, k[31]);
    // Round 3.
    a = h(a, b, c, d, space[5], 4, k[32]);
    d = h(d, a, b, c, space[8], 11, k[33]);
    c = h(c, d, a, b, space[11], 16, k[34]);
    b = h(b, c, d, a, space[14], 23, k[35]);
    a = h(a, b, c, d, space[1], 4, k[36]);
    d = h(d, a, b, c, space[4], 11, k[37]);
    c = h(c, d, a, b, space[7], 16, k[38]);
    b = h(b, c, d, a, space[10], 23, k[39]);
    a = h(a, b, c, d, space[13], 4, k[40]);
    d = h(d, a, b, c, space[0], 11, k[41]);
    c = h(c, d, a, b, space[3], 16, k[42]);
    b = h(b, c, d, a, space[6], 23, k[43]);
    a = h(a, b, c, d, space[9], 4, k[44]);
    d = h(d, a, b, c, space[12], 11, k[45]);
    c = h(c, d, a, b, space[15], 16, k[46]);
    b = h(b, c, d, a, space[2], 23, k[47]);
    // Round 4.
    a = i(a, b, c, d, space[0], 6, k[48]);
    d = i(d, a, b, c, space[7], 10, k[49]);
    c = i(c, d, a, b, space[14], 15, k[50]);
    b = i(b, c, d, a, space[5], 21, k[51]);
    a = i(a, b, c, d, space[12], 6, k[52]);
    d = i(d, a, b, c, space[3], 10, k[53]);
    c = i(c, d, a, b, space[10], 15, k[54]);
    b = i(b, c, d, a, space[1], 21, k[55]);
    a = i(a, b, c, d, space[8], 6, k[56]);
    d = i(d, a, b, c, space[15], 10, k[57]);
    c = i(c, d, a, b, space[6], 15, k[58]);
    b = i(b, c, d, a, space[13], 21, k[59]);
    a = i(a, b, c, d, space[4], 6, k[60]);
    d = i(d, a, b, c, space[11], 10, k[61]);
    c = i(c, d, a, b, space[2], 15, k[62]);
    b = i(b, c, d, a, space[9], 21, k[63]);

    space[A] += a;
    space[B] += b;
    space[C] += c;
    space[D] += d;
  }

  // b is the value that the step before has just made. It enters as late as can be, so that the
  // rest of a step is done while that one is still under way.

  private static int f(int a, int b, int c, int d, int word, int by, int constant) {
    return rotateLeft(a + word + constant + (d ^ (b & (c ^ d))), by) + b;
  }

  private static int g(int a, int b, int c, int d, int word, int by, int constant) {
    return rotateLeft(a + word + constant + (c & ~d) + (b & d), by) + b;
  }

  private static int h(int a, int b, int c, int d, int word, int by, int constant) {
    return rotateLeft(a + word + constant + (c ^ d ^ b), by) + b;
  }

  private static int i(int a, int b, int c, int d, int word, int by, int constant) {
    return rotateLeft(a + word + constant + (c ^ (b | ~d)), by) + b;
  }
}
