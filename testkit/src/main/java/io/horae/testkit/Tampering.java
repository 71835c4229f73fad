package io.horae.testkit;

import io.horae.resync.Confirmation;
import io.horae.resync.Message;
import io.horae.resync.TimerNode;
import io.horae.resync.TimerStore;
import org.jspecify.annotations.Nullable;

/** A hand in the works, to see that the invariants notice. */
interface Tampering {

  /** Touches nothing. */
  Tampering NONE = new Tampering() {};

  /** What becomes of a message when it arrives; null if it vanishes. */
  default @Nullable Message message(Cluster cluster, String from, String to, Message message) {
    return message;
  }

  /** Sees all that happens, and may do more. */
  default void on(Cluster cluster, Happening happening) {}

  /** What a node is told of how a pop went. */
  default boolean outcome(boolean success) {
    return success;
  }

  /** How a node is set up. */
  default TimerNode.Builder node(TimerNode.Builder builder) {
    return builder;
  }

  /** What a client is told; null if nothing. */
  default @Nullable Confirmation confirmation(Confirmation confirmation) {
    return confirmation;
  }

  /** What a node keeps its timers in. */
  default TimerStore store(TimerStore store) {
    return store;
  }
}
