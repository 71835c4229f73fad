package io.horae.resync;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Bytes that grow as they are written. {@link ByteReader} reads them back. */
final class ByteWriter {

  /** Some virtual machines allow no longer array. */
  private static final int BYTES_MAX = Integer.MAX_VALUE - 8;

  private static final int VARINT_BYTES_MAX = 10;

  private ByteBuffer buffer = ByteBuffer.allocate(256);

  byte[] toByteArray() {
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  void uint8(int value) {
    reserve(1).put((byte) value);
  }

  void fixed32(int value) {
    reserve(Integer.BYTES).putInt(value);
  }

  void fixed64(long value) {
    reserve(Long.BYTES).putLong(value);
  }

  /**
   * Seven bits a byte, the low ones first; short for small numbers, ten bytes for negative ones.
   */
  void varint(long value) {
    ByteBuffer to = reserve(VARINT_BYTES_MAX);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      to.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    to.put((byte) rest);
  }

  /** A varint that is short for small negative numbers too. */
  void zigzag(long value) {
    varint(value << 1 ^ value >> 63);
  }

  void bytes(byte[] value) {
    varint(value.length);
    reserve(value.length).put(value);
  }

  /**
   * The text as UTF-8.
   *
   * @throws IllegalArgumentException if it has half a surrogate pair, which UTF-8 cannot say
   */
  void text(String value) {
    byte[] utf8 = value.getBytes(UTF_8);
    if (!new String(utf8, UTF_8).equals(value)) {
      throw new IllegalArgumentException("text with half a surrogate pair: \"" + value + "\"");
    }
    bytes(utf8);
  }

  private ByteBuffer reserve(int count) {
    if (buffer.remaining() < count) {
      long needed = (long) buffer.position() + count;
      if (needed > BYTES_MAX) {
        throw new IllegalArgumentException("a message of " + needed + " bytes or more");
      }
      int capacity = (int) Math.min(BYTES_MAX, Math.max(needed, 2L * buffer.capacity()));
      buffer = ByteBuffer.allocate(capacity).put(buffer.flip());
    }
    return buffer;
  }
}
