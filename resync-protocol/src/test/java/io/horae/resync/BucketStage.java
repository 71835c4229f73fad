package io.horae.resync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.horae.placement.Bucket;
import io.horae.placement.BucketPlan;
import io.horae.placement.BucketTable;
import io.horae.placement.ClusterView;
import io.horae.placement.HashMask;
import io.horae.placement.KeyHash;
import io.horae.placement.Node;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Servers with buckets, their network and clients, all moved by the commands of a script. */
final class BucketStage {

  private static final int STEPS_MAX = 200_000;

  /** The document hashed its keys with a line feed behind them. */
  private static final KeyHash HASH =
      key -> KeyHash.md5().hash((new String(key, UTF_8) + "\n").getBytes(UTF_8));

  private final BucketNodeOptions.Builder options =
      BucketNodeOptions.builder().retryMs(1_000).drainMs(3_000);
  private final Map<String, Server> servers = new LinkedHashMap<>();
  private final Map<String, Client> clients = new LinkedHashMap<>();
  private final Set<Set<String>> cuts = new HashSet<>();
  private final List<Envelope> underWay = new ArrayList<>();
  private final List<Envelope> held = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private final List<String> reports = new ArrayList<>();
  private @Nullable ClusterView view;
  private String prefix = "";
  private long nowMs;

  private record Envelope(String from, String to, BucketMessage message) {}

  private final class Server implements BucketOutbox {
    private final String name;
    private int incarnation;
    private ItemStore store = ItemStore.inMemory();
    private @Nullable BucketNode running;

    Server(String name) {
      this.name = name;
    }

    void start() {
      store = ItemStore.inMemory();
      BucketNode.Builder builder =
          BucketNode.builder(name)
              .incarnation(incarnation++)
              .options(options.seed(name.hashCode()).build())
              .store(store)
              .keyHash(HASH)
              .outbox(this);
      running = builder.build();
    }

    BucketNode node() {
      if (running == null) {
        throw new IllegalArgumentException(name + " does not run");
      }
      return running;
    }

    @Override
    public void send(String to, BucketMessage message) {
      BucketStage.this.send(name, to, message);
    }

    @Override
    public void report(BucketEvent event) {
      say(name + " " + BucketWording.event(event));
      reports.add(lines.get(lines.size() - 1).replace("  ", ""));
    }
  }

  private final class Client implements BucketClientOutbox {
    private final String name;
    private final BucketClient client;

    Client(String name, BucketTable table) {
      this.name = name;
      client =
          BucketClient.builder(clients.size() + 1).table(table).outbox(this).retryMs(100).build();
    }

    @Override
    public void send(String server, BucketMessage.Request request) {
      BucketStage.this.send(name, server, request);
    }

    @Override
    public void done(BucketResult result) {
      say(name + " " + BucketWording.result(result));
    }
  }

  private void send(String from, String to, BucketMessage message) {
    boolean lost = !isConnected(from, to);
    say(from + " to " + to + ": " + BucketWording.message(message) + (lost ? " (lost)" : ""));
    if (!lost) {
      underWay.add(new Envelope(from, to, onTheWire(message)));
    }
  }

  private static BucketMessage onTheWire(BucketMessage message) {
    if (Codec.decode(Codec.encode(message)) instanceof Decoded.Understood understood
        && understood.message() instanceof BucketMessage read) {
      return read;
    }
    throw new AssertionError("not readable as it was written: " + message);
  }

  private void say(String text) {
    lines.add(prefix + text);
  }

  /**
   * Does what a command says; returns what came of it: {@code quietly} nothing, {@code briefly} no
   * more than what servers report.
   */
  List<String> play(String command) {
    lines.clear();
    reports.clear();
    prefix = "";
    List<String> words = new ArrayList<>(Arrays.asList(command.trim().split("[ ,]+")));
    boolean quietly = words.remove("quietly");
    boolean briefly = words.remove("briefly");
    play(words.remove(0), words);
    return quietly ? List.of() : List.copyOf(briefly ? reports : lines);
  }

