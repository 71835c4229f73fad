package io.horae.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.placement.HashMask;
import io.horae.resync.Item;
import io.horae.resync.ItemStore;
import io.horae.resync.ItemVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * What an {@link ItemStore} must do, as both {@link io.horae.resync.ItemSource} and {@link
 * io.horae.resync.ItemSink}. Extend it for your own:
 *
 * <pre>{@code
 * class MyItemsTest extends ItemStoreContract {
 *   protected ItemStore newStore() {
 *     return new MyItems();
 *   }
 * }
 * }</pre>
 */
public abstract class ItemStoreContract {

  private static final HashMask ROOT = HashMask.parse("000F/0006");

  /** For subclasses. */
  protected ItemStoreContract() {}

  /**
   * Makes the store to be tested.
   *
   * @return an empty store, which shares nothing with those before it
   */
  protected abstract ItemStore newStore();

  /** A new store has no item, and nothing to remove does no harm. */
  @Test
  public void newStore_isEmpty() {
    ItemStore store = newStore();
    store.remove(6, key("a"));
    store.forget(ROOT);
    assertNull(store.find(6, key("a")));
    assertEquals(List.of(), store.items(ROOT, null, 10));
  }

  /** What was put is found, all of it, under any hash and key. */
  @Test
  public void find_returnsWhatWasPut() {
    ItemStore store = newStore();
    List<Item> items = new ArrayList<>();
    for (long hash :
        new long[] {0, 6, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0x1234_5678_9ABC_DEF6L}) {
      items.add(new Item(hash, key("k" + hash), key("v" + hash), new ItemVersion(3, hash >>> 1)));
    }
    items.add(new Item(7, new byte[0], new byte[0], new ItemVersion(0, 0)));
    items.add(new Item(8, new byte[] {0, -1, 127, -128}, new byte[1_000], new ItemVersion(1, 1)));
    items.forEach(store::put);
    for (Item item : items) {
      assertEquals(item, store.find(item.hash(), item.key().clone()));
    }
  }

  /** Keys tell items apart, be their hashes the same. */
  @Test
  public void find_anotherKeyOfThatHash_isAnotherItem() {
    ItemStore store = newStore();
    store.put(item(6, "a", 1));
    store.put(item(6, "b", 2));
    store.put(item(6, "", 3));
    assertEquals(item(6, "a", 1), store.find(6, key("a")));
    assertEquals(item(6, "b", 2), store.find(6, key("b")));
    assertEquals(item(6, "", 3), store.find(6, key("")));
    assertNull(store.find(6, key("c")));
    assertEquals(3, paged(store, ROOT, 1).size());
  }

  /** An item takes the place of the one under its key, whatever their versions. */
  @Test
  public void put_again_replaces() {
    ItemStore store = newStore();
    store.put(item(6, "a", 5));
    store.put(item(6, "a", 2));
    assertEquals(item(6, "a", 2), store.find(6, key("a")));
    assertEquals(List.of(item(6, "a", 2)), store.items(ROOT, null, 10));
  }

  /** What was removed is gone, and nothing else is; it can come again. */
  @Test
  public void remove_forgetsThatOne() {
    ItemStore store = newStore();
    store.put(item(6, "a", 1));
    store.put(item(6, "b", 2));
    store.remove(6, key("a"));
    assertNull(store.find(6, key("a")));
    assertEquals(List.of(item(6, "b", 2)), store.items(ROOT, null, 10));
    store.put(item(6, "a", 3));
    assertEquals(item(6, "a", 3), store.find(6, key("a")));
  }

  /** A bucket has all items whose hashes end as it says, however deep it is. */
  @Test
  public void items_areThoseOfTheBucket() {
    ItemStore store = newStore();
    List<Item> all = some(store, 2_000);
    long hash = all.get(0).hash();
    for (int digits : new int[] {1, 2, 3, 16}) {
      HashMask mask = HashMask.of(hash, digits);
      assertEquals(
          within(all, mask), new HashSet<>(store.items(mask, null, 10_000)), mask::toString);
    }
  }

  /** No more are returned than asked for; and fewer only at the end, if then. */
  @Test
  public void items_keepTheLimit() {
    ItemStore store = newStore();
    some(store, 200);
    for (int limit : new int[] {1, 2, 5}) {
      int found = store.items(ROOT, null, limit).size();
      assertTrue(found >= 1 && found <= limit, () -> found + " for " + limit);
    }
  }

  /** Pages of any size, put together, are each item of the bucket once, in the same order. */
  @Test
  public void items_inPagesOfAnySize_areEachOnce() {
    ItemStore store = newStore();
    List<Item> all = some(store, 1_000);
    List<Item> atOnce = paged(store, ROOT, 10_000);
    assertEquals(within(all, ROOT).size(), atOnce.size());
    for (int limit : new int[] {1, 7, 50}) {
      assertEquals(atOnce, paged(store, ROOT, limit), () -> "pages of " + limit);
    }
  }

