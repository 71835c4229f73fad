package io.horae.resync;

/**
 * What a {@link BucketNode} wants done. The host implements it, and must not call the node from
 * within: queue what leads back to it.
 */
public interface BucketOutbox {

  /**
   * Send a message, if possible: nothing is assumed but that it may arrive.
   *
   * @param to a server's id; or a client, as it was named when its request was received
   * @param message what to send
   */
  void send(String to, BucketMessage message);

  /**
   * Something that a host may want to show, log or act on.
   *
   * @param event what happened
   */
  void report(BucketEvent event);
}
