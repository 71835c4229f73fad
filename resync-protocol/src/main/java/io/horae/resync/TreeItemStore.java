package io.horae.resync;

import io.horae.placement.HashMask;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Items in a tree, in the order of {@link ItemKey}. */
final class TreeItemStore implements ItemStore {

  private static final byte[] LEAST = {};

  private final NavigableMap<ItemKey, Item> items = new TreeMap<>();

  @Override
  public @Nullable Item find(long hash, byte[] key) {
    return items.get(new ItemKey(hash, key));
  }

  @Override
  public List<Item> items(HashMask bucket, @Nullable Item after, int itemsMax) {
    NavigableMap<ItemKey, Item> rest =
        after == null
            ? items.tailMap(new ItemKey(bucket.value(), LEAST), true)
            : items.tailMap(new ItemKey(after.hash(), after.key()), false);
    List<Item> found = new ArrayList<>();
    for (Item item : rest.values()) {
      if (found.size() == itemsMax || !bucket.contains(item.hash())) {
        break;
      }
      found.add(item);
    }
    return found;
  }

  @Override
  public void put(Item item) {
    items.put(new ItemKey(item.hash(), item.key()), item);
  }

  @Override
  public void remove(long hash, byte[] key) {
    items.remove(new ItemKey(hash, key));
  }

  @Override
  public void forget(HashMask bucket) {
    Iterator<ItemKey> keys =
        items.tailMap(new ItemKey(bucket.value(), LEAST), true).keySet().iterator();
    while (keys.hasNext() && bucket.contains(keys.next().hash())) {
      keys.remove();
    }
  }
}
