package io.horae.timer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many bytes a timer takes beside what it carries. */
class TimerWheelFootprintTest {

  private static final double BYTES_MAX = 40;

  /** The second is where the index has just doubled and is emptiest. */
  @ParameterizedTest
  @ValueSource(ints = {1_000_000, 3 << 18 | 1, 1_500_000})
  void bytes_atAMillionTimersOrSoOverAnHour_areAtMostForty(int timers) {
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    for (int id = 0; id < timers; id++) {
      wheel.schedule(id, 1 + id * 2_654_435_761L % 3_600_000, "p");
    }
    double bytes = (double) wheel.arrayBytes() / timers;
    assertTrue(bytes <= BYTES_MAX, () -> bytes + " bytes a timer");
  }
}
