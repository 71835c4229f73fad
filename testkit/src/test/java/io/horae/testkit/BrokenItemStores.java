package io.horae.testkit;

import io.horae.placement.HashMask;
import io.horae.resync.Item;
import io.horae.resync.ItemStore;
import io.horae.resync.ItemVersion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Disabled;

/**
 * Item stores that {@link ItemStoreContract} must not let pass. Nobody runs these but {@link
 * ContractsCanFailTest}.
 */
final class BrokenItemStores {

  private static final byte[] NO_KEY = {};

  private BrokenItemStores() {}

  /** A store that can be spoiled. */
  abstract static class SpoiledItems implements ItemStore {
    final ItemStore sound = ItemStore.inMemory();

    @Override
    public Item find(long hash, byte[] key) {
      return sound.find(hash, key);
    }

    @Override
    public List<Item> items(HashMask bucket, Item after, int itemsMax) {
      return sound.items(bucket, after, itemsMax);
    }

    @Override
    public void put(Item item) {
      sound.put(item);
    }

    @Override
    public void remove(long hash, byte[] key) {
      sound.remove(hash, key);
    }

    @Override
    public void forget(HashMask bucket) {
      sound.forget(bucket);
    }
  }

  @Disabled("fails on purpose")
  static class IsNeverEmpty extends ItemStoreContract {
    @Override
    protected ItemStore newStore() {
      return new SpoiledItems() {
        @Override
        public void forget(HashMask bucket) {
          sound.put(new Item(6, NO_KEY, NO_KEY, new ItemVersion(0, 0)));
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class DropsTheVersion extends ItemStoreContract {
    @Override
    protected ItemStore newStore() {
      return new SpoiledItems() {
        @Override
        public void put(Item item) {
          sound.put(new Item(item.hash(), item.key(), item.value(), new ItemVersion(0, 0)));
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class KnowsItemsByHash extends ItemStoreContract {
    @Override
    protected ItemStore newStore() {
      return new SpoiledItems() {
        @Override
        public Item find(long hash, byte[] key) {
          List<Item> found = sound.items(HashMask.of(hash, 16), null, 1);
          return found.isEmpty() ? null : found.get(0);
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class KeepsTheLaterVersion extends ItemStoreContract {
    @Override
    protected ItemStore newStore() {
      return new SpoiledItems() {
        @Override
        public void put(Item item) {
          Item here = find(item.hash(), item.key());
          sound.put(here == null || here.version().compareTo(item.version()) < 0 ? item : here);
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class RemovesAllOfAHash extends ItemStoreContract {
    @Override
    protected ItemStore newStore() {
      return new SpoiledItems() {
        @Override
        public void remove(long hash, byte[] key) {
          sound.forget(HashMask.of(hash, 16));
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class KnowsNoDeepBuckets extends ItemStoreContract {
    @Override
    protected ItemStore newStore() {
      return new SpoiledItems() {
        @Override
        public List<Item> items(HashMask bucket, Item after, int itemsMax) {
          return sound.items(HashMask.of(bucket.value(), 1), after, itemsMax);
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class ForgetsTheDigitOnly extends ItemStoreContract {
    @Override
    protected ItemStore newStore() {
      return new SpoiledItems() {
        @Override
        public void forget(HashMask bucket) {
          sound.forget(HashMask.of(bucket.value(), 1));
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class ReturnsAllAtOnce extends ItemStoreContract {
    @Override
    protected ItemStore newStore() {
      return new SpoiledItems() {
        @Override
        public List<Item> items(HashMask bucket, Item after, int itemsMax) {
          return sound.items(bucket, after, 10_000);
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class SkipsOneOnEachPage extends ItemStoreContract {
    @Override
    protected ItemStore newStore() {
      return new SpoiledItems() {
        @Override
        public List<Item> items(HashMask bucket, Item after, int itemsMax) {
          List<Item> page = sound.items(bucket, after, itemsMax);
          return after == null ? page : page.subList(Math.min(1, page.size()), page.size());
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class LosesItsPlaceWhenAnItemGoes extends ItemStoreContract {
    @Override
    protected ItemStore newStore() {
      return new SpoiledItems() {
        @Override
        public List<Item> items(HashMask bucket, Item after, int itemsMax) {
          boolean isGone = after != null && sound.find(after.hash(), after.key()) == null;
          return isGone ? List.of() : sound.items(bucket, after, itemsMax);
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class OrdersByVersion extends ItemStoreContract {
    @Override
    protected ItemStore newStore() {
      return new SpoiledItems() {
        @Override
        public List<Item> items(HashMask bucket, Item after, int itemsMax) {
          List<Item> all = new ArrayList<>(sound.items(bucket, null, 10_000));
          all.sort(Comparator.comparing(Item::version));
          all.removeIf(item -> after != null && item.version().compareTo(after.version()) <= 0);
          return all.subList(0, Math.min(itemsMax, all.size()));
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class TakesNoMore extends ItemStoreContract {
    @Override
    protected ItemStore newStore() {
      return new SpoiledItems() {
        private final Set<Long> hashes = new HashSet<>();

        @Override
        public void put(Item item) {
          if (hashes.size() < 200 || hashes.contains(item.hash())) {
            hashes.add(item.hash());
            sound.put(item);
          }
        }
      };
    }
  }
}
