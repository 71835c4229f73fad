package io.horae.timer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How many bytes a timer takes beside what it carries. */
class TimerWheelFootprintTest {

  private static final int TIMERS = 1_000_000;
  private static final double BYTES_MAX = 40;

  /** An id, a deadline and the links; and a reference, as it is on heaps below 32 GB. */
  private static final int SLOT_BYTES = 3 * Long.BYTES + 4;

  @Test
  void bytes_atAMillionTimers_areAtMostForty() {
    Slab slab = new Slab();
    SlotIndex index = new SlotIndex(slab);
    for (int id = 0; id < TIMERS; id++) {
      index.add(slab.add(id, 0, "p"));
    }
    long arrays = (long) SLOT_BYTES * slab.capacity() + (long) Integer.BYTES * index.capacity();
    double bytes = (double) arrays / TIMERS;
    assertTrue(bytes <= BYTES_MAX, () -> bytes + " bytes a timer");
  }
}
