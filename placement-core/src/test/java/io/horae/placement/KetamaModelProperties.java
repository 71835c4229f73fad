package io.horae.placement;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * The real continuum against {@link NaiveKetama}: 100 lookups on each of 1,000 rings. Keys say
 * themselves what they hash to, so that they fall where it matters: on both ends of the ring, on
 * points and beside them.
 */
class KetamaModelProperties {

  private static final int RINGS = 1_000;
  private static final int LOOKUPS = 100;

  /** A key is its own hash, in hexadecimal digits. */
  private static final KetamaHash HEX = key -> Integer.parseUnsignedInt(new String(key, UTF_8), 16);

  @Property(tries = RINGS, shrinking = ShrinkingMode.OFF)
  void agreesOnAnyRing(@ForAll KetamaDialect.EqualPoints rule, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> nodes = new ArrayList<>(Clusters.random(random, 1 + random.nextInt(12)));
    if (random.nextInt(4) == 0) {
      // Two nodes with a point in common, in either order.
      boolean swapped = random.nextBoolean();
      nodes.add(Node.of(swapped ? "10.50.7.69:11210" : "10.50.3.119:11210"));
      nodes.add(Node.of(swapped ? "10.50.3.119:11210" : "10.50.7.69:11210"));
    }
    int digests = random.nextBoolean() ? 40 : 1 + random.nextInt(4);
    NaiveKetama naive = new NaiveKetama(nodes, digests, rule);
    KetamaContinuum real =
        KetamaContinuum.builder()
            .nodes(nodes)
            .dialect(
                KetamaDialect.builder().digests(digests).keyHash(HEX).equalPoints(rule).build())
            .build();
    List<KetamaContinuum.Point> points = naive.points();
    assertEquals(points, real.points());

    List<String> keys = new ArrayList<>();
    for (int i = 0; i < LOOKUPS; i++) {
      long hash = hash(random, points);
      String key = Long.toHexString(hash);
      keys.add(key);
      int count = 1 + random.nextInt(nodes.size() + 2);
      assertEquals(naive.replicas(hash, count), real.replicas(key, count), key);
      assertEquals(naive.primary(hash), real.primary(key), key);
    }
    int[] primaries = new int[LOOKUPS];
    real.primaries(keys, primaries);
    assertEquals(
        keys.stream().map(real::primary).toList(),
        IntStream.of(primaries).mapToObj(nodes::get).toList());
  }

  private static long hash(SplittableRandom random, List<KetamaContinuum.Point> points) {
    long point = points.get(random.nextInt(points.size())).hash();
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> 0xffff_ffffL;
      case 2 -> point;
      case 3 -> Math.max(0, point - 1);
      case 4 -> Math.min(0xffff_ffffL, point + 1);
      case 5 -> points.get(0).hash();
      case 6 -> points.get(points.size() - 1).hash();
      default -> random.nextLong(1L << 32);
    };
  }

  /** The real hash, of keys of every length and alphabet, alone and among others. */
  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void hashesAsTheJdkDoes(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> keys = new ArrayList<>();
    int count = random.nextInt(300);
    for (int i = 0; i < count; i++) {
      int end = random.nextInt(20) == 0 ? 0x3000 : 0x80;
      int length = random.nextInt(10) == 0 ? random.nextInt(300) : random.nextInt(64);
      keys.add(
          random
              .ints(length, random.nextBoolean() ? 0 : ' ', end)
              .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
              .toString());
    }
    int[] hashes = new int[count];
    KetamaHash.md5().hashAll(keys, hashes);
    for (int i = 0; i < count; i++) {
      int expected = NaiveKetama.md5(keys.get(i)).getInt();
      assertEquals(expected, hashes[i], keys.get(i));
      assertEquals(expected, KetamaHash.md5().hash(keys.get(i)), keys.get(i));
    }
  }
}
