package io.horae.placement;

import java.util.List;
import java.util.stream.Collectors;

/** A table for people. */
final class BucketText {

  private BucketText() {}

  static String of(BucketTable table) {
    return table
        + table.nodes().stream()
            .map(server -> line(server, table.bucketsOf(server)))
            .collect(Collectors.joining());
  }

  /** A new mask is written out; a value under the same mask follows alone. */
  private static String line(Node server, List<Bucket> buckets) {
    StringBuilder line = new StringBuilder("\n  " + server + " " + buckets.size() + ":");
    long mask = 0;
    for (Bucket bucket : buckets) {
      String text = bucket.mask().toString();
      boolean isNew = bucket.mask().mask() != mask;
      mask = bucket.mask().mask();
      line.append(' ').append(isNew ? text : text.substring(text.indexOf('/') + 1));
      bucket.backups().forEach(backup -> line.append('<').append(backup.id()));
    }
    return line.toString();
  }
}
