package io.horae.resync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.placement.BucketPlan;
import io.horae.placement.BucketTable;
import io.horae.placement.ClusterView;
import io.horae.placement.HashMask;
import io.horae.placement.KeyHash;
import io.horae.placement.Node;
import io.horae.resync.BucketMessage.Role;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One bucket on its way from b, whose backup is a, to c, while a client writes and another reads; d
 * looks on. Messages are delivered one by one, in the order in which they were sent, unless a test
 * has other ideas.
 */
final class MovingBucket {

  static final HashMask BUCKET = HashMask.parse("000F/0006");

  private static final BucketPlan NOTHING = new BucketPlan(List.of(), List.of());
  private static final int KEYS = 7;
  private static final int WRITES = 2 * KEYS;
  private static final int STEPS_MAX = 100_000;
  private static final String WRITER = "writer";
  private static final String READER = "reader";
  private static final List<byte[]> NAMES = names();

  /** A message under way. */
  record Envelope(String from, String to, BucketMessage message) {}

  /** A machine, and the server that runs on it if one does. */
  private final class Machine implements BucketOutbox {
    private final Node node;
    private ItemStore store = ItemStore.inMemory();
    private @Nullable BucketNode server;
    private long starts;
    private long viewEpoch;
    private boolean drained;

    Machine(String name) {
      node = Node.of(name);
    }

    void start() {
      store = ItemStore.inMemory();
      viewEpoch = 0;
      server =
          BucketNode.builder(node.id())
              .incarnation(++starts)
              .options(
                  BucketNodeOptions.builder()
                      .seed(node.id().hashCode())
                      .windowItemsMax(3)
                      .windowsInFlightMax(2)
                      .transfersMax(20)
                      .transfersInMax(20)
                      .build())
              .planner(table -> NOTHING)
              .store(store)
              .outbox(this)
              .build();
    }

    BucketNode server() {
      return Objects.requireNonNull(server, () -> node.id() + " does not run");
    }

    @Override
    public void send(String to, BucketMessage message) {
      MovingBucket.this.send(node.id(), to, message);
    }

    @Override
    public void report(BucketEvent event) {
      drained |= event instanceof BucketEvent.Drained;
    }
  }

  /** A client. */
  private final class User implements BucketClientOutbox {
    private final String name;
    private final BucketClient client;
    private final Map<Long, BucketResult> results = new HashMap<>();

    User(String name, long id, BucketTable table) {
      this.name = name;
      client =
          BucketClient.builder(id).table(table).outbox(this).timeoutMs(300).retryMs(40).build();
    }

    @Override
    public void send(String server, BucketMessage.Request request) {
      MovingBucket.this.send(name, server, request);
    }

    @Override
    public void done(BucketResult result) {
      results.put(result.number(), result);
    }
  }

  /** What was asked for last of a key. */
  private static final class Key {
    private final byte[] name;
    private final long hash;
    private String value = "";
    private long write;
    private long read;

    /** What was there at least when the read began. */
    private int leastRead;

    Key(byte[] name) {
      this.name = name;
      hash = KeyHash.md5().hash(name);
    }
  }

  private final Map<String, Machine> machines = new TreeMap<>();
  private final Map<String, User> users = new TreeMap<>();
  private final List<Key> keys = new ArrayList<>();
  private final Deque<Envelope> underWay = new ArrayDeque<>();
  private final Map<Set<String>, Long> cutsUntilMs = new HashMap<>();
  private ClusterView view = ClusterView.of(1, List.of(Node.of("a")));
  private BucketTable dayOne = BucketTable.initial(Node.of("a"));
  private long nowMs;
  private int writes;
  private long delivered;

  /** Whether the clients go on. */
  private boolean busy;

  MovingBucket() {
    for (String name : List.of("a", "b", "c", "d")) {
      machines.put(name, new Machine(name));
      machine(name).start();
    }
    for (String name : List.of("b", "c", "d")) {
      dayOne = dayOne.join(Node.of(name)).table();
    }
    machine("a").server().view(nowMs, view);
    NAMES.forEach(name -> keys.add(new Key(name)));
    User writer = new User(WRITER, 1, dayOne);
    users.put(WRITER, writer);
    users.put(READER, new User(READER, 2, dayOne));
    for (Key key : keys) {
      put(writer, key);
      settle(0);
    }
    decide("a", "b", "c", "d");
    settle(0);
    carryOut("a", "b");
    settle(10_000);
    assertEquals("b", owner());
    assertEquals(Role.COPY, roleAt("a", keys.get(0)));
    busy = true;
    delivered = 0;
    carryOut("b", "c");
  }