  private void play(String verb, List<String> words) {
    switch (verb) {
      case "option" -> option(words.get(0), words.get(1));
      case "servers" -> words.forEach(this::start);
      case "view" -> view(words);
      case "client" -> clients.put(words.get(0), client(words));
      case "put", "get", "delete" -> ask(verb, words);
      case "fill" -> fill(words);
      case "check" -> check(words);
      case "deliver" -> deliver(words);
      case "drop" -> lose(some(words));
      case "hold" -> hold(words);
      case "release" -> release();
      case "repeat" -> underWay.addAll(some(words));
      case "cut" -> cuts.add(Set.copyOf(words));
      case "heal" -> cuts.remove(Set.copyOf(words));
      case "crash" -> crash(words.get(0));
      case "restart" -> start(words.get(0));
      case "advance" -> advance(ms(words), false);
      case "run" -> advance(ms(words), true);
      case "move" -> move(words);
      case "split" -> split(words);
      case "leave" -> server(words.get(0)).node().leave(nowMs);
      case "table" -> table(words.get(0));
      case "holdings" -> servers.values().forEach(this::holdings);
      case "rejected" -> servers.values().forEach(this::rejected);
      default -> throw new IllegalArgumentException("no such command: " + verb);
    }
  }

  private static long ms(List<String> words) {
    return new BigDecimal(words.get(words.size() - 1)).movePointRight(3).longValueExact();
  }

  // The cluster.

  private void option(String name, String value) {
    switch (name) {
      case "windowItemsMax" -> options.windowItemsMax(Integer.parseInt(value));
      case "windowsInFlightMax" -> options.windowsInFlightMax(Integer.parseInt(value));
      case "transfersMax" -> options.transfersMax(Integer.parseInt(value));
      case "transfersInMax" -> options.transfersInMax(Integer.parseInt(value));
      case "backupsMax" -> options.backupsMax(Integer.parseInt(value));
      case "writesOpenMax" -> options.writesOpenMax(Integer.parseInt(value));
      case "itemsPerSecondMax" -> options.itemsPerSecondMax(Integer.parseInt(value));
      case "readsConfirmed" -> options.readsConfirmed(Boolean.parseBoolean(value));
      case "plans" -> options.planMs(Boolean.parseBoolean(value) ? 200 : 1L << 40);
      default -> throw new IllegalArgumentException("no such option: " + name);
    }
  }

  private void start(String name) {
    servers.computeIfAbsent(name, Server::new).start();
  }

  private Server server(String name) {
    Server server = servers.get(name);
    if (server == null) {
      throw new IllegalArgumentException("no such server: " + name);
    }
    return server;
  }

  /** {@code view 2: A B} tells all that run; {@code view 2: A B at A} tells some, or some more. */
  private void view(List<String> words) {
    long epoch = Long.parseLong(words.remove(0).replace(":", ""));
    int at = words.indexOf("at");
    List<String> told =
        at < 0 ? List.copyOf(servers.keySet()) : List.copyOf(words.subList(at + 1, words.size()));
    List<Node> members =
        words.subList(0, at < 0 ? words.size() : at).stream().map(Node::of).toList();
    if (!members.isEmpty()) {
      view = ClusterView.of(epoch, members);
    }
    for (String name : told) {
      Server server = server(name);
      if (server.running != null) {
        server.node().view(nowMs, view);
      }
    }
  }

  private void crash(String name) {
    server(name).running = null;
    lose(underWay.stream().filter(envelope -> envelope.to().equals(name)).toList());
  }

  private void move(List<String> words) {
    HashMask mask = HashMask.parse(words.get(0));
    Server from = server(words.get(2));
    BucketPlan.Move move = new BucketPlan.Move(mask, Node.of(from.name), Node.of(words.get(4)));
    from.node().carryOut(nowMs, new BucketPlan(List.of(), List.of(move)));
  }

