package com.example.reminders;

import io.horae.resync.TimerStore;
import io.horae.testkit.TimerStoreContract;

/** As a host tests a store of its own. */
class OwnStoreTest extends TimerStoreContract {

  @Override
  protected TimerStore newStore() {
    return TimerStore.inMemory();
  }
}
