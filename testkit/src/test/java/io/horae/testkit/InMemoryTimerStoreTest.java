package io.horae.testkit;

import io.horae.resync.TimerStore;

class InMemoryTimerStoreTest extends TimerStoreContract {

  @Override
  protected TimerStore newStore() {
    return TimerStore.inMemory();
  }
}
