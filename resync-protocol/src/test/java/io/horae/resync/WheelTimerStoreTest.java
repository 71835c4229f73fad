package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.timer.Cursor;
import io.horae.timer.Page;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WheelTimerStoreTest {

  private final TimerStore store = TimerStore.inMemory();

  private static TimerRecord record(long id) {
    Assignment assignment = new Assignment(new ViewStamp(1, 1), List.of("a"));
    return new TimerRecord(id, new Stamp(1, 1), 0, 10, 100, 0, 1, assignment, new byte[0], false);
  }

  private List<Long> due(long nowMs, int limit) {
    List<Long> ids = new ArrayList<>();
    store.due(nowMs, limit, record -> ids.add(record.id()));
    return ids;
  }

  @Test
  void put_again_replacesRecordAndTime() {
    store.put(record(1), 10);
    TimerRecord later = record(1).popped(1);
    store.put(later, 20);
    assertSame(later, store.find(1));
    assertEquals(1, store.size());
    assertEquals(20, store.nextDueMs());
    assertEquals(List.of(), due(19, 9));
    assertEquals(List.of(1L), due(20, 9));
  }

  @Test
  void remove_tellsWhetherItWasThere() {
    store.put(record(1), 10);
    assertTrue(store.remove(1));
    assertFalse(store.remove(1));
    assertNull(store.find(1));
    assertEquals(0, store.size());
    assertEquals(Long.MAX_VALUE, store.nextDueMs());
  }

  @Test
  void due_whatTheHandlerLeaves_isHandedOverAgainTheNextTime() {
    store.put(record(1), 10);
    assertEquals(List.of(1L), due(10, 9));
    assertEquals(1, store.size());
    assertEquals(List.of(1L), due(10, 9));
  }

  @Test
  void due_whatTheHandlerPutsLaterOrRemoves_isNotHandedOverAgain() {
    store.put(record(1), 10);
    store.put(record(2), 11);
    store.due(
        20,
        9,
        record -> {
          if (record.id() == 1) {
            store.put(record, 30);
          } else {
            store.remove(2);
          }
        });
    assertEquals(List.of(), due(29, 9));
    assertEquals(List.of(1L), due(30, 9));
  }

  @Test
  void due_aHandlerThatThrows_losesNothing() {
    store.put(record(1), 10);
    store.put(record(2), 11);
    assertThrows(
        TestCluster.OutboxException.class,
        () ->
            store.due(
                20,
                9,
                record -> {
                  throw new TestCluster.OutboxException();
                }));
    assertEquals(List.of(1L, 2L), due(20, 9));
  }

  @Test
  void due_limit_isKept() {
    for (long id = 1; id <= 5; id++) {
      store.put(record(id), id);
    }
    List<Long> ids = new ArrayList<>();
    int count =
        store.due(
            9,
            3,
            record -> {
              ids.add(record.id());
              store.remove(record.id());
            });
    assertEquals(3, count);
    assertEquals(List.of(1L, 2L, 3L), ids);
    assertEquals(2, store.size());
  }

  @Test
  void due_handlerPutsOthers_theyAreKept() {
    store.put(record(1), 10);
    store.due(
        10,
        9,
        record -> {
          store.remove(1);
          store.put(record(7), 50);
        });
    assertEquals(50, store.nextDueMs());
    assertEquals(1, store.size());
  }

  @Test
  void scan_readsAllInOrderInPages() {
    for (long id = 1; id <= 10; id++) {
      store.put(record(id), 100 - id / 2);
    }
    List<Long> ids = new ArrayList<>();
    Cursor cursor = Cursor.START;
    while (cursor != null) {
      Page<TimerRecord> page = store.scan(cursor, 3);
      page.timers().forEach(timer -> ids.add(timer.id()));
      cursor = page.next();
    }
    assertEquals(List.of(10L, 8L, 9L, 6L, 7L, 4L, 5L, 2L, 3L, 1L), ids);
  }
}
