package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;

/** Tables and deltas as bytes and as text. */
class BucketCodecTest {

  private static final KeyHash MD5 = KeyHash.md5();
  private static final Node A = Node.of("a");
  private static final Node B = Node.of("b").withWeight(2.5).withZone("\ud800 zone");

  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void whatIsWrittenIsRead(@ForAll long seed) {
    BucketHistory history = new BucketHistory(seed);
    for (int step = 0; step < 40; step++) {
      history.step();
    }
    BucketTable read = BucketTable.fromBytes(history.table.toBytes(), MD5);
    assertEquals(history.table, read);
    assertEquals(history.table.hashCode(), read.hashCode());
    assertEquals(history.table.buckets(), read.buckets());
    for (Node server : read.nodes()) {
      assertEquals(history.table.bucketsOf(server), read.bucketsOf(server));
      assertEquals(history.table.count(server), read.count(server));
    }
    // What was read can go on.
    BucketHistory other = new BucketHistory(seed);
    for (int step = 0; step < 40; step++) {
      other.step();
    }
    other.table = read;
    for (int step = 0; step < 10; step++) {
      history.step();
      other.step();
      assertEquals(history.table, other.table);
    }
  }

  @Property(tries = 100, shrinking = ShrinkingMode.OFF)
  void aDeltaLeadsFromOneVersionToTheOther(@ForAll long seed) {
    BucketHistory history = new BucketHistory(seed);
    for (int step = 0; step < 20; step++) {
      history.step();
    }
    BucketTable from = history.table;
    for (int step = history.random.nextInt(20); step > 0; step--) {
      history.step();
    }
    BucketTable middle = history.table;
    for (int step = history.random.nextInt(10); step > 0; step--) {
      history.step();
    }
    BucketTable to = history.table;
    BucketDelta delta = to.since(from);
    assertEquals(delta, BucketDelta.fromBytes(delta.toBytes()));
    assertEquals(to, from.apply(delta));
    assertEquals(to, from.apply(middle.since(from)).apply(to.since(middle)));
    assertEquals(to, middle.apply(delta));
    assertEquals(to, to.apply(delta));
    // Tables that share no pages differ in the same buckets.
    BucketTable alone = BucketTable.fromBytes(from.toBytes(), MD5);
    assertEquals(delta, to.since(alone));
    assertEquals(to, alone.apply(delta));
    for (Bucket bucket : delta.buckets()) {
      assertNotEquals(bucket, from.bucketAt(bucket.mask().value()));
    }
    // What was learned on the way stays.
    BucketTable ahead = from.learn(to.buckets());
    BucketTable caughtUp = ahead.apply(middle.since(from));
    for (Bucket bucket : to.buckets()) {
      assertEquals(bucket.epoch(), caughtUp.bucketAt(bucket.mask().value()).epoch());
      assertEquals(bucket.primary(), caughtUp.bucketAt(bucket.mask().value()).primary());
    }
    if (from.version() > 0) {
      BucketTable start = new BucketHistory(seed).table;
      assertThrows(IllegalArgumentException.class, () -> start.apply(delta));
    }
  }

  @Test
  void since_costsOnlyEntriesThatChanged() {
    BucketTable from = two();
    BucketTable to =
        from.move(HashMask.parse("F/3"), B).table().split(HashMask.parse("F/4")).table();
    assertEquals(17, to.since(from).buckets().size());
    assertEquals(1, to.merge(HashMask.parse("F/4")).table().since(to).buckets().size());
    assertEquals(
        "version 1 to 2 on a, b\n  000F/0003 b<a @1",
        from.move(HashMask.parse("F/3"), B).table().since(from).toString());
    assertThrows(IllegalArgumentException.class, () -> from.since(to));
  }

  /** A client that has learned of one part has the fifteen others as they were, but as parts. */
  @Test
  void since_depthAlone_isAChange() {
    BucketTable from = two();
    HashMask part = HashMask.parse("FF/14");
    BucketTable to = from.learn(List.of(new Bucket(part, B, List.of(A), 2)));
    assertEquals(
        HashMask.parse("F/4").split(),
        to.since(from).buckets().stream().map(Bucket::mask).toList());
    assertNotEquals(from, to);
  }

