package io.horae.testkit;

import io.horae.placement.HashMask;
import io.horae.resync.Item;
import io.horae.resync.ItemStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store of which the judges see what is put into it. */
final class WatchedStore implements ItemStore {

  private final BucketWorld world;
  private final ItemStore store;

  WatchedStore(BucketWorld world, ItemStore store) {
    this.world = world;
    this.store = store;
  }

  @Override
  public @Nullable Item find(long hash, byte[] key) {
    return store.find(hash, key);
  }

  @Override
  public List<Item> items(HashMask bucket, @Nullable Item after, int itemsMax) {
    return store.items(bucket, after, itemsMax);
  }

  @Override
  public void put(Item item) {
    world.put(item);
    store.put(item);
  }

  @Override
  public void remove(long hash, byte[] key) {
    store.remove(hash, key);
  }

  @Override
  public void forget(HashMask bucket) {
    store.forget(bucket);
  }
}
