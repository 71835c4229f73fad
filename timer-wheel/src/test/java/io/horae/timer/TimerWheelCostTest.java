package io.horae.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What timers cost, in bytes and in work; nothing here is about how long it takes. */
class TimerWheelCostTest {

  private static final int ALL = Integer.MAX_VALUE;
  private static final ExpiryHandler<String> TAKE = (id, deadline, payload) -> true;

  /** Less than any object takes: room for what the JVM itself allocates now and then. */
  private static final double BYTES_MAX = 1;

  private static final ThreadMXBean THREADS =
      ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads ? threads : null;

  @BeforeEach
  void assumeThatAllocationIsCounted() {
    assumeTrue(THREADS != null && THREADS.isThreadAllocatedMemorySupported());
    THREADS.setThreadAllocatedMemoryEnabled(true);
  }

  private static long allocatedBytes() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  // Allocation

  @ParameterizedTest
  @ValueSource(ints = {10, 1_000, 50_000})
  void scheduleAndCancel_steadyState_allocatesNothing(int outstanding) {
    TimerWheel<String> wheel = filled(outstanding);
    assertAllocatesNothing(
        step -> {
          long id = step % outstanding;
          wheel.cancel(id);
          wheel.schedule(id, 1 + step * 7_919L % 10_000_000, "p");
        });
  }

