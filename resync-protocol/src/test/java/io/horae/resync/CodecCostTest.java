package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a message costs on the wire, and what bytes can make the reader allocate. */
class CodecCostTest {

  /** Objects are larger than what they are read from; an exception has its trace. */
  private static final int BYTES_PER_BYTE_MAX = 24;

  private static final int BYTES_MAX = 16 * 1024;

  /** Keeps what was read from being optimised away. */
  @SuppressWarnings("unused")
  private static volatile Decoded sink;

  // On the wire.

  @Test
  void bytes_ofAReference_areFourteen() {
    assertEquals(14, bytesOfOneMore(n -> new Message.Offer(view(), references(n))));
  }

  @Test
  void bytes_ofARecord_areTwentyFourAndThePayload() {
    int payload = 100;
    assertEquals(24 + payload, bytesOfOneMore(n -> new Message.Replicate(1, records(n, payload))));
  }

  /** With its two replicas and their view, which the first record of a message has to name. */
  @Test
  void bytes_ofAReplicateOfOneTimer_areSeventyFourAndThePayload() {
    int bytes = Codec.encode(new Message.Replicate(1, records(1, 100))).length;
    assertEquals(74 + 100, bytes);
  }

  /** What the hundred-and-first costs, when all the tables are there. */
  private static int bytesOfOneMore(IntFunction<Message> messages) {
    return Codec.encode(messages.apply(101)).length - Codec.encode(messages.apply(100)).length;
  }

  private static List<Reference> references(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Reference(id(i), stamp(i), 3, false))
        .toList();
  }

  /** Timers of ten minutes on two nodes, half of them already past. */
  private static List<TimerRecord> records(int count, int payload) {
    Assignment assignment = new Assignment(view(), List.of("10.0.0.1:7253", "10.0.0.2:7253"));
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                new TimerRecord(
                    id(i),
                    stamp(i),
                    -300_000,
                    600_000,
                    600_000,
                    0,
                    2,
                    assignment,
                    new byte[payload],
                    false))
        .toList();
  }

  private static long id(int i) {
    return 0x0190a3c55e7f0001L + i;
  }

  /** As a node counts under epoch 7. */
  private static Stamp stamp(int i) {
    return new Stamp((7L << 24) + 1 + i % 100, i % 50);
  }

  private static ViewStamp view() {
    return new ViewStamp(7, 0x0123456789abcdefL);
  }

  // In memory.

  @Test
  void decode_anyBytes_allocatesAtMostASmallMultiple() {
    ThreadMXBean bean = allocationCounter();
    List<byte[]> frames = Stream.concat(hostile(), damaged()).toList();
    frames.forEach(Codec::decode); // loads the classes
    for (byte[] frame : frames) {
      long before = bean.getCurrentThreadAllocatedBytes();
      sink = Codec.decode(frame);
      long bytes = bean.getCurrentThreadAllocatedBytes() - before;
      long most = BYTES_MAX + (long) BYTES_PER_BYTE_MAX * frame.length;
      assertTrue(
          bytes <= most,
          () -> bytes + " bytes for " + frame.length + ", which begin with " + beginning(frame));
    }
  }

  private static String beginning(byte[] frame) {
    return HexFormat.of().formatHex(frame, 0, Math.min(100, frame.length));
  }

  /** Frames that ask for more than they bring, or for as many objects as they can. */
  private static Stream<byte[]> hostile() {
    String reference = "0000000000000009 01 00 00000005 00";
    String again = "0000000000000009 01 00 00";
    String view = "00 07 0000000000000001";
    String times = "00 64 00 02";
    int many = 10_000;
    String count = "904e"; // 10,000
    String sixteen =
        IntStream.range(0, 16)
            .mapToObj(i -> "%02x 01 %02x".formatted(i, 65 + i))
            .reduce("", String::concat);
    String sixteenAgain =
        IntStream.range(0, 16).mapToObj("%02x"::formatted).reduce("", String::concat);
    StringBuilder assignments = new StringBuilder();
    for (int i = 1; i < many; i++) {
      String index = i < 128 ? "%02x".formatted(i) : "%02x%02x".formatted((i & 127) | 128, i >> 7);
      assignments.append(again).append(times).append(index).append("00 10").append(sixteenAgain);
      assignments.append("00");
    }
    String longName = "61".repeat(1 << 20);
    return Stream.of(
            // Lists, texts and payloads that are not there.
            "48 01 05 ffffffff07",
            "48 01 01 00 ffffffff07",
            "48 01 06" + view + "ffffffff07",
            "48 01 01 00 01" + reference + times + "00" + view + "ffffffff07",
            "48 01 01 00 01" + reference + times + "00" + view + "01 00 ffffffff07",
            "48 01 01 00 01" + reference + times + "00" + view + "01 00 01 61 ffffffff07",
            // The most objects for the least bytes.
            "48 01 05" + count + "0000000000000009".repeat(many),
            "48 01 06" + view + count + reference + again.repeat(many - 1),
            "48 01 01 00"
                + count
                + reference
                + times
                + "00"
                + view
                + "01 00 01 61 00"
                + (again + times + "00 00").repeat(many - 1),
            "48 01 01 00"
                + count
                + reference
                + times
                + "00"
                + view
                + "10"
                + sixteen
                + "00"
                + assignments,
            // One long name over and over, for the error to repeat.
            "48 01 01 00 01"
                + reference
                + times
                + "00"
                + view
                + "10 00 808040"
                + longName
                + "00".repeat(15)
                + "00")
        .map(hex -> HexFormat.of().parseHex(hex.replace(" ", "")));
  }

  private static Stream<byte[]> damaged() {
    return IntStream.range(0, 5_000)
        .mapToObj(
            seed ->
                CodecProperties.damaged(
                    Codec.encode(new RandomMessages(seed).next()), new SplittableRandom(seed)));
  }

  private static ThreadMXBean allocationCounter() {
    assumeTrue(
        ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean
            && bean.isThreadAllocatedMemorySupported()
            && bean.isThreadAllocatedMemoryEnabled(),
        "this JVM does not count what a thread allocates");
    return (ThreadMXBean) ManagementFactory.getThreadMXBean();
  }
}
