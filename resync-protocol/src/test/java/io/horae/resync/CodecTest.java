package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames that a later release wrote, and frames that are wrong in one way each. */
class CodecTest {

  /** Id, version 1, origin 5 (new), sequence 0. */
  private static final String REFERENCE = "0000000000000009 01 00 00000005 00 ";

  /** Start 0, interval 100, popping once, factor 2. */
  private static final String TIMES = "00 64 00 02 ";

  /** View 7/1 (new), nodes a and b (new). */
  private static final String ASSIGNMENT = "00 00 07 0000000000000001 02 00 01 61 01 01 62 ";

  @ParameterizedTest
  @CsvSource({
    "48 01 00, 1, 0",
    "48 01 0b, 1, 11",
    "48 01 ff 01 02 03, 1, 255",
    "48 02 01, 2, 1",
    "48 ff 0a ff ff, 255, 10"
  })
  void decode_newerVersionOrType_isUnknown(String frame, int version, int type) {
    assertEquals(new Decoded.Unknown(version, type), decode(frame));
  }

  @Test
  void decode_partsOfTheFramesBelow_areGood() {
    assertInstanceOf(Decoded.Understood.class, decode("48 01 02 00 00 01" + REFERENCE));
    assertInstanceOf(Decoded.Understood.class, decode(record(ASSIGNMENT)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "48", "48 01", "48 02", "47 01 05 00", "48 00 05 00"})
  void decode_badBeginning_isMalformed(String frame) {
    assertMalformed(frame, "");
  }

  @ParameterizedTest
  @CsvSource({
    "varint that ends nowhere, 48 01 02 ffffffffffffffffffff 01, bad varint",
    "varint beyond 64 bits, 48 01 02 ffffffffffffffffff02 00, bad varint",
    "varint with a byte too many, 48 01 02 8000 00, bad varint",
    "varint without an end, 48 01 02 80, ends 1 bytes too early",
    "id without an end, 48 01 05 01 01020304050607, number above 0: 1",
    "extent of 3, 48 01 03 00 00 00 0000000000000001 03, no such extent: 3",
    "reason of 5, 48 01 0a 00 05 00 00 0000000000000001, no such reason: 5",
    "byte behind the end, 48 01 05 00 00, trailing bytes: 1",
    "negative epoch, 48 01 06 00 ffffffffffffffffff01 0000000000000001 00, epoch must not be",
    "view that was not said, 48 01 06 01 00, number above 0: 1"
  })
  void decode_wrongInOnePlace_isMalformed(String what, String frame, String reason) {
    assertMalformed(frame, reason);
  }

  @Test
  void decode_limitBeyondAnInt_isMalformed() {
    String fetch = "48 01 03 00 00 00 0000000000000001 00" + "0000000000000000".repeat(2);
    assertInstanceOf(Decoded.Understood.class, decode(fetch + "feffffff0f"));
    assertMalformed(fetch + "8080808010", "limit too large: 2147483648");
  }

  @ParameterizedTest
  @ValueSource(strings = {"05", "01 00", "02 00 00", "06 00 00 0000000000000001"})
  void decode_giantCounts_areMalformed(String typeAndHead) {
    for (String count : List.of("02", "ffffffff07", "8080808008", "ffffffffffffffff7f")) {
      assertMalformed("48 01" + typeAndHead + count + "00".repeat(15), "number above");
    }
  }

  @Test
  void decode_whatAValueRefuses_isMalformed() {
    String head = "48 01 02 00 00 01 0000000000000009 ";
    assertMalformed(head + "00 00 00000005 00", "version must be at least 1: 0");
    assertMalformed(head + "ffffffffffffffffff01 00 00000005 00", "version must be at least 1");
    assertMalformed(head + "01 00 00000005 8080808010", "sequence too large: 2147483648");
    assertMalformed(record("04" + ASSIGNMENT.substring(2)), "number above 0: 4");
    assertMalformed(record("00 00 07 0000000000000001 00" + "00".repeat(9)), "1 to 16 replicas: 0");
    assertMalformed(
        record("00 00 07 0000000000000001 02 00 01 61 00"), "replicas must be distinct");
    assertMalformed(
        record("00 00 07 0000000000000001 02 00 01 61 01 01 61"), "replicas must be distinct");
    assertMalformed(
        record("00 00 07 0000000000000001 11 00 01 61" + "00".repeat(16)), "1 to 16 replicas: 17");
    assertMalformed(record(REFERENCE, "00 00 00 02", ASSIGNMENT), "intervalMs must be 1 to");
    assertMalformed(record(REFERENCE, "00 64 00 11", ASSIGNMENT), "replicationFactor must be");
    assertMalformed(
        record(REFERENCE, "00 64 ffffffffffffffff7f 02", ASSIGNMENT), "repeatForMs must be");
    assertMalformed(
        record(REFERENCE, "00 64 ffffffffffffffffff01 02", ASSIGNMENT), "repeatForMs must be");
    assertMalformed(
        record("0000000000000009 01 00 00000005 04", TIMES, ASSIGNMENT),
        "sequence of a timer must be 0 to 0: 2");
    assertMalformed(
        record("0000000000000009 01 00 00000005 05", TIMES, ASSIGNMENT),
        "sequence of a timer that ended must be 0 to 1: 2");
    assertMalformed(record("00 00 07 0000000000000001 01 00 00"), "must not be blank: \"\"");
    assertMalformed(record("00 00 07 0000000000000001 01 00 01 20"), "must not be blank: \" \"");
  }

  /** Cut short, a stray tail, an overlong form, half a surrogate pair, beyond the last plane. */
  @ParameterizedTest
  @ValueSource(strings = {"02 c3 28", "01 80", "02 c0 af", "03 ed a0 80", "04 f4 90 80 80"})
  void decode_textThatIsNotUtf8_isMalformed(String text) {
    assertMalformed(record("00 00 07 0000000000000001 01 00" + text), "text that is not UTF-8");
  }

  @Test
  void encode_whatCannotBeWritten_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> Codec.encode(null));
    Assignment assignment = new Assignment(new ViewStamp(1, 1), List.of("a\ud800"));
    TimerRecord record =
        new TimerRecord(1, new Stamp(1, 1), 0, 1, 1, 0, 1, assignment, new byte[0], false);
    Message message = new Message.Replicate(1, List.of(record));
    assertThrows(IllegalArgumentException.class, () -> Codec.encode(message));
  }

  private static String record(String assignment) {
    return record(REFERENCE, TIMES, assignment);
  }

  private static String record(String reference, String times, String assignment) {
    return "48 01 01 00 01" + reference + times + assignment + "00";
  }

  private static void assertMalformed(String frame, String reason) {
    Decoded decoded = decode(frame);
    Decoded.Malformed malformed =
        assertInstanceOf(Decoded.Malformed.class, decoded, () -> frame + ": " + decoded);
    assertTrue(malformed.reason().contains(reason), malformed.reason());
  }

  private static Decoded decode(String frame) {
    return Codec.decode(HexFormat.of().parseHex(frame.replace(" ", "")));
  }
}