  private void split(List<String> words) {
    boolean can = server(words.get(2)).node().split(nowMs, HashMask.parse(words.get(0)));
    if (!can) {
      say(words.get(2) + " cannot split " + words.get(0));
    }
  }

  // Clients.

  private Client client(List<String> words) {
    String source = words.get(words.size() - 1);
    BucketTable table = servers.containsKey(source) ? server(source).node().table() : null;
    return new Client(words.get(0), table != null ? table : BucketTable.initial(Node.of(source)));
  }

  private Client clientBy(List<String> words) {
    return clients.get(words.get(words.size() - 1));
  }

  private void ask(String verb, List<String> words) {
    BucketClient client = clientBy(words).client;
    byte[] key = words.get(0).getBytes(UTF_8);
    switch (verb) {
      case "put" -> client.put(nowMs, key, words.get(1).getBytes(UTF_8));
      case "get" -> client.get(nowMs, key);
      default -> client.delete(nowMs, key);
    }
  }

  /** {@code fill 100 by c}: so many items, k0, k1, …. */
  private void fill(List<String> words) {
    for (int i = 0; i < Integer.parseInt(words.get(0)); i++) {
      clientBy(words).client.put(nowMs, ("k" + i).getBytes(UTF_8), ("v" + i).getBytes(UTF_8));
      quietly(this::deliverAll);
    }
  }

  /**
   * {@code check 100 by c}: reads them again and says how many were found, and by how many hops.
   */
  private void check(List<String> words) {
    int found = 0;
    int hops = 0;
    for (int i = 0; i < Integer.parseInt(words.get(0)); i++) {
      clientBy(words).client.get(nowMs, ("k" + i).getBytes(UTF_8));
      int before = lines.size();
      deliverAll();
      for (int tries = 0; tries < 20 && clientBy(words).client.open() > 0; tries++) {
        advance(nowMs + 1_000, true);
      }
      String last = lines.get(lines.size() - 1);
      lines.subList(before, lines.size()).clear();
      found += last.contains("FOUND v" + i) ? 1 : 0;
      hops += last.contains("after 1 hops") ? 1 : 0;
      hops += last.contains("after 2 hops") ? 2 : 0;
    }
    lines.clear();
    say("found " + found + ", after " + hops + " hops in all");
  }

  private void quietly(Runnable action) {
    int before = lines.size();
    action.run();
    lines.subList(before, lines.size()).clear();
  }

  // The network.

  private boolean isConnected(String from, String to) {
    Server target = servers.get(to);
    boolean there = target == null ? clients.containsKey(to) : target.running != null;
    return there && !cuts.contains(Set.of(from, to));
  }

  private List<Envelope> some(List<String> words) {
    Predicate<Envelope> chosen = envelope -> true;
    List<String> rest = new ArrayList<>(words);
    if (!rest.isEmpty() && rest.get(0).equals("from")) {
      String from = rest.get(1);
      chosen = chosen.and(envelope -> envelope.from().equals(from));
      rest.subList(0, 2).clear();
    }
    if (!rest.isEmpty() && rest.get(0).equals("to")) {
      String to = rest.get(1);
      chosen = chosen.and(envelope -> envelope.to().equals(to));
      rest.subList(0, 2).clear();
    }
    List<Envelope> some = underWay.stream().filter(chosen).toList();
    return rest.isEmpty() ? some : some.subList(0, Integer.parseInt(rest.get(0)));
  }

  private void deliver(List<String> words) {
    if (words.isEmpty()) {
      deliverAll();
    } else {
      some(words).forEach(this::deliver);
    }
  }

  private void deliverAll() {
    for (int steps = 0; !underWay.isEmpty(); steps++) {
      if (steps == STEPS_MAX) {
        throw new AssertionError("messages without end");
      }
      deliver(underWay.get(0));
    }
  }

