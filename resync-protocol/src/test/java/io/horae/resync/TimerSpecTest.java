package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimerSpecTest {

  private static final byte[] PAYLOAD = {1, 2, 3};

  @Test
  void once_popsOnceOnTwoReplicas() {
    TimerSpec spec = TimerSpec.once(30_000, PAYLOAD);
    assertEquals(new TimerSpec(30_000, 30_000, 2, PAYLOAD), spec);
  }

  @Test
  void repeatedForAndOnReplicas_changeThatAlone() {
    TimerSpec spec = TimerSpec.once(30_000, PAYLOAD);
    assertEquals(new TimerSpec(30_000, 3_600_000, 2, PAYLOAD), spec.repeatedFor(3_600_000));
    assertEquals(new TimerSpec(30_000, 30_000, 3, PAYLOAD), spec.onReplicas(3));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1",
    "1, 2147483647, 16",
    "1099511627776, 1099511627776, 2",
    "1099511627776, 1125899906842624, 2",
    "524289, 1125899906842624, 2"
  })
  void new_valuesAtTheEnds_areTaken(long interval, long repeatFor, int factor) {
    TimerSpec spec = new TimerSpec(interval, repeatFor, factor, new byte[0]);
    assertEquals(interval, spec.intervalMs());
    assertEquals(repeatFor, spec.repeatForMs());
    assertEquals(factor, spec.replicationFactor());
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 2, intervalMs must be 1 to 1099511627776: 0",
    "-1, 1, 2, intervalMs must be 1 to 1099511627776: -1",
    "1099511627777, 1099511627777, 2, intervalMs must be 1 to 1099511627776: 1099511627777",
    "5, 4, 2, 'repeatForMs must be from the interval, 5, to 1125899906842624: 4'",
    "5, -5, 2, 'repeatForMs must be from the interval, 5, to 1125899906842624: -5'",
    "1099511627776, 1125899906842625, 2,"
        + "'repeatForMs must be from the interval, 1099511627776, to 1125899906842624:"
        + " 1125899906842625'",
    "1, 2147483648, 2, a timer pops at most 2147483647 times: 2147483648",
    "524288, 1125899906842624, 2, a timer pops at most 2147483647 times: 2147483648",
    "1, 1, 0, replicationFactor must be 1 to 16: 0",
    "1, 1, 17, replicationFactor must be 1 to 16: 17"
  })
  void new_valuesOutOfRange_areRefused(long interval, long repeatFor, int factor, String message) {
    var refusal =
        assertThrows(
            IllegalArgumentException.class,
            () -> new TimerSpec(interval, repeatFor, factor, new byte[0]));
    assertEquals(message, refusal.getMessage());
  }

  @Test
  void new_noPayload_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> TimerSpec.once(1, null));
  }

  @Test
  void equals_isByContent() {
    TimerSpec spec = new TimerSpec(5, 10, 2, PAYLOAD);
    TimerSpec same = new TimerSpec(5, 10, 2, PAYLOAD.clone());
    assertEquals(spec, same);
    assertEquals(spec.hashCode(), same.hashCode());
    assertFalse(spec.equals(new TimerSpec(4, 10, 2, PAYLOAD)));
    assertFalse(spec.equals(new TimerSpec(5, 11, 2, PAYLOAD)));
    assertFalse(spec.equals(new TimerSpec(5, 10, 3, PAYLOAD)));
    assertFalse(spec.equals(new TimerSpec(5, 10, 2, new byte[] {1, 2, 4})));
  }

  @Test
  void toString_saysWhatNotTheWholePayload() {
    assertEquals(
        "every 5 ms for 10 ms on 2 replicas, 3 bytes", new TimerSpec(5, 10, 2, PAYLOAD).toString());
  }
}
