package io.horae.benchmarks;

import com.google.common.hash.HashFunction;
import io.horae.placement.Bucket;
import io.horae.placement.BucketPlan;
import io.horae.placement.BucketTable;
import io.horae.placement.ClusterView;
import io.horae.placement.HashMask;
import io.horae.placement.KetamaContinuum;
import io.horae.placement.Node;
import io.horae.placement.RendezvousPlacement;
import io.horae.resync.Codec;
import io.horae.resync.Decoded;
import io.horae.resync.Message;
import io.horae.resync.TimerNodeOptions;
import io.horae.resync.TimerRecord;
import io.horae.resync.TimerStore;
import io.horae.timer.TimerWheel;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A part of Horae, and the same from a textbook. The two are seen to agree first. */
record Twins(String name, Round horae, Round twin) {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Some milliseconds of work. */
  @FunctionalInterface
  interface Round {

    /** Does it; returns the time that it took, without what had to be set up for it. */
    long roundNs();
  }

  /** Something that is worked out for a number, so that nothing can be left out. */
  @FunctionalInterface
  private interface Work {
    long of(int number);
  }

  static List<Twins> all() {
    return List.of(rendezvous(), ketama(), bucket(), wheel(), resync());
  }

  private static Twins of(String name, int count, Work horae, Work twin) {
    for (int i = 0; i < 1_000; i++) {
      long expected = twin.of(i);
      long actual = horae.of(i);
      Wheel.expect(actual == expected, name + ": " + actual + ", but the twin has " + expected);
    }
    return new Twins(name, () -> time(count, horae), () -> time(count, twin));
  }

  /** Processor time of this thread, which does not go on while others have the processor. */
  private static long nowNs() {
    return THREADS.getCurrentThreadCpuTime();
  }

