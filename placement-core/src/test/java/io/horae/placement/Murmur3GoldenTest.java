package io.horae.placement;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Murmur3 against vectors of the original C++; see the source line of {@code murmur3.json}. */
class Murmur3GoldenTest {

  private static final SeededHash MURMUR = SeededHash.murmur3();

  /** The same hash with nothing but the one method that must be written. */
  private static final SeededHash PLAIN = (key, seed) -> MURMUR.hash(key, seed);

  /** Stands behind the part of an array that may be written to. */
  private static final int UNTOUCHED = 0x5eed5eed;

  private static final Golden FILE = Golden.load("murmur3.json");
  private static final List<Golden> STRINGS = FILE.field("strings").items();
  private static final List<Golden> LONGS = FILE.field("longs").items();

  @Test
  void file_isWhole() {
    assertEquals(168, STRINGS.size());
    assertEquals(144, LONGS.size());
  }

  @Test
  void hash_strings() {
    for (Golden row : STRINGS) {
      byte[] key = key(row);
      assertEquals(row.item(3).u32(), MURMUR.hash(key, row.item(2).u32()), row::toString);
    }
  }

  @Test
  void hash_longs() {
    for (Golden row : LONGS) {
      long key = row.item(0).u64();
      int seed = row.item(1).u32();
      assertEquals(row.item(2).u32(), MURMUR.hash(key, seed), row::toString);
      assertEquals(row.item(2).u32(), MURMUR.hash(littleEndian(key), seed), row::toString);
    }
  }

  @Test
  void hashAll_strings() {
    for (Golden row : STRINGS) {
      for (int count : new int[] {1, 24, 25}) {
        int[] hashes = new int[count];
        MURMUR.hashAll(key(row), filled(count, row.item(2).u32()), hashes);
        assertArrayEquals(filled(count, row.item(3).u32()), hashes, row::toString);
      }
    }
  }

  @Test
  void hashAll_longs() {
    for (Golden row : LONGS) {
      for (int count : new int[] {1, 24, 25}) {
        int[] hashes = new int[count];
        MURMUR.hashAll(row.item(0).u64(), filled(count, row.item(1).u32()), hashes);
        assertArrayEquals(filled(count, row.item(2).u32()), hashes, row::toString);
      }
    }
  }

  @Test
  void x86128_strings() {
    for (Golden row : STRINGS) {
      int[] words = Murmur3.x86128(key(row), row.item(2).u32());
      assertEquals(row.item(4).text(), hex(words), row::toString);
    }
  }

  @Test
  void x86128_longs() {
    for (Golden row : LONGS) {
      int[] words = Murmur3.x86128(littleEndian(row.item(0).u64()), row.item(1).u32());
      assertEquals(row.item(3).text(), hex(words), row::toString);
    }
  }

  /** Around the length at which the loop changes, and lengths that fill no vector register. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7, 23, 24, 25, 26, 31, 32, 33, 63, 100, 1_000, 4_099})
  void hashAll_agreesWithHashAndKeepsToItsLength(int count) {
    SplittableRandom random = new SplittableRandom(count);
    int[] seeds = random.ints(count).toArray();
    int[] seedsBefore = seeds.clone();
    for (int length = 0; length <= 40; length++) {
      byte[] bytes = bytes(random, length);
      byte[] bytesBefore = bytes.clone();
      long key = random.nextLong();
      for (SeededHash hash : List.of(MURMUR, PLAIN)) {
        int[] ofBytes = filled(count + 9, UNTOUCHED);
        int[] ofLong = filled(count + 9, UNTOUCHED);
        hash.hashAll(bytes, seeds, ofBytes);
        hash.hashAll(key, seeds, ofLong);
        for (int i = 0; i < count; i++) {
          assertEquals(MURMUR.hash(bytes, seeds[i]), ofBytes[i]);
          assertEquals(MURMUR.hash(key, seeds[i]), ofLong[i]);
        }
        int[] rest = filled(9, UNTOUCHED);
        assertArrayEquals(rest, Arrays.copyOfRange(ofBytes, count, count + 9));
        assertArrayEquals(rest, Arrays.copyOfRange(ofLong, count, count + 9));
      }
      assertArrayEquals(bytesBefore, bytes);
      assertArrayEquals(seedsBefore, seeds);
    }
  }

  @Test
  void hash_defaultMethodsAgree() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 10_000; i++) {
      long key = random.nextLong() >>> random.nextInt(64);
      int seed = random.nextInt();
      assertEquals(PLAIN.hash(key, seed), MURMUR.hash(key, seed), () -> "key " + key);
    }
  }

  @Test
  void injectiveInSeed_isSaidOfMurmurAlone() {
    assertTrue(MURMUR.injectiveInSeed());
    assertEquals(false, PLAIN.injectiveInSeed());
  }

  /** What {@link SeededHash#injectiveInSeed()} promises: 200,000 seeds, neighbours and others. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, 100, Long.MIN_VALUE, 0x0123_4567_89ab_cdefL})
  void hash_differentSeedsGiveDifferentHashes(long key) {
    int[] seeds =
        IntStream.concat(IntStream.range(-50_000, 50_000), new SplittableRandom(key).ints(100_500))
            .distinct()
            .toArray();
    assertTrue(seeds.length >= 200_000, () -> seeds.length + " seeds");
    int[] hashes = new int[seeds.length];
    MURMUR.hashAll(key, seeds, hashes);
    assertEquals(seeds.length, Arrays.stream(hashes).distinct().count());
    MURMUR.hashAll(("timer " + key).getBytes(UTF_8), seeds, hashes);
    assertEquals(seeds.length, Arrays.stream(hashes).distinct().count());
  }

  private static byte[] key(Golden row) {
    byte[] key = HexFormat.of().parseHex(row.item(1).text());
    if (!row.item(0).isNull()) {
      assertArrayEquals(row.item(0).text().getBytes(UTF_8), key, "text and bytes of a row");
    }
    return key;
  }

  private static byte[] littleEndian(long key) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(key).array();
  }

  private static String hex(int[] words) {
    ByteBuffer bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    Arrays.stream(words).forEach(bytes::putInt);
    return HexFormat.of().formatHex(bytes.array());
  }

  private static int[] filled(int length, int value) {
    int[] values = new int[length];
    Arrays.fill(values, value);
    return values;
  }

  private static byte[] bytes(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