  @Test
  void toText_namesEveryBucket() {
    BucketTable table =
        BucketTable.initial(A)
            .join(Node.of("b"))
            .table()
            .move(HashMask.parse("F/6"), Node.of("b"))
            .table();
    assertEquals(
        """
        version 2: 16 buckets on 2 servers
          a 15: 000F/0000 0001 0002 0003 0004 0005 0007 0008 0009 000A 000B 000C 000D 000E 000F
          b 1: 000F/0006<a""",
        table.toText());
  }

  private static BucketTable two() {
    return BucketTable.initial(A).join(B).table();
  }

  private static BucketTable ragged() {
    BucketTable table = two().split(HashMask.parse("F/4")).table();
    for (Bucket bucket : table.buckets().subList(3, 20)) {
      table = table.move(bucket.mask(), B).table();
    }
    return table;
  }

  @Test
  void truncated_isRefused() {
    byte[] table = ragged().toBytes();
    byte[] delta = ragged().since(two()).toBytes();
    for (int length = 0; length < table.length; length++) {
      byte[] cut = Arrays.copyOf(table, length);
      assertRefused("not a bucket table", () -> BucketTable.fromBytes(cut, MD5));
    }
    for (int length = 0; length < delta.length; length++) {
      byte[] cut = Arrays.copyOf(delta, length);
      assertRefused("not a bucket delta", () -> BucketDelta.fromBytes(cut));
    }
    assertRefused("not a bucket delta", () -> BucketDelta.fromBytes(table));
    assertRefused("not a bucket table", () -> BucketTable.fromBytes(delta, MD5));
    assertRefused("not a bucket", () -> BucketTable.fromBytes(Arrays.copyOf(table, 9999), MD5));
  }

  @Test
  void anyBitFlipped_isRefused() {
    byte[] bytes = ragged().toBytes();
    for (int bit = 0; bit < 8 * bytes.length; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      assertRefused("not a bucket table", () -> BucketTable.fromBytes(flipped, MD5));
    }
  }

  /** With a checksum that is right, so that what is behind it is tried: an error, or a table. */
  @Property(tries = 3_000, shrinking = ShrinkingMode.OFF)
  void forgedBytesGiveAnErrorOrATableThatIsWhole(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] bytes = random.nextBoolean() ? ragged().toBytes() : ragged().since(two()).toBytes();
    int length = random.nextInt(4) == 0 ? 3 + random.nextInt(bytes.length - 7) : bytes.length - 4;
    byte[] forged = Arrays.copyOf(bytes, length + 4);
    for (int i = random.nextInt(6); i > 0; i--) {
      forged[3 + random.nextInt(length)] = (byte) random.nextInt();
    }
    CRC32C checksum = new CRC32C();
    checksum.update(forged, 0, length);
    ByteBuffer.wrap(forged).putInt(length, (int) checksum.getValue());
    try {
      if (forged[2] == 1) {
        BucketTable table = BucketTable.fromBytes(forged, MD5);
        assertEquals(table, BucketTable.fromBytes(table.toBytes(), MD5));
        assertEquals(table.size(), table.buckets().size());
      } else {
        BucketDelta delta = BucketDelta.fromBytes(forged);
        assertEquals(delta, BucketDelta.fromBytes(delta.toBytes()));
      }
    } catch (IllegalArgumentException e) {
      assertTrue(e.getMessage().length() > 10, "a clear error");
    }
  }

  @Property(tries = 1_000)
  void randomBytesAreRefused(@ForAll byte[] bytes) {
    assertRefused("not a bucket table", () -> BucketTable.fromBytes(bytes, MD5));
    assertRefused("not a bucket delta", () -> BucketDelta.fromBytes(bytes));
  }

  /** Counts far beyond the bytes that are there must not be believed. */
  @Test
  void hugeCounts_allocateNothing() {
    for (int kind : List.of(1, 2)) {
      BucketBytes.Writer out = new BucketBytes.Writer(kind);
      out.number(5);
      out.number(kind == 1 ? 1 : 6);
      out.number(Integer.MAX_VALUE);
      byte[] bytes = out.bytes();
      assertRefused(
          "servers: 2147483647",
          () -> {
            if (kind == 1) {
              BucketTable.fromBytes(bytes, MD5);
            } else {
              BucketDelta.fromBytes(bytes);
            }
          });
    }
  }

  private static void assertRefused(String part, org.junit.jupiter.api.function.Executable call) {
    String message = assertThrows(IllegalArgumentException.class, call).getMessage();
    assertTrue(message.contains(part), () -> part + " is not in: " + message);
  }
}