  private static long time(int count, Work work) {
    long begun = nowNs();
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += work.of(i);
    }
    long took = nowNs() - begun;
    Wheel.expect(sum != Long.MIN_VALUE, "never, but it keeps the work from being left out");
    return took;
  }

  /** Primary and one backup among 100 nodes; the twin sorts all scores. */
  private static Twins rendezvous() {
    List<Node> nodes = Members.of(100);
    RendezvousPlacement placement = RendezvousPlacement.of(nodes);
    HashFunction[] functions = Members.guava(nodes);
    int[] into = new int[2];
    return of(
        "rendezvous",
        1_000,
        i -> {
          placement.replicas(i * Members.KEY_STEP, into);
          return into[0] * 1_000L + into[1];
        },
        i -> {
          TreeMap<Long, Integer> ring = new TreeMap<>();
          for (int node = 0; node < functions.length; node++) {
            int score = functions[node].hashLong(i * Members.KEY_STEP).asInt();
            ring.put(Integer.toUnsignedLong(score), node);
          }
          return ring.firstEntry().getValue() * 1_000L + ring.lastEntry().getValue();
        });
  }

  /** The server of a text among 100; the twin has a map of points and the JDK's MD5. */
  private static Twins ketama() {
    KetamaContinuum continuum = KetamaContinuum.of(Members.of(100));
    NavigableMap<Long, Node> ring = new TreeMap<>();
    continuum.points().forEach(point -> ring.put(point.hash(), point.node()));
    String[] keys = new String[1 << 10];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = "user:" + Wheel.id(i);
    }
    return of(
        "ketama",
        10_000,
        i -> continuum.primary(keys[i & (keys.length - 1)]).id().hashCode(),
        i -> {
          byte[] digest = md5(keys[i & (keys.length - 1)]);
          long hash =
              (digest[0] & 0xff)
                  | (digest[1] & 0xff) << 8
                  | (digest[2] & 0xff) << 16
                  | (digest[3] & 0xffL) << 24;
          Map.Entry<Long, Node> point = ring.ceilingEntry(hash);
          return (point == null ? ring.firstEntry() : point).getValue().id().hashCode();
        });
  }

  private static byte[] md5(String key) {
    try {
      return MessageDigest.getInstance("MD5").digest(key.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  /** The owner of a hash among buckets of two and three digits; the twin has a map for each. */
  private static Twins bucket() {
    BucketTable table = BucketTable.initial(Node.of("a")).join(Node.of("b")).table();
    for (int digits = 1; digits < 3; digits++) {
      List<HashMask> some = new ArrayList<>();
      for (Bucket bucket : table.buckets()) {
        if (digits == 1 || bucket.mask().value() % 3 == 0) {
          some.add(bucket.mask());
        }
      }
      table = new BucketPlan(some, List.of()).applyTo(table).table();
    }
    for (Bucket bucket : table.buckets()) {
      if (bucket.mask().value() % 2 == 0) {
        table = table.move(bucket.mask(), Node.of("b")).table();
      }
    }
    BucketTable full = table;
    Map<Integer, Map<Long, Integer>> maps = new TreeMap<>();
    for (Bucket bucket : full.buckets()) {
      long value = bucket.mask().value();
      maps.computeIfAbsent(bucket.mask().digits(), digits -> new HashMap<>())
          .put(value, full.primaryAt(value));
    }
    return of(
        "bucket",
        100_000,
        i -> full.primaryAt(Wheel.id(i)),
        i -> {
          for (Map.Entry<Integer, Map<Long, Integer>> depth : maps.entrySet()) {
            long value = Wheel.id(i) & (-1L >>> (64 - 4 * depth.getKey()));
            Integer owner = depth.getValue().get(value);
            if (owner != null) {
              return owner;
            }
          }
          throw new AssertionError("a hash in no bucket");
        });
  }

  private record Due(long atMs, long id) {}

  /**
   * Cancels one of 2,000 timers and schedules it later; the twin has a sorted set and a map. What
   * is worked out is the deadline that the timer had. With more timers it would depend on where the
   * collector has put the twin's nodes how fast it is.
   */
  private static Twins wheel() {
    int timers = 2_000;
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    NavigableSet<Due> order =
        new TreeSet<>(Comparator.comparingLong(Due::atMs).thenComparingLong(Due::id));
    Map<Long, Due> byId = new HashMap<>();
    for (int i = 0; i < timers; i++) {
      wheel.schedule(Wheel.id(i), i, "");
      Due due = new Due(i, Wheel.id(i));
      order.add(due);
      byId.put(due.id(), due);
    }
    return of(
        "wheel",
        10 * timers,
        i -> {
          long id = Wheel.id(i % timers);
          long atMs = wheel.deadline(id);
          wheel.cancel(id);
          wheel.schedule(id, later(atMs, i), "");
          return atMs;
        },
        i -> {
          Due due = byId.remove(Wheel.id(i % timers));
          Wheel.expect(order.remove(due), "not in order");
          Due next = new Due(later(due.atMs(), i), due.id());
          order.add(next);
          byId.put(next.id(), next);
          return due.atMs();
        });
  }

  /** Anywhere in the next minutes. */
  private static long later(long atMs, int i) {
    return (atMs + 7_919L * i) % 500_000 + 1;
  }

  /** A node joins four; the twin copies what moves, through the codec and into a store. */
  private static Twins resync() {
    int timers = 2_000;
    byte[] payload = new byte[100];
    ClusterView first = ClusterView.of(1, Members.of(4));
    ClusterView next = first.next(Members.of(5));
    List<TimerRecord> all = TimerCluster.records(first, timers, 2, payload);
    List<TimerRecord> moved = ResyncCost.moved(all, first, next);
    Round horae =
        () -> {
          TimerCluster cluster = new TimerCluster(Members.of(4), TimerNodeOptions.defaults());
          cluster.fill(timers, 2, payload);
          cluster.writeBytes((message, length) -> {});
          long begun = nowNs();
          cluster.change(next);
          long took = nowNs() - begun;
          cluster.check(timers, 2);
          return took;
        };
    Round twin =
        () -> {
          long begun = nowNs();
          TimerStore store = TimerStore.inMemory();
          for (TimerRecord record : moved) {
            byte[] frame = Codec.encode(new Message.Replicate(0, List.of(record)));
            var message = (Message.Replicate) ((Decoded.Understood) Codec.decode(frame)).message();
            store.put(message.records().get(0), record.startMs() + record.intervalMs());
          }
          long took = nowNs() - begun;
          Wheel.expect(store.size() > 0, "nothing was copied");
          return took;
        };
    return new Twins("resync", horae, twin);
  }
}
