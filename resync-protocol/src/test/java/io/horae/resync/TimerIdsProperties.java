package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** Ids over the histories of clocks that stand, step and run. */
class TimerIdsProperties {

  private static final int STEPS = 500;
  private static final long COUNTS = 1L << 40;

  @Property(tries = 500)
  void idsGoUpWhateverTheClockDoes(
      @ForAll int instance, @ForAll @LongRange(max = COUNTS / 2) long startMs, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TimerIds ids = new TimerIds(instance);
    long nowMs = startMs;
    long last = ids.next(nowMs);
    for (int i = 0; i < STEPS; i++) {
      nowMs = stepped(nowMs, random);
      long id = ids.next(nowMs);
      assertTrue(Long.compareUnsigned(id, last) > 0, id + " after " + last);
      assertEquals(instance & 0xff_ffff, id & 0xff_ffff);
      last = id;
    }
  }

  @Property(tries = 500)
  void instancesThatDifferShareNoId(
      @ForAll @IntRange(max = 0xff_ffff) int one,
      @ForAll @IntRange(max = 0xff_ffff) int other,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TimerIds ids = new TimerIds(one);
    TimerIds others = new TimerIds(one == other ? one ^ 1 : other);
    Set<Long> seen = new HashSet<>();
    long nowMs = 0;
    for (int i = 0; i < STEPS; i++) {
      nowMs = stepped(nowMs, random);
      assertTrue(seen.add(ids.next(nowMs)));
      assertTrue(seen.add(others.next(nowMs)));
    }
  }

  /** Wherever in the range of long the clock is, its ends included. */
  @Property(tries = 500)
  void noIdComesAgainWhileTheClockMovesOnByLessThanThirtyFourYears(
      @ForAll long startMs, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TimerIds ids = new TimerIds(1);
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < STEPS; i++) {
      assertTrue(seen.add(ids.next(startMs + random.nextLong(COUNTS - STEPS))));
    }
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void idsFollowAClockThatIsAhead(@ForAll @LongRange(max = COUNTS / 2) long startMs) {
    TimerIds ids = new TimerIds(0);
    assertEquals(startMs << 24, ids.next(startMs));
    assertEquals((startMs + 1) << 24, ids.next(startMs));
    assertEquals((startMs + 2) << 24, ids.next(startMs - 1_000));
    assertEquals((startMs + 10) << 24, ids.next(startMs + 10));
  }

  @Example
  void theIdSaysWhenAndWhere() {
    assertEquals(0x000000_0012_abcdefL, new TimerIds(0x77abcdef).next(0x12));
    assertEquals(0xffffffff_ff_000001L, new TimerIds(1).next(-1));
  }

  @Property(tries = 2_000)
  void theLivesOfANodeAreDifferentInstances(
      @ForAll String node, @ForAll long block, @ForAll int one, @ForAll int other) {
    if (one != other) {
      long high = block & ~0xffff_ffffL;
      assertNotEquals(
          TimerIds.instance(node, high | Integer.toUnsignedLong(one)),
          TimerIds.instance(node, high | Integer.toUnsignedLong(other)));
    }
  }

  @Example
  void nodesAreDifferentInstances() {
    Set<Integer> instances = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      assertTrue(instances.add(TimerIds.instance("10.0.0." + i + ":7253", 0)));
    }
  }

  /**
   * The same on every platform and in every release: it is in the stamps of stored timers. The
   * values are from another implementation of Murmur3.
   */
  @Example
  void anInstanceIsForever() {
    assertEquals(0xa16bdd98, TimerIds.instance("10.0.0.1:7253", 0));
    assertEquals(0xe6ab809e, TimerIds.instance("10.0.0.1:7253", 1_700_000_000_000L));
  }

  /** A clock that stands, ticks, runs, or steps back. */
  private static long stepped(long nowMs, SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> nowMs;
      case 1 -> nowMs + 1;
      case 2 -> nowMs + random.nextLong(1L << random.nextInt(1, 30));
      default -> nowMs - random.nextLong(1L << random.nextInt(1, 30));
    };
  }
}
