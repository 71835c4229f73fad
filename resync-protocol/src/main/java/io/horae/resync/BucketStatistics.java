package io.horae.resync;

import java.util.Map;

/**
 * What a {@link BucketNode} holds and has done, at one moment.
 *
 * @param ready whether it knows the whole table under its view
 * @param primaries the buckets that it serves
 * @param yielding the buckets whose last item is on its way to another server
 * @param copies the buckets that it has a whole copy of and does not serve
 * @param filling the buckets that it is being sent
 * @param sending the buckets that it sends
 * @param transfersDone the buckets that it has sent to the end
 * @param transfersFailed the transfers of its own that came to nothing
 * @param itemsSent the items sent in transfers, those sent again included
 * @param itemsTaken the items taken in transfers
 * @param reads the reads answered
 * @param writes the writes taken from clients
 * @param writesOpen those of them that some backup does not have yet
 * @param writesRepeated the writes that came again and were not done again
 * @param redirects the requests answered with {@code NOT_MINE}
 * @param retries the requests answered with {@code RETRY}
 * @param rejected messages that were not acted on, by reason
 */
public record BucketStatistics(
    boolean ready,
    int primaries,
    int yielding,
    int copies,
    int filling,
    int sending,
    long transfersDone,
    long transfersFailed,
    long itemsSent,
    long itemsTaken,
    long reads,
    long writes,
    long writesOpen,
    long writesRepeated,
    long redirects,
    long retries,
    Map<Rejection, Long> rejected) {

  /**
   * Copies the map.
   *
   * @param ready whether it knows the whole table under its view
   * @param primaries the buckets that it serves
   * @param yielding the buckets whose last item is on its way to another server
   * @param copies the buckets that it has a whole copy of and does not serve
   * @param filling the buckets that it is being sent
   * @param sending the buckets that it sends
   * @param transfersDone the buckets that it has sent to the end
   * @param transfersFailed the transfers of its own that came to nothing
   * @param itemsSent the items sent in transfers, those sent again included
   * @param itemsTaken the items taken in transfers
   * @param reads the reads answered
   * @param writes the writes taken from clients
   * @param writesOpen those of them that some backup does not have yet
   * @param writesRepeated the writes that came again and were not done again
   * @param redirects the requests answered with {@code NOT_MINE}
   * @param retries the requests answered with {@code RETRY}
   * @param rejected messages that were not acted on, by reason
   */
  public BucketStatistics {
    rejected = Map.copyOf(rejected);
  }

  /** Why a message was not acted on. */
  public enum Rejection {
    /** It was said under an older view. */
    VIEW_BEHIND,
    /** It was said under a view that this server has not heard of yet. */
    VIEW_AHEAD,
    /** It was said under another view of the same epoch. */
    VIEW_DIFFERS,
    /** It speaks of an epoch of a bucket that is over. */
    EPOCH_BEHIND,
    /** It belongs to nothing that goes on here. */
    UNEXPECTED,
    /** It makes no sense. */
    MALFORMED
  }
}
