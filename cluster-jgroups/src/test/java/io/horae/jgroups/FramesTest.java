package io.horae.jgroups;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.placement.Node;
import io.horae.resync.ViewStamp;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FramesTest {

  private static final Term TERM = new Term(7, -1, 2);
  private static final Node KOELN = Node.of("Köln:7253").withWeight(2.5).withZone("eu");
  private static final Report REPORT =
      new Report(TERM, 3, KOELN, new ViewStamp(5, -6), Report.Standing.WISHES_TO_LEAVE);
  private static final Decision DECISION =
      new Decision(
          TERM,
          6,
          List.of(
              new Decision.Seat(0, 3, KOELN, Decision.Role.LEAVING),
              new Decision.Seat(1, 4, Node.of("b"), Decision.Role.STAYING),
              new Decision.Seat(2, 5, Node.of("c"), Decision.Role.JOINING)));

  private static Frames.Frame decode(byte[] bytes) {
    return Frames.decode(ByteBuffer.wrap(bytes));
  }

  @Test
  void decode_encoded_isTheSame() {
    for (Report.Standing standing : Report.Standing.values()) {
      Report report = new Report(TERM, 3, KOELN, REPORT.last(), standing);
      assertEquals(new Frames.Frame.Reported(report), decode(Frames.encode(report)));
    }
    assertEquals(new Frames.Frame.Decided(DECISION), decode(Frames.encode(DECISION)));
  }

  /** Members of different releases read each other: the layout of a version never changes. */
  @Test
  void encode_layout() {
    assertEquals(
        "4d0101"
            + "0000000000000007ffffffffffffffff0000000000000002"
            + "0000000000000003"
            + "000a4bc3b66c6e3a37323533"
            + "4004000000000000"
            + "00026575"
            + "0000000000000005fffffffffffffffa"
            + "02",
        HexFormat.of().formatHex(Frames.encode(REPORT)));
    Decision one =
        new Decision(
            TERM, 6, List.of(new Decision.Seat(1, 4, Node.of("b"), Decision.Role.STAYING)));
    assertEquals(
        "4d0102"
            + "0000000000000007ffffffffffffffff0000000000000002"
            + "0000000000000006"
            + "00000001"
            + "00000001"
            + "0000000000000004"
            + "000162"
            + "3ff0000000000000"
            + "0000"
            + "01",
        HexFormat.of().formatHex(Frames.encode(one)));
  }

  @Test
  void decode_anotherVersionOrType_isUnknown() {
    byte[] bytes = Frames.encode(REPORT);
    bytes[1] = 2;
    assertInstanceOf(Frames.Frame.Unknown.class, decode(bytes));
    bytes[1] = 1;
    bytes[2] = 3;
    assertInstanceOf(Frames.Frame.Unknown.class, decode(bytes));
  }

  @Test
  void decode_cutOrExtended_isMalformed() {
    for (byte[] bytes : List.of(Frames.encode(REPORT), Frames.encode(DECISION))) {
      for (int length = 0; length < bytes.length; length++) {
        assertInstanceOf(Frames.Frame.Malformed.class, decode(Arrays.copyOf(bytes, length)));
      }
      assertInstanceOf(
          Frames.Frame.Malformed.class, decode(Arrays.copyOf(bytes, bytes.length + 1)));
    }
  }

  @Test
  void decode_anyBytes_neverThrows() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = Frames.encode(DECISION);
      int changes = random.nextInt(1, 4);
      for (int change = 0; change < changes; change++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      Frames.Frame frame = decode(bytes);
      if (frame instanceof Frames.Frame.Decided decided) {
        assertArrayEquals(bytes, Frames.encode(decided.decision()));
      }
    }
  }

  @Test
  void decode_countWithoutRoom_isMalformed() {
    byte[] bytes = Frames.encode(new Decision(TERM, 6, List.of()));
    ByteBuffer.wrap(bytes).putInt(bytes.length - 4, Integer.MAX_VALUE);
    assertInstanceOf(Frames.Frame.Malformed.class, decode(bytes));
  }

  @Test
  void fits_halfASurrogatePairOrTooLong_doesNot() {
    assertTrue(Frames.fits(KOELN));
    assertFalse(Frames.fits(Node.of("a\ud800")));
    assertFalse(Frames.fits(Node.of("a".repeat(65_536))));
    assertFalse(Frames.fits(Node.of("a").withZone("\udc00")));
  }
}
