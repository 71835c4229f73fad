package io.horae.placement;

import java.util.Arrays;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which server holds what, so that a server's buckets are found without looking at all others: for
 * every server the groups of siblings in which it is a primary or a backup. Sixteen siblings share
 * an entry of eight bytes.
 */
final class BucketHoldings {

  private BucketHoldings() {}

  /** The group of a bucket: the hashmask that it is a sixteenth of, as a number. */
  static long group(HashMask mask) {
    int digits = mask.digits() - 1;
    return ((mask.value() & HashMask.mask(digits)) << 4) | digits;
  }

  static long value(long group) {
    return group >>> 4;
  }

  static int digits(long group) {
    return (int) group & 15;
  }

  /** That a server may have come to hold, or ceased to hold, a bucket of a group. */
  record Touch(int server, long group) {}

  /** One server's groups after some were looked at again. */
  static long[] updated(long[] groups, SortedMap<Long, Boolean> held) {
    int added = 0;
    int removed = 0;
    for (var entry : held.entrySet()) {
      boolean was = Arrays.binarySearch(groups, entry.getKey()) >= 0;
      added += !was && entry.getValue() ? 1 : 0;
      removed += was && !entry.getValue() ? 1 : 0;
    }
    if (added + removed == 0) {
      return groups;
    }
    long[] updated = new long[groups.length + added - removed];
    int from = 0;
    int to = 0;
    for (var entry : held.entrySet()) {
      long group = entry.getKey();
      while (from < groups.length && groups[from] < group) {
        updated[to++] = groups[from++];
      }
      if (from < groups.length && groups[from] == group) {
        from++;
      }
      if (entry.getValue()) {
        updated[to++] = group;
      }
    }
    System.arraycopy(groups, from, updated, to, groups.length - from);
    return updated;
  }

  /** The groups of what a server is touched in, by server. */
  static SortedMap<Integer, SortedMap<Long, Boolean>> byServer(Collection<Touch> touches) {
    SortedMap<Integer, SortedMap<Long, Boolean>> byServer = new TreeMap<>();
    for (Touch touch : touches) {
      byServer.computeIfAbsent(touch.server(), server -> new TreeMap<>()).put(touch.group(), false);
    }
    return byServer;
  }
}
