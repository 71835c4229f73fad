package io.horae.resync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.horae.placement.Bucket;
import io.horae.placement.HashMask;
import io.horae.placement.Node;
import io.horae.resync.BucketMessage.Claim;
import io.horae.resync.BucketMessage.Kind;
import io.horae.resync.BucketMessage.Outcome;
import io.horae.resync.BucketMessage.Receipt;
import io.horae.resync.BucketMessage.Refusal;
import io.horae.resync.BucketMessage.Role;
import io.horae.resync.BucketMessage.Write;
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

/**
 * Every kind of message about buckets against the bytes that servers of this version have always
 * sent.
 */
class BucketCodecGoldenTest {

  private static final ViewStamp VIEW = new ViewStamp(300, 0xfedcba9876543210L);
  private static final long EPOCH = 300 << 20 | 2;
  private static final long HASH = 0xafabf5a4b0e90834L;
  private static final ItemVersion NONE = new ItemVersion(0, 0);
  private static final byte[] NOTHING = {};
  private static final byte[] KEY = {'k'};
  private static final byte[] VALUE = "value".getBytes(UTF_8);

  private static final HashMask MASK = HashMask.parse("00FF/0034");
  private static final Bucket BUCKET =
      new Bucket(MASK, Node.of("a"), List.of(Node.of("b:7253")), EPOCH);
  private static final Bucket DEEP =
      new Bucket(HashMask.of(-2, 16), Node.of("b:7253"), List.of(Node.of("é"), Node.of("a")), 1);
  private static final Bucket BARE =
      new Bucket(HashMask.parse("000F/000F"), Node.of("c"), List.of(), 0);

  private static final Map<String, BucketMessage> MESSAGES =
      Map.ofEntries(
          entry(
              "claims",
              new BucketMessage.Claims(
                  VIEW,
                  -7,
                  true,
                  List.of(
                      new Claim(BUCKET, Role.PRIMARY, 200),
                      new Claim(DEEP, Role.YIELDING, 0),
                      new Claim(BARE, Role.COPY, 1L << 60)))),
          entry("no claims", new BucketMessage.Claims(VIEW, 1, false, List.of())),
          entry("offer", new BucketMessage.Offer(VIEW, EPOCH, BUCKET, true, 200)),
          entry("offer to a backup", new BucketMessage.Offer(VIEW, EPOCH, BUCKET, false, 200)),
          entry("accept", new BucketMessage.Accept(VIEW, EPOCH, true)),
          entry("accept anew", new BucketMessage.Accept(VIEW, EPOCH, false)),
          entry("busy", new BucketMessage.Refuse(VIEW, 5, Refusal.BUSY)),
          entry("epoch behind", new BucketMessage.Refuse(VIEW, 5, Refusal.EPOCH_BEHIND)),
          entry("unknown", new BucketMessage.Refuse(VIEW, 5, Refusal.UNKNOWN)),
          entry("not owned", new BucketMessage.Refuse(VIEW, 5, Refusal.NOT_OWNED)),
          entry("cancel", new BucketMessage.Cancel(VIEW, 5)),
          entry(
              "items",
              new BucketMessage.Items(
                  VIEW,
                  5,
                  128,
                  List.of(
                      new Item(HASH, KEY, VALUE, new ItemVersion(EPOCH, 200)),
                      new Item(-1, NOTHING, NOTHING, NONE)),
                  List.of(new Receipt(-9, 300, 301, HASH, new ItemVersion(EPOCH, 201))),
                  false)),
          entry("last window", new BucketMessage.Items(VIEW, 5, 0, List.of(), List.of(), true)),
          entry("taken", new BucketMessage.Taken(VIEW, 5, 129)),
          entry(
              "forward",
              new BucketMessage.Forward(
                  VIEW,
                  0,
                  MASK,
                  EPOCH,
                  199,
                  List.of(
                      write(Kind.PUT, 200, KEY, VALUE, -9, 301, 300),
                      write(Kind.DELETE, 201, KEY, NOTHING, 1, 2, 1),
                      write(Kind.GET, 202, NOTHING, NOTHING, 0, 0, 0)))),
          entry("forwarded", new BucketMessage.Forwarded(VIEW, 5, HashMask.of(-2, 16), EPOCH, 202)),
          entry("last", new BucketMessage.Last(VIEW, 5, BUCKET, 200)),
          entry("configure", new BucketMessage.Configure(VIEW, 0, BUCKET, 200)),
          entry("publish", new BucketMessage.Publish(VIEW, 128, List.of(BUCKET, DEEP))),
          entry("published", new BucketMessage.Published(VIEW, 128)),
          entry("put", request(Kind.PUT, KEY, VALUE)),
          entry("delete", request(Kind.DELETE, KEY, NOTHING)),
          entry("get", request(Kind.GET, new byte[] {-1}, NOTHING)),
          entry("found", answer(Outcome.FOUND, VALUE, new ItemVersion(EPOCH, 200))),
          entry("absent", answer(Outcome.ABSENT, NOTHING, NONE)),
          entry("done", answer(Outcome.DONE, NOTHING, new ItemVersion(EPOCH, 200))),
          entry("not mine", answer(Outcome.NOT_MINE, NOTHING, NONE, BUCKET)),
          entry("retry", answer(Outcome.RETRY, NOTHING, NONE)),
          entry("too large", answer(Outcome.TOO_LARGE, NOTHING, NONE)),
          entry("leaving", new BucketMessage.Leaving(VIEW)));

  private static Write write(
      Kind kind, long sequence, byte[] key, byte[] value, long client, long number, long oldest) {
    ItemVersion version = new ItemVersion(EPOCH, sequence);
    return new Write(kind, version, HASH, key, value, client, number, oldest);
  }

  private static BucketMessage request(Kind kind, byte[] key, byte[] value) {
    return new BucketMessage.Request(-9, 301, 300, kind, MASK, EPOCH, HASH, key, value);
  }

  private static BucketMessage answer(
      Outcome outcome, byte[] value, ItemVersion version, Bucket... entries) {
    return new BucketMessage.Answer(-9, 301, outcome, value, version, List.of(entries));
  }

  @Test
  void encode_everyKind_givesTheGoldenBytes() throws IOException {
    Map<String, String> actual = new TreeMap<>();
    MESSAGES.forEach(
        (name, message) -> actual.put(name, HexFormat.of().formatHex(Codec.encode(message))));
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

  /** Blocks of a name and lines of hex, with blank lines between; # begins a comment. */
  private static Map<String, String> golden() throws IOException {
    try (InputStream file =
        BucketCodecGoldenTest.class.getResourceAsStream("/golden/bucket-codec.txt")) {
      String text = new String(Objects.requireNonNull(file).readAllBytes(), UTF_8);
      Map<String, String> golden = new TreeMap<>();
      text = text.replaceAll("(?m)^#.*\\R", "").strip();
      new Scanner(text)
          .useDelimiter("\\R{2,}")
          .forEachRemaining(
              block -> {
                String[] nameAndBytes = block.split("\\R", 2);
                golden.put(nameAndBytes[0], nameAndBytes[1].replaceAll("\\s", ""));
              });
      return golden;
    }
  }
}
