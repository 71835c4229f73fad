package io.horae.resync;

import io.horae.timer.Cursor;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Messages of every kind, drawn from a seed: now small and alike, now at the ends of the ranges.
 */
final class RandomMessages {

  static final int KINDS = 10;

  private static final List<String> NODES =
      List.of(
          "a", "b", "c", "10.0.0.1:7253", "näher", "時計", "⏰ \uD83D\uDD70", " x", "x\ny", "x", "y");

  private final SplittableRandom random;

  RandomMessages(long seed) {
    random = new SplittableRandom(seed);
  }

  Message next() {
    return next(random.nextInt(KINDS));
  }

  Message next(int kind) {
    return switch (kind) {
      case 0 -> new Message.Replicate(number(), records());
      case 1 -> new Message.Acknowledge(number(), random.nextBoolean(), references());
      case 2 ->
          new Message.FetchPage(
              number(),
              view(),
              List.of(Message.Extent.values()).get(random.nextInt(3)),
              cursor(),
              (int) number());
      case 3 ->
          new Message.Page(
              number(), view(), records(), references(), random.nextBoolean() ? cursor() : null);
      case 4 -> new Message.FetchTimers(random.longs(size()).boxed().toList());
      case 5 -> new Message.Offer(view(), references());
      case 6 -> new Message.Refer(view(), references());
      case 7 -> new Message.Retire(view(), references());
      case 8 -> new Message.Processed(view(), references());
      case 9 -> {
        Message.Reason[] reasons = Message.Reason.values();
        yield new Message.Rejected(number(), reasons[random.nextInt(reasons.length)], view());
      }
      default -> throw new AssertionError("no such kind: " + kind);
    };
  }

  private List<TimerRecord> records() {
    return Stream.generate(this::record).limit(size()).toList();
  }

  private List<Reference> references() {
    return Stream.generate(this::reference).limit(size()).toList();
  }

  TimerRecord record() {
    long interval = random.nextLong(1, 1L << random.nextInt(1, 41));
    long repeats = random.nextLong(1, 1 + Math.min(Integer.MAX_VALUE, (1L << 50) / interval));
    repeats = random.nextBoolean() ? 1 : repeats;
    boolean ended = random.nextBoolean();
    byte[] payload = new byte[random.nextBoolean() ? 0 : size()];
    random.nextBytes(payload);
    return new TimerRecord(
        random.nextLong(),
        stamp(),
        number(),
        interval,
        Math.min(1L << 50, interval * repeats + random.nextLong(interval)),
        (int) random.nextLong(repeats + (ended ? 1 : 0)),
        random.nextInt(1, 17),
        assignment(),
        payload,
        ended);
  }

  Reference reference() {
    int sequence = random.nextInt(3) == 0 ? Integer.MAX_VALUE : random.nextInt(1 << 20);
    return new Reference(random.nextLong(), stamp(), sequence, random.nextBoolean());
  }

  private Assignment assignment() {
    List<String> nodes = new ArrayList<>(NODES);
    IntStream.range(0, 9).forEach(i -> nodes.add("node-" + i));
    List<String> replicas = new ArrayList<>();
    int count = random.nextInt(4) == 0 ? random.nextInt(1, 17) : 2;
    while (replicas.size() < count) {
      replicas.add(nodes.remove(random.nextInt(nodes.size())));
    }
    return new Assignment(view(), replicas);
  }

  private ViewStamp view() {
    return random.nextBoolean()
        ? new ViewStamp(7, 0x0123456789abcdefL)
        : new ViewStamp(number() & Long.MAX_VALUE, random.nextLong());
  }

  private Stamp stamp() {
    long version = random.nextBoolean() ? 1 : Math.max(1, number() & Long.MAX_VALUE);
    return new Stamp(version, random.nextBoolean() ? 5 : random.nextInt());
  }

  private Cursor cursor() {
    return random.nextBoolean() ? Cursor.START : new Cursor(number(), random.nextLong());
  }

  private int size() {
    return random.nextInt(8) == 0 ? random.nextInt(200) : random.nextInt(4);
  }

  /** A number of any length in bits, of either sign. */
  private long number() {
    return random.nextInt(8) == 0 ? 0 : random.nextLong() >> random.nextInt(64);
  }
}
