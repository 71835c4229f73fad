package io.horae.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What pages hold, wherever the wheel stands. */
class TimerWheelScanTest {

  private static final int ALL = Integer.MAX_VALUE;
  private static final long[] ENDS = {
    Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE - 1, Long.MAX_VALUE
  };

  private static final Comparator<Page.Timer<String>> ORDER =
      Comparator.comparingLong((Page.Timer<String> timer) -> timer.deadline())
          .thenComparingLong(Page.Timer::id);

  private final FiredTimers fired = new FiredTimers();

  /** Pages of one size, put together. */
  private static List<Page.Timer<String>> all(TimerWheel<String> wheel, Cursor from, int limit) {
    List<Page.Timer<String>> timers = new ArrayList<>();
    for (Cursor cursor = from; cursor != null; ) {
      Page<String> page = wheel.scan(cursor, limit);
      // Only the last page may be short, and only a page that may be the last is.
      assertEquals(page.next() == null, page.timers().size() < limit || endsAtTheLastPlace(page));
      timers.addAll(page.timers());
      cursor = page.next();
    }
    return timers;
  }

  private static boolean endsAtTheLastPlace(Page<String> page) {
    Page.Timer<String> last = page.timers().get(page.timers().size() - 1);
    return last.deadline() == Long.MAX_VALUE && last.id() == Long.MAX_VALUE;
  }

  @Test
  void scan_empty_endsAtOnce() {
    Page<String> page = TimerWheel.<String>startingAt(0).scan(Cursor.START, 10);
    assertEquals(List.of(), page.timers());
    assertNull(page.next());
  }

  @Test
  void scan_aPage_isByDeadlineAndIdAndSaysWhereToGoOn() {
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    wheel.schedule(3, 20, "c");
    wheel.schedule(2, 20, "b");
    wheel.schedule(9, 10, "a");
    wheel.schedule(1, 30, "d");
    Page<String> page = wheel.scan(Cursor.START, 2);
    assertEquals(
        List.of(new Page.Timer<>(9, 10, "a"), new Page.Timer<>(2, 20, "b")), page.timers());
    assertEquals(new Cursor(20, 3), page.next());
    page = wheel.scan(page.next(), 2);
    assertEquals(
        List.of(new Page.Timer<>(3, 20, "c"), new Page.Timer<>(1, 30, "d")), page.timers());
    assertEquals(new Cursor(30, 2), page.next());
    page = wheel.scan(page.next(), 2);
    assertEquals(List.of(), page.timers());
    assertNull(page.next());
  }

  @Test
  void scan_always_changesNothing() {
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    wheel.schedule(1, 10, "a");
    wheel.schedule(2, -10, "b");
    all(wheel, Cursor.START, 1);
    wheel.checkConsistency();
    assertEquals(2, wheel.size());
    assertEquals(2, wheel.advance(10, ALL, fired));
  }

