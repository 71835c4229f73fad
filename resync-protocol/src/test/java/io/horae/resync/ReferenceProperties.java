package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** References stand for records: what they say of each other is what joining would show. */
class ReferenceProperties {

  private static final int POOL = 24;

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void oneCoversAnotherIfJoiningItWouldChangeNothingThatItNames(@ForAll long seed) {
    List<TimerRecord> pool = new RecordPool(seed).records(POOL);
    for (TimerRecord a : pool) {
      for (TimerRecord b : pool) {
        boolean unchanged = a.join(b).reference().equals(a.reference());
        assertEquals(unchanged, a.reference().covers(b.reference()), () -> a + ", " + b);
      }
    }
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void whatIsJoinedCoversItsParts(@ForAll long seed) {
    List<TimerRecord> pool = new RecordPool(seed).records(POOL);
    for (TimerRecord a : pool) {
      for (TimerRecord b : pool) {
        Reference joined = a.join(b).reference();
        assertTrue(joined.covers(a.reference()) && joined.covers(b.reference()));
      }
    }
  }

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void aReferenceHasTheValuesOfItsRecord(@ForAll long seed) {
    TimerRecord record = new RecordPool(seed).record();
    assertEquals(
        new Reference(RecordPool.ID, record.stamp(), record.sequence(), record.ended()),
        record.reference());
  }

  @Example
  void aTombstoneCoversEveryPopOfItsChange() {
    Stamp stamp = new Stamp(1, 1);
    Reference ended = new Reference(1, stamp, 2, true);
    assertTrue(ended.covers(new Reference(1, stamp, 3, false)));
    assertTrue(!new Reference(1, stamp, 3, false).covers(ended));
  }

  @Example
  void aNegativeSequenceIsRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> new Reference(1, new Stamp(1, 1), -1, false));
  }
}
