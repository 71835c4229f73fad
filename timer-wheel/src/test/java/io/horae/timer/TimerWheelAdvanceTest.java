package io.horae.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When timers fire, and in which order. */
class TimerWheelAdvanceTest {

  private static final int ALL = Integer.MAX_VALUE;

  /** Wherever a ring comes round or the sign changes, and one to either side; in order. */
  private static final List<Long> EDGES = edges();

  private final FiredTimers fired = new FiredTimers();

  private static List<Long> edges() {
    TreeSet<Long> edges = new TreeSet<>();
    for (int ring = 0; ring < 8; ring++) {
      for (long digit : new long[] {1, 2, 127}) {
        long edge = digit << (8 * ring);
        for (long near = -1; near <= 1; near++) {
          edges.add(edge + near);
          edges.add(-edge + near);
        }
      }
    }
    for (long near = 0; near <= 2; near++) {
      edges.add(Long.MIN_VALUE + near);
      edges.add(Long.MAX_VALUE - near);
    }
    return List.copyOf(edges);
  }

  // Never early, and at the first advance that reaches the deadline.

  @Test
  void advance_betweenAnyTwoEdges_firesAtTheDeadlineAndNotBefore() {
    for (long start : EDGES) {
      for (long deadline : EDGES) {
        if (start < deadline) {
          TimerWheel<String> wheel = TimerWheel.startingAt(start);
          wheel.schedule(1, deadline, "a");
          assertEquals(0, wheel.advance(start, ALL, fired), () -> start + " to " + deadline);
          assertEquals(0, wheel.advance(deadline - 1, ALL, fired), () -> start + " to " + deadline);
          wheel.checkConsistency();
          assertEquals(1, wheel.advance(deadline, ALL, fired), () -> start + " to " + deadline);
          assertEquals(List.of(new Page.Timer<>(1, deadline, "a")), fired.timers());
        }
      }
    }
  }

  @Test
  void advance_fromEdgeToEdge_firesEachAtItsOwn() {
    for (int from = 0; from < EDGES.size(); from++) {
      TimerWheel<String> wheel = TimerWheel.startingAt(EDGES.get(from));
      for (long edge : EDGES) {
        wheel.schedule(~edge, edge, "p" + edge);
      }
      assertEquals(EDGES.get(0), wheel.nextDeadline());
      // What is not ahead of the start comes first.
      assertEquals(from + 1, wheel.advance(EDGES.get(from), ALL, fired));
      assertEquals(EDGES.subList(0, from + 1), fired.deadlines());
      for (long edge : EDGES.subList(from + 1, EDGES.size())) {
        assertEquals(edge, wheel.nextDeadline());
        assertEquals(0, wheel.advance(edge - 1, ALL, fired));
        assertEquals(1, wheel.advance(edge, ALL, fired));
        assertEquals(List.of(new Page.Timer<>(~edge, edge, "p" + edge)), fired.timers());
      }
      assertEquals(0, wheel.size());
      wheel.checkConsistency();
    }
  }

  @Test
  void advance_fromOneEndOfTimeToTheOther_firesAllInOrder() {
    TimerWheel<String> wheel = TimerWheel.startingAt(Long.MIN_VALUE);
    for (int i = EDGES.size() - 1; i >= 0; i--) {
      wheel.schedule(i, EDGES.get(i), "a");
    }
    assertEquals(EDGES.size(), wheel.advance(Long.MAX_VALUE, ALL, fired));
    assertEquals(EDGES, fired.deadlines());
    assertEquals(0, wheel.advance(Long.MAX_VALUE, ALL, fired));
    wheel.checkConsistency();
  }

  @Test
  void advance_fromOneEndOfTimeToTheOtherInSteps_firesEachInItsStep() {
    SplittableRandom random = new SplittableRandom(4);
    TimerWheel<String> wheel = TimerWheel.startingAt(Long.MIN_VALUE);
    TreeMap<Long, Long> pending = new TreeMap<>();
    for (long id = 0; id < 5_000; id++) {
      long deadline = random.nextLong();
      pending.put(deadline, id);
      wheel.schedule(id, deadline, "a");
    }
    long step = (1L << 55) - 12_345;
    for (long now = Long.MIN_VALUE; now <= Long.MAX_VALUE - step; now += step) {
      List<Long> due = List.copyOf(pending.headMap(now, true).keySet());
      assertEquals(due.size(), wheel.advance(now, ALL, fired));
      assertEquals(due, fired.deadlines());
      pending.headMap(now, true).clear();
      assertEquals(pending.isEmpty() ? Long.MAX_VALUE : pending.firstKey(), wheel.nextDeadline());
    }
    assertEquals(pending.size(), wheel.advance(Long.MAX_VALUE, ALL, fired));
  }

