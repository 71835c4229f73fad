package io.horae.resync;

/**
 * What a {@link BucketClient} wants done. The host implements it, and must not call the client from
 * within: queue what leads back to it.
 */
public interface BucketClientOutbox {

  /**
   * Send a request, if possible: nothing is assumed but that it may arrive.
   *
   * @param server the server's id
   * @param request what to send
   */
  void send(String server, BucketMessage.Request request);

  /**
   * An operation is over.
   *
   * @param result how it went
   */
  void done(BucketResult result);
}
