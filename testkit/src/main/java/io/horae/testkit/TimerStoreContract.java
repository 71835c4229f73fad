package io.horae.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.resync.Assignment;
import io.horae.resync.Stamp;
import io.horae.resync.TimerRecord;
import io.horae.resync.TimerStore;
import io.horae.resync.ViewStamp;
import io.horae.timer.Cursor;
import io.horae.timer.Page;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * What a {@link TimerStore} must do. Extend it for your own:
 *
 * <pre>{@code
 * class MyStoreTest extends TimerStoreContract {
 *   protected TimerStore newStore() {
 *     return new MyStore();
 *   }
 * }
 * }</pre>
 */
public abstract class TimerStoreContract {

  /** For subclasses. */
  protected TimerStoreContract() {}

  /**
   * Makes the store to be tested.
   *
   * @return an empty store, which shares nothing with those before it
   */
  protected abstract TimerStore newStore();

  /** A new store has no timer. */
  @Test
  public void newStore_isEmpty() {
    TimerStore store = newStore();
    assertEquals(0, store.size());
    assertEquals(Long.MAX_VALUE, store.nextDueMs());
    assertNull(store.find(1));
    assertFalse(store.remove(1));
    assertEquals(List.of(), idsDue(store, Long.MAX_VALUE));
    assertEquals(List.of(), scanned(store, 10));
  }

  /** What was put is found, all of it, under any id. */
  @Test
  public void find_returnsWhatWasPut() {
    TimerStore store = newStore();
    for (long id : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      TimerRecord record = record(id, 3);
      store.put(record, 100);
      assertEquals(record, store.find(id));
    }
    assertEquals(5, store.size());
  }

  /** A record takes the place, and the time, of the one before it. */
  @Test
  public void put_again_replaces() {
    TimerStore store = newStore();
    store.put(record(7, 1), 100);
    store.put(record(7, 2), 200);
    assertEquals(record(7, 2), store.find(7));
    assertEquals(1, store.size());
    assertEquals(200, store.nextDueMs());
    assertEquals(List.of(), idsDue(store, 199));
    assertEquals(List.of(7L), idsDue(store, 200));
  }

  /** What has ended is kept, and counted, like any other. */
  @Test
  public void put_tombstone_isKept() {
    TimerStore store = newStore();
    TimerRecord live = record(7, 2);
    TimerRecord tombstone =
        new TimerRecord(
            live.id(),
            live.stamp(),
            live.startMs(),
            live.intervalMs(),
            live.repeatForMs(),
            live.sequence(),
            live.replicationFactor(),
            live.assignment(),
            new byte[0],
            true);
    store.put(live, 100);
    store.put(tombstone, 50);
    assertEquals(tombstone, store.find(7));
    assertEquals(1, store.size());
    assertEquals(List.of(7L), scanned(store, 10));
    assertEquals(List.of(7L), idsDue(store, 50));
  }

  /** What was removed is gone, and can come again. */
  @Test
  public void remove_forgets() {
    TimerStore store = newStore();
    store.put(record(7, 1), 100);
    assertTrue(store.remove(7));
    assertFalse(store.remove(7));
    assertNull(store.find(7));
    assertEquals(0, store.size());
    assertEquals(List.of(), idsDue(store, 1_000));
    store.put(record(7, 1), 100);
    assertEquals(1, store.size());
  }

  /** Timers are handed over when they are due and not before, the earliest first. */
  @Test
  public void due_handsOverInOrderOfTime() {
    TimerStore store = newStore();
    store.put(record(1, 0), 300);
    store.put(record(2, 0), -5);
    store.put(record(3, 0), 200);
    store.put(record(4, 0), 301);
    assertEquals(-5, store.nextDueMs());
    assertEquals(List.of(2L, 3L, 1L), idsDue(store, 300));
  }

