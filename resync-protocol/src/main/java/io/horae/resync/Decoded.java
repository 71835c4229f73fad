package io.horae.resync;

/** What {@link Codec} makes of some bytes. */
public sealed interface Decoded permits Decoded.Understood, Decoded.Unknown, Decoded.Malformed {

  /**
   * A message, to be handed to {@link TimerNode}.
   *
   * @param message the message
   */
  record Understood(Message message) implements Decoded {}

  /**
   * A frame that a later release wrote. It is to be skipped, as if it had been lost: a cluster that
   * is upgraded node by node must live through it.
   *
   * @param version the version of the format
   * @param type the kind of message
   */
  record Unknown(int version, int type) implements Decoded {}

  /**
   * No frame at all. It is to be dropped and counted.
   *
   * @param reason what is wrong with it
   */
  record Malformed(String reason) implements Decoded {}
}
