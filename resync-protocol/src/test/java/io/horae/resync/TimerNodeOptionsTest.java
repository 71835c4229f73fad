package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TimerNodeOptionsTest {

  private static final long TIME_MAX = 1L << 40;

  /** What an option is called, how it is set and read, its default and its range. */
  private record Option(
      String name, Setter set, ToLongFunction<TimerNodeOptions> read, long unset, Range range) {

    @Override
    public String toString() {
      return name;
    }
  }

  private record Range(long least, long most) {}

  @FunctionalInterface
  private interface Setter {
    TimerNodeOptions.Builder set(TimerNodeOptions.Builder builder, long value);
  }

  @ParameterizedTest
  @MethodSource("options")
  void defaults_areAsTheirCommentsSay(Option option) {
    assertEquals(option.unset, option.read.applyAsLong(TimerNodeOptions.defaults()));
  }

  @ParameterizedTest
  @MethodSource("options")
  void set_endsOfTheRange_areTaken(Option option) {
    for (long value : new long[] {option.range.least, option.range.most}) {
      TimerNodeOptions options = option.set.set(TimerNodeOptions.builder(), value).build();
      assertEquals(value, option.read.applyAsLong(options));
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void set_one_leavesTheOthers(Option option) {
    TimerNodeOptions options =
        option.set.set(TimerNodeOptions.builder(), option.range.most).build();
    options()
        .filter(other -> !other.name.equals(option.name))
        .forEach(other -> assertEquals(other.unset, other.read.applyAsLong(options), other.name));
  }

  @ParameterizedTest
  @MethodSource("options")
  void set_beyondTheRange_isRefused(Option option) {
    Range range = option.range;
    for (long value : new long[] {range.least - 1, range.most + 1}) {
      TimerNodeOptions.Builder builder = TimerNodeOptions.builder();
      var refusal =
          assertThrows(IllegalArgumentException.class, () -> option.set.set(builder, value));
      assertEquals(
          option.name + " must be " + range.least + " to " + range.most + ": " + value,
          refusal.getMessage());
    }
  }

  @Test
  void seed_canBeAnything() {
    assertEquals(0, TimerNodeOptions.defaults().seed());
    for (long seed : new long[] {Long.MIN_VALUE, -1, Long.MAX_VALUE}) {
      assertEquals(seed, TimerNodeOptions.builder().seed(seed).build().seed());
    }
  }

  static Stream<Option> options() {
    return Stream.of(
        option(
            "skewMs",
            TimerNodeOptions.Builder::skewMs,
            TimerNodeOptions::skewMs,
            2_000,
            0,
            TIME_MAX),
        option(
            "pageTimersMax",
            (to, value) -> to.pageTimersMax((int) value),
            TimerNodeOptions::pageTimersMax,
            100,
            1,
            10_000),
        option(
            "fetchesInFlightMax",
            (to, value) -> to.fetchesInFlightMax((int) value),
            TimerNodeOptions::fetchesInFlightMax,
            4,
            1,
            1_000),
        option(
            "referencesPerMessageMax",
            (to, value) -> to.referencesPerMessageMax((int) value),
            TimerNodeOptions::referencesPerMessageMax,
            1_000,
            1,
            100_000),
        option(
            "fetchTimersMax",
            (to, value) -> to.fetchTimersMax((int) value),
            TimerNodeOptions::fetchTimersMax,
            10_000,
            1,
            10_000_000),
        option(
            "offerTimersMax",
            (to, value) -> to.offerTimersMax((int) value),
            TimerNodeOptions::offerTimersMax,
            10_000,
            1,
            10_000_000),
        option(
            "operationsMax",
            (to, value) -> to.operationsMax((int) value),
            TimerNodeOptions::operationsMax,
            10_000,
            1,
            10_000_000),
        option(
            "popsInFlightMax",
            (to, value) -> to.popsInFlightMax((int) value),
            TimerNodeOptions::popsInFlightMax,
            1_000,
            1,
            10_000_000),
        option(
            "popTimeoutMs",
            TimerNodeOptions.Builder::popTimeoutMs,
            TimerNodeOptions::popTimeoutMs,
            10_000,
            1,
            TIME_MAX),
        option(
            "popAttemptsMax",
            (to, value) -> to.popAttemptsMax((int) value),
            TimerNodeOptions::popAttemptsMax,
            20,
            1,
            1_000_000),
        option(
            "retryMs",
            TimerNodeOptions.Builder::retryMs,
            TimerNodeOptions::retryMs,
            500,
            1,
            TIME_MAX),
        option(
            "retryMsMax",
            TimerNodeOptions.Builder::retryMsMax,
            TimerNodeOptions::retryMsMax,
            30_000,
            1,
            TIME_MAX),
        option(
            "retriesMax",
            (to, value) -> to.retriesMax((int) value),
            TimerNodeOptions::retriesMax,
            6,
            0,
            1_000),
        option(
            "tombstoneMs",
            TimerNodeOptions.Builder::tombstoneMs,
            TimerNodeOptions::tombstoneMs,
            600_000,
            1,
            TIME_MAX),
        option(
            "sweepTimersMax",
            (to, value) -> to.sweepTimersMax((int) value),
            TimerNodeOptions::sweepTimersMax,
            10_000,
            1,
            100_000_000),
        option(
            "timersMax",
            (to, value) -> to.timersMax((int) value),
            TimerNodeOptions::timersMax,
            10_000_000,
            1,
            500_000_000),
        option(
            "payloadBytesMax",
            (to, value) -> to.payloadBytesMax((int) value),
            TimerNodeOptions::payloadBytesMax,
            65_536,
            0,
            1 << 30));
  }

  private static Option option(
      String name,
      Setter set,
      ToLongFunction<TimerNodeOptions> read,
      long unset,
      long least,
      long most) {
    return new Option(name, set, read, unset, new Range(least, most));
  }
}
