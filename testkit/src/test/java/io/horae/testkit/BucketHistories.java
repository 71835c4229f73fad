package io.horae.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.horae.resync.BucketMessage.Kind;
import io.horae.resync.BucketResult;
import io.horae.resync.ItemVersion;
import java.util.concurrent.atomic.AtomicLong;

/** Histories made by hand. */
final class BucketHistories {

  private BucketHistories() {}

  /** A put, or if there is nothing to put, a get that found something; begun and ended. */
  static void step(BucketKey key, AtomicLong moment, String client, String put, String found) {
    Kind kind = put == null ? Kind.GET : Kind.PUT;
    BucketStep step =
        new BucketStep(client, key, kind, put == null ? "" : put, moment.incrementAndGet());
    key.begun(step);
    step.end(
        moment.incrementAndGet(),
        new BucketResult(
            moment.get(),
            put == null ? BucketResult.Outcome.FOUND : BucketResult.Outcome.DONE,
            found.getBytes(UTF_8),
            new ItemVersion(1, moment.get()),
            0));
  }
}