  private void deliver(Envelope envelope) {
    underWay.remove(envelope);
    String words = BucketWording.message(envelope.message());
    if (!isConnected(envelope.from(), envelope.to())) {
      say("lost from " + envelope.from() + " to " + envelope.to() + ": " + words);
      return;
    }
    say(envelope.to() + " from " + envelope.from() + ": " + words);
    String before = prefix;
    prefix += "  ";
    Client client = clients.get(envelope.to());
    if (client != null) {
      client.client.receive(nowMs, envelope.from(), envelope.message());
    } else {
      server(envelope.to()).node().receive(nowMs, envelope.from(), envelope.message());
    }
    prefix = before;
  }

  private void hold(List<String> words) {
    List<Envelope> some = some(words);
    some.forEach(underWay::remove);
    held.addAll(some);
  }

  private void release() {
    underWay.addAll(held);
    held.clear();
  }

  private void lose(List<Envelope> lost) {
    for (Envelope envelope : List.copyOf(lost)) {
      underWay.remove(envelope);
      String words = BucketWording.message(envelope.message());
      say("lost from " + envelope.from() + " to " + envelope.to() + ": " + words);
    }
  }

  // Time.

  private long nextTickMs() {
    long next = Long.MAX_VALUE;
    for (Server server : servers.values()) {
      next = Math.min(next, server.running == null ? next : server.node().nextTickMs());
    }
    for (Client client : clients.values()) {
      next = Math.min(next, client.client.nextTickMs());
    }
    return next;
  }

  private void advance(long toMs, boolean smoothly) {
    for (int steps = 0; ; steps++) {
      if (steps == STEPS_MAX) {
        throw new AssertionError("no end of ticks at " + Wording.seconds(nowMs));
      }
      at(nowMs);
      if (smoothly) {
        deliverAll();
      }
      if (nextTickMs() > toMs) {
        break;
      }
      at(Math.max(nowMs, nextTickMs()));
      for (Server server : servers.values()) {
        if (server.running != null && server.node().nextTickMs() <= nowMs) {
          server.node().tick(nowMs);
        }
      }
      for (Client client : clients.values()) {
        if (client.client.nextTickMs() <= nowMs) {
          client.client.tick(nowMs);
        }
      }
    }
    at(toMs);
  }

  private void at(long ms) {
    nowMs = ms;
    prefix = Wording.seconds(ms) + ": ";
  }

  // What can be seen from outside.

  private void table(String name) {
    BucketTable table = server(name).node().table();
    if (table == null) {
      say("none");
    } else {
      table.toText().lines().forEach(this::say);
    }
  }

  private void holdings(Server server) {
    if (server.running == null) {
      say(server.name + ": does not run");
      return;
    }
    BucketStatistics statistics = server.node().statistics();
    int items = 0;
    for (HashMask root : roots()) {
      items += server.store.items(root, null, STEPS_MAX).size();
    }
    say(
        server.name
            + ": primary of "
            + statistics.primaries()
            + ", backup of "
            + statistics.copies()
            + (statistics.yielding() > 0 ? ", yielding " + statistics.yielding() : "")
            + (statistics.filling() > 0 ? ", filling " + statistics.filling() : "")
            + ", "
            + items
            + " items");
  }

  private static List<HashMask> roots() {
    List<HashMask> roots = new ArrayList<>();
    for (int digit = 0; digit < 16; digit++) {
      roots.add(HashMask.of(digit, 1));
    }
    return roots;
  }

  private void rejected(Server server) {
    if (server.running != null) {
      say(server.name + ": " + server.node().statistics().rejected());
    }
  }

  /** The entry of a server's table for a bucket. */
  @Nullable Bucket entry(String server, HashMask mask) {
    BucketTable table = server(server).node().table();
    return table == null ? null : table.bucketAt(mask.value());
  }
}
