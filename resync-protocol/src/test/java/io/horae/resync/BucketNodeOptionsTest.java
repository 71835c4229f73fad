package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BucketNodeOptionsTest {

  /** What an option is called, how it is set and read, its default and its range. */
  private record Option(
      String name,
      Setter set,
      ToLongFunction<BucketNodeOptions> read,
      long unset,
      long least,
      long most) {

    @Override
    public String toString() {
      return name;
    }
  }

  @FunctionalInterface
  private interface Setter {
    BucketNodeOptions.Builder set(BucketNodeOptions.Builder builder, long value);
  }

  @ParameterizedTest
  @MethodSource("options")
  void defaults_areAsTheirCommentsSay(Option option) {
    assertEquals(option.unset, option.read.applyAsLong(BucketNodeOptions.defaults()));
  }

  @ParameterizedTest
  @MethodSource("options")
  void set_endsOfTheRange_areTakenAndLeaveTheOthers(Option option) {
    for (long value : new long[] {option.least, option.most}) {
      BucketNodeOptions options = option.set.set(BucketNodeOptions.builder(), value).build();
      assertEquals(value, option.read.applyAsLong(options));
      options()
          .filter(other -> !other.name.equals(option.name))
          .forEach(other -> assertEquals(other.unset, other.read.applyAsLong(options), other.name));
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void set_beyondTheRange_isRefused(Option option) {
    for (long value : new long[] {option.least - 1, option.most + 1}) {
      BucketNodeOptions.Builder builder = BucketNodeOptions.builder();
      var refusal =
          assertThrows(IllegalArgumentException.class, () -> option.set.set(builder, value));
      assertEquals(
          option.name + " must be " + option.least + " to " + option.most + ": " + value,
          refusal.getMessage());
    }
  }

  @Test
  void others_areTaken() {
    assertEquals(16, BucketNodeOptions.defaults().bucketsInitial());
    assertEquals(256, BucketNodeOptions.builder().bucketsInitial(256).build().bucketsInitial());
    assertThrows(
        IllegalArgumentException.class, () -> BucketNodeOptions.builder().bucketsInitial(17));
    assertFalse(BucketNodeOptions.defaults().readsConfirmed());
    assertTrue(BucketNodeOptions.builder().readsConfirmed(true).build().readsConfirmed());
    assertEquals(-1, BucketNodeOptions.builder().seed(-1).build().seed());
  }

  static Stream<Option> options() {
    return Stream.of(
        new Option(
            "transfersMax",
            (to, value) -> to.transfersMax((int) value),
            BucketNodeOptions::transfersMax,
            2,
            1,
            10_000),
        new Option(
            "transfersInMax",
            (to, value) -> to.transfersInMax((int) value),
            BucketNodeOptions::transfersInMax,
            4,
            1,
            10_000),
        new Option(
            "windowItemsMax",
            (to, value) -> to.windowItemsMax((int) value),
            BucketNodeOptions::windowItemsMax,
            500,
            1,
            100_000),
        new Option(
            "windowBytesMax",
            (to, value) -> to.windowBytesMax((int) value),
            BucketNodeOptions::windowBytesMax,
            262_144,
            1,
            1_073_741_824),
        new Option(
            "windowsInFlightMax",
            (to, value) -> to.windowsInFlightMax((int) value),
            BucketNodeOptions::windowsInFlightMax,
            4,
            1,
            1_000),
        new Option(
            "itemsPerSecondMax",
            (to, value) -> to.itemsPerSecondMax((int) value),
            BucketNodeOptions::itemsPerSecondMax,
            1_000_000,
            1,
            1_000_000_000),
        new Option(
            "bytesPerSecondMax",
            BucketNodeOptions.Builder::bytesPerSecondMax,
            BucketNodeOptions::bytesPerSecondMax,
            1_073_741_824,
            1,
            1_099_511_627_776L),
        new Option(
            "writesOpenMax",
            (to, value) -> to.writesOpenMax((int) value),
            BucketNodeOptions::writesOpenMax,
            1_000,
            1,
            1_000_000),
        new Option(
            "receiptsClientsMax",
            (to, value) -> to.receiptsClientsMax((int) value),
            BucketNodeOptions::receiptsClientsMax,
            100_000,
            1,
            100_000_000),
        new Option(
            "receiptsPerClientMax",
            (to, value) -> to.receiptsPerClientMax((int) value),
            BucketNodeOptions::receiptsPerClientMax,
            10_000,
            1,
            100_000_000),
        new Option(
            "receiptMs",
            BucketNodeOptions.Builder::receiptMs,
            BucketNodeOptions::receiptMs,
            600_000,
            1,
            1_099_511_627_776L),
        new Option(
            "keyBytesMax",
            (to, value) -> to.keyBytesMax((int) value),
            BucketNodeOptions::keyBytesMax,
            1_024,
            1,
            1_048_576),
        new Option(
            "valueBytesMax",
            (to, value) -> to.valueBytesMax((int) value),
            BucketNodeOptions::valueBytesMax,
            1_048_576,
            0,
            268_435_456),
        new Option(
            "drainMs",
            BucketNodeOptions.Builder::drainMs,
            BucketNodeOptions::drainMs,
            500,
            1,
            1_099_511_627_776L),
        new Option(
            "transferIdleMs",
            BucketNodeOptions.Builder::transferIdleMs,
            BucketNodeOptions::transferIdleMs,
            30_000,
            1,
            1_099_511_627_776L),
        new Option(
            "planMs",
            BucketNodeOptions.Builder::planMs,
            BucketNodeOptions::planMs,
            200,
            0,
            1_099_511_627_776L),
        new Option(
            "retryMs",
            BucketNodeOptions.Builder::retryMs,
            BucketNodeOptions::retryMs,
            200,
            1,
            1_099_511_627_776L),
        new Option(
            "retryMsMax",
            BucketNodeOptions.Builder::retryMsMax,
            BucketNodeOptions::retryMsMax,
            10_000,
            1,
            1_099_511_627_776L),
        new Option(
            "entriesPerMessageMax",
            (to, value) -> to.entriesPerMessageMax((int) value),
            BucketNodeOptions::entriesPerMessageMax,
            1_000,
            1,
            100_000),
        new Option(
            "backupsMax",
            (to, value) -> to.backupsMax((int) value),
            BucketNodeOptions::backupsMax,
            1,
            0,
            15));
  }
}
