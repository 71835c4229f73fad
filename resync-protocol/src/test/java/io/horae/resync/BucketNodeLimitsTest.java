package io.horae.resync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.placement.BucketPlan;
import io.horae.placement.ClusterView;
import io.horae.placement.HashMask;
import io.horae.placement.KeyHash;
import io.horae.placement.Node;
import io.horae.resync.BucketMessage.Answer;
import io.horae.resync.BucketMessage.Items;
import io.horae.resync.BucketMessage.Kind;
import io.horae.resync.BucketMessage.Outcome;
import io.horae.resync.BucketMessage.Request;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What servers with buckets do at the limits of {@link BucketNodeOptions}. */
class BucketNodeLimitsTest {

  private static final HashMask BUCKET = HashMask.parse("000F/0006");
  private static final BucketPlan NOTHING = new BucketPlan(List.of(), List.of());

  /** So many milliseconds ahead of its rate may a server send. */
  private static final long AHEAD_MS = 10;

  /** Two servers, of which the first has everything. */
  private static final class Pair {
    private final Map<String, BucketNode> servers = new TreeMap<>();
    private final Deque<Runnable> network = new ArrayDeque<>();
    private final List<Answer> answers = new ArrayList<>();
    private final List<Items> windows = new ArrayList<>();
    private final List<BucketEvent> events = new ArrayList<>();
    private long nowMs;
    private int sendingMost;

    Pair(BucketNodeOptions.Builder options) {
      for (String id : List.of("a", "b")) {
        servers.put(id, server(id, options.build()));
      }
      ClusterView one = ClusterView.of(1, List.of(Node.of("a")));
      server("a").view(0, one);
      servers.values().forEach(it -> it.view(0, one.next(List.of(Node.of("a"), Node.of("b")))));
      settle();
    }

    private BucketNode server(String id, BucketNodeOptions options) {
      BucketOutbox outbox =
          new BucketOutbox() {
            @Override
            public void send(String to, BucketMessage message) {
              if (message instanceof Answer answer) {
                answers.add(answer);
              } else {
                network.add(() -> server(to).receive(nowMs, id, message));
              }
              if (message instanceof Items items) {
                windows.add(items);
              }
            }

            @Override
            public void report(BucketEvent event) {
              events.add(event);
            }
          };
      return BucketNode.builder(id)
          .options(options)
          .planner(table -> NOTHING)
          .outbox(outbox)
          .build();
    }

    BucketNode server(String id) {
      return Objects.requireNonNull(servers.get(id));
    }

    void settle() {
      while (!network.isEmpty()) {
        network.remove().run();
        sendingMost = Math.max(sendingMost, server("a").statistics().sending());
      }
    }

    void runUntil(long untilMs) {
      while (nowMs < untilMs) {
        nowMs++;
        for (BucketNode server : servers.values()) {
          if (server.nextTickMs() <= nowMs) {
            server.tick(nowMs);
          }
        }
        settle();
      }
    }

    void move(HashMask... buckets) {
      List<BucketPlan.Move> moves = new ArrayList<>();
      for (HashMask bucket : buckets) {
        moves.add(new BucketPlan.Move(bucket, Node.of("a"), Node.of("b")));
      }
      server("a").carryOut(nowMs, new BucketPlan(List.of(), moves));
      settle();
    }

    Outcome ask(String server, long client, long number, long oldest, Kind kind, byte[] key) {
      answers.clear();
      long hash = KeyHash.md5().hash(key);
      byte[] value = kind == Kind.PUT ? key : new byte[0];
      server(server)
          .receive(
              nowMs,
              "client",
              new Request(client, number, oldest, kind, BUCKET, 0, hash, key, value));
      settle();
      return answers.get(0).outcome();
    }

    Outcome put(long client, long number, long oldest, byte[] key) {
      return ask("a", client, number, oldest, Kind.PUT, key);
    }

    boolean hasReached(String option) {
      return events.stream()
          .anyMatch(it -> it instanceof BucketEvent.LimitReached at && at.option().equals(option));
    }
  }

  private static BucketNodeOptions.Builder options() {
    return BucketNodeOptions.builder().planMs(1L << 40); // nothing but what a test says
  }

