package io.horae.placement;

import static java.lang.Integer.rotateLeft;

import java.util.Arrays;
import java.util.List;

/**
 * {@link Md5} of many short keys at once: place <i>i</i> of every array belongs to key <i>i</i>,
 * and each step is a loop over the keys. Keys of more than one block, or beyond ASCII, are hashed
 * one by one.
 */
final class Md5Lanes {

  private static final int LANES_MAX = 128;

  /** In place of the length of a key that is hashed elsewhere. */
  private static final int NOT_HERE = -1;

  /** The blocks: word by word, not key by key. */
  private final int[][] words;

  private int[] a;
  private int[] b;
  private int[] c;
  private int[] d;

  private Md5Lanes(int lanes) {
    words = new int[Md5.LENGTH_WORD + 2][lanes];
    a = new int[lanes];
    b = new int[lanes];
    c = new int[lanes];
    d = new int[lanes];
  }

  static void hashAll(List<String> keys, int[] hashes) {
    int width = Math.min(LANES_MAX, keys.size());
    Md5Lanes lanes = new Md5Lanes(width);
    for (int from = 0; from < keys.size(); from += width) {
      lanes.hash(keys, from, Math.min(width, keys.size() - from), hashes);
    }
  }

  private void hash(List<String> keys, int from, int count, int[] hashes) {
    for (int[] word : words) {
      Arrays.fill(word, 0);
    }
    boolean all = true;
    for (int lane = 0; lane < count; lane++) {
      all &= fill(keys.get(from + lane), lane);
    }
    compress();
    for (int lane = 0; lane < count; lane++) {
      hashes[from + lane] = Md5.A_START + a[lane];
    }
    for (int lane = 0; !all && lane < count; lane++) {
      if (words[Md5.LENGTH_WORD][lane] == NOT_HERE) {
        hashes[from + lane] = Md5.FIRST_WORD.hash(keys.get(from + lane));
      }
    }
  }

  /** Writes the block of a key, or else {@link #NOT_HERE}. */
  private boolean fill(String key, int lane) {
    int length = key.length();
    int last = length <= Md5.ONE_BLOCK_MAX ? length >> 2 : -1;
    long characters = -1;
    for (int word = 0; word <= last; word++) {
      characters = Md5.word(key, 4 * word);
      if (characters < 0) {
        break;
      }
      words[word][lane] = (int) characters;
    }
    words[Md5.LENGTH_WORD][lane] = characters < 0 ? NOT_HERE : length << 3;
    return characters >= 0;
  }

  private void compress() {
    Arrays.fill(a, Md5.A_START);
    Arrays.fill(b, Md5.B_START);
    Arrays.fill(c, Md5.C_START);
    Arrays.fill(d, Md5.D_START);
    for (int step = 0; step < 16; step++) {
      f(a, b, c, d, words[step], Md5.ROTATIONS[step & 3], Md5.CONSTANTS[step]);
      turn();
    }
    for (int step = 16; step < 32; step++) {
      g(a, b, c, d, words[(5 * step + 1) & 15], Md5.ROTATIONS[4 + (step & 3)], Md5.CONSTANTS[step]);
      turn();
    }
    for (int step = 32; step < 48; step++) {
      h(a, b, c, d, words[(3 * step + 5) & 15], Md5.ROTATIONS[8 + (step & 3)], Md5.CONSTANTS[step]);
      turn();
    }
    for (int step = 48; step < 64; step++) {
      i(a, b, c, d, words[(7 * step) & 15], Md5.ROTATIONS[12 + (step & 3)], Md5.CONSTANTS[step]);
      turn();
    }
  }

  private void turn() {
    int[] made = a;
    a = d;
    d = c;
    c = b;
    b = made;
  }

  // The JIT makes one vector instruction of a rotation where the processor has it. With two shifts
  // keys took 4 to 16 % longer on JDK 17 and on JDK 25.

  private static void f(int[] a, int[] b, int[] c, int[] d, int[] words, int by, int constant) {
    for (int i = 0; i < a.length; i++) {
      int sum = a[i] + words[i] + constant + (d[i] ^ (b[i] & (c[i] ^ d[i])));
      a[i] = rotateLeft(sum, by) + b[i];
    }
  }

  private static void g(int[] a, int[] b, int[] c, int[] d, int[] words, int by, int constant) {
    for (int i = 0; i < a.length; i++) {
      int sum = a[i] + words[i] + constant + (c[i] ^ (d[i] & (b[i] ^ c[i])));
      a[i] = rotateLeft(sum, by) + b[i];
    }
  }

  private static void h(int[] a, int[] b, int[] c, int[] d, int[] words, int by, int constant) {
    for (int i = 0; i < a.length; i++) {
      int sum = a[i] + words[i] + constant + (b[i] ^ c[i] ^ d[i]);
      a[i] = rotateLeft(sum, by) + b[i];
    }
  }

  private static void i(int[] a, int[] b, int[] c, int[] d, int[] words, int by, int constant) {
    for (int i = 0; i < a.length; i++) {
      int sum = a[i] + words[i] + constant + (c[i] ^ (b[i] | ~d[i]));
      a[i] = rotateLeft(sum, by) + b[i];
    }
  }
}