  @Test
  void schedule_movingTimers_allocatesNothing() {
    TimerWheel<String> wheel = filled(1_000);
    assertAllocatesNothing(step -> wheel.schedule(step % 1_000, step * 31L % 5_000_000, "p"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void advance_steadyState_allocatesNothing(boolean ordered) {
    TimerWheel.Builder builder = TimerWheel.builder();
    TimerWheel<String> wheel = ordered ? builder.ordered().build() : builder.build();
    // One comes and one goes with each tick, by way of two rings; now and then one is late.
    assertAllocatesNothing(
        step -> {
          wheel.schedule(step, step + 1_000L, "p");
          if (step % 16 == 0) {
            wheel.schedule(-step - 1, step - 5L, "p");
          }
          wheel.advance(step, ALL, TAKE);
        });
    assertEquals(1_000, wheel.size());
  }

  @Test
  void reading_anyTime_allocatesNothing() {
    TimerWheel<String> wheel = filled(1_000);
    long[] sum = {0};
    assertAllocatesNothing(
        step -> {
          long id = step % 1_000;
          sum[0] += wheel.deadline(id) + wheel.size();
          sum[0] += wheel.contains(-id) && wheel.payload(id) != null ? 1 : 0;
          wheel.schedule(id, wheel.nextDeadline() - 1, "p");
        });
    assertTrue(sum[0] != 0);
  }

  private static TimerWheel<String> filled(int count) {
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    for (int id = 0; id < count; id++) {
      wheel.schedule(id, 1 + id * 7_919L % 10_000_000, "p");
    }
    return wheel;
  }

  @FunctionalInterface
  private interface Step {
    void run(int step);
  }

  private static void assertAllocatesNothing(Step step) {
    int warmUp = 50_000;
    int steps = 200_000;
    for (int i = 0; i < warmUp; i++) {
      step.run(i);
    }
    long before = allocatedBytes();
    for (int i = warmUp; i < warmUp + steps; i++) {
      step.run(i);
    }
    double bytes = (double) (allocatedBytes() - before) / steps;
    assertTrue(bytes < BYTES_MAX, () -> bytes + " bytes a step");
  }

  // Room

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void schedule_afterManyCameAndWent_findsSmallArrays(boolean cancelled) {
    TimerWheel<String> wheel = filled(100_000);
    if (cancelled) {
      for (int id = 0; id < 100_000; id++) {
        wheel.cancel(id);
      }
    } else {
      wheel.advance(10_000_000, ALL, TAKE);
    }
    assertEquals(0, wheel.size());
    // Large arrays would take these in as they are; small ones have to grow.
    long before = allocatedBytes();
    for (int id = 0; id < 1_000; id++) {
      wheel.schedule(id, 20_000_000, "p");
    }
    long bytes = allocatedBytes() - before;
    assertTrue(bytes > 1_000 * 2 * Long.BYTES, () -> bytes + " bytes");
    assertTrue(bytes < 100_000 * 2 * Long.BYTES, () -> bytes + " bytes");
  }

  @Test
  void scheduleAndCancel_swingingBetweenNoneAndTwenty_allocatesNothing() {
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    assertAllocatesNothing(
        step -> {
          int id = step % 20;
          if (step / 20 % 2 == 0) {
            wheel.schedule(id, 1_000_000_000, "p");
          } else {
            wheel.cancel(id);
          }
        });
    assertEquals(0, wheel.size());
  }

  // Work: each of these would take many hours if a call visited every tick or every timer.

  @Test
  void advance_tickByTickBelowManyFarTimers_doesNotVisitThem() {
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    for (int id = 0; id < 200_000; id++) {
      wheel.schedule(id, (1L << 40) + id, "p");
    }
    for (long now = 1; now <= 2_000_000; now++) {
      assertEquals(0, wheel.advance(now, ALL, TAKE));
    }
    assertEquals(200_000, wheel.advance(1L << 41, ALL, TAKE));
  }

  @Test
  void cancel_amongManyOfOneTick_doesNotVisitThem() {
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    for (int id = 0; id < 300_000; id++) {
      wheel.schedule(id, 1_000_000, "p");
    }
    for (int id = 0; id < 300_000; id += 2) {
      assertTrue(wheel.cancel(id));
    }
    for (int id = 1; id < 300_000; id += 2) {
      wheel.schedule(id, 2_000_000, "p");
    }
    assertEquals(0, wheel.advance(1_999_999, ALL, TAKE));
    assertEquals(150_000, wheel.advance(2_000_000, ALL, TAKE));
  }

  @Test
  void nextDeadline_manyOfTheNextTick_doesNotVisitThem() {
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    for (int id = 0; id < 300_000; id++) {
      wheel.schedule(id, 100, "p");
    }
    for (int id = 0; id < 300_000; id++) {
      assertEquals(100, wheel.nextDeadline());
      wheel.cancel(id);
    }
    assertEquals(Long.MAX_VALUE, wheel.nextDeadline());
  }

  @Test
  void advance_orderedManyOfOneTick_sortsThemOnce() {
    TimerWheel<String> wheel = TimerWheel.builder().tick(1_000_000).ordered().build();
    for (int id = 0; id < 300_000; id++) {
      wheel.schedule(id, 1 + id * 7_919L % 1_000_000, "p");
    }
    // One at a time, and each time with nothing new.
    for (int i = 0; i < 300_000; i++) {
      assertEquals(1, wheel.advance(1_000_000, 1, TAKE));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void advance_manyLeftOverAndALateOneEachTime_doesNotVisitThem(boolean ordered) {
    TimerWheel.Builder builder = TimerWheel.builder();
    TimerWheel<String> wheel = ordered ? builder.ordered().build() : builder.build();
    for (int id = 0; id < 300_000; id++) {
      wheel.schedule(id, 1_000, "p");
    }
    assertEquals(0, wheel.advance(1_000, ALL, (id, deadline, payload) -> false));
    // Each goes before all the others, and is refused.
    for (int late = 1; late <= 300_000; late++) {
      long expected = -late;
      wheel.schedule(expected, 1_000 - late, "p");
      wheel.advance(
          1_000,
          ALL,
          (id, deadline, payload) -> {
            assertEquals(expected, id);
            return false;
          });
    }
    // Each goes behind all the others of its tick.
    for (int late = 0; late < 300_000; late++) {
      wheel.schedule(1_000_000 + late, 1_000, "p");
      assertEquals(1, wheel.advance(1_000, 1, TAKE));
    }
    assertEquals(600_000, wheel.advance(1_000, ALL, TAKE));
  }
}