  /** Keys of the bucket. */
  private static byte[][] keys(int count) {
    byte[][] keys = new byte[count][];
    int found = 0;
    for (int i = 0; found < count; i++) {
      byte[] key = ("k" + i).getBytes(UTF_8);
      if (BUCKET.contains(KeyHash.md5().hash(key))) {
        keys[found++] = key;
      }
    }
    return keys;
  }

  @Test
  void put_asManyClientsAsAreRemembered_theyGoOnAndOthersWait() {
    Pair pair = new Pair(options().receiptsClientsMax(3).receiptMs(1_000));
    byte[] key = keys(1)[0];
    for (long client = 1; client <= 3; client++) {
      assertEquals(Outcome.DONE, pair.put(client, 1, 1, key));
    }
    assertEquals(Outcome.RETRY, pair.put(4, 1, 1, key));
    assertTrue(pair.hasReached("receiptsClientsMax"));
    for (long client = 1; client <= 3; client++) {
      assertEquals(Outcome.DONE, pair.put(client, 2, 2, key));
    }
    pair.runUntil(3_000); // forgotten
    assertEquals(Outcome.DONE, pair.put(4, 1, 1, key));
  }

  @Test
  void nextTick_withoutAView_comesToRest() {
    BucketOutbox outbox =
        new BucketOutbox() {
          @Override
          public void send(String to, BucketMessage message) {}

          @Override
          public void report(BucketEvent event) {}
        };
    BucketNode node = BucketNode.builder("a").outbox(outbox).build();
    byte[] key = keys(1)[0];
    long hash = KeyHash.md5().hash(key);
    node.receive(0, "client", new Request(1, 1, 1, Kind.PUT, BUCKET, 0, hash, key, key));
    long next = node.nextTickMs();
    if (next < Long.MAX_VALUE) {
      node.tick(next);
      assertTrue(node.nextTickMs() > next);
    }
  }

  @Test
  void put_asManyWritesOfAClientAsAreRemembered_waitsForTheClient() {
    Pair pair = new Pair(options().receiptsPerClientMax(5));
    byte[] key = keys(1)[0];
    for (long number = 10; number < 15; number++) {
      assertEquals(Outcome.DONE, pair.put(1, number, 10, key));
    }
    assertEquals(Outcome.RETRY, pair.put(1, 15, 10, key));
    assertTrue(pair.hasReached("receiptsPerClientMax"));
    assertEquals(Outcome.DONE, pair.put(2, 1, 1, key)); // another's
    assertEquals(Outcome.DONE, pair.put(1, 12, 10, key)); // is known
    assertEquals(Outcome.DONE, pair.put(1, 15, 11, key)); // 10 has its answer
    assertEquals(Outcome.RETRY, pair.put(1, 16, 11, key));
    assertEquals(Outcome.DONE, pair.put(1, 16, 16, key));
  }

  @Test
  void get_confirmed_needsNoRoomForReceipts() {
    Pair pair =
        new Pair(
            BucketNodeOptions.builder()
                .readsConfirmed(true)
                .receiptsClientsMax(1)
                .receiptsPerClientMax(1));
    pair.runUntil(30_000); // each bucket has got its backup
    byte[] key = keys(1)[0];
    assertEquals(Outcome.DONE, pair.put(1, 1, 1, key));
    assertEquals(Outcome.FOUND, pair.ask("a", 2, 1, 1, Kind.GET, key));
  }

  @Test
  void transfer_receipts_goInWindowsToo() {
    Pair pair = new Pair(options().windowItemsMax(4));
    byte[][] keys = keys(10);
    for (int client = 0; client < 10; client++) {
      for (int number = 1; number <= 3; number++) {
        assertEquals(Outcome.DONE, pair.put(client, number, 1, keys[client]));
      }
    }
    pair.move(BUCKET);
    pair.runUntil(2_000);
    assertEquals(1, pair.server("b").statistics().primaries());
    int receipts = 0;
    for (int i = 0; i < pair.windows.size(); i++) {
      Items window = pair.windows.get(i);
      assertTrue(window.items().size() <= 4 && window.receipts().size() <= 4, window::toString);
      receipts += window.receipts().size();
      assertEquals(i == pair.windows.size() - 1, window.last());
    }
    assertEquals(30, receipts);
    for (int client = 0; client < 10; client++) {
      for (int number = 1; number <= 3; number++) {
        assertEquals(Outcome.DONE, pair.ask("b", client, number, 1, Kind.PUT, keys[client]));
      }
    }
    assertEquals(30, pair.server("b").statistics().writesRepeated());
    assertEquals(0, pair.server("b").statistics().writes());
  }