  private static List<byte[]> names() {
    List<byte[]> names = new ArrayList<>();
    for (int i = 0; names.size() < KEYS; i++) {
      byte[] name = ("k" + i).getBytes(UTF_8);
      if (BUCKET.contains(KeyHash.md5().hash(name))) {
        names.add(name);
      }
    }
    return names;
  }

  private Machine machine(String name) {
    return Objects.requireNonNull(machines.get(name));
  }

  // What a test does.

  /** Delivers so many messages; clients go on meanwhile. */
  void deliver(int count) {
    for (int i = 0; i < count && !underWay.isEmpty(); i++) {
      deliverNext();
    }
  }

  /** Delivers the next message, after the clients may have asked for something. */
  void deliverNext() {
    if (busy && delivered % 4 == 0 && writes < WRITES) {
      use();
    }
    arrive(underWay.remove());
  }

  boolean isUnderWay() {
    return !underWay.isEmpty();
  }

  /** Takes the next message off its way. */
  @Nullable Envelope take() {
    return underWay.poll();
  }

  void arrive(Envelope envelope) {
    delivered++;
    Machine machine = machines.get(envelope.to());
    User user = users.get(envelope.to());
    if (machine != null && machine.server != null) {
      machine.server.receive(nowMs, envelope.from(), envelope.message());
    } else if (user != null) {
      user.client.receive(nowMs, envelope.from(), envelope.message());
      hear(user);
    }
    assertOneOwnerAtMost();
  }

  void sendLater(Envelope envelope) {
    underWay.add(envelope);
  }

  /** Lets nothing through between two servers for a while. */
  void cut(String one, String other, long ms) {
    cutsUntilMs.put(Set.of(one, other), nowMs + ms);
  }

  void crash(String name) {
    machine(name).server = null;
  }

  void restart(String name) {
    machine(name).start();
  }

  /** Tells all that run of the next view. */
  void decide(String... members) {
    next(members);
    machines.keySet().forEach(this::tell);
  }

  /** The next view, of which nobody is told yet. */
  void next(String... members) {
    view = view.next(Arrays.stream(members).map(Node::of).toList());
  }

  void tell(String name) {
    Machine machine = machine(name);
    if (machine.server != null) {
      machine.viewEpoch = view.epoch();
      machine.server.view(nowMs, view);
    }
    assertOneOwnerAtMost();
  }

  /** Has a server move the bucket, if it is there. */
  void carryOut(String from, String to) {
    BucketPlan.Move move = new BucketPlan.Move(BUCKET, machine(from).node, machine(to).node);
    machine(from).server().carryOut(nowMs, new BucketPlan(List.of(), List.of(move)));
  }

  boolean split(String name) {
    return machine(name).server().split(nowMs, BUCKET);
  }

  void leave(String name) {
    machine(name).server().leave(nowMs);
  }

  boolean isDrained(String name) {
    return machine(name).drained;
  }

  /** Lets time pass, and everything happen that is due. */
  void settle(long ms) {
    long untilMs = nowMs + ms;
    for (int steps = 0; ; steps++) {
      assertTrue(steps < STEPS_MAX, "no end of messages and ticks");
      if (!underWay.isEmpty()) {
        deliverNext();
        continue;
      }
      long next = nextTickMs();
      if (next > untilMs) {
        nowMs = untilMs;
        return;
      }
      nowMs = Math.max(nowMs, next);
      tick();
    }
  }

  private long nextTickMs() {
    long next = Long.MAX_VALUE;
    for (Machine machine : machines.values()) {
      next = Math.min(next, machine.server == null ? next : machine.server.nextTickMs());
    }
    for (User user : users.values()) {
      next = Math.min(next, user.client.nextTickMs());
    }
    return next;
  }

  private void tick() {
    for (Machine machine : machines.values()) {
      if (machine.server != null && machine.server.nextTickMs() <= nowMs) {
        machine.server.tick(nowMs);
      }
    }
    for (User user : users.values()) {
      if (user.client.nextTickMs() <= nowMs) {
        user.client.tick(nowMs);
      }
    }
    assertOneOwnerAtMost();
  }

  private void send(String from, String to, BucketMessage message) {
    if (cutsUntilMs.getOrDefault(Set.of(from, to), Long.MIN_VALUE) <= nowMs) {
      underWay.add(new Envelope(from, to, message));
    }
  }

  // The clients.

  private void use() {
    User writer = Objects.requireNonNull(users.get(WRITER));
    User reader = Objects.requireNonNull(users.get(READER));
    Key key = keys.get(writes % KEYS);
    if (key.write == 0) {
      if (writes % 7 == 4) {
        writes++;
        key.value = "";
        key.write = writer.client.delete(nowMs, key.name);
      } else {
        put(writer, key);
      }
    }
    Key other = keys.get((writes * 5 + 1) % KEYS);
    if (other.read == 0 && writes % 2 == 0) {
      other.leastRead = other.write == 0 ? number(other.value) : 0;
      other.read = reader.client.get(nowMs, other.name);
    }
  }

