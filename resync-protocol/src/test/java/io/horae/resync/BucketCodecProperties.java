package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** What comes back of messages about buckets, and of bytes that are none. */
class BucketCodecProperties {

  @Property(tries = 3_000, shrinking = ShrinkingMode.OFF)
  void whatIsWrittenIsReadBack(
      @ForAll long seed, @ForAll @IntRange(max = RandomBucketMessages.KINDS - 1) int kind) {
    Message message = new RandomBucketMessages(seed).next(kind);
    assertEquals(new Decoded.Understood(message), Codec.decode(Codec.encode(message)));
  }

  @Property(tries = 10_000)
  void anyBytesBehindAGoodBeginningAreReadWithoutAnException(
      @ForAll byte[] bytes,
      @ForAll @IntRange(min = BucketFrames.FIRST, max = BucketFrames.LAST + 1) int type) {
    byte[] frame = new byte[3 + bytes.length];
    frame[0] = 0x48;
    frame[1] = 1;
    frame[2] = (byte) type;
    System.arraycopy(bytes, 0, frame, 3, bytes.length);
    checkRead(frame);
  }

  @Property(tries = 10_000, shrinking = ShrinkingMode.OFF)
  void damagedMessagesAreReadWithoutAnException(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] frame = Codec.encode(new RandomBucketMessages(seed).next());
    for (int damage = random.nextInt(1, 4); damage > 0 && frame.length > 0; damage--) {
      frame = CodecProperties.damaged(frame, random);
    }
    checkRead(frame);
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void noMessageIsTheBeginningOfAnother(@ForAll long seed) {
    byte[] frame = Codec.encode(new RandomBucketMessages(seed).next());
    for (int length = 0; length < frame.length; length += 1 + frame.length / 100) {
      assertInstanceOf(Decoded.Malformed.class, Codec.decode(Arrays.copyOf(frame, length)));
    }
    assertInstanceOf(Decoded.Malformed.class, Codec.decode(Arrays.copyOf(frame, frame.length + 1)));
  }

  @Property(tries = 100)
  void laterKindsAreUnknownAndSkipped(@ForAll byte[] bytes) {
    byte[] frame = Arrays.copyOf(new byte[] {0x48, 1, BucketFrames.LAST + 1}, 3 + bytes.length);
    System.arraycopy(bytes, 0, frame, 3, bytes.length);
    assertEquals(new Decoded.Unknown(1, BucketFrames.LAST + 1), Codec.decode(frame));
  }

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
