package io.horae.timer;

/**
 * Ids that name their slots, so that none is searched for: a count of all ids that were given out,
 * which tells a timer from those that had its slot before, and below it the number of the slot. A
 * slot without a timer has no such id.
 */
final class SlotHandles implements Index {

  private static final int SLOT_BITS = 29;
  private static final long COUNT_MAX = Long.MAX_VALUE >>> SLOT_BITS;

  /** The id in a slot without a timer; ids that are given out are not negative. */
  private static final long NO_TIMER = -1;

  private final Slab slab;
  private long count;
  private int size;

  /**
   * No ids.
   *
   * @param slab has the ids
   * @param count how many were given out before, by whoever had the slots
   */
  SlotHandles(Slab slab, long count) {
    this.slab = slab;
    this.count = count;
  }

  /** How many ids were given out; begins anew after many billions. */
  long count() {
    return count;
  }

  /** An id for the timer that is about to get a slot. */
  long next(int slot) {
    count = count == COUNT_MAX ? 0 : count + 1;
    return count << SLOT_BITS | slot;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public long bytes() {
    return 0;
  }

  @Override
  public int find(long id) {
    int slot = (int) id & ((1 << SLOT_BITS) - 1);
    return id >= 0 && slot < slab.used() && slab.id(slot) == id ? slot : -1;
  }

  @Override
  public void expect(long id) {}

  @Override
  public int slotAt(int position) {
    return position;
  }

  @Override
  public void add(int absent, int slot) {
    size++;
  }

  @Override
  public void remove(int position) {
    slab.id(position, NO_TIMER);
    size--;
  }
}
