package io.horae.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.horae.placement.BucketPlan;
import io.horae.placement.ClusterView;
import io.horae.placement.HashMask;
import io.horae.placement.KeyHash;
import io.horae.placement.Node;
import io.horae.resync.BucketEvent;
import io.horae.resync.BucketMessage;
import io.horae.resync.BucketNode;
import io.horae.resync.BucketNodeOptions;
import io.horae.resync.BucketOutbox;
import io.horae.resync.Item;
import io.horae.resync.ItemStore;
import io.horae.resync.ItemVersion;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to send a bucket, beside a plain loop that copies its items from one store into
 * another; and what a write costs while its bucket is being sent, beside one on a server that is
 * alone with the bucket, and one that is replicated to a backup. Messages are values: no codec is
 * in it, and no network.
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="BucketTransferBenchmark"
 * mvn -q compile -Pbenchmarks -Dexec.args="BucketTransferBenchmark"
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 8)
@Measurement(iterations = 12)
public class BucketTransferBenchmark {

  private static final HashMask BUCKET = HashMask.parse("000F/0006");
  private static final BucketPlan MOVE =
      new BucketPlan(List.of(), List.of(new BucketPlan.Move(BUCKET, Node.of("a"), Node.of("b"))));
  private static final BucketPlan NOTHING = new BucketPlan(List.of(), List.of());
  private static final int WRITES_PER_MS = 100;

  /** How many items the bucket has; as many writes are made. */
  @Param("100000")
  int items;

  private byte[][] keys = {};
  private long[] hashes = {};
  private final byte[] value = new byte[100];

  /** To send as fast as can be; to send for as long as writes are made; with a backup. */
  private Pair fast = new Pair(1_000_000_000);

  private Pair slow = new Pair(1_000_000_000);
  private Pair backedUp = new Pair(1_000_000_000);

  /** Two servers and what connects them. */
  private static final class Pair {
    private final Queue<Runnable> network = new ArrayDeque<>();
    private final ItemStore storeOfA = ItemStore.inMemory();
    private final ItemStore storeOfB = ItemStore.inMemory();
    private final BucketNode a;
    private final BucketNode b;
    private boolean ended;
    private long answers;
    private long nowMs;
    private long numbers;

    Pair(int itemsPerSecond) {
      a = server("a", storeOfA, itemsPerSecond);
      b = server("b", storeOfB, itemsPerSecond);
      ClusterView one = ClusterView.of(1, List.of(Node.of("a")));
      ClusterView two = one.next(List.of(Node.of("a"), Node.of("b")));
      a.view(nowMs, one);
      a.view(nowMs, two);
      b.view(nowMs, two);
      settle();
    }

    private BucketNode server(String id, ItemStore store, int itemsPerSecond) {
      BucketNodeOptions options =
          BucketNodeOptions.builder()
              .planMs(1L << 40) // nothing but what it is told to
              .itemsPerSecondMax(itemsPerSecond)
              .bytesPerSecondMax(1L << 40)
              .build();
      BucketOutbox outbox =
          new BucketOutbox() {
            @Override
            public void send(String to, BucketMessage message) {
              if (message instanceof BucketMessage.Answer) {
                answers++;
              } else {
                network.add(() -> receive(to, id, message));
              }
            }

            @Override
            public void report(BucketEvent event) {
              ended |= event instanceof BucketEvent.TransferEnded;
            }
          };
      return BucketNode.builder(id)
          .store(store)
          .planner(table -> NOTHING)
          .options(options)
          .outbox(outbox)
          .build();
    }

    private void receive(String to, String from, BucketMessage message) {
      (to.equals("a") ? a : b).receive(nowMs, from, message);
    }

    void settle() {
      while (!network.isEmpty()) {
        network.remove().run();
      }
    }

    void tick() {
      nowMs++;
      for (BucketNode node : List.of(a, b)) {
        if (node.nextTickMs() <= nowMs) {
          node.tick(nowMs);
        }
      }
      settle();
    }

    /** Has the bucket sent to the other, and waits for the end. */
    void move() {
      begin();
      while (!ended) {
        tick();
      }
    }

    void begin() {
      ended = false;
      a.carryOut(nowMs, MOVE);
      settle();
    }

    void write(BucketNode primary, long hash, byte[] key, byte[] value) {
      numbers++;
      primary.receive(
          nowMs,
          "client",
          new BucketMessage.Request(
              1, numbers, numbers, BucketMessage.Kind.PUT, BUCKET, 0, hash, key, value));
      settle();
    }
  }

  /** Keys of the bucket. */
  @Setup(Level.Trial)
  public void findKeys() {
    keys = new byte[items][];
    hashes = new long[items];
    int found = 0;
    for (long i = 0; found < items; i++) {
      byte[] key = ("key " + i).getBytes(UTF_8);
      long hash = KeyHash.md5().hash(key);
      if (BUCKET.contains(hash)) {
        keys[found] = key;
        hashes[found++] = hash;
      }
    }
  }

  /** The bucket is on the first server, full. */
  @Setup(Level.Invocation)
  public void fill() {
    fast = new Pair(1_000_000_000);
    slow = new Pair(1_000 * WRITES_PER_MS);
    backedUp = new Pair(1_000_000_000);
    backedUp.move();
    for (Pair pair : List.of(fast, slow)) {
      for (int i = 0; i < items; i++) {
        pair.storeOfA.put(new Item(hashes[i], keys[i], value, new ItemVersion(1, 0)));
      }
    }
  }

  /** A loop that copies what is not there, or is older there. */
  @Benchmark
  public int plainLoop() {
    List<Item> page = fast.storeOfA.items(BUCKET, null, 500);
    while (!page.isEmpty()) {
      for (Item item : page) {
        Item there = fast.storeOfB.find(item.hash(), item.key());
        if (there == null || there.version().compareTo(item.version()) < 0) {
          fast.storeOfB.put(item);
        }
      }
      page = fast.storeOfA.items(BUCKET, page.get(page.size() - 1), 500);
    }
    return page.size();
  }

  /** The state machines. */
  @Benchmark
  public boolean transfer() {
    fast.move();
    return fast.ended;
  }

  private long write(Pair pair, BucketNode primary) {
    for (int i = 0; i < items; i++) {
      if (i % WRITES_PER_MS == 0) {
        pair.tick();
      }
      pair.write(primary, hashes[i], keys[i], value);
    }
    return pair.answers;
  }

  /** Writes on a server that is alone with the bucket. */
  @Benchmark
  public long writesAlone() {
    return write(fast, fast.a);
  }

  /** The same while the bucket is being sent: as many items are sent, and the writes forwarded. */
  @Benchmark
  public long writesDuringTransfer() {
    slow.begin();
    long answers = write(slow, slow.a);
    while (!slow.ended) {
      slow.tick();
    }
    return answers;
  }

  /** The same with a backup. */
  @Benchmark
  public long writesWithBackup() {
    return write(backedUp, backedUp.b);
  }
}
