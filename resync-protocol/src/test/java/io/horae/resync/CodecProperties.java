package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** What comes back of messages, and of bytes that are none. */
class CodecProperties {

  @Property(tries = 3_000, shrinking = ShrinkingMode.OFF)
  void whatIsWrittenIsReadBack(
      @ForAll long seed, @ForAll @IntRange(max = RandomMessages.KINDS - 1) int kind) {
    Message message = new RandomMessages(seed).next(kind);
    assertEquals(new Decoded.Understood(message), Codec.decode(Codec.encode(message)));
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void aBufferIsReadFromItsPositionToItsLimitAndStays(@ForAll long seed) {
    Message message = new RandomMessages(seed).next();
    byte[] frame = Codec.encode(message);
    for (ByteBuffer buffer :
        new ByteBuffer[] {
          ByteBuffer.allocate(frame.length + 7), ByteBuffer.allocateDirect(frame.length + 7)
        }) {
      buffer.order(ByteOrder.LITTLE_ENDIAN).position(3).put(frame).flip().position(3);
      assertEquals(new Decoded.Understood(message), Codec.decode(buffer));
      assertEquals(new Decoded.Understood(message), Codec.decode(buffer.asReadOnlyBuffer()));
      assertEquals(3, buffer.position());
      assertEquals(3 + frame.length, buffer.limit());
    }
  }

  @Property(tries = 20_000)
  void anyBytesAreReadWithoutAnException(@ForAll byte[] bytes) {
    checkRead(bytes);
  }

  @Property(tries = 20_000)
  void anyBytesBehindAGoodBeginningAreReadWithoutAnException(
      @ForAll byte[] bytes, @ForAll @IntRange(min = 1, max = RandomMessages.KINDS) int type) {
    byte[] frame = new byte[3 + bytes.length];
    frame[0] = 0x48;
    frame[1] = 1;
    frame[2] = (byte) type;
    System.arraycopy(bytes, 0, frame, 3, bytes.length);
    checkRead(frame);
  }

  @Property(tries = 20_000, shrinking = ShrinkingMode.OFF)
  void damagedMessagesAreReadWithoutAnException(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] frame = Codec.encode(new RandomMessages(seed).next());
    for (int damage = random.nextInt(1, 4); damage > 0 && frame.length > 0; damage--) {
      frame = damaged(frame, random);
    }
    checkRead(frame);
  }

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void noMessageIsTheBeginningOfAnother(@ForAll long seed) {
    byte[] frame = Codec.encode(new RandomMessages(seed).next());
    for (int length = 0; length < frame.length; length += 1 + frame.length / 100) {
      assertInstanceOf(Decoded.Malformed.class, Codec.decode(Arrays.copyOf(frame, length)));
    }
    assertInstanceOf(Decoded.Malformed.class, Codec.decode(Arrays.copyOf(frame, frame.length + 1)));
  }

  static byte[] damaged(byte[] frame, SplittableRandom random) {
    int at = random.nextInt(frame.length);
    byte[] head = Arrays.copyOf(frame, at);
    byte[] tail = Arrays.copyOfRange(frame, at, frame.length);
    switch (random.nextInt(4)) {
      case 0 -> tail[0] ^= (byte) (1 << random.nextInt(8));
      case 1 -> tail = Arrays.copyOfRange(tail, random.nextInt(1, tail.length + 1), tail.length);
      case 2 -> tail = new byte[0];
      default -> {
        head = Arrays.copyOf(head, at + random.nextInt(1, 12));
        byte filling = (byte) (random.nextBoolean() ? 0xff : random.nextInt());
        Arrays.fill(head, at, head.length, filling);
      }
    }
    byte[] damaged = Arrays.copyOf(head, head.length + tail.length);
    System.arraycopy(tail, 0, damaged, head.length, tail.length);
    return damaged;
  }

  /** What was understood can be written and understood again; what was not has a reason. */
  private static void checkRead(byte[] bytes) {
    Decoded decoded = Codec.decode(bytes);
    if (decoded instanceof Decoded.Understood understood) {
      assertEquals(understood, Codec.decode(Codec.encode(understood.message())));
    } else if (decoded instanceof Decoded.Malformed malformed) {
      assertTrue(malformed.reason().length() > 5, malformed.reason());
    } else {
      assertEquals(new Decoded.Unknown(bytes[1] & 0xff, bytes[2] & 0xff), decoded);
    }
  }
}
