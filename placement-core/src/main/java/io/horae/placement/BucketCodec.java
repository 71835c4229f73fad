package io.horae.placement;

import io.horae.placement.BucketPage.Cell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tables and deltas in bytes: two letters, a kind, the content and a checksum ({@link
 * BucketBytes}). All numbers are as short as they can be.
 *
 * <p>A table's buckets stand in the order of {@link BucketTree#walk}, each with its depth alone:
 * where it stands says which it is, so that what can be read covers every hash once. Nothing is
 * allocated for what the bytes merely claim.
 */
final class BucketCodec {

  private static final int TABLE = 1;
  private static final int DELTA = 2;

  /** A length, a letter, a weight, and that there is no zone. */
  private static final int NODE_BYTES_LEAST = 11;

  /** Depth, value, primary, number of backups, epoch. */
  private static final int BUCKET_BYTES_LEAST = 5;

  private BucketCodec() {}

  static byte[] encode(BucketTable table) {
    BucketBytes.Writer out = new BucketBytes.Writer(TABLE);
    out.number(table.version());
    out.number(table.backupsMax());
    writeNodes(out, table.nodes());
    BucketTree.walk(
        table.root,
        spot -> {
          out.number(spot.mask().digits());
          writeCell(out, spot.cell());
        });
    return out.bytes();
  }

  static BucketTable decodeTable(byte[] bytes, KeyHash hash) {
    BucketBytes.Reader in = new BucketBytes.Reader(bytes, TABLE, "bucket table");
    long version = in.number();
    int backupsMax = in.number(BucketTable.BACKUPS_MOST, "backups");
    List<Node> nodes = readNodes(in);
    BucketTable base =
        BucketTable.builder().server(nodes.get(0)).backups(backupsMax).hash(hash).build();
    BucketEdit edit = new BucketEdit(base);
    edit.become(version, nodes);
    readGroup(in, edit, nodes.size(), backupsMax, 0, 0, readDigits(in));
    in.end();
    return edit.table();
  }

  /**
   * Reads the buckets within a hashmask, whose depth is {@code above}. The depth of the first is
   * known already.
   */
  private static void readGroup(
      BucketBytes.Reader in,
      BucketEdit edit,
      int servers,
      int backupsMax,
      long value,
      int above,
      int firstDigits) {
    int digits = firstDigits;
    for (long digit = 0; digit < HashMask.PARTS; digit++) {
      if (digit > 0) {
        digits = readDigits(in);
      }
      if (digits <= above) {
        throw in.bad("a bucket of " + digits + " digits among those of " + (above + 1));
      }
      HashMask mask = HashMask.of(value | (digit << (4 * above)), above + 1);
      if (digits == above + 1) {
        edit.place(mask, readCell(in, servers, backupsMax));
      } else {
        edit.deepen(mask);
        readGroup(in, edit, servers, backupsMax, mask.value(), above + 1, digits);
      }
    }
  }

  static byte[] encode(BucketDelta delta) {
    BucketBytes.Writer out = new BucketBytes.Writer(DELTA);
    out.number(delta.from());
    out.number(delta.to());
    writeNodes(out, delta.nodes());
    BucketServers servers = BucketServers.of(delta.nodes());
    out.number(delta.buckets().size());
    for (Bucket bucket : delta.buckets()) {
      out.number(bucket.mask().digits());
      out.number(bucket.mask().value());
      int[] backups = bucket.backups().stream().mapToInt(servers::index).toArray();
      writeCell(out, new Cell(servers.index(bucket.primary()), backups, bucket.epoch()));
    }
    return out.bytes();
  }

  static BucketDelta decodeDelta(byte[] bytes) {
    BucketBytes.Reader in = new BucketBytes.Reader(bytes, DELTA, "bucket delta");
    long from = in.number();
    long to = in.number();
    List<Node> nodes = readNodes(in);
    int count = in.number(in.left() / BUCKET_BYTES_LEAST, "buckets");
    List<Bucket> buckets = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      HashMask mask = new HashMask(HashMask.mask(readDigits(in)), in.anyNumber());
      Cell cell = readCell(in, nodes.size(), BucketTable.BACKUPS_MOST);
      List<Node> backups = Arrays.stream(cell.backups()).mapToObj(nodes::get).toList();
      buckets.add(new Bucket(mask, nodes.get(cell.primary()), backups, cell.epoch()));
    }
    in.end();
    return new BucketDelta(from, to, nodes, buckets);
  }

  private static int readDigits(BucketBytes.Reader in) {
    int digits = in.number(HashMask.DIGITS_MAX, "digits");
    if (digits == 0) {
      throw in.bad("a mask of no digits");
    }
    return digits;
  }

  private static void writeCell(BucketBytes.Writer out, Cell cell) {
    int[] backups = Arrays.stream(cell.backups()).filter(backup -> backup >= 0).toArray();
    out.number(cell.primary());
    out.number(backups.length);
    for (int backup : backups) {
      out.number(backup);
    }
    out.number(cell.epoch());
  }

  private static Cell readCell(BucketBytes.Reader in, int servers, int backupsMax) {
    int primary = in.number(servers - 1, "primary");
    int count = in.number(Math.min(backupsMax, in.left()), "backups");
    int[] backups = new int[count];
    for (int i = 0; i < count; i++) {
      int backup = in.number(servers - 1, "backup");
      for (int j = 0; j < i; j++) {
        if (backups[j] == backup) {
          throw in.bad("a backup twice: " + backup);
        }
      }
      if (backup == primary) {
        throw in.bad("a primary as its own backup: " + backup);
      }
      backups[i] = backup;
    }
    return new Cell(primary, backups, in.number());
  }

  private static void writeNodes(BucketBytes.Writer out, List<Node> nodes) {
    out.number(nodes.size());
    for (Node node : nodes) {
      out.text(node.id());
      out.real(node.weight());
      String zone = node.zone();
      out.text(zone == null ? "" : zone);
    }
  }

  private static List<Node> readNodes(BucketBytes.Reader in) {
    int count = in.number(in.left() / NODE_BYTES_LEAST, "servers");
    List<Node> nodes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String id = in.text();
      double weight = in.real();
      String zone = in.text();
      nodes.add(new Node(id, weight, emptyToNull(zone)));
    }
    return Nodes.checked(nodes);
  }

  private static @Nullable String emptyToNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
