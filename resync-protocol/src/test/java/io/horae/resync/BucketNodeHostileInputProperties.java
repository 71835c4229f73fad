package io.horae.resync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.placement.Bucket;
import io.horae.placement.ClusterView;
import io.horae.placement.HashMask;
import io.horae.placement.KeyHash;
import io.horae.placement.Node;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Whatever others say, a server throws nothing, and goes on. */
class BucketNodeHostileInputProperties {

  private static final List<Node> MEMBERS = List.of(Node.of("a"), Node.of("b"), Node.of("c:7253"));
  private static final ClusterView VIEW = ClusterView.of(3, MEMBERS);

  @Property(tries = 150, shrinking = ShrinkingMode.OFF)
  void whateverIsSaidNothingIsThrown(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RandomBucketMessages messages = new RandomBucketMessages(seed);
    List<BucketMessage> sent = new ArrayList<>();
    BucketNode node = node(sent);
    node.view(0, ClusterView.of(1, List.of(Node.of("a"))));
    for (int i = 0; i < 20; i++) {
      put(node, i);
    }
    node.view(0, ClusterView.of(2, MEMBERS));
    node.view(0, VIEW);
    for (String other : List.of("b", "c:7253")) {
      node.receive(0, other, new BucketMessage.Claims(ViewStamp.of(VIEW), 0, true, List.of()));
    }
    assertTrue(node.statistics().ready());
    Queue<BucketMessage> replies = new ArrayDeque<>();
    for (int i = 0; i < 200; i++) {
      replies.addAll(sent);
      sent.clear();
      BucketMessage message = messages.next();
      if (message instanceof BucketMessage.BetweenServers && random.nextInt(10) > 0) {
        message = plausible(random, replies);
      }
      node.receive(i, random.nextBoolean() ? "b" : "c:7253", message);
      if (random.nextInt(4) == 0) {
        node.tick(random.nextLong(1_000) * i);
      }
    }
    sent.clear();
    put(node, 999);
    assertEquals(1, sent.stream().filter(BucketMessage.Answer.class::isInstance).count());
  }

  private static BucketNode node(List<BucketMessage> sent) {
    return BucketNode.builder("a")
        .outbox(
            new BucketOutbox() {
              @Override
              public void send(String to, BucketMessage message) {
                sent.add(message);
              }

              @Override
              public void report(BucketEvent event) {}
            })
        .options(BucketNodeOptions.builder().backupsMax(0).build())
        .build();
  }

  private static void put(BucketNode node, int number) {
    byte[] key = ("key " + number).getBytes(UTF_8);
    long hash = KeyHash.md5().hash(key);
    node.receive(
        0,
        "client",
        new BucketMessage.Request(
            number, 1, 1, BucketMessage.Kind.GET, HashMask.of(hash, 1), 0, hash, key, new byte[0]));
  }

  /** Something that could be said under this view, about buckets and transfers that there are. */
  private static BucketMessage plausible(SplittableRandom random, Queue<BucketMessage> replies) {
    ViewStamp view = ViewStamp.of(VIEW);
    long transfer = (3L << BucketSeat.CHANGES_PER_VIEW_BITS) + random.nextInt(5);
    for (BucketMessage reply : replies) {
      if (reply instanceof BucketMessage.Offer offer && random.nextBoolean()) {
        transfer = offer.transfer();
      }
    }
    HashMask mask = HashMask.of(random.nextLong(), random.nextInt(1, 3));
    List<Node> order = new ArrayList<>(MEMBERS);
    order.add(order.remove(random.nextInt(3)));
    long epoch = (random.nextLong(1, 5) << BucketSeat.CHANGES_PER_VIEW_BITS) + random.nextInt(6);
    Bucket bucket = new Bucket(mask, order.get(0), order.subList(1, random.nextInt(1, 4)), epoch);
    long number = random.nextInt(10) == 0 ? random.nextLong() : random.nextLong(-1, 5);
    Item item = new Item(mask.value(), new byte[] {1}, new byte[0], new ItemVersion(1, 1));
    BucketMessage.Write write =
        new BucketMessage.Write(
            BucketMessage.Kind.PUT,
            new ItemVersion(1, Math.abs(number % 7)),
            mask.value(),
            new byte[] {1},
            new byte[0],
            1,
            1,
            1);
    return switch (random.nextInt(13)) {
      case 0 ->
          new BucketMessage.Claims(
              view,
              random.nextInt(2),
              random.nextBoolean(),
              List.of(new BucketMessage.Claim(bucket, BucketMessage.Role.COPY, number)));
      case 1 -> new BucketMessage.Offer(view, transfer, bucket, random.nextBoolean(), number);
      case 2 -> new BucketMessage.Accept(view, transfer, random.nextBoolean());
      case 3 -> new BucketMessage.Refuse(view, transfer, BucketMessage.Refusal.NOT_OWNED);
      case 4 -> new BucketMessage.Cancel(view, transfer);
      case 5 ->
          new BucketMessage.Items(
              view, transfer, number, List.of(item), List.of(), random.nextBoolean());
      case 6 -> new BucketMessage.Taken(view, transfer, number);
      case 7 ->
          new BucketMessage.Forward(
              view, random.nextBoolean() ? 0 : transfer, mask, epoch, number, List.of(write));
      case 8 ->
          new BucketMessage.Forwarded(
              view, random.nextBoolean() ? 0 : transfer, mask, epoch, number);
      case 9 -> new BucketMessage.Last(view, transfer, bucket, number);
      case 10 -> new BucketMessage.Configure(view, transfer, bucket, number);
      case 11 -> new BucketMessage.Leaving(view);
      default -> new BucketMessage.Publish(view, number, List.of(bucket));
    };
  }
}