  @Test
  void advance_acrossZero_firesOnBothSides() {
    TimerWheel<String> wheel = TimerWheel.startingAt(-300);
    for (long deadline = -299; deadline <= 300; deadline++) {
      wheel.schedule(deadline, deadline, "a");
    }
    for (long now = -299; now <= 300; now++) {
      assertEquals(1, wheel.advance(now, ALL, fired));
      assertEquals(List.of(now), fired.deadlines());
    }
  }

  @Test
  void advance_tickByTickOverThreeRings_firesEachAtItsOwn() {
    TimerWheel<String> wheel = TimerWheel.startingAt(-70_000);
    for (long deadline = -69_999; deadline < 70_000; deadline += 7) {
      wheel.schedule(deadline, deadline, "a");
    }
    for (long now = -69_999; now < 70_000; now++) {
      boolean due = (now + 69_999) % 7 == 0;
      assertEquals(due ? 1 : 0, wheel.advance(now, ALL, fired));
      assertEquals(due ? List.of(now) : List.of(), fired.deadlines());
    }
    assertEquals(0, wheel.size());
  }

  @Test
  void advance_withTimersScheduledOnTheWay_firesThoseOfOneTickTogether() {
    // One tick, from nearer and nearer: its timers come by way of every ring.
    long deadline = 0x0102_0304_0506_0708L;
    TimerWheel<String> wheel = TimerWheel.startingAt(Long.MIN_VALUE);
    wheel.schedule(-1, deadline, "a");
    for (int bit = 62; bit >= 0; bit--) {
      assertEquals(0, wheel.advance(deadline - (1L << bit), ALL, fired));
      wheel.schedule(bit, deadline, "a");
      wheel.checkConsistency();
    }
    assertEquals(64, wheel.advance(deadline, ALL, fired));
  }

  @Test
  void advance_aMillionTimers_firesEveryOneInItsTick() {
    int count = 1_000_000;
    TimerWheel<String> wheel = TimerWheel.startingAt(-1_800_000);
    long[] deadlines = new long[count];
    for (int id = 0; id < count; id++) {
      deadlines[id] = -1_799_999L + Math.floorMod(id * 2_654_435_761L, 3_600_000);
      wheel.schedule(id, deadlines[id], "a");
    }
    boolean[] gone = new boolean[count];
    int total = 0;
    for (long time = -1_800_000; time <= 1_800_000; time += 500) {
      long now = time;
      long[] last = {now - 499};
      total +=
          wheel.advance(
              now,
              ALL,
              (id, deadline, payload) -> {
                if (deadline > now || deadline < last[0]) {
                  throw new AssertionError(deadline + " at " + now + " after " + last[0]);
                }
                if (gone[(int) id] || deadline != deadlines[(int) id]) {
                  throw new AssertionError("timer " + id + " at " + deadline);
                }
                gone[(int) id] = true;
                last[0] = deadline;
                return true;
              });
    }
    assertEquals(count, total);
    assertEquals(0, wheel.size());
    wheel.checkConsistency();
  }

  // Time

  @Test
  void advance_smallerNow_countsAsTheLast() {
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    wheel.advance(1_000, ALL, fired);
    wheel.schedule(1, 1_001, "ahead");
    wheel.schedule(2, 900, "late");
    assertEquals(1, wheel.advance(Long.MIN_VALUE, ALL, fired));
    assertEquals(List.of(2L), fired.ids());
    assertEquals(0, wheel.advance(999, ALL, fired));
    assertEquals(0, wheel.advance(1_000, ALL, fired));
    assertEquals(1, wheel.advance(1_001, ALL, fired));
  }

  @Test
  void advance_smallerNowThanTheStart_countsAsTheStart() {
    TimerWheel<String> wheel = TimerWheel.startingAt(500);
    wheel.schedule(1, 500, "due at the start");
    wheel.schedule(2, 501, "ahead");
    assertEquals(1, wheel.advance(-500, ALL, fired));
    assertEquals(List.of(1L), fired.ids());
    assertEquals(1, wheel.advance(501, ALL, fired));
  }

