package io.horae.testkit;

import io.horae.resync.BucketMessage;
import io.horae.resync.BucketNode;
import io.horae.resync.ItemStore;
import java.util.List;

/** A hand in the works of servers with buckets, to see that the invariants notice. */
interface BucketTampering {

  /** Touches nothing. */
  BucketTampering NONE = new BucketTampering() {};

  /** What arrives in the place of a message. */
  default List<BucketMessage> message(
      BucketWorld world, String from, String to, BucketMessage message) {
    return List.of(message);
  }

  /** What a server keeps its items in. */
  default ItemStore store(ItemStore store) {
    return store;
  }

  /** How a server is set up. */
  default BucketNode.Builder node(BucketNode.Builder builder) {
    return builder;
  }
}