  private void put(User writer, Key key) {
    key.value = Integer.toString(++writes);
    key.write = writer.client.put(nowMs, key.name, key.value.getBytes(UTF_8));
  }

  private static int number(String value) {
    return value.isEmpty() ? 0 : Integer.parseInt(value);
  }

  /** A client may have been answered. */
  private void hear(User user) {
    for (Key key : keys) {
      if (user.name.equals(WRITER) && user.results.containsKey(key.write)) {
        BucketResult result = user.results.remove(key.write);
        assertEquals(BucketResult.Outcome.DONE, result.outcome());
        key.write = 0;
      } else if (user.name.equals(READER) && user.results.containsKey(key.read)) {
        BucketResult result = user.results.remove(key.read);
        assertFalse(result.outcome() == BucketResult.Outcome.GIVEN_UP);
        String found = new String(result.value(), UTF_8);
        if (!found.isEmpty()) {
          assertTrue(
              number(found) >= key.leastRead && number(found) <= writes,
              () -> "found " + found + " where " + key.leastRead + " was written");
        }
        key.read = 0;
      }
    }
  }

  // What must hold.

  private @Nullable Role roleAt(String name, Key key) {
    BucketNode server = machine(name).server;
    return server == null ? null : server.roleAt(key.hash);
  }

  /** Under one view no two servers serve the same key. */
  private void assertOneOwnerAtMost() {
    for (Key key : keys) {
      List<Long> views = new ArrayList<>(2);
      for (Machine machine : machines.values()) {
        if (machine.server != null && machine.server.roleAt(key.hash) == Role.PRIMARY) {
          long epoch = machine.viewEpoch;
          assertFalse(views.contains(epoch), () -> "two primaries under view " + epoch);
          views.add(epoch);
        }
      }
    }
  }

  /** Whether a server serves the whole bucket by now. */
  boolean owns(String name) {
    return keys.stream().allMatch(key -> roleAt(name, key) == Role.PRIMARY);
  }

  /** Who owns the bucket; its parts are with one server. */
  String owner() {
    List<String> owners = machines.keySet().stream().filter(this::owns).toList();
    assertEquals(1, owners.size(), () -> "owners: " + owners);
    return owners.get(0);
  }

  /**
   * All is at rest: every item is with one primary and one backup as it was written last, nobody
   * else keeps any, the tables agree, and a client of the first day finds everything by one hop.
   */
  void assertAtRest() {
    busy = false;
    assertEquals(0, Objects.requireNonNull(users.get(WRITER)).client.open());
    List<Machine> members = new ArrayList<>();
    for (Node node : view.after()) {
      members.add(machine(node.id()));
    }
    BucketTable table = members.get(0).server().table();
    assertNotNull(table);
    int leavers = 0;
    for (Machine member : members) {
      BucketStatistics statistics = member.server().statistics();
      assertTrue(statistics.ready());
      assertEquals(
          0,
          statistics.sending()
              + statistics.filling()
              + statistics.yielding()
              + statistics.writesOpen(),
          () -> member.node.id() + ": " + statistics);
      assertEquals(table.buckets(), Objects.requireNonNull(member.server().table()).buckets());
      leavers += member.drained ? 1 : 0;
    }
    int copies = Math.min(2, members.size() - leavers);
    keys.forEach(key -> assertIsKept(key, members, copies));
    keys.forEach(this::assertIsFound);
  }

  private void assertIsKept(Key key, List<Machine> members, int copiesWanted) {
    int primaries = 0;
    int copies = 0;
    for (Machine member : members) {
      Role role = roleAt(member.node.id(), key);
      Item item = member.store.find(key.hash, key.name);
      String found = item == null ? "" : new String(item.value(), UTF_8);
      primaries += role == Role.PRIMARY ? 1 : 0;
      copies += role == null ? 0 : 1;
      assertEquals(role == null ? "" : key.value, found, member.node.id());
    }
    assertEquals(1, primaries);
    assertEquals(copiesWanted, copies);
  }

  private void assertIsFound(Key key) {
    User stranger = new User("stranger", 3, dayOne);
    users.put("stranger", stranger);
    long number = stranger.client.get(nowMs, key.name);
    settle(2_000);
    users.remove("stranger");
    BucketResult result = stranger.results.get(number);
    assertNotNull(result);
    assertEquals(key.value, new String(result.value(), UTF_8));
    assertTrue(result.hops() <= 1, () -> "hops: " + result.hops());
  }
}
