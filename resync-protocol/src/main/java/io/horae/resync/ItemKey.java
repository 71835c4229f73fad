package io.horae.resync;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A key, to look something up by. */
final class ItemKey implements Comparable<ItemKey> {

  /** In this order every bucket, however deep, is an unbroken range: from its low digits on. */
  private final long order;

  private final byte[] key;

  ItemKey(long hash, byte[] key) {
    order = Long.reverse(hash) ^ Long.MIN_VALUE;
    this.key = key;
  }

  long hash() {
    return Long.reverse(order ^ Long.MIN_VALUE);
  }

  @Override
  public int compareTo(ItemKey other) {
    int byHash = Long.compare(order, other.order);
    return byHash != 0 ? byHash : Arrays.compareUnsigned(key, other.key);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ItemKey that && order == that.order && Arrays.equals(key, that.key);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(order);
  }
}
