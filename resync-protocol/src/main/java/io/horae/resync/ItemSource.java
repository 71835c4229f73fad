package io.horae.resync;

import io.horae.placement.HashMask;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a {@link BucketNode} reads the host's items. A bucket is no more than the hashes that its
 * mask says: a source knows of no splits and moves.
 */
public interface ItemSource {

  /**
   * The item under a key.
   *
   * @param hash the hash of the key
   * @param key the key
   * @return the item; null if there is none
   */
  @Nullable Item find(long hash, byte[] key);

  /**
   * Some items of a bucket, in an order that stays the same while items come and go: each that is
   * there all the time is met once on the way from the beginning to the end.
   *
   * @param bucket the hashes wanted
   * @param after the item to go on behind, which need not be there any more; null to begin
   * @param itemsMax how many to return at most, at least 1
   * @return the items; empty if that was all
   */
  List<Item> items(HashMask bucket, @Nullable Item after, int itemsMax);
}
