package io.horae.resync;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Reads what {@link ByteWriter} wrote, and trusts none of it: whatever the bytes are, a call
 * returns a value or throws {@link IllegalArgumentException}, and allocates no more than the bytes
 * that are left can fill.
 */
final class ByteReader {

  private final ByteBuffer buffer;

  /** Reads what remains in a buffer, whose position stays. */
  ByteReader(ByteBuffer buffer) {
    this.buffer = buffer.duplicate(); // big-endian, whatever the original is
  }

  int remaining() {
    return buffer.remaining();
  }

  int uint8() {
    return need(1).get() & 0xff;
  }

  int fixed32() {
    return need(Integer.BYTES).getInt();
  }

  long fixed64() {
    return need(Long.BYTES).getLong();
  }

  /** Refuses a number in more bytes than it needs, so that each is written in one way only. */
  long varint() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = uint8();
      value |= (next & 0x7fL) << shift;
      if (next < 0x80) {
        if ((next == 0 && shift > 0) || (next > 1 && shift == 63)) {
          break;
        }
        return value;
      }
    }
    throw new IllegalArgumentException("bad varint before byte " + buffer.position());
  }

  long zigzag() {
    long value = varint();
    return value >>> 1 ^ -(value & 1);
  }

  /** A varint of up to {@code most}, which is not negative. */
  int varint(int most) {
    return checked(varint(), most);
  }

  boolean bool() {
    int value = uint8();
    if (value > 1) {
      throw new IllegalArgumentException("neither 0 nor 1: " + value);
    }
    return value == 1;
  }

  /** How many values follow that take at least so many bytes each: no more than can be there. */
  int count(int bytesLeast) {
    long count = varint(); // first, since it is not among what remains
    return checked(count, buffer.remaining() / bytesLeast);
  }

  byte[] bytes() {
    byte[] value = new byte[count(1)];
    buffer.get(value);
    return value;
  }

  String text() {
    byte[] utf8 = bytes();
    String text = new String(utf8, UTF_8);
    // Bad bytes were replaced by good ones, so what does not come back the same was bad.
    if (!Arrays.equals(text.getBytes(UTF_8), utf8)) {
      throw new IllegalArgumentException("text that is not UTF-8");
    }
    return text;
  }

  private static int checked(long value, int most) {
    if (value < 0 || value > most) {
      throw new IllegalArgumentException(
          "number above " + most + ": " + Long.toUnsignedString(value));
    }
    return (int) value;
  }

  private ByteBuffer need(int count) {
    if (buffer.remaining() < count) {
      throw new IllegalArgumentException(
          "ends " + (count - buffer.remaining()) + " bytes too early");
    }
    return buffer;
  }
}
