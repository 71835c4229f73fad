package io.horae.resync;

/**
 * What a {@link TimerNode} wants done. The host implements it, and must not call the node from
 * within: queue what leads back to it.
 */
public interface Outbox {

  /**
   * Send a message, if possible: nothing is assumed but that it may arrive.
   *
   * @param to the id of a node, never the sender's own
   * @param message what to send
   */
  void send(String to, Message message);

  /**
   * A timer is due. The host acts on it and then calls {@link TimerNode#popped}.
   *
   * @param pop what is due
   */
  void pop(Pop pop);

  /**
   * A client's operation has been confirmed by one more replica, or has ended.
   *
   * @param confirmation how it stands
   */
  void confirmed(Confirmation confirmation);

  /**
   * Something that a host may want to show, log or act on.
   *
   * @param event what happened
   */
  void report(Event event);
}
