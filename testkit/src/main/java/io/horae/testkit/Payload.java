package io.horae.testkit;

import io.horae.resync.Pop;
import io.horae.resync.TimerRecord;
import java.nio.ByteBuffer;

/**
 * What simulated timers carry: the number of the client's operation that made them so. Thus a pop
 * says which operation it belongs to without any help of the node's own stamps.
 */
final class Payload {

  private Payload() {}

  static byte[] of(long operation, int length) {
    return ByteBuffer.allocate(Math.max(length, Long.BYTES)).putLong(operation).array();
  }

  static long operation(Pop pop) {
    return ByteBuffer.wrap(pop.payload()).getLong();
  }

  /** Of a record that is no tombstone; these carry nothing. */
  static long operation(TimerRecord record) {
    return ByteBuffer.wrap(record.payload()).getLong();
  }
}
