package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Bytes with a checksum that is right, and one thing in them that cannot be: each has its error.
 */
class BucketForgeryTest {

  private static final int TABLE = 1;
  private static final int DELTA = 2;
  private static final int BACKUPS = 2;

  /** A table of 16 buckets on two servers, of which the first is as it is given. */
  private static byte[] table(long... first) {
    BucketBytes.Writer out = new BucketBytes.Writer(TABLE);
    numbers(out, 7, BACKUPS);
    servers(out);
    numbers(out, first);
    for (int bucket = 1; bucket < 16; bucket++) {
      numbers(out, 1, 0, 0, 0);
    }
    return out.bytes();
  }

  /** A delta from version 5 to 6 that says it has so many buckets, and has this one. */
  private static byte[] delta(long buckets, long... bucket) {
    BucketBytes.Writer out = new BucketBytes.Writer(DELTA);
    numbers(out, 5, 6);
    servers(out);
    numbers(out, buckets);
    numbers(out, bucket);
    return out.bytes();
  }

  private static void numbers(BucketBytes.Writer out, long... numbers) {
    Arrays.stream(numbers).forEach(out::number);
  }

  private static void servers(BucketBytes.Writer out) {
    out.number(2);
    for (String id : new String[] {"a", "b"}) {
      out.text(id);
      out.real(1);
      out.text("");
    }
  }

  private static byte[] firstServer(Consumer<BucketBytes.Writer> id) {
    BucketBytes.Writer out = new BucketBytes.Writer(TABLE);
    numbers(out, 7, BACKUPS, 1);
    id.accept(out);
    out.real(1);
    out.text("");
    return out.bytes();
  }

  /** The same with these bytes in front of the checksum, and that set right. */
  private static byte[] with(byte[] bytes, int... more) {
    int length = bytes.length - Integer.BYTES;
    byte[] longer = Arrays.copyOf(bytes, bytes.length + more.length);
    for (int i = 0; i < more.length; i++) {
      longer[length + i] = (byte) more[i];
    }
    CRC32C checksum = new CRC32C();
    checksum.update(longer, 0, length + more.length);
    ByteBuffer.wrap(longer).putInt(length + more.length, (int) checksum.getValue());
    return longer;
  }

  @Test
  void unforged_isRead() {
    BucketTable table = BucketTable.fromBytes(table(1, 0, 1, 1, 3), KeyHash.md5());
    assertEquals("000F/0000 a<b @3", table.bucketAt(0).toString());
    BucketDelta delta = BucketDelta.fromBytes(delta(1, 1, 4, 0, 1, 1, 3));
    assertEquals("000F/0004 a<b @3", delta.buckets().get(0).toString());
  }

  @TestFactory
  Stream<DynamicTest> table_forged() {
    return Stream.of(
        refused("primary", "primary: 2, more than 1", table(1, 2, 0, 0)),
        refused("backup", "backup: 2, more than 1", table(1, 0, 1, 2, 0)),
        refused("backup twice", "a backup twice: 1", table(1, 0, 2, 1, 1, 0)),
        refused("own backup", "own backup: 0", table(1, 0, 1, 0, 0)),
        refused("backups", "backups: 3, more than 2", table(1, 0, 3, 1, 1, 1, 0)),
        refused("no digits", "no digits", table(0, 0, 0, 0)),
        refused("digits", "digits: 17, more than 16", table(17, 0, 0, 0)),
        refused("a whole among parts", "1 digits among those of 2", table(2, 0, 0, 0)),
        refused("epoch", "a negative number: -1", table(1, 0, 0, -1)),
        refused("too long", "1 bytes too many", with(table(1, 0, 0, 0), 0)),
        refused(
            "letters", "letters: 2147483647", firstServer(out -> out.number(Integer.MAX_VALUE))),
        refused(
            "letter",
            "letter: 65536, more than 65535",
            firstServer(out -> numbers(out, 1, 1 << 16))),
        refused(
            "number of 65 bits",
            "more than 64 bits",
            with(
                new BucketBytes.Writer(TABLE).bytes(),
                255,
                255,
                255,
                255,
                255,
                255,
                255,
                255,
                255,
                2)),
        refused(
            "number without end",
            "more than 64 bits",
            with(
                new BucketBytes.Writer(TABLE).bytes(),
                255,
                255,
                255,
                255,
                255,
                255,
                255,
                255,
                255,
                129,
                1)),
        refused("half a weight", "ends too early", halfAWeight()));
  }

  private static byte[] halfAWeight() {
    byte[] whole = firstServer(out -> out.text("a name as long as a server's least"));
    return with(Arrays.copyOf(whole, whole.length - 5));
  }

  @TestFactory
  Stream<DynamicTest> delta_forged() {
    return Stream.of(
        refused("buckets", "buckets: 2147483647", delta(Integer.MAX_VALUE, 1, 4, 0, 0, 3)),
        refused("no digits", "no digits", delta(1, 0, 4, 0, 0, 3)),
        refused("value", "outside its mask", delta(1, 1, 0x14, 0, 0, 3)),
        refused("backup twice", "a backup twice: 1", delta(1, 1, 4, 0, 2, 1, 1, 3)),
        refused("too long", "1 bytes too many", with(delta(1, 1, 4, 0, 0, 3), 0)));
  }

  private static DynamicTest refused(String name, String part, byte[] bytes) {
    return DynamicTest.dynamicTest(
        name,
        () -> {
          String message =
              assertThrows(
                      IllegalArgumentException.class,
                      () -> {
                        if (bytes[2] == TABLE) {
                          BucketTable.fromBytes(bytes, KeyHash.md5());
                        } else {
                          BucketDelta.fromBytes(bytes);
                        }
                      })
                  .getMessage();
          assertTrue(message.contains(part), () -> part + " is not in: " + message);
        });
  }
}