  @Test
  void advance_smallerNowAfterTheLimit_goesOnToTheLast() {
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    wheel.schedule(1, 10, "a");
    wheel.schedule(2, 1_000, "b");
    wheel.schedule(3, 2_000, "c");
    assertEquals(1, wheel.advance(1_500, 1, fired));
    assertEquals(1, wheel.advance(0, ALL, fired));
    assertEquals(List.of(1L, 2L), fired.ids());
  }

  @Test
  void advance_atTheEndOfTime_firesWhatIsScheduledThen() {
    TimerWheel<String> wheel = TimerWheel.startingAt(Long.MAX_VALUE);
    wheel.schedule(1, Long.MAX_VALUE, "a");
    wheel.schedule(2, Long.MIN_VALUE, "b");
    assertEquals(2, wheel.advance(Long.MAX_VALUE, ALL, fired));
    assertEquals(List.of(2L, 1L), fired.ids());
    wheel.schedule(3, Long.MAX_VALUE, "c");
    assertEquals(1, wheel.advance(0, ALL, fired));
  }

  @Test
  void advance_empty_movesOn() {
    TimerWheel<String> wheel = TimerWheel.startingAt(Long.MIN_VALUE);
    assertEquals(0, wheel.advance(77, ALL, fired));
    wheel.schedule(1, 77, "now");
    wheel.schedule(2, 78, "ahead");
    assertEquals(1, wheel.advance(77, ALL, fired));
    assertEquals(List.of(1L), fired.ids());
  }

  // Ticks

