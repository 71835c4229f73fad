package io.horae.timer;

/**
 * Where in the slab the timer with an id is, so that a {@link TimerWheel} finds it. Between finding
 * and using a position nothing else may be added or removed.
 */
sealed interface Index permits SlotIndex, SlotHandles {

  int size();

  long bytes();

  /** The position of an id's entry; if there is none, a negative number for {@link #add}. */
  int find(long id);

  /**
   * Looks where a search for an id will begin, so that it is at hand by then.
   *
   * @param id one that is there
   */
  void expect(long id);

  /** The slot at a position that was found. */
  int slotAt(int position);

  /**
   * Adds a slot, which has its id.
   *
   * @param absent what {@link #find} has just said of that id
   */
  void add(int absent, int slot);

  /** Removes the entry at a position that was found. */
  void remove(int position);
}