  /** The times of a clock may be any number. */
  @Test
  public void due_takesTimesFarApart() {
    TimerStore store = newStore();
    store.put(record(1, 0), -(1L << 60));
    store.put(record(2, 0), 1L << 60);
    store.put(record(3, 0), 0);
    assertEquals(List.of(1L, 3L), removeDue(store, 1));
    assertEquals(1L << 60, store.nextDueMs());
    assertEquals(List.of(2L), removeDue(store, 1L << 60));
  }

  /** No more than the limit are handed over at once; the rest the next time. */
  @Test
  public void due_keepsTheLimit() {
    TimerStore store = newStore();
    for (int id = 0; id < 10; id++) {
      store.put(record(id, 0), id);
    }
    List<Long> handed = new ArrayList<>();
    int count =
        store.due(
            100,
            4,
            record -> {
              handed.add(record.id());
              store.remove(record.id());
            });
    assertEquals(4, count);
    assertEquals(List.of(0L, 1L, 2L, 3L), handed);
    assertEquals(List.of(4L, 5L, 6L, 7L, 8L, 9L), removeDue(store, 100));
  }

  /** What the handler leaves as it is comes again the next time. */
  @Test
  public void due_leftAlone_comesAgain() {
    TimerStore store = newStore();
    store.put(record(1, 0), 100);
    assertEquals(List.of(1L), idsDue(store, 100));
    assertEquals(List.of(1L), idsDue(store, 100));
    assertEquals(record(1, 0), store.find(1));
    assertTrue(store.nextDueMs() <= 100, "it is still due");
  }

  /** What the handler puts for later comes later, with what it has become. */
  @Test
  public void due_handlerPutsForLater() {
    TimerStore store = newStore();
    store.put(record(1, 0), 100);
    assertEquals(1, store.due(100, 10, record -> store.put(record(1, 1), 250)));
    assertEquals(250, store.nextDueMs());
    assertEquals(List.of(), idsDue(store, 249));
    assertEquals(List.of(1L), idsDue(store, 250));
    assertEquals(record(1, 1), store.find(1));
  }

  /** The handler may put and remove other timers, those due at the same time included. */
  @Test
  public void due_handlerTouchesOthers() {
    TimerStore store = newStore();
    store.put(record(1, 0), 100);
    store.put(record(2, 0), 150);
    store.put(record(3, 0), 150);
    List<Long> handed = new ArrayList<>();
    store.due(
        200,
        10,
        record -> {
          handed.add(record.id());
          store.remove(record.id());
          if (record.id() == 1) {
            store.remove(2);
            store.put(record(4, 0), 900);
          }
        });
    assertEquals(List.of(1L, 3L), handed);
    assertEquals(List.of(4L), removeDue(store, 900));
  }

  /** A handler that throws loses no timer, and its exception is seen. */
  @Test
  public void due_handlerThrows_losesNothing() {
    TimerStore store = newStore();
    store.put(record(1, 0), 100);
    store.put(record(2, 0), 101);
    assertThrows(
        IllegalStateException.class,
        () ->
            store.due(
                200,
                10,
                record -> {
                  throw new IllegalStateException("on purpose");
                }));
    assertEquals(2, store.size());
    assertEquals(List.of(1L, 2L), removeDue(store, 200).stream().sorted().toList());
  }

