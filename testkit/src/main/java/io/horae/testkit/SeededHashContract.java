package io.horae.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.placement.SeededHash;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What a {@link SeededHash} must do. Extend it for your own:
 *
 * <pre>{@code
 * class MyHashTest extends SeededHashContract {
 *   protected SeededHash hash() {
 *     return (key, seed) -> Hashing.sipHash24(seed, 0).hashBytes(key).asInt();
 *   }
 * }
 * }</pre>
 */
public abstract class SeededHashContract {

  private static final int SAMPLES = 20_000;

  /** For subclasses. */
  protected SeededHashContract() {}

  /**
   * The hash to be tested.
   *
   * @return the hash
   */
  protected abstract SeededHash hash();

  /** The same key under the same seed has the same hash, and is not changed by hashing. */
  @Test
  public void hash_isAPureFunction() {
    SplittableRandom random = new SplittableRandom(4);
    for (int length = 0; length < 100; length++) {
      byte[] key = new byte[length];
      random.nextBytes(key);
      byte[] copy = key.clone();
      int seed = random.nextInt();
      int first = hash().hash(key, seed);
      hash().hash(new byte[] {1}, 7); // something in between
      assertEquals(first, hash().hash(copy, seed), () -> "a key of " + key.length + " bytes");
      assertArrayEquals(copy, key);
    }
  }

  /** Many threads at once get the hashes that one does. */
  @Test
  public void hash_ofManyThreads_isTheSame() {
    SeededHash hash = hash();
    Callable<int[]> question =
        () -> IntStream.range(0, SAMPLES).map(key -> hash.hash(bytes(key), key)).toArray();
    int[] alone = assertDoesNotThrow(question::call);
    ManyThreads.ask(question).forEach(together -> assertArrayEquals(alone, together));
  }

  /** A number is hashed as its eight bytes, the lowest first. */
  @Test
  public void hash_ofNumber_isThatOfItsBytes() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < SAMPLES; i++) {
      long key = i < 100 ? i - 50 : random.nextLong();
      int seed = random.nextInt();
      assertEquals(hash().hash(bytes(key), seed), hash().hash(key, seed));
    }
  }

  /** The calls for many seeds agree with those for one, and leave the rest of the array alone. */
  @Test
  public void hashAll_agreesWithHash() {
    SplittableRandom random = new SplittableRandom(6);
    for (int count = 0; count < 40; count++) {
      int[] seeds = random.ints(count).toArray();
      int[] seedsBefore = seeds.clone();
      int[] hashes = random.ints(count + 1L).toArray();
      int behind = hashes[count];
      long key = random.nextLong();
      hash().hashAll(key, seeds, hashes);
      for (int i = 0; i < count; i++) {
        assertEquals(hash().hash(key, seeds[i]), hashes[i]);
      }
      hash().hashAll(bytes(key), seeds, hashes);
      for (int i = 0; i < count; i++) {
        assertEquals(hash().hash(bytes(key), seeds[i]), hashes[i]);
      }
      assertEquals(behind, hashes[count]);
      assertArrayEquals(seedsBefore, seeds);
    }
  }

  /** A hash that says that different seeds always give different hashes speaks the truth. */
  @Test
  public void injectiveInSeed_isTrue() {
    if (hash().injectiveInSeed()) {
      SplittableRandom random = new SplittableRandom(7);
      for (long key : new long[] {0, 1, -1, random.nextLong()}) {
        Set<Integer> hashes = new HashSet<>();
        for (int seed = 0; seed < 200_000; seed++) { // five would collide by chance
          assertTrue(hashes.add(hash().hash(key, seed * 0x9e3779b9)), "two seeds, one hash");
        }
        for (int bit = 0; bit < Integer.SIZE; bit++) {
          int seed = random.nextInt();
          assertNotEquals(hash().hash(key, seed), hash().hash(key, seed ^ (1 << bit)));
        }
      }
    }
  }

  /** Every bit of the hash is set for about half of the keys. */
  @Test
  public void hash_usesAllBits() {
    int[] set = new int[Integer.SIZE];
    for (int key = 0; key < SAMPLES; key++) {
      count(hash().hash(key, 11), set);
    }
    aboutHalf(set, "bit");
  }

  /** Another bit in the seed changes every bit of the hash half of the time. */
  @Test
  public void hash_dependsOnEveryBitOfTheSeed() {
    for (int bit = 0; bit < Integer.SIZE; bit++) {
      int[] changed = new int[Integer.SIZE];
      for (int key = 0; key < SAMPLES; key++) {
        int seed = key * 0x85ebca6b;
        count(hash().hash(key, seed) ^ hash().hash(key, seed ^ (1 << bit)), changed);
      }
      aboutHalf(changed, "seed's bit " + bit + " and the hash's bit");
    }
  }

  /**
   * The hashes of a key under two seeds are unrelated: how they differ depends on the key. A hash
   * for which it does not, such as a checksum, puts all keys of a node in one and the same order.
   */
  @Test
  public void hash_underTwoSeeds_differsByKey() {
    Set<Integer> differences = new HashSet<>();
    for (int key = 0; key < SAMPLES; key++) {
      differences.add(hash().hash(key, 17) ^ hash().hash(key, 18));
    }
    assertTrue(differences.size() > SAMPLES * 9 / 10, "only " + differences.size() + " ways");
  }

  private static void count(int bits, int[] set) {
    for (int bit = 0; bit < Integer.SIZE; bit++) {
      set[bit] += (bits >>> bit) & 1;
    }
  }

  /** Within ten standard deviations. */
  private static void aboutHalf(int[] set, String what) {
    double allowed = 10 * Math.sqrt(SAMPLES) / 2;
    for (int bit = 0; bit < Integer.SIZE; bit++) {
      int at = bit;
      assertTrue(
          Math.abs(set[bit] - SAMPLES / 2) < allowed,
          () -> what + " " + at + ": " + set[at] + " of " + SAMPLES);
    }
  }

  private static byte[] bytes(long key) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(key).array();
  }
}
