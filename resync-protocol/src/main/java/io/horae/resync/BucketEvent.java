package io.horae.resync;

import io.horae.placement.Bucket;
import io.horae.placement.HashMask;
import java.util.List;

/** What a {@link BucketNode} reports beside messages. */
public sealed interface BucketEvent
    permits BucketEvent.Ready,
        BucketEvent.Changed,
        BucketEvent.TransferBegun,
        BucketEvent.TransferEnded,
        BucketEvent.TakenOver,
        BucketEvent.BegunEmpty,
        BucketEvent.Forgotten,
        BucketEvent.Drained,
        BucketEvent.Restarted,
        BucketEvent.ViewRefused,
        BucketEvent.LimitReached {

  /**
   * This server knows the whole table under a view, and takes part.
   *
   * @param view the view
   */
  record Ready(ViewStamp view) implements BucketEvent {}

  /**
   * Entries that this server has changed, as the primary. A host may send them to its clients.
   *
   * @param entries the entries
   */
  record Changed(List<Bucket> entries) implements BucketEvent {
    /**
     * Copies the list.
     *
     * @param entries the entries
     */
    public Changed {
      entries = List.copyOf(entries);
    }
  }

  /**
   * This server begins to send a bucket.
   *
   * @param bucket the bucket
   * @param to the server that it goes to
   * @param move whether that is to own it; else it is to be a backup
   */
  record TransferBegun(HashMask bucket, String to, boolean move) implements BucketEvent {}

  /**
   * A transfer from this server is over.
   *
   * @param bucket the bucket
   * @param to the server that it went to
   * @param move whether that was to own it
   * @param success whether it does, or is a backup; else this server is the primary as before
   * @param items the items sent
   */
  record TransferEnded(HashMask bucket, String to, boolean move, boolean success, long items)
      implements BucketEvent {}

  /**
   * This server owns a bucket whose primary is gone from the view.
   *
   * @param bucket the bucket
   */
  record TakenOver(Bucket bucket) implements BucketEvent {}

  /**
   * No member holds a copy of some hashes: this server owns them, with nothing in them. So it is
   * also when a cluster begins.
   *
   * @param bucket the bucket
   */
  record BegunEmpty(Bucket bucket) implements BucketEvent {}

  /**
   * This server has let go of what it held of a bucket.
   *
   * @param bucket the bucket
   */
  record Forgotten(HashMask bucket) implements BucketEvent {}

  /**
   * This server wishes to {@linkplain BucketNode#leave leave} and holds nothing any more: while
   * this view lasts nothing is lost if it is stopped. Under a further view of which it is a member
   * that is reported anew.
   *
   * @param view the view
   */
  record Drained(ViewStamp view) implements BucketEvent {}

  /**
   * A server has started anew under a view in which it had been heard before. It cannot take part
   * before the next view: whoever decides on membership must bring one, with the same members if
   * need be.
   *
   * @param server its id
   */
  record Restarted(String server) implements BucketEvent {}

  /**
   * A view was not taken.
   *
   * @param view what was offered
   * @param current the server's view
   * @param conflicting whether both have the same epoch and different members; else it was older
   */
  record ViewRefused(ViewStamp view, ViewStamp current, boolean conflicting)
      implements BucketEvent {}

  /**
   * A limit was reached, and something was put off because of it.
   *
   * @param option the limit, as {@link BucketNodeOptions} calls it
   * @param limit its value
   */
  record LimitReached(String option, long limit) implements BucketEvent {}
}