  @Test
  void transfer_receipts_areLimitedByBytesToo() {
    Pair pair = new Pair(options().windowBytesMax(100));
    byte[] key = keys(1)[0];
    for (int number = 1; number <= 9; number++) {
      assertEquals(Outcome.DONE, pair.put(1, number, 1, key));
    }
    pair.move(BUCKET);
    pair.runUntil(2_000);
    assertEquals(9, pair.windows.stream().mapToInt(it -> it.receipts().size()).sum());
    assertTrue(pair.windows.stream().allMatch(it -> it.receipts().size() <= 2));
  }

  @Test
  void transfers_itemsPerSecond_areKept() {
    Pair pair = new Pair(options().itemsPerSecondMax(100).windowItemsMax(3));
    fill(pair, 200);
    pair.move(BUCKET);
    for (long untilMs = 100; untilMs < 2_000; untilMs += 100) {
      pair.runUntil(untilMs);
      long sent = pair.server("a").statistics().itemsSent();
      long allowed = (untilMs + AHEAD_MS) / 10 + 3; // the window that was begun
      assertTrue(sent <= allowed && sent >= allowed - 6, sent + " after " + untilMs + " ms");
    }
    pair.runUntil(2_100);
    assertEquals(200, pair.server("a").statistics().itemsSent());
    assertEquals(1, pair.server("b").statistics().primaries());
  }

  @Test
  void transfers_bytesPerSecond_areKept() {
    Pair pair = new Pair(options().bytesPerSecondMax(1_000).windowItemsMax(1));
    fill(pair, 200);
    pair.move(BUCKET);
    pair.runUntil(1_000);
    int bytes = 0;
    for (Items window : pair.windows) {
      bytes += window.items().stream().mapToInt(it -> it.key().length + it.value().length).sum();
    }
    assertTrue(bytes >= 980 && bytes <= 1_030, "bytes: " + bytes);
  }

  private static void fill(Pair pair, int items) {
    byte[][] keys = keys(items);
    for (int i = 0; i < items; i++) {
      assertEquals(Outcome.DONE, pair.put(1, i + 1, i + 1, keys[i]));
    }
  }

  @Test
  void transfers_asManyAtOnceAsAreSet() {
    for (int most : new int[] {1, 3}) {
      Pair pair = new Pair(options().transfersMax(most).transfersInMax(16).planMs(10));
      HashMask[] buckets = new HashMask[16];
      for (int i = 0; i < buckets.length; i++) {
        buckets[i] = HashMask.of(i, 1);
      }
      pair.move(buckets);
      pair.runUntil(3_000);
      assertEquals(most, pair.sendingMost);
      assertEquals(16, pair.server("b").statistics().primaries());
    }
  }

  @Test
  void transfers_oneThatWasRefused_restsForAWhile() {
    BucketNodeOptions.Builder slow = options().itemsPerSecondMax(1).windowItemsMax(1);
    Pair pair = new Pair(slow.transfersMax(2).transfersInMax(1).retryMs(1_000));
    fill(pair, 50);
    HashMask other = HashMask.parse("000F/0007");
    pair.move(BUCKET, other);
    assertEquals(1, pair.server("a").statistics().transfersFailed());
    for (long untilMs : new long[] {1, 300, 700}) {
      pair.runUntil(untilMs);
      pair.move(other);
      assertEquals(1, pair.server("a").statistics().transfersFailed());
    }
    pair.runUntil(1_300);
    pair.move(other);
    assertTrue(pair.server("a").statistics().transfersFailed() > 1);
  }

  @Test
  void transfers_moreThanTheTargetTakes_comeOneAfterTheOther() {
    Pair pair = new Pair(options().transfersMax(16).transfersInMax(2).planMs(10));
    HashMask[] buckets = new HashMask[16];
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = HashMask.of(i, 1);
    }
    for (int tries = 0; tries < 30; tries++) { // what was refused is not planned again by itself
      pair.move(buckets);
      assertTrue(pair.server("b").statistics().filling() <= 2);
      pair.runUntil(pair.nowMs + 2_000);
    }
    assertEquals(16, pair.server("b").statistics().primaries());
    assertTrue(pair.server("a").statistics().transfersFailed() > 0);
  }
}