  @Test
  void scan_page_isASnapshotThatCannotBeChanged() {
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    wheel.schedule(1, 10, "a");
    Page<String> page = wheel.scan(Cursor.START, 5);
    wheel.schedule(1, 20, "b");
    assertEquals(List.of(new Page.Timer<>(1, 10, "a")), page.timers());
    assertThrows(UnsupportedOperationException.class, () -> page.timers().clear());
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE - 1, Long.MAX_VALUE})
  void scan_deadlinesAndIdsAtTheEndsOfLong_readsEachOnceFromEveryPlace(long start) {
    for (long tick : new long[] {1, 10, Long.MAX_VALUE}) {
      // In seven rounds, each of the deadlines meets each of the ids.
      for (int round = 0; round < ENDS.length; round++) {
        TimerWheel<String> wheel = TimerWheel.builder().start(start).tick(tick).build();
        List<Page.Timer<String>> timers = new ArrayList<>();
        for (int i = 0; i < ENDS.length; i++) {
          timers.add(new Page.Timer<>(ENDS[(i + round) % ENDS.length], ENDS[i], "a"));
          timers.add(new Page.Timer<>(100 + i, ENDS[i], "b"));
        }
        timers.forEach(timer -> wheel.schedule(timer.id(), timer.deadline(), timer.payload()));
        timers.sort(ORDER);
        for (long deadline : ENDS) {
          for (long id : ENDS) {
            List<Page.Timer<String>> behind =
                timers.stream()
                    .filter(
                        timer ->
                            timer.deadline() > deadline
                                || (timer.deadline() == deadline && timer.id() >= id))
                    .toList();
            for (int limit : new int[] {1, 2, 3, 13, 14, 15, ALL}) {
              assertEquals(behind, all(wheel, new Cursor(deadline, id), limit));
            }
          }
        }
      }
    }
  }

  @Test
  void scan_theLastTimerThereCanBe_endsTheScan() {
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    wheel.schedule(Long.MAX_VALUE, Long.MAX_VALUE, "last");
    Page<String> page = wheel.scan(Cursor.START, 1);
    assertEquals(1, page.timers().size());
    assertNull(page.next());
    assertEquals(page.timers(), wheel.scan(new Cursor(Long.MAX_VALUE, Long.MAX_VALUE), 1).timers());
    wheel.schedule(Long.MAX_VALUE, Long.MAX_VALUE - 1, "last but one");
    assertEquals(new Cursor(Long.MAX_VALUE, Long.MIN_VALUE), wheel.scan(Cursor.START, 1).next());
  }

  @Test
  void scan_equalDeadlines_neitherLoopsNorLosesAny() {
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    List<Page.Timer<String>> expected = new ArrayList<>();
    for (long id = -250; id < 250; id++) {
      wheel.schedule(id * 7_919 % 501, 100_000, "a");
    }
    for (long id = -500; id <= 500; id++) {
      if (wheel.contains(id)) {
        expected.add(new Page.Timer<>(id, 100_000, "a"));
      }
    }
    for (int limit : new int[] {1, 2, 99, 100, 101, expected.size(), ALL}) {
      assertEquals(expected, all(wheel, Cursor.START, limit));
    }
  }

  @Test
  void scan_atEveryPositionOfTheWheel_readsWhatIsOutstanding() {
    SplittableRandom random = new SplittableRandom(7);
    for (long start : new long[] {Long.MIN_VALUE, -40_000, 0, Long.MAX_VALUE - 90_000}) {
      for (long tick : new long[] {1, 7}) {
        TimerWheel<String> wheel = TimerWheel.builder().start(start).tick(tick).build();
        List<Page.Timer<String>> expected = new ArrayList<>();
        for (long id = 0; id < 400; id++) {
          long deadline = start + random.nextLong(random.nextBoolean() ? 300 : 90_000);
          expected.add(new Page.Timer<>(id, deadline, "a"));
          wheel.schedule(id, deadline, "a");
        }
        expected.sort(ORDER);
        for (long now = start; now < start + 85_000; now += 1 + random.nextInt(500)) {
          // Some are left over, so that pages begin among those.
          wheel.advance(now, 3, fired);
          List<Page.Timer<String>> gone = fired.timers();
          expected.removeIf(gone::contains);
          assertEquals(expected, all(wheel, Cursor.START, 1 + random.nextInt(100)));
          Page.Timer<String> middle = expected.get(expected.size() / 2);
          assertEquals(
              expected.subList(expected.size() / 2, expected.size()),
              all(wheel, new Cursor(middle.deadline(), middle.id()), 1 + random.nextInt(100)));
        }
      }
    }
  }

  @Test
  void scan_lateAndLeftOver_readsThemTogetherInOrder() {
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    for (long id = 0; id < 5; id++) {
      wheel.schedule(id, 10, "due");
    }
    wheel.advance(10, ALL, (id, deadline, payload) -> false);
    wheel.schedule(7, 10, "late");
    wheel.schedule(-7, 10, "late");
    wheel.schedule(6, 9, "late");
    wheel.schedule(8, 11, "ahead");
    List<Long> ids = all(wheel, Cursor.START, 1).stream().map(Page.Timer::id).toList();
    assertEquals(List.of(6L, -7L, 0L, 1L, 2L, 3L, 4L, 7L, 8L), ids);
  }

  @Test
  void scan_cursorInTheMiddle_needsNoTimerThere() {
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    for (long id = 0; id < 10; id++) {
      wheel.schedule(id, 100 * id, "a");
    }
    assertEquals(4, wheel.scan(new Cursor(500, 6), 20).timers().size());
    assertEquals(5, wheel.scan(new Cursor(500, 5), 20).timers().size());
    assertEquals(5, wheel.scan(new Cursor(450, Long.MAX_VALUE), 20).timers().size());
    assertEquals(0, wheel.scan(new Cursor(901, Long.MIN_VALUE), 20).timers().size());
  }

  @Test
  void scan_whileTimersCrossTheCursor_readsThoseThatStayOnce() {
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    for (long id = 0; id < 100; id++) {
      wheel.schedule(id, 1_000 + id, "stays");
    }
    List<Long> seen = new ArrayList<>();
    int pages = 0;
    for (Cursor cursor = Cursor.START; cursor != null; pages++) {
      Page<String> page = wheel.scan(cursor, 10);
      page.timers().stream().map(Page.Timer::id).filter(id -> id < 100).forEach(seen::add);
      cursor = page.next();
      wheel.schedule(500 + pages, 900, "behind the cursor");
      wheel.schedule(600, 2_000 - pages, "moving towards it");
      wheel.advance(100L * Math.min(pages, 8), ALL, fired);
    }
    assertEquals(100, seen.size());
    assertEquals(seen.stream().sorted().distinct().toList(), seen);
  }
}