  /** An item that is there all the time is met once, whatever comes and goes around it. */
  @Test
  public void items_whileOthersComeAndGo_meetWhatStays() {
    ItemStore store = newStore();
    SplittableRandom random = new SplittableRandom(3);
    Set<Item> stays = new HashSet<>();
    List<Item> goes = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      Item item = item(random.nextLong() << 4 | 6, "k" + i, i);
      store.put(item);
      if (i % 2 == 0) {
        stays.add(item);
      } else {
        goes.add(item);
      }
    }
    List<Item> met = new ArrayList<>();
    Item after = null;
    for (List<Item> page = store.items(ROOT, after, 3);
        !page.isEmpty();
        page = store.items(ROOT, after, 3)) {
      met.addAll(page);
      assertTrue(met.size() <= 800, "pages must come to an end");
      after = page.get(page.size() - 1);
      Item gone = goes.contains(after) ? after : goes.get(random.nextInt(goes.size()));
      store.remove(gone.hash(), gone.key());
      store.put(item(random.nextLong() << 4 | 6, "new" + met.size(), 1));
    }
    assertEquals(
        stays.size(), met.stream().filter(stays::contains).count(), "each is met, and only once");
    assertTrue(met.containsAll(stays), "each is met");
  }

  /** An item that is put again stays where it is in the order. */
  @Test
  public void items_whileTheyAreWritten_areMetOnce() {
    ItemStore store = newStore();
    SplittableRandom random = new SplittableRandom(4);
    List<Item> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      all.add(item(random.nextLong() << 4 | 6, "k" + i, i));
      store.put(all.get(i));
    }
    List<String> met = new ArrayList<>();
    Item after = null;
    for (List<Item> page = store.items(ROOT, after, 3);
        !page.isEmpty() && met.size() <= 200;
        page = store.items(ROOT, after, 3)) {
      page.forEach(item -> met.add(new String(item.key(), UTF_8)));
      after = page.get(page.size() - 1);
      for (Item item : all) {
        store.put(item(item.hash(), new String(item.key(), UTF_8), 1_000L + met.size()));
      }
    }
    assertEquals(100, met.size());
    assertEquals(100, new HashSet<>(met).size());
  }

  /** A bucket that is forgotten leaves nothing behind, and takes nothing else with it. */
  @Test
  public void forget_removesTheBucketAndNothingElse() {
    ItemStore store = newStore();
    List<Item> all = some(store, 2_000);
    HashMask mask = HashMask.parse("00FF/0036");
    store.forget(mask);
    assertEquals(List.of(), store.items(mask, null, 10_000));
    for (Item item : all) {
      Item found = store.find(item.hash(), item.key());
      assertEquals(mask.contains(item.hash()) ? null : item, found);
    }
  }

  /** Thousands of random calls have the same answers as a map. */
  @Test
  public void randomCalls_agreeWithAMap() {
    ItemStore store = newStore();
    Map<String, Item> map = new HashMap<>();
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 20_000; i++) {
      long hash = random.nextLong(300) * 0x9E37_79B9_7F4A_7C15L;
      String name = "k" + random.nextInt(2);
      int what = random.nextInt(40);
      if (what < 20) {
        store.put(item(hash, name, i));
        map.put(name + hash, item(hash, name, i));
      } else if (what < 30) {
        store.remove(hash, key(name));
        map.remove(name + hash);
      } else if (what < 39) {
        assertEquals(map.get(name + hash), store.find(hash, key(name)));
      } else {
        HashMask mask = HashMask.of(hash, random.nextInt(1, 4));
        assertEquals(within(map.values(), mask), new HashSet<>(paged(store, mask, 9)));
        if (random.nextInt(4) == 0) {
          store.forget(mask);
          map.values().removeIf(item -> mask.contains(item.hash()));
        }
      }
    }
  }

  private static byte[] key(String text) {
    return text.getBytes(UTF_8);
  }

  private static Item item(long hash, String key, long sequence) {
    return new Item(hash, key(key), key(key + "=" + sequence), new ItemVersion(1, sequence));
  }

  /** Puts so many items all over the hashes. */
  private static List<Item> some(ItemStore store, int count) {
    SplittableRandom random = new SplittableRandom(2);
    List<Item> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(item(random.nextLong(), "k" + i, i));
      store.put(all.get(i));
    }
    return all;
  }

  private static Set<Item> within(Iterable<Item> all, HashMask mask) {
    Set<Item> within = new HashSet<>();
    for (Item item : all) {
      if (mask.contains(item.hash())) {
        within.add(item);
      }
    }
    return within;
  }

  /** All items of a bucket, read in pages. */
  private static List<Item> paged(ItemStore store, HashMask mask, int itemsMax) {
    List<Item> all = new ArrayList<>();
    List<Item> page = store.items(mask, null, itemsMax);
    while (!page.isEmpty()) {
      all.addAll(page);
      assertTrue(all.size() <= 10_000, "pages must come to an end");
      page = store.items(mask, page.get(page.size() - 1), itemsMax);
    }
    return all;
  }
}
