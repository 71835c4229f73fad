package io.horae.testkit;

import io.horae.resync.ItemStore;

class InMemoryItemStoreTest extends ItemStoreContract {

  @Override
  protected ItemStore newStore() {
    return ItemStore.inMemory();
  }
}
