package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Joining records: the laws, and what wins. */
class TimerRecordProperties {

  private static final int POOL = 24;

  private static final TimerRecord LIVE =
      new TimerRecord(
          RecordPool.ID,
          new Stamp(2, 7),
          1_000,
          10,
          100,
          3,
          2,
          new Assignment(new ViewStamp(4, 9), List.of("a", "b")),
          new byte[] {1, 2},
          false);

  // The laws, for all pairs and triples of a pool.

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void joinIsCommutativeAndIdempotent(@ForAll long seed) {
    List<TimerRecord> pool = new RecordPool(seed).records(POOL);
    for (TimerRecord a : pool) {
      assertEquals(a, a.join(a));
      for (TimerRecord b : pool) {
        TimerRecord joined = a.join(b);
        assertEquals(joined, b.join(a));
        assertEquals(joined, joined.join(a));
        assertEquals(joined, b.join(joined));
      }
    }
  }

  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void joinIsAssociative(@ForAll long seed) {
    List<TimerRecord> pool = new RecordPool(seed).records(POOL);
    for (TimerRecord a : pool) {
      for (TimerRecord b : pool) {
        for (TimerRecord c : pool) {
          assertEquals(a.join(b).join(c), a.join(b.join(c)));
        }
      }
    }
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void equalRecordsHaveEqualHashes(@ForAll long seed) {
    List<TimerRecord> pool = new RecordPool(seed).records(POOL);
    for (TimerRecord a : pool) {
      for (TimerRecord b : pool) {
        assertEquals(a.equals(b), b.equals(a));
        assertTrue(!a.equals(b) || a.hashCode() == b.hashCode());
      }
    }
  }

  // What wins.

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void aTombstoneBeatsWhatItDeleted(@ForAll long seed) {
    TimerRecord record = new RecordPool(seed).record();
    Stamp later = new Stamp(record.stamp().version() + 1, Integer.MIN_VALUE);
    for (TimerRecord end : List.of(record.buried(5), record.stamped(later).buried(5))) {
      TimerRecord joined = record.join(end);
      assertTrue(joined.ended());
      assertEquals(end.stamp(), joined.stamp());
      assertEquals(0, joined.payload().length);
    }
  }

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void aLaterChangeBeatsAnOlderTombstone(@ForAll long seed) {
    RecordPool pool = new RecordPool(seed);
    TimerRecord record = pool.record();
    TimerRecord other = pool.record();
    TimerRecord tombstone = record.buried(5);
    if (!other.ended() && other.stamp().compareTo(tombstone.stamp()) > 0) {
      TimerRecord joined = tombstone.join(other);
      assertFalse(joined.ended());
      assertEquals(other.stamp(), joined.stamp());
      assertEquals(other.sequence(), joined.sequence());
      assertArrayEquals(other.payload(), joined.payload());
    }
  }

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void theAssignmentMovesOnItsOwn(@ForAll long seed) {
    RecordPool pool = new RecordPool(seed);
    TimerRecord a = pool.record();
    TimerRecord b = pool.record();
    TimerRecord joined = a.join(b);
    // Nothing but the assignments decides on the assignment…
    TimerRecord otherwise = a.assigned(b.assignment()).join(b.assigned(a.assignment()));
    assertEquals(joined.assignment(), otherwise.assignment());
    // …and it decides on nothing else.
    Assignment any = pool.assignment();
    assertEquals(joined.assigned(any), otherwise.assigned(any));
    long latest = Math.max(a.assignment().view().epoch(), b.assignment().view().epoch());
    assertEquals(latest, joined.assignment().view().epoch());
  }

  @Example
  void deletedAndNoLongerAReplicaAreNeverMistaken() {
    Assignment next = new Assignment(new ViewStamp(5, 1), List.of("b", "c"));
    TimerRecord moved = LIVE.assigned(next);
    TimerRecord deleted = LIVE.stamped(new Stamp(3, 7)).buried(1_020);

    TimerRecord left = LIVE.join(moved);
    assertFalse(left.ended());
    assertFalse(left.assignment().contains("a"));
    assertEquals(LIVE.reference(), left.reference());

    TimerRecord ended = LIVE.join(deleted);
    assertTrue(ended.ended());
    assertEquals(LIVE.assignment(), ended.assignment());

    TimerRecord both = moved.join(deleted);
    assertTrue(both.ended());
    assertEquals(next, both.assignment());
  }

  @Example
  void ofOneChangeTheMostPopsAndTheEarliestStartAreKept() {
    TimerRecord ahead = withSequence(5).from(1_007);
    assertEquals(withSequence(5), LIVE.join(ahead));
    assertEquals(withSequence(5), ahead.join(LIVE));
  }

  /** A later change begins anew, whatever the count and the start were. */
  @Example
  void ofALaterChangeEverythingIsKept() {
    TimerRecord later =
        new TimerRecord(
            LIVE.id(), new Stamp(3, 0), 2_000, 20, 20, 0, 3, LIVE.assignment(), new byte[0], false);
    assertEquals(later, LIVE.join(later));
    assertEquals(later, later.join(LIVE));
  }

  @Example
  void recordsOfDifferentTimersAreNotJoined() {
    TimerRecord other =
        new TimerRecord(1, LIVE.stamp(), 0, 1, 1, 0, 1, LIVE.assignment(), new byte[0], false);
    assertThrows(AssertionError.class, () -> LIVE.join(other));
  }

  // The rest of the value.

  @Example
  void recordsThatDifferInOneValueAreNotEqual() {
    Map<String, UnaryOperator<TimerRecord>> changes =
        Map.of(
            "start", record -> record.from(1),
            "sequence", record -> withSequence(4),
            "assignment",
                record -> record.assigned(new Assignment(new ViewStamp(4, 9), List.of("a"))),
            "ended", record -> record.buried(record.startMs()));
    changes.forEach((what, change) -> assertFalse(LIVE.equals(change.apply(LIVE)), what));
  }

  @Example
  void deadlinesAreWholeIntervalsFromTheStart() {
    assertEquals(1_040, LIVE.deadlineMs());
    assertEquals(1_010, withSequence(0).deadlineMs());
    assertFalse(withSequence(8).isNextLast());
    assertTrue(withSequence(9).isNextLast());
    TimerRecord popped = LIVE.popped(1_055);
    assertEquals(withSequence(LIVE.sequence() + 1), popped);
    TimerRecord last = withSequence(9).popped(1_105);
    assertTrue(last.ended());
    assertEquals(10, last.sequence());
    assertEquals(1_105, last.startMs());
    TimerRecord longest =
        new TimerRecord(
            1,
            LIVE.stamp(),
            0,
            TimerSpec.INTERVAL_MS_MAX,
            TimerSpec.REPEAT_FOR_MS_MAX,
            1_023,
            1,
            LIVE.assignment(),
            new byte[0],
            false);
    assertEquals(TimerSpec.REPEAT_FOR_MS_MAX, longest.deadlineMs());
  }

  @Example
  void aSequenceBeyondTheLastPopIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> withSequence(11));
    assertThrows(IllegalArgumentException.class, () -> withSequence(-1));
    assertThrows(IllegalArgumentException.class, () -> withSequence(10));
    assertEquals(9, withSequence(9).sequence());
  }

  private static TimerRecord withSequence(int sequence) {
    return new TimerRecord(
        LIVE.id(),
        LIVE.stamp(),
        LIVE.startMs(),
        LIVE.intervalMs(),
        LIVE.repeatForMs(),
        sequence,
        LIVE.replicationFactor(),
        LIVE.assignment(),
        LIVE.payload(),
        LIVE.ended());
  }
}
