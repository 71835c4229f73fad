package io.horae.resync;

import io.horae.placement.Bucket;
import io.horae.placement.HashMask;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What servers and clients say to each other about {@linkplain BucketNode buckets}. Any of them may
 * be lost, come twice or late. What servers say among themselves counts under the view that it is
 * said in, and under no other.
 */
public sealed interface BucketMessage extends Message
    permits BucketMessage.BetweenServers, BucketMessage.Request, BucketMessage.Answer {

  /** What servers say among themselves. */
  sealed interface BetweenServers extends BucketMessage
      permits Claims,
          Offer,
          Accept,
          Refuse,
          Cancel,
          Items,
          Taken,
          Forward,
          Forwarded,
          Last,
          Configure,
          Publish,
          Published,
          Leaving {
    /**
     * The view that it is said in.
     *
     * @return the view
     */
    ViewStamp view();
  }

  /** What a server's copy of a bucket is. */
  enum Role {
    /** It serves it. */
    PRIMARY,
    /** It has sent the last item to the next primary, and does not know whether it arrived. */
    YIELDING,
    /** It has all of it, and does not serve it. */
    COPY
  }

  /**
   * A server's copy of a bucket.
   *
   * @param bucket the bucket as its primary has told it last
   * @param role what the copy is
   * @param sequence the number of the last write in it
   */
  record Claim(Bucket bucket, Role role, long sequence) {}

  /**
   * "When I took this view, I had these." From every member to every other.
   *
   * @param view the view
   * @param incarnation which start of the server says so
   * @param wanted whether the other's claims are wanted in return
   * @param claims all that the sender had
   */
  record Claims(ViewStamp view, long incarnation, boolean wanted, List<Claim> claims)
      implements BetweenServers {
    /**
     * Copies the list.
     *
     * @param view the view
     * @param incarnation which start of the server says so
     * @param wanted whether the other's claims are wanted in return
     * @param claims all that the sender had
     */
    public Claims {
      claims = List.copyOf(claims);
    }
  }

  /**
   * "I am about to send you a bucket."
   *
   * @param view the view
   * @param transfer the sender's number for it, higher than those before
   * @param bucket the bucket as it is
   * @param move whether the receiver is to own it; else to be a backup
   * @param sequence the number of the last write; those that follow will be forwarded
   */
  record Offer(ViewStamp view, long transfer, Bucket bucket, boolean move, long sequence)
      implements BetweenServers {}

  /**
   * "Send it."
   *
   * @param view the view
   * @param transfer the transfer
   * @param complete whether there is nothing to send, as this server is its backup already
   */
  record Accept(ViewStamp view, long transfer, boolean complete) implements BetweenServers {}

  /** Why a transfer is refused. */
  enum Refusal {
    /** Not now; offer it again later. */
    BUSY,
    /** The receiver knows of later changes of the bucket. */
    EPOCH_BEHIND,
    /** There is no such transfer, or not any more. */
    UNKNOWN,
    /** The last item did not find the others: the receiver is not the primary. */
    NOT_OWNED
  }

  /**
   * "Of this transfer nothing will come": a last word, which is never taken back.
   *
   * @param view the view
   * @param transfer the transfer
   * @param reason why
   */
  record Refuse(ViewStamp view, long transfer, Refusal reason) implements BetweenServers {}

  /**
   * "I end this transfer." By the sender of the items, who stays the primary.
   *
   * @param view the view
   * @param transfer the transfer
   */
  record Cancel(ViewStamp view, long transfer) implements BetweenServers {}

  /**
   * That a client's write has been done, so that it is not done twice.
   *
   * @param client the client
   * @param oldest the lowest number that the client still waited for
   * @param number the client's number for the write
   * @param hash the hash of the key
   * @param version what the write has become
   */
  record Receipt(long client, long oldest, long number, long hash, ItemVersion version) {}

  /**
   * Some items of a bucket that is sent.
   *
   * @param view the view
   * @param transfer the transfer
   * @param window the number of this message, from 0
   * @param items the items
   * @param receipts receipts of the bucket
   * @param last whether no window follows
   */
  record Items(
      ViewStamp view,
      long transfer,
      long window,
      List<Item> items,
      List<Receipt> receipts,
      boolean last)
      implements BetweenServers {
    /**
     * Copies the lists.
     *
     * @param view the view
     * @param transfer the transfer
     * @param window the number of this message, from 0
     * @param items the items
     * @param receipts receipts of the bucket
     * @param last whether no window follows
     */
    public Items {
      items = List.copyOf(items);
      receipts = List.copyOf(receipts);
    }
  }

  /**
   * "I have these."
   *
   * @param view the view
   * @param transfer the transfer
   * @param next the number of the first window that is missing
   */
  record Taken(ViewStamp view, long transfer, long next) implements BetweenServers {}

  /** What a write does. */
  enum Kind {
    /** It puts an item. */
    PUT,
    /** It removes one. */
    DELETE,
    /** It asks for one; among writes it is a mark that a read waits for. */
    GET
  }

  /**
   * A write that a primary has done. The array must not be changed.
   *
   * @param kind what it does; {@link Kind#GET} does nothing
   * @param version its place among the bucket's writes
   * @param hash the hash of the key
   * @param key the key
   * @param value the value; empty unless it is a put
   * @param client the client that asked for it
   * @param number the client's number for it
   * @param oldest the lowest number that the client still waited for
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by content
  record Write(
      Kind kind,
      ItemVersion version,
      long hash,
      byte[] key,
      byte[] value,
      long client,
      long number,
      long oldest) {

    int bytes() {
      return key.length + value.length;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Write write
          && kind == write.kind
          && version.equals(write.version)
          && hash == write.hash
          && client == write.client
          && number == write.number
          && oldest == write.oldest
          && Arrays.equals(key, write.key)
          && Arrays.equals(value, write.value);
    }

    @Override
    public int hashCode() {
      return version.hashCode();
    }
  }

  /**
   * Writes, from the primary to a backup, or to a server that is being sent the bucket.
   *
   * @param view the view
   * @param transfer the transfer; 0 to a backup
   * @param bucket the bucket
   * @param epoch its epoch
   * @param committed the number of the last write that primary and backups have
   * @param writes the writes, one number after the other
   */
  record Forward(
      ViewStamp view,
      long transfer,
      HashMask bucket,
      long epoch,
      long committed,
      List<Write> writes)
      implements BetweenServers {
    /**
     * Copies the list.
     *
     * @param view the view
     * @param transfer the transfer; 0 to a backup
     * @param bucket the bucket
     * @param epoch its epoch
     * @param committed the number of the last write that primary and backups have
     * @param writes the writes, one number after the other
     */
    public Forward {
      writes = List.copyOf(writes);
    }
  }

  /**
   * "I have all writes up to this one, and know of this epoch." Answers {@link Forward} and {@link
   * Configure}.
   *
   * @param view the view
   * @param transfer the transfer; 0 from a backup
   * @param bucket the bucket
   * @param epoch the epoch that the sender goes by
   * @param sequence the number of the last write that it has
   */
  record Forwarded(ViewStamp view, long transfer, HashMask bucket, long epoch, long sequence)
      implements BetweenServers {}

  /**
   * "That was the last item: the bucket is yours." The receiver is the primary from this moment on.
   * Answered by {@link Publish}, or by {@link Refuse}.
   *
   * @param view the view
   * @param transfer the transfer
   * @param bucket the bucket from now on
   * @param sequence the number of the last write
   */
  record Last(ViewStamp view, long transfer, Bucket bucket, long sequence)
      implements BetweenServers {}

  /**
   * "This is how the bucket is from now on, and you are its backup." From the primary.
   *
   * @param view the view
   * @param transfer the transfer by which the receiver has become a backup; 0 if it was one
   * @param bucket the bucket
   * @param sequence a write that every backup has
   */
  record Configure(ViewStamp view, long transfer, Bucket bucket, long sequence)
      implements BetweenServers {}

  /**
   * "This has changed." From the primary to all members.
   *
   * @param view the view
   * @param number the sender's number for it, to be acknowledged; 0 if no answer is wanted
   * @param entries what has changed
   */
  record Publish(ViewStamp view, long number, List<Bucket> entries) implements BetweenServers {
    /**
     * Copies the list.
     *
     * @param view the view
     * @param number the sender's number for it, to be acknowledged; 0 if no answer is wanted
     * @param entries what has changed
     */
    public Publish {
      entries = List.copyOf(entries);
    }
  }

  /**
   * "I know."
   *
   * @param view the view
   * @param number the number of what was published
   */
  record Published(ViewStamp view, long number) implements BetweenServers {}

  /**
   * "I wish to leave: send me nothing, and find other backups." From a member to every other.
   *
   * @param view the view
   */
  record Leaving(ViewStamp view) implements BetweenServers {}

  /**
   * What a client asks of a server. The arrays must not be changed.
   *
   * @param client which client: a number of its own
   * @param number the client's number for it; a request that is sent again keeps it
   * @param oldest the lowest number that the client still waits for
   * @param kind what is asked for
   * @param bucket the bucket as the client knows it
   * @param epoch its epoch as the client knows it
   * @param hash the hash of the key
   * @param key the key
   * @param value the value; empty unless it is a put
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by content
  record Request(
      long client,
      long number,
      long oldest,
      Kind kind,
      HashMask bucket,
      long epoch,
      long hash,
      byte[] key,
      byte[] value)
      implements BucketMessage {

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Request request
          && client == request.client
          && number == request.number
          && oldest == request.oldest
          && kind == request.kind
          && bucket.equals(request.bucket)
          && epoch == request.epoch
          && hash == request.hash
          && Arrays.equals(key, request.key)
          && Arrays.equals(value, request.value);
    }

    @Override
    public int hashCode() {
      return Long.hashCode(client) + 31 * Long.hashCode(number);
    }
  }

  /** What became of a request. */
  enum Outcome {
    /** Here is what is under the key. */
    FOUND,
    /** There is nothing under the key. */
    ABSENT,
    /** The write is done, on the primary and on its backups. */
    DONE,
    /** This server is not the primary; who is stands in the entries. Nothing was done. */
    NOT_MINE,
    /** Not now; ask again. Nothing was done. */
    RETRY,
    /** Key or value is too large. Nothing was done. */
    TOO_LARGE
  }

  /**
   * What a server answers. The array must not be changed.
   *
   * @param client the client
   * @param number the client's number for the request
   * @param outcome what became of it
   * @param value the value, if one was found; else empty
   * @param version the version of what was found, or of the write; else 0@0
   * @param entries what the client should know of the table, if that is news
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by content
  record Answer(
      long client,
      long number,
      Outcome outcome,
      byte[] value,
      ItemVersion version,
      List<Bucket> entries)
      implements BucketMessage {
    /**
     * Copies the list.
     *
     * @param client the client
     * @param number the client's number for the request
     * @param outcome what became of it
     * @param value the value, if one was found; else empty
     * @param version the version of what was found, or of the write; else 0@0
     * @param entries what the client should know of the table, if that is news
     */
    public Answer {
      entries = List.copyOf(entries);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Answer answer
          && client == answer.client
          && number == answer.number
          && outcome == answer.outcome
          && version.equals(answer.version)
          && entries.equals(answer.entries)
          && Arrays.equals(value, answer.value);
    }

    @Override
    public int hashCode() {
      return Long.hashCode(client) + 31 * Long.hashCode(number);
    }
  }
}
