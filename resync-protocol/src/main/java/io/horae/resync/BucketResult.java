package io.horae.resync;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How an operation of a {@link BucketClient} went.
 *
 * @param number the operation
 * @param outcome how it ended
 * @param value what was found; else empty. Not to be changed
 * @param version the version of what was found, or of the write; else 0@0
 * @param hops how often a server sent the client to another
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content
public record BucketResult(
    long number, Outcome outcome, byte[] value, ItemVersion version, int hops) {

  /** How an operation ends. */
  public enum Outcome {
    /** A read found an item. */
    FOUND,
    /** A read found that there is none. */
    ABSENT,
    /** A write is done, once, on the primary and its backups. */
    DONE,
    /** The servers take no key, or no value, of that size. Nothing was done. */
    TOO_LARGE,
    /** No server answered in time. A write may have been done, or yet be. */
    GIVEN_UP
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BucketResult result
        && number == result.number
        && outcome == result.outcome
        && version.equals(result.version)
        && hops == result.hops
        && Arrays.equals(value, result.value);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(number);
  }
}
