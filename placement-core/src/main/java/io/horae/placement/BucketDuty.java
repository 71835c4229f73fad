package io.horae.placement;

import org.jspecify.annotations.Nullable;

/**
 * What a server must do about a bucket because of a change of the table.
 *
 * @param server the server
 * @param kind what it must do
 * @param bucket which bucket it does it to; for {@link Kind#SPLIT} and {@link Kind#MERGE}, the
 *     whole
 * @param to who is sent the bucket, for {@link Kind#SEND}; otherwise null
 */
public record BucketDuty(Node server, Kind kind, HashMask bucket, @Nullable Node to) {

  /** Kinds of duties. */
  public enum Kind {
    /** Send the bucket's items to the server that comes to own it and holds no copy yet. */
    SEND("send"),
    /** Own the bucket from now on; if nothing was sent, with the copy that it has. */
    BECOME_PRIMARY("become primary of"),
    /** Keep a copy of the bucket that it owned so far. */
    BECOME_BACKUP("become backup of"),
    /** Let go of the bucket's items. */
    FORGET("forget"),
    /** Cut the bucket that it holds into its sixteen parts. */
    SPLIT("split"),
    /** Put the sixteen parts that it holds together. */
    MERGE("merge"),
    /** Tell clients, and the other servers, of the bucket's new entry. */
    PUBLISH("publish");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  /**
   * The duty in words.
   *
   * @return such as {@code a: send 000F/0006 to b}
   */
  @Override
  public String toString() {
    return server.id() + ": " + kind.words + " " + bucket + (to == null ? "" : " to " + to.id());
  }
}
