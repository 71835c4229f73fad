package io.horae.resync;

import io.horae.placement.HashMask;

/** Where a {@link BucketNode} puts what it is sent. What a call has done, the source shows. */
public interface ItemSink {

  /**
   * Puts an item under its key, in the place of one that may be there.
   *
   * @param item the item
   */
  void put(Item item);

  /**
   * Removes what is under a key, if anything is.
   *
   * @param hash the hash of the key
   * @param key the key
   */
  void remove(long hash, byte[] key);

  /**
   * Removes all items of a bucket.
   *
   * @param bucket the hashes
   */
  void forget(HashMask bucket);
}
