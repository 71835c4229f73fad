package io.horae.placement;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Key hashes against opencluster's own, and against the hashes that the document prints. */
class KeyHashGoldenTest {

  private static final Golden VECTORS = Golden.load("hashmask-keyhash.json");

  @Test
  void opencluster_strings() {
    int rows = 0;
    int quirky = 0;
    for (Golden row : VECTORS.field("strings").items()) {
      byte[] key = HexFormat.of().parseHex(row.item(1).text());
      if (!row.item(0).isNull()) {
        assertEquals(
            HexFormat.of().formatHex(row.item(0).text().getBytes(UTF_8)), row.item(1).text());
      }
      long hash = KeyHash.opencluster().hash(key);
      assertEquals(row.item(2).text(), HexFormat.of().toHexDigits(hash));
      assertEquals(row.item(3).text(), HexFormat.of().toHexDigits(KeyHash.fnv1a().hash(key)));
      for (int digits = 1; digits <= 3; digits++) {
        assertEquals(row.item(3 + digits).number(), HashMask.of(hash, digits).value());
      }
      quirky += row.item(2).text().equals(row.item(3).text()) ? 0 : 1;
      rows++;
    }
    assertEquals(VECTORS.field("strings").items().size(), rows);
    assertTrue(rows > 50 && quirky > 2, rows + " rows, " + quirky + " quirky");
  }

  @Test
  void opencluster_intsAsFourBytes() {
    List<Golden> rows = VECTORS.field("ints").items();
    assertTrue(rows.size() > 5);
    for (Golden row : rows) {
      int value = (int) number(row.item(0));
      long hash =
          KeyHash.opencluster().hash(ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
      assertBuckets(row, hash);
    }
  }

  @Test
  void opencluster_longs() {
    List<Golden> rows = VECTORS.field("longs").items();
    assertTrue(rows.size() > 5);
    for (Golden row : rows) {
      assertBuckets(row, KeyHash.opencluster().hash(number(row.item(0))));
    }
  }

  private static void assertBuckets(Golden row, long hash) {
    assertEquals(row.item(1).text(), HexFormat.of().toHexDigits(hash));
    assertEquals(row.item(2).number(), HashMask.of(hash, 1).value());
    assertEquals(row.item(3).number(), HashMask.of(hash, 2).value());
  }

  /** The files write what may exceed a double as text. */
  private static long number(Golden field) {
    return field.value() instanceof String text ? Long.parseLong(text) : field.number();
  }

  @Test
  void md5_theDocumentsKeysEndInANewline() {
    BucketTable table = BucketTable.initial(Node.of("1"));
    assertEquals("000F/0009", table.bucketOf("CustomerDetails:45543\n").mask().toString());
    assertEquals("000F/0006", table.bucketOf("InvoiceMarkup:45543\n").mask().toString());
    assertEquals(
        0x9404fe632c7679c9L, KeyHash.md5().hash("CustomerDetails:45543\n".getBytes(UTF_8)));
    assertEquals(0x53f5dbbc07c2c976L, KeyHash.md5().hash("InvoiceMarkup:45543\n".getBytes(UTF_8)));
  }

  @Test
  void md5_isTheLowHalfOfTheDigest() throws Exception {
    for (long key : new long[] {0, 1, -1, 45543, Long.MIN_VALUE}) {
      byte[] littleEndian = ByteBuffer.allocate(8).putLong(Long.reverseBytes(key)).array();
      byte[] digest = MessageDigest.getInstance("MD5").digest(littleEndian);
      long low = ByteBuffer.wrap(digest).getLong(8);
      assertEquals(low, KeyHash.md5().hash(key));
      assertEquals(low, KeyHash.md5().hash(littleEndian));
      KeyHash ownWithMd5 = bytes -> KeyHash.md5().hash(bytes);
      assertEquals(low, ownWithMd5.hash(key));
    }
  }

  @Test
  void fnv_numbersAreTheirBytesTheHighestFirst() {
    for (KeyHash hash : List.of(KeyHash.fnv1a(), KeyHash.opencluster())) {
      for (long key : new long[] {0, 1, 0x80, -1, Long.MIN_VALUE, 0x0123456789abcdefL}) {
        assertEquals(hash.hash(ByteBuffer.allocate(8).putLong(key).array()), hash.hash(key));
      }
    }
  }

  @Test
  void own_isUsedForBothKindsOfKeys() {
    KeyHash length = key -> key.length;
    BucketTable table = BucketTable.builder().server(Node.of("a")).hash(length).build();
    assertEquals("000F/0003", table.bucketOf("abc").mask().toString());
    assertEquals("000F/0008", table.bucketOf(77).mask().toString());
  }
}