  /** Pages of any size, put together, are all timers in the order of time and id. */
  @Test
  public void scan_readsEachOnceInOrder() {
    TimerStore store = newStore();
    Map<Long, Long> times = new TreeMap<>();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 500; i++) {
      long id = random.nextLong();
      long atMs = random.nextInt(4) == 0 ? 1_000 : random.nextLong(-100_000, 10_000_000);
      times.put(id, atMs);
      store.put(record(id, 0), atMs);
    }
    List<Long> expected =
        times.entrySet().stream()
            .sorted(
                Map.Entry.<Long, Long>comparingByValue()
                    .thenComparing(Map.Entry.comparingByKey(Comparator.naturalOrder())))
            .map(Map.Entry::getKey)
            .toList();
    for (int limit : new int[] {1, 7, 100, 1_000}) {
      assertEquals(expected, scanned(store, limit), "pages of " + limit);
    }
  }

  /** A timer that stays where it is is read once, whatever comes and goes around it. */
  @Test
  public void scan_whileOthersChange_readsWhatStays() {
    TimerStore store = newStore();
    for (int id = 0; id < 100; id++) {
      store.put(record(id, 0), 1_000); // all at one time
    }
    List<Long> stayed = new ArrayList<>();
    Cursor from = Cursor.START;
    int round = 0;
    while (from != null) {
      Page<TimerRecord> page = store.scan(from, 3);
      page.timers().stream()
          .map(Page.Timer::id)
          .filter(id -> id >= 0 && id < 100 && id % 10 != 5)
          .forEach(stayed::add);
      from = page.next();
      store.remove(round * 10L + 5);
      store.put(record(1_000 + round, 0), round);
      round++;
    }
    List<Long> expected = new ArrayList<>();
    for (long id = 0; id < 100; id++) {
      if (id % 10 != 5) {
        expected.add(id);
      }
    }
    assertEquals(expected, stayed);
  }

  /** Thousands of random calls have the same answers as a sorted map. */
  @Test
  public void randomCalls_agreeWithAMap() {
    TimerStore store = newStore();
    Map<Long, Long> times = new TreeMap<>();
    SplittableRandom random = new SplittableRandom(2);
    long nowMs = 0;
    for (int i = 0; i < 20_000; i++) {
      long id = random.nextLong(300);
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          long atMs = nowMs + random.nextLong(-10, 5_000);
          store.put(record(id, 0), atMs);
          times.put(id, atMs);
        }
        case 2 -> assertEquals(times.remove(id) != null, store.remove(id));
        default -> {
          nowMs += random.nextLong(50);
          long byMs = nowMs;
          List<Long> expected =
              times.entrySet().stream()
                  .filter(it -> it.getValue() <= byMs)
                  .map(Map.Entry::getKey)
                  .toList();
          assertEquals(expected, removeDue(store, nowMs).stream().sorted().toList());
          times.keySet().removeAll(expected);
        }
      }
      assertEquals(times.size(), store.size());
      assertEquals(
          times.values().stream().mapToLong(it -> it).min().orElse(Long.MAX_VALUE),
          store.nextDueMs());
    }
  }

  private static TimerRecord record(long id, int sequence) {
    return new TimerRecord(
        id,
        new Stamp(1, 1),
        0,
        1_000,
        60_000,
        sequence,
        2,
        new Assignment(new ViewStamp(1, 1), List.of("a", "b")),
        new byte[] {1, 2, 3},
        false);
  }

  /** Those due, which are left as they are. */
  private static List<Long> idsDue(TimerStore store, long nowMs) {
    List<Long> ids = new ArrayList<>();
    store.due(nowMs, 10_000, record -> ids.add(record.id()));
    return ids;
  }

  private static List<Long> removeDue(TimerStore store, long nowMs) {
    List<Long> ids = new ArrayList<>();
    store.due(
        nowMs,
        10_000,
        record -> {
          ids.add(record.id());
          store.remove(record.id());
        });
    return ids;
  }

  private static List<Long> scanned(TimerStore store, int limit) {
    List<Long> ids = new ArrayList<>();
    Cursor from = Cursor.START;
    while (from != null) {
      Page<TimerRecord> page = store.scan(from, limit);
      assertTrue(page.timers().size() <= limit, "a page is no larger than asked for");
      for (Page.Timer<TimerRecord> timer : page.timers()) {
        assertEquals(timer.id(), timer.payload().id());
        ids.add(timer.id());
      }
      assertTrue(ids.size() <= store.size(), "pages must come to an end");
      from = page.next();
    }
    return ids;
  }
}
