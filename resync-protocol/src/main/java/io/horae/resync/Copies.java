package io.horae.resync;

import io.horae.placement.HashMask;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The copies that a server has, of buckets of any depth, no two of which overlap. */
final class Copies {

  /** By the first of their hashes, in the order in which every bucket is an unbroken range. */
  private final TreeMap<Long, BucketCopy> copies = new TreeMap<>(Long::compareUnsigned);

  @Nullable BucketCopy at(long hash) {
    Map.Entry<Long, BucketCopy> entry = copies.floorEntry(Long.reverse(hash));
    return entry != null && entry.getValue().mask.contains(hash) ? entry.getValue() : null;
  }

  /** The copy of exactly this bucket. */
  @Nullable BucketCopy of(HashMask mask) {
    BucketCopy copy = at(mask.value());
    return copy != null && copy.mask.equals(mask) ? copy : null;
  }

  /** All that have a hash in common with a bucket. */
  List<BucketCopy> overlapping(HashMask mask) {
    BucketCopy around = at(mask.value());
    if (around != null && around.mask.contains(mask)) {
      return List.of(around);
    }
    List<BucketCopy> within = new ArrayList<>();
    for (BucketCopy copy : copies.tailMap(Long.reverse(mask.value()), true).values()) {
      if (!mask.contains(copy.mask)) {
        break;
      }
      within.add(copy);
    }
    return within;
  }

  void add(BucketCopy copy) {
    if (!overlapping(copy.mask).isEmpty()) {
      throw new AssertionError("two copies of " + copy.mask);
    }
    copies.put(Long.reverse(copy.mask.value()), copy);
  }

  void remove(BucketCopy copy) {
    copies.remove(Long.reverse(copy.mask.value()), copy);
  }

  Collection<BucketCopy> all() {
    return copies.values();
  }

  /** All, as a list that stays as it is. */
  List<BucketCopy> snapshot() {
    return new ArrayList<>(copies.values());
  }
}
