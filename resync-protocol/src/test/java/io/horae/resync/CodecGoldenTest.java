package io.horae.resync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.horae.timer.Cursor;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Scanner;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every kind of message against the bytes that nodes of this version have always sent. */
class CodecGoldenTest {

  private static final ViewStamp VIEW = new ViewStamp(300, 0xfedcba9876543210L);
  private static final ViewStamp BEFORE = new ViewStamp(299, 1);
  private static final Stamp FIRST = new Stamp(1, 0x11223344);
  private static final Stamp SECOND = new Stamp(200, -2);

  private static final List<Reference> REFERENCES =
      List.of(
          new Reference(0x0190a3c55e7f0001L, FIRST, 0, false),
          new Reference(-1, SECOND, Integer.MAX_VALUE, true),
          new Reference(2, FIRST, 64, true));

  private static final List<TimerRecord> RECORDS =
      List.of(
          new TimerRecord(
              0x0190a3c55e7f0001L,
              FIRST,
              -1_000,
              30_000,
              30_000,
              0,
              2,
              new Assignment(VIEW, List.of("a", "b:7253")),
              "pay".getBytes(UTF_8),
              false),
          new TimerRecord(
              2,
              SECOND,
              5,
              1L << 40,
              1L << 50,
              1_023,
              16,
              new Assignment(BEFORE, List.of("b:7253", "é")),
              new byte[0],
              false),
          new TimerRecord(
              3,
              SECOND,
              0,
              1,
              1,
              1,
              1,
              new Assignment(VIEW, List.of("a", "b:7253")),
              new byte[0],
              true));

  private static final Map<String, Message> MESSAGES =
      Map.ofEntries(
          entry("replicate", new Message.Replicate(12_345, RECORDS)),
          entry("acknowledge", new Message.Acknowledge(0, true, REFERENCES)),
          entry(
              "fetch page",
              new Message.FetchPage(-1, VIEW, Message.Extent.EVERYTHING, Cursor.START, 100)),
          entry("page", new Message.Page(7, VIEW, RECORDS, REFERENCES, new Cursor(-2, 3))),
          entry("last page", new Message.Page(7, VIEW, List.of(), List.of(), null)),
          entry("fetch timers", new Message.FetchTimers(List.of(0x0190a3c55e7f0001L, -1L))),
          entry("offer", new Message.Offer(VIEW, REFERENCES)),
          entry("refer", new Message.Refer(VIEW, REFERENCES)),
          entry("retire", new Message.Retire(VIEW, REFERENCES)),
          entry("processed", new Message.Processed(VIEW, REFERENCES)),
          entry("view behind", new Message.Rejected(1, Message.Reason.VIEW_BEHIND, VIEW)),
          entry("view ahead", new Message.Rejected(1, Message.Reason.VIEW_AHEAD, VIEW)),
          entry("view differs", new Message.Rejected(1, Message.Reason.VIEW_DIFFERS, VIEW)),
          entry("busy", new Message.Rejected(1, Message.Reason.BUSY, VIEW)),
          entry("malformed", new Message.Rejected(1, Message.Reason.MALFORMED, VIEW)));

  @Test
  void encode_everyKind_givesTheGoldenBytes() throws IOException {
    Map<String, String> actual = new TreeMap<>();
    MESSAGES.forEach((name, message) -> actual.put(name, hex(Codec.encode(message))));
    assertEquals(golden(), actual);
  }

  @Test
  void decode_goldenBytes_givesEveryKind() throws IOException {
    Map<String, String> golden = golden();
    assertEquals(new TreeSet<>(MESSAGES.keySet()), golden.keySet());
    golden.forEach(
        (name, bytes) ->
            assertEquals(
                new Decoded.Understood(MESSAGES.get(name)),
                Codec.decode(HexFormat.of().parseHex(bytes)),
                name));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** Blocks of a name and lines of hex, with blank lines between; # begins a comment. */
  private static Map<String, String> golden() throws IOException {
    try (InputStream file = CodecGoldenTest.class.getResourceAsStream("/golden/codec.txt")) {
      String text = new String(Objects.requireNonNull(file).readAllBytes(), UTF_8);
      Map<String, String> golden = new TreeMap<>();
      Scanner blocks = new Scanner(text.replaceAll(" *#.*", "").strip()).useDelimiter("\\R{2,}");
      blocks.forEachRemaining(
          block -> {
            String[] nameAndBytes = block.split("\\R", 2);
            golden.put(nameAndBytes[0], nameAndBytes[1].replaceAll("\\s", ""));
          });
      return golden;
    }
  }
}
