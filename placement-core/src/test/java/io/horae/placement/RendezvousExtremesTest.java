package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The search by scores alone, beside one that sorts the nodes. */
class RendezvousExtremesTest {

  private static final int MOST = Integer.MAX_VALUE;

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 23, 24, 25, 26, 64, 255, 256, 257, 1000, 4001})
  void find_asSorted(int size) {
    SplittableRandom random = new SplittableRandom(size);
    int[] seeds = random.ints().distinct().limit(size).toArray();
    assertAsSorted(seeds, random, 300);
  }

  /** Seeds side by side crowd the table that leads from them to nodes, and go over its end. */
  @ParameterizedTest
  @ValueSource(ints = {0, -50, Integer.MAX_VALUE - 50, 0x7fff_0000})
  void find_seedsSideBySide(int first) {
    int[] seeds = IntStream.range(0, 100).map(i -> first + i).toArray();
    assertAsSorted(seeds, new SplittableRandom(1), 300);
  }

  private static void assertAsSorted(int[] seeds, SplittableRandom random, int keys) {
    RendezvousExtremes byMinimum = new RendezvousExtremes(seeds, MOST);
    RendezvousExtremes byBranch = new RendezvousExtremes(seeds, 0);
    RendezvousExtremes ofThisJdk = RendezvousExtremes.of(seeds);
    for (int i = 0; i < keys; i++) {
      long key = i == 0 ? 0 : random.nextLong();
      int[] sorted =
          IntStream.range(0, seeds.length)
              .boxed()
              .sorted((a, b) -> Integer.compareUnsigned(score(key, seeds[a]), score(key, seeds[b])))
              .mapToInt(node -> node)
              .toArray();
      long expected = (long) sorted[0] << 32 | sorted[seeds.length - 1];
      assertEquals(expected, byMinimum.find(key));
      assertEquals(expected, byBranch.find(key));
      assertEquals(expected, ofThisJdk.find(key));
    }
  }

  private static int score(long key, int seed) {
    return Murmur3.X86_32.hash(key, seed);
  }

  @Property(tries = 1000, shrinking = ShrinkingMode.OFF)
  void aHashLeadsBackToItsSeed(@ForAll long key, @ForAll int seed) {
    int low = Murmur3.mix((int) key);
    int high = Murmur3.mix((int) (key >>> 32));
    assertEquals(seed, Murmur3.seed(low, high, score(key, seed)));
  }

  /** Scores at both ends of their range, where a comparison may go wrong. */
  @Test
  void find_lowestAndHighestScoresThereAre() {
    long key = 42;
    int low = Murmur3.mix((int) key);
    int[] wanted = {0, -1, 1, -2, Integer.MAX_VALUE, Integer.MIN_VALUE};
    int[] seeds = Arrays.stream(wanted).map(score -> Murmur3.seed(low, 0, score)).toArray();
    for (int size : new int[] {6, 40}) {
      int[] some = Arrays.copyOf(seeds, size);
      for (int i = 6; i < size; i++) {
        some[i] = Murmur3.seed(low, 0, 1000 * i);
      }
      for (int minimumMax : new int[] {MOST, 0}) {
        assertEquals(1, new RendezvousExtremes(some, minimumMax).find(key));
      }
    }
  }
}
