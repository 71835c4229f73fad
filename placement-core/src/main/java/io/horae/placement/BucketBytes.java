package io.horae.placement;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Bytes with a head and a checksum around them. A number has seven bits in each byte, the low ones
 * first, and the top bit on all bytes but its last.
 */
final class BucketBytes {

  private static final int HEAD_BYTES = 3;
  private static final int CHECKSUM_BYTES = Integer.BYTES;

  private BucketBytes() {}

  private static int checksum(byte[] bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, length);
    return (int) checksum.getValue();
  }

  static final class Writer {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Writer(int kind) {
      out.write('H');
      out.write('B');
      out.write(kind);
    }

    /** Any number, as if unsigned. */
    void number(long number) {
      long rest = number;
      for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
        out.write(((int) rest & 0x7f) | 0x80);
      }
      out.write((int) rest);
    }

    void real(double number) {
      out.writeBytes(ByteBuffer.allocate(Double.BYTES).putDouble(number).array());
    }

    /** Unit by unit, since not every id has an encoding. */
    void text(String text) {
      number(text.length());
      text.chars().forEach(this::number);
    }

    byte[] bytes() {
      byte[] content = out.toByteArray();
      return ByteBuffer.allocate(content.length + CHECKSUM_BYTES)
          .put(content)
          .putInt(checksum(content, content.length))
          .array();
    }
  }

  /** Every call fails by name rather than read past the end. */
  static final class Reader {

    private final byte[] bytes;
    private final String what;
    private final int end;
    private int at = HEAD_BYTES;

    Reader(byte[] bytes, int kind, String what) {
      this.bytes = bytes;
      this.what = what;
      end = bytes.length - CHECKSUM_BYTES;
      if (end < HEAD_BYTES) {
        throw new IllegalArgumentException(
            "not a " + what + ": " + bytes.length + " bytes are too few");
      }
      if (bytes[0] != 'H' || bytes[1] != 'B' || bytes[2] != kind) {
        throw new IllegalArgumentException("not a " + what + ": it begins otherwise");
      }
      if (checksum(bytes, end) != ByteBuffer.wrap(bytes).getInt(end)) {
        throw new IllegalArgumentException("not a " + what + ": its checksum is wrong");
      }
    }

    IllegalArgumentException bad(String why) {
      return new IllegalArgumentException("not a " + what + ": " + why + ", at byte " + at);
    }

    /** How many bytes are still to be read. */
    int left() {
      return end - at;
    }

    void end() {
      if (at != end) {
        throw bad(left() + " bytes too many");
      }
    }

    private int next() {
      if (at == end) {
        throw bad("it ends too early");
      }
      return bytes[at++] & 0xff;
    }

    long anyNumber() {
      long number = 0;
      for (int shift = 0; shift < Long.SIZE; shift += 7) {
        int next = next();
        if (shift == 63 && next > 1) {
          throw bad("a number of more than 64 bits");
        }
        number |= (long) (next & 0x7f) << shift;
        if (next < 0x80) {
          return number;
        }
      }
      throw bad("a number of more than 64 bits");
    }

    long number() {
      long number = anyNumber();
      if (number < 0) {
        throw bad("a negative number: " + number);
      }
      return number;
    }

    int number(int most, String name) {
      long number = anyNumber();
      if (number < 0 || number > most) {
        throw bad(name + ": " + Long.toUnsignedString(number) + ", more than " + most);
      }
      return (int) number;
    }

    double real() {
      if (left() < Double.BYTES) {
        throw bad("it ends too early");
      }
      at += Double.BYTES;
      return ByteBuffer.wrap(bytes).getDouble(at - Double.BYTES);
    }

    String text() {
      int length = number(left(), "letters");
      char[] units = new char[length];
      for (int i = 0; i < length; i++) {
        units[i] = (char) number(Character.MAX_VALUE, "letter");
      }
      return new String(units);
    }
  }
}
