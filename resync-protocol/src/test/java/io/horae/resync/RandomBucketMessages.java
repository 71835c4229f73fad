package io.horae.resync;

import io.horae.placement.Bucket;
import io.horae.placement.HashMask;
import io.horae.placement.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Messages about buckets of every kind, with small values and extreme ones. */
final class RandomBucketMessages {

  static final int KINDS = BucketFrames.LAST - BucketFrames.FIRST + 1;

  private final SplittableRandom random;

  RandomBucketMessages(long seed) {
    random = new SplittableRandom(seed);
  }

  BucketMessage next() {
    return next(random.nextInt(KINDS));
  }

  BucketMessage next(int kind) {
    ViewStamp view = new ViewStamp(count(), random.nextLong());
    return switch (kind) {
      case 0 -> new BucketMessage.Claims(view, number(), bool(), list(this::claim));
      case 1 -> new BucketMessage.Offer(view, number(), bucket(), bool(), number());
      case 2 -> new BucketMessage.Accept(view, number(), bool());
      case 3 -> new BucketMessage.Refuse(view, number(), one(BucketMessage.Refusal.values()));
      case 4 -> new BucketMessage.Cancel(view, number());
      case 5 ->
          new BucketMessage.Items(
              view, number(), number(), list(this::item), list(this::receipt), bool());
      case 6 -> new BucketMessage.Taken(view, number(), number());
      case 7 ->
          new BucketMessage.Forward(view, number(), mask(), number(), number(), list(this::write));
      case 8 -> new BucketMessage.Forwarded(view, number(), mask(), number(), number());
      case 9 -> new BucketMessage.Last(view, number(), bucket(), number());
      case 10 -> new BucketMessage.Configure(view, number(), bucket(), number());
      case 11 -> new BucketMessage.Publish(view, number(), list(this::bucket));
      case 12 -> new BucketMessage.Published(view, number());
      case 13 ->
          new BucketMessage.Request(
              random.nextLong(),
              number(),
              number(),
              one(BucketMessage.Kind.values()),
              mask(),
              number(),
              random.nextLong(),
              bytes(),
              bytes());
      case 14 ->
          new BucketMessage.Answer(
              random.nextLong(),
              number(),
              one(BucketMessage.Outcome.values()),
              bytes(),
              version(),
              list(this::bucket));
      case 15 -> new BucketMessage.Leaving(view);
      default -> throw new AssertionError("no such kind: " + kind);
    };
  }

  HashMask mask() {
    return HashMask.of(random.nextLong(), random.nextInt(1, 17));
  }

  Bucket bucket() {
    List<Node> nodes = new ArrayList<>();
    for (String id : List.of("a", "b", "c:7253", "é")) {
      if (nodes.isEmpty() || bool()) {
        nodes.add(random.nextInt(nodes.size() + 1), Node.of(id));
      }
    }
    return new Bucket(mask(), nodes.get(0), nodes.subList(1, nodes.size()), count());
  }

  private BucketMessage.Claim claim() {
    return new BucketMessage.Claim(bucket(), one(BucketMessage.Role.values()), number());
  }

  private ItemVersion version() {
    return new ItemVersion(count(), count());
  }

  private Item item() {
    return new Item(random.nextLong(), bytes(), bytes(), version());
  }

  private BucketMessage.Receipt receipt() {
    return new BucketMessage.Receipt(
        random.nextLong(), number(), number(), random.nextLong(), version());
  }

  private BucketMessage.Write write() {
    return new BucketMessage.Write(
        one(BucketMessage.Kind.values()),
        version(),
        random.nextLong(),
        bytes(),
        bytes(),
        random.nextLong(),
        number(),
        number());
  }

  private boolean bool() {
    return random.nextBoolean();
  }

  private <T> T one(T[] values) {
    return values[random.nextInt(values.length)];
  }

  private <T> List<T> list(Supplier<T> next) {
    List<T> list = new ArrayList<>();
    for (int i = random.nextInt(random.nextInt(8) == 0 ? 100 : 4); i > 0; i--) {
      list.add(next.get());
    }
    return list;
  }

  private byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(random.nextInt(8) == 0 ? 300 : 8)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** A number of any length in bits, of either sign. */
  private long number() {
    return random.nextInt(8) == 0 ? 0 : random.nextLong() >> random.nextInt(64);
  }

  private long count() {
    return number() & Long.MAX_VALUE;
  }
}
