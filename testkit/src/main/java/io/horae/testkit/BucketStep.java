package io.horae.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.horae.resync.BucketMessage.Kind;
import io.horae.resync.BucketResult;
import io.horae.resync.ItemVersion;
import org.jspecify.annotations.Nullable;

/** What a client asked for, and what it was told. */
final class BucketStep {

  private final String client;
  private final BucketKey key;
  private final Kind kind;
  private final String value;
  private final long begun;
  private long ended = Long.MAX_VALUE;
  private @Nullable BucketResult result;

  BucketStep(String client, BucketKey key, Kind kind, String value, long begun) {
    this.client = client;
    this.key = key;
    this.kind = kind;
    this.value = value;
    this.begun = begun;
  }

  String client() {
    return client;
  }

  BucketKey key() {
    return key;
  }

  boolean reads() {
    return kind == Kind.GET;
  }

  boolean deletes() {
    return kind == Kind.DELETE;
  }

  boolean puts() {
    return kind == Kind.PUT;
  }

  /** What it put. */
  String value() {
    return value;
  }

  /** The place of its beginning and of its end among all such moments. */
  long begun() {
    return begun;
  }

  long ended() {
    return ended;
  }

  void end(long at, BucketResult how) {
    ended = how.outcome() == BucketResult.Outcome.GIVEN_UP ? Long.MAX_VALUE : at;
    result = how;
  }

  boolean succeeded() {
    return result != null && result.outcome() != BucketResult.Outcome.GIVEN_UP;
  }

  ItemVersion version() {
    return result == null ? new ItemVersion(0, 0) : result.version();
  }

  /** What a read found; empty if nothing. */
  String found() {
    return result == null ? "" : new String(result.value(), UTF_8);
  }

  @Override
  public String toString() {
    return client
        + " "
        + kind
        + " "
        + key.name()
        + " "
        + value
        + (result == null ? "" : ": " + result.outcome() + " " + found() + " v" + version());
  }
}
