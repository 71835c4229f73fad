package io.horae.resync;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A key, to look something up by. */
@SuppressWarnings("ArrayRecordComponent") // compared by content
record ItemKey(long hash, byte[] key) implements Comparable<ItemKey> {

  /** In this order every bucket, however deep, is an unbroken range: from its low digits on. */
  @Override
  public int compareTo(ItemKey other) {
    int byHash = Long.compareUnsigned(Long.reverse(hash), Long.reverse(other.hash));
    return byHash != 0 ? byHash : Arrays.compareUnsigned(key, other.key);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ItemKey that && hash == that.hash && Arrays.equals(key, that.key);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(hash);
  }
}