  @ParameterizedTest
  @CsvSource({
    // tick, deadline, the last time at which it must not fire, the first at which it must
    "10, 15, 19, 20",
    "10, 20, 19, 20",
    "10, 11, 19, 20",
    "10, 10, 9, 10",
    "10, 9, 9, 10",
    "10, 1, 9, 10",
    "10, 0, -1, 0",
    "10, -1, -1, 0",
    "10, -9, -1, 0",
    "10, -10, -11, -10",
    "10, -11, -11, -10",
    "10, -15, -11, -10",
    "10, -20, -21, -20",
    "1000, 999999999999999001, 999999999999999999, 1000000000000000000",
    "1000, -999999999999999999, -999999999999999001, -999999999999999000",
    // 2^62: the ticks begin at -2^63, -2^62, 0 and 2^62.
    "4611686018427387904, 1, 4611686018427387903, 4611686018427387904",
    "4611686018427387904, -1, -1, 0",
    "4611686018427387904, -4611686018427387904, -4611686018427387905, -4611686018427387904",
    // No tick begins after 2^62: the end of time counts as one.
    "4611686018427387904, 4611686018427387905, 9223372036854775806, 9223372036854775807",
    // The last whole tick, and the one that the end of time cuts short.
    "10, 9223372036854775800, 9223372036854775799, 9223372036854775800",
    "10, 9223372036854775801, 9223372036854775806, 9223372036854775807",
    "10, 9223372036854775807, 9223372036854775806, 9223372036854775807",
    "3, 9223372036854775807, 9223372036854775806, 9223372036854775807",
    "7, 9223372036854775806, 9223372036854775806, 9223372036854775807",
    // The longest tick: they begin at -MAX, 0 and MAX.
    "9223372036854775807, 1, 9223372036854775806, 9223372036854775807",
    "9223372036854775807, -1, -1, 0",
    "9223372036854775807, -9223372036854775806, -1, 0",
    "9223372036854775807, -9223372036854775808, -9223372036854775808, -9223372036854775807",
    // The first multiple of 10 is 8 above the least long, that of 3 is 2 above it.
    "10, -9223372036854775808, -9223372036854775801, -9223372036854775800",
    "10, -9223372036854775800, -9223372036854775801, -9223372036854775800",
    "10, -9223372036854775799, -9223372036854775791, -9223372036854775790",
    "3, -9223372036854775808, -9223372036854775807, -9223372036854775806"
  })
  void advance_withTicks_roundsUp(long tick, long deadline, long notYet, long first) {
    TimerWheel<String> wheel = TimerWheel.builder().start(Long.MIN_VALUE).tick(tick).build();
    wheel.schedule(1, deadline, "a");
    assertEquals(0, wheel.advance(Long.MIN_VALUE, ALL, fired));
    assertEquals(0, wheel.advance(notYet, ALL, fired));
    wheel.checkConsistency();
    assertEquals(1, wheel.advance(first, ALL, fired));
    assertEquals(List.of(new Page.Timer<>(1, deadline, "a")), fired.timers());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 10, 255, 256, 1_000})
  void advance_withTicks_firesAtTheFirstMultiple(long tick) {
    for (long start = -2_003; start <= 2_003; start += 1_001) {
      TimerWheel<String> wheel = TimerWheel.builder().start(start).tick(tick).build();
      for (long deadline = start + 1; deadline < start + 3_000; deadline++) {
        wheel.schedule(deadline, deadline, "a");
      }
      for (long now = start; now < start + 4_000; now++) {
        wheel.advance(now, ALL, fired);
        for (long deadline : fired.deadlines()) {
          assertEquals(now, -Math.floorDiv(-deadline, tick) * tick, "time for " + deadline);
        }
      }
      assertEquals(0, wheel.size());
    }
  }

  @Test
  void startingAt_withinATick_countsTheTickAsBegun() {
    TimerWheel<String> wheel = TimerWheel.builder().start(25).tick(10).build();
    wheel.schedule(1, 20, "begun");
    wheel.schedule(2, 21, "rounded up");
    assertEquals(1, wheel.advance(25, ALL, fired));
    assertEquals(List.of(1L), fired.ids());
    assertEquals(0, wheel.advance(29, ALL, fired));
    assertEquals(1, wheel.advance(30, ALL, fired));
  }

  // Catching up

  @Test
  void advance_overHours_firesInTickOrder() {
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    SplittableRandom random = new SplittableRandom(5);
    for (long id = 0; id < 20_000; id++) {
      wheel.schedule(id, 1 + random.nextLong(6 * 3_600_000L), "a");
    }
    assertEquals(20_000, wheel.advance(6 * 3_600_000L, ALL, fired));
    List<Long> deadlines = fired.deadlines();
    assertEquals(deadlines.stream().sorted().toList(), deadlines);
  }

  @Test
  void advance_overHoursWithTicks_firesInTickOrder() {
    TimerWheel<String> wheel = TimerWheel.builder().start(-5_000_000).tick(1_000).build();
    SplittableRandom random = new SplittableRandom(6);
    for (long id = 0; id < 20_000; id++) {
      wheel.schedule(id, random.nextLong(-5_000_000, 5_000_000), "a");
    }
    assertEquals(20_000, wheel.advance(5_000_000, ALL, fired));
    List<Long> ticks =
        fired.deadlines().stream().map(deadline -> -Math.floorDiv(-deadline, 1_000L)).toList();
    assertEquals(ticks.stream().sorted().toList(), ticks);
  }

  @Test
  void advance_overTheAges_costsByTimersAndNotByTicks() {
    // A visit to each of 2^62 ticks would not end.
    TimerWheel<String> wheel = TimerWheel.startingAt(-(1L << 61));
    wheel.schedule(1, (1L << 61) - 3, "a");
    wheel.schedule(2, 0, "b");
    wheel.schedule(3, 1L << 61, "c");
    assertEquals(3, wheel.advance(1L << 61, ALL, fired));
    assertEquals(List.of(2L, 1L, 3L), fired.ids());
  }

  @Test
  void advance_overAgesAgainAndAgain_costsByTimersAndNotByTicks() {
    TimerWheel<String> wheel = TimerWheel.startingAt(Long.MIN_VALUE);
    long step = 1L << 44;
    long now = Long.MIN_VALUE;
    for (int round = 0; round < 100_000; round++) {
      now += step;
      wheel.schedule(round % 8, now, "a");
      assertEquals(1, wheel.advance(now, ALL, (id, deadline, payload) -> true));
    }
  }

  // Limit

  @Test
  void advance_limit_endsTheSweepAndTheNextGoesOn() {
    TimerWheel<String> wheel = TimerWheel.builder().ordered().build();
    List<Long> expected = new ArrayList<>();
    for (long tick = 0; tick < 20; tick++) {
      // Five to a tick, near and far.
      for (long id = 95 - 5 * tick; id < 100 - 5 * tick; id++) {
        wheel.schedule(id, 1 + tick * (1L << tick), "a");
        expected.add(id);
      }
    }
    for (int limit : new int[] {1, 1, 2, 3, 4, 5, 6, 7, 8, 13, 50}) {
      assertEquals(limit, wheel.advance(1L << 30, limit, fired));
      wheel.checkConsistency();
      assertEquals(expected.subList(0, limit), fired.ids());
      expected = expected.subList(limit, expected.size());
    }
    assertEquals(0, wheel.advance(1L << 30, 1, fired));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 100, 999, 1_000, 1_001})
  void advance_limit_firesEachOnceInTickOrder(int limit) {
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    for (long id = 0; id < 1_000; id++) {
      wheel.schedule(id, 1 + id * id % 97 * 50, "a");
    }
    List<Page.Timer<String>> all = new ArrayList<>();
    int count;
    do {
      count = wheel.advance(5_000, limit, fired);
      List<Page.Timer<String>> timers = fired.timers();
      assertEquals(count, timers.size());
      assertTrue(count <= limit);
      all.addAll(timers);
    } while (count == limit);
    assertEquals(1_000, all.size());
    assertEquals(1_000, all.stream().map(Page.Timer::id).distinct().count());
    List<Long> deadlines = all.stream().map(Page.Timer::deadline).toList();
    assertEquals(deadlines.stream().sorted().toList(), deadlines);
  }

  @Test
  void advance_limit_doesNotHoldBackTheTime() {
    TimerWheel<String> wheel = TimerWheel.builder().ordered().build();
    wheel.schedule(1, 10, "a");
    wheel.schedule(2, 20, "b");
    wheel.advance(100, 1, fired);
    wheel.schedule(3, 15, "between what fired and what is left");
    wheel.schedule(4, 20, "with what is left");
    wheel.schedule(5, 100, "reached");
    wheel.schedule(6, 101, "ahead");
    assertEquals(4, wheel.advance(0, ALL, fired));
    assertEquals(List.of(1L, 3L, 2L, 4L, 5L), fired.ids());
    assertEquals(1, wheel.advance(101, ALL, fired));
  }

  @Test
  void advance_limitReachedExactly_leavesNothing() {
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    wheel.schedule(1, 10, "a");
    wheel.schedule(2, 20, "b");
    assertEquals(2, wheel.advance(30, 2, fired));
    assertEquals(0, wheel.advance(30, 2, fired));
    wheel.schedule(3, 31, "c");
    assertEquals(0, wheel.advance(30, 2, fired));
    assertEquals(1, wheel.advance(31, 2, fired));
  }

  // Order

  @Test
  void advance_ordered_firesATickByDeadlineAndId() {
    TimerWheel<String> wheel = TimerWheel.builder().start(-100).tick(100).ordered().build();
    for (long deadline : new long[] {50, 1, 100, 99, 2}) {
      for (long id : new long[] {Long.MAX_VALUE, 0, -1, Long.MIN_VALUE, 1}) {
        // Ids that are all different and do not follow the deadlines.
        wheel.schedule(id ^ (deadline << 8), deadline, "a");
      }
    }
    assertEquals(25, wheel.advance(100, ALL, fired));
    List<Page.Timer<String>> timers = fired.timers();
    for (int i = 1; i < timers.size(); i++) {
      Page.Timer<String> one = timers.get(i - 1);
      Page.Timer<String> two = timers.get(i);
      assertTrue(
          one.deadline() < two.deadline()
              || (one.deadline() == two.deadline() && one.id() < two.id()),
          one + " before " + two);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 256, 65_536, 1L << 56})
  void advance_orderedAtTheStartOfAHigherSpoke_firesInOrder(long tick) {
    TimerWheel<String> wheel = TimerWheel.builder().start(-10).ordered().build();
    for (long id : new long[] {3, 1, 2, 5, 4}) {
      wheel.schedule(id, tick, "a");
      wheel.schedule(id + 10, tick + 1, "a");
    }
    wheel.advance(Long.MAX_VALUE, ALL, fired);
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 11L, 12L, 13L, 14L, 15L), fired.ids());
  }

  @Test
  void advance_ordered_mergesLateOnesWithThoseLeftOver() {
    TimerWheel<String> wheel = TimerWheel.builder().tick(10).ordered().build();
    for (long id = 0; id < 6; id++) {
      wheel.schedule(id, 11 + id, "due");
    }
    wheel.advance(20, 2, fired);
    wheel.schedule(10, 13, "late, in the middle");
    wheel.schedule(11, 20, "late, at the end");
    wheel.schedule(12, 5, "late, before them all");
    wheel.advance(20, ALL, fired);
    assertEquals(List.of(0L, 1L, 12L, 2L, 10L, 3L, 4L, 5L, 11L), fired.ids());
  }

  @Test
  void advance_lateOnes_goFirstAndInTickOrder() {
    TimerWheel<String> wheel = TimerWheel.startingAt(1_000);
    wheel.schedule(1, 1_001, "ahead");
    for (long deadline : new long[] {30, 10, 20, 40}) {
      wheel.schedule(deadline, deadline, "late");
    }
    wheel.advance(2_000, ALL, fired);
    assertEquals(List.of(10L, 20L, 30L, 40L, 1L), fired.ids());
  }
}
