package io.horae.resync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.horae.placement.ClusterView;
import io.horae.placement.Node;
import io.horae.timer.Cursor;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A cluster, its network, clients and hosts, all moved by the commands of a script. */
final class Stage {

  /** More than any story needs: a node that goes on at one moment is caught. */
  private static final int STEPS_MAX = 10_000;

  private final ScriptedPlacement placement = new ScriptedPlacement();
  private final Wording wording = new Wording(placement);
  private final TimerNodeOptions.Builder options = TimerNodeOptions.builder();
  private final Map<String, Actor> actors = new LinkedHashMap<>();
  private final Map<String, ClusterView> views = new LinkedHashMap<>();
  private final Map<String, List<TimerId>> handles = new HashMap<>();
  private final Set<Set<String>> cuts = new HashSet<>();
  private final List<Envelope> underWay = new ArrayList<>();
  private final List<Envelope> held = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private String prefix = "";
  private long nowMs;

  /** A message on its way. */
  private record Envelope(String from, String to, Message message) {}

  /** A node and its host. */
  private final class Actor implements Outbox {
    private final String name;
    private final List<Pop> pops = new ArrayList<>();
    private long aheadMs;
    private int incarnation;
    private TimerStore store = TimerStore.inMemory();
    private @Nullable TimerNode running;

    Actor(String name) {
      this.name = name;
    }

    void start() {
      wording.origin(TimerIds.instance(name, incarnation), name + "'".repeat(incarnation));
      running =
          TimerNode.builder(name)
              .incarnation(incarnation)
              .placement(placement::among)
              .options(options.seed(name.hashCode()).build())
              .store(store)
              .outbox(this)
              .build();
    }

    TimerNode node() {
      if (running == null) {
        throw new IllegalArgumentException(name + " does not run");
      }
      return running;
    }

    /** The time by its own clock. */
    long clockMs() {
      return nowMs + aheadMs;
    }

    long nextTickMs() {
      long next = running == null ? Long.MAX_VALUE : running.nextTickMs();
      return next == Long.MAX_VALUE ? next : Math.max(nowMs, next - aheadMs);
    }

    @Override
    public void send(String to, Message message) {
      boolean lost = !isConnected(name, to);
      say(name + " to " + to + ": " + wording.message(message) + (lost ? " (lost)" : ""));
      if (!lost) {
        underWay.add(new Envelope(name, to, onTheWire(message)));
      }
    }

    @Override
    public void pop(Pop pop) {
      say(name + " pops " + wording.pop(pop));
      pops.add(pop);
    }

    @Override
    public void confirmed(Confirmation confirmation) {
      say(name + ": " + wording.confirmation(confirmation));
    }

    @Override
    public void report(Event event) {
      say(name + ": " + wording.event(event));
    }
  }

  private static Message onTheWire(Message message) {
    if (Codec.decode(Codec.encode(message)) instanceof Decoded.Understood understood) {
      return understood.message();
    }
    throw new AssertionError("not readable as it was written: " + message);
  }

  private void say(String text) {
    lines.add(prefix + text);
  }

  /** Does what a command says; returns what came of it. */
  List<String> play(String command) {
    lines.clear();
    prefix = "";
    Words words = new Words(command);
    boolean quietly = words.takes("quietly");
    try {
      play(words);
    } catch (RejectedExecutionException e) {
      say("refused: " + e.getMessage());
    }
    words.end();
    return quietly ? List.of() : List.copyOf(lines);
  }

  private void play(Words words) {
    String verb = words.next();
    switch (verb) {
      case "option" -> option(words.next(), words.next());
      case "nodes" -> words.rest().forEach(this::add);
      case "clock" -> actor(words.next()).aheadMs = words.ms();
      case "members" -> define(words.next(), words.rest());
      case "place" -> place(words);
      case "view" -> view(words.next(), words);
      case "resync" -> words.after("at").forEach(name -> actor(name).node().resync(clockMs(name)));
      case "create", "update", "delete" -> change(verb, words);
      case "popped" -> popped(words);
      case "deliver" -> deliver(words);
      case "drop" -> lose(some(words));
      case "hold" -> hold(words);
      case "release" -> underWay.addAll(released());
      case "repeat" -> underWay.addAll(some(words));
      case "cut" -> cuts.add(Set.copyOf(words.rest()));
      case "heal" -> cuts.remove(Set.copyOf(words.rest()));
      case "crash" -> crash(words.next());
      case "restart" -> restart(words);
      case "advance" -> advance(words.ms(), false);
      case "run" -> advance(words.ms(), true);
      case "holdings" -> actors.values().forEach(this::holdings);
      case "rejected" -> actors.values().forEach(this::rejected);
      default -> throw new IllegalArgumentException("no such command: " + verb);
    }
  }

  // The cluster.

  private void option(String name, String value) {
    switch (name) {
      case "pageTimersMax" -> options.pageTimersMax(Integer.parseInt(value));
      case "popAttemptsMax" -> options.popAttemptsMax(Integer.parseInt(value));
      case "operationsMax" -> options.operationsMax(Integer.parseInt(value));
      case "retriesMax" -> options.retriesMax(Integer.parseInt(value));
      case "sweepTimersMax" -> options.sweepTimersMax(Integer.parseInt(value));
      case "fetchesInFlightMax" -> options.fetchesInFlightMax(Integer.parseInt(value));
      default -> throw new IllegalArgumentException("no such option: " + name);
    }
  }

  private void add(String name) {
    Actor actor = new Actor(name);
    actors.put(name, actor);
    actor.start();
  }

  private Actor actor(String name) {
    Actor actor = actors.get(name);
    if (actor == null) {
      throw new IllegalArgumentException("no such node: " + name);
    }
    return actor;
  }

  private long clockMs(String name) {
    return actor(name).clockMs();
  }

  /** Defines a view; the members are those of the view before it, changed to these. */
  private void define(String label, List<String> names) {
    List<Node> members = names.stream().map(Node::of).toList();
    long epoch = Long.parseLong(label.replace("'", ""));
    ClusterView before = views.get(Long.toString(epoch - 1));
    ClusterView view = before == null ? ClusterView.of(epoch, members) : before.next(members);
    views.put(label, view);
    wording.view(ViewStamp.of(view), label);
  }

  private void view(String label, Words words) {
    ClusterView view = views.get(label);
    for (String name : words.after("at")) {
      actor(name).node().view(clockMs(name), view);
    }
  }

  private void place(Words words) {
    String timer = words.next();
    words.expect("on");
    List<String> replicas = words.until("among");
    placement.place(timer, words.rest(), replicas);
  }

  private void crash(String name) {
    Actor actor = actor(name);
    actor.running = null;
    actor.pops.clear();
    lose(underWay.stream().filter(envelope -> envelope.to().equals(name)).toList());
  }

  private void restart(Words words) {
    Actor actor = actor(words.next());
    if (!words.takes("with", "memory")) {
      actor.store = TimerStore.inMemory();
    }
    actor.incarnation++;
    actor.start();
  }

  // The clients and hosts.

  private void change(String verb, Words words) {
    String timer = words.next();
    words.expect("at");
    String name = words.next();
    TimerNode node = actor(name).node();
    List<TimerId> known = handles.computeIfAbsent(timer, unknown -> new ArrayList<>());
    int handle = words.takes("handle") ? Integer.parseInt(words.next()) : known.size();
    if (verb.equals("delete")) {
      node.delete(clockMs(name), known.get(handle - 1));
      return;
    }
    TimerSpec spec = spec(timer, words);
    Ticket ticket;
    if (verb.equals("create")) {
      placement.name(timer);
      ticket = node.create(clockMs(name), spec);
    } else {
      ticket = node.update(clockMs(name), known.get(handle - 1), spec);
    }
    known.add(ticket.timer());
  }

  private static TimerSpec spec(String timer, Words words) {
    words.expect("every");
    TimerSpec spec = TimerSpec.once(words.ms(), timer.getBytes(UTF_8));
    if (words.takes("for")) {
      spec = spec.repeatedFor(words.ms());
    }
    if (words.takes("on")) {
      spec = spec.onReplicas(Integer.parseInt(words.next()));
    }
    return spec;
  }

  private void popped(Words words) {
    String timer = words.next();
    words.expect("at");
    Actor actor = actor(words.next());
    boolean success = words.takes("well");
    if (!success) {
      words.expect("badly");
    }
    for (Pop pop : List.copyOf(actor.pops)) {
      if (placement.name(pop.timer().id()).equals(timer)) {
        actor.pops.remove(pop);
        actor.node().popped(actor.clockMs(), pop, success);
        return;
      }
    }
    throw new IllegalArgumentException(actor.name + " has no pop of " + timer);
  }

  // The network.

  private boolean isConnected(String from, String to) {
    Actor target = actors.get(to);
    return target != null && target.running != null && !cuts.contains(Set.of(from, to));
  }

  /** The ends of the messages that a command is about. */
  private static Predicate<Envelope> chosen(Words words) {
    Predicate<Envelope> chosen = envelope -> true;
    if (words.takes("from")) {
      String from = words.next();
      chosen = chosen.and(envelope -> envelope.from().equals(from));
    }
    if (words.takes("to")) {
      String to = words.next();
      chosen = chosen.and(envelope -> envelope.to().equals(to));
    }
    return chosen;
  }

  /** The messages under way that a command is about: those between some nodes, or the first few. */
  private List<Envelope> some(Words words) {
    List<Envelope> some = underWay.stream().filter(chosen(words)).toList();
    return words.isEmpty() ? some : some.subList(0, Integer.parseInt(words.next()));
  }

  /** Delivers all until nothing is under way, or those that a choice fits and are under way now. */
  private void deliver(Words words) {
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
    String words = wording.message(envelope.message());
    if (isConnected(envelope.from(), envelope.to())) {
      say(envelope.to() + " from " + envelope.from() + ": " + words);
      Actor target = actor(envelope.to());
      String before = prefix;
      prefix += "  ";
      target.node().receive(target.clockMs(), envelope.from(), envelope.message());
      prefix = before;
    } else {
      say("lost from " + envelope.from() + " to " + envelope.to() + ": " + words);
    }
  }

  /** Keeps messages back until they are released. */
  private void hold(Words words) {
    List<Envelope> some = some(words);
    some.forEach(underWay::remove);
    held.addAll(some);
  }

  private List<Envelope> released() {
    List<Envelope> released = List.copyOf(held);
    held.clear();
    return released;
  }

  private void lose(List<Envelope> lost) {
    for (Envelope envelope : lost) {
      underWay.remove(envelope);
      String words = wording.message(envelope.message());
      say("lost from " + envelope.from() + " to " + envelope.to() + ": " + words);
    }
  }

  // Time.

  /** Lets time pass; if wanted, messages arrive and pops go well at once. */
  private void advance(long toMs, boolean smoothly) {
    for (int steps = 0; ; steps++) {
      if (steps == STEPS_MAX) {
        throw new AssertionError("no end of ticks at " + Wording.seconds(nowMs));
      }
      at(nowMs);
      if (smoothly) {
        smooth();
      }
      Actor first = null;
      for (Actor actor : actors.values()) {
        if (first == null || actor.nextTickMs() < first.nextTickMs()) {
          first = actor;
        }
      }
      if (first == null || first.nextTickMs() > toMs) {
        break;
      }
      at(first.nextTickMs());
      first.node().tick(first.clockMs());
    }
    at(toMs);
  }

  private void at(long ms) {
    nowMs = ms;
    prefix = Wording.seconds(ms) + ": ";
  }

  private void smooth() {
    deliverAll();
    for (Actor actor : actors.values()) {
      while (!actor.pops.isEmpty()) {
        actor.node().popped(actor.clockMs(), actor.pops.remove(0), true);
        deliverAll();
      }
    }
  }

  // What can be seen from outside.

  private void holdings(Actor actor) {
    if (actor.running == null) {
      say(actor.name + ": does not run");
      return;
    }
    if (actor.store.size() == 0) {
      say(actor.name + ": nothing");
    }
    actor
        .store
        .scan(Cursor.START, STEPS_MAX)
        .timers()
        .forEach(
            timer ->
                say(
                    actor.name
                        + ": "
                        + wording.holding(
                            actor.name, timer.payload(), timer.deadline() - actor.aheadMs)));
  }

  private void rejected(Actor actor) {
    if (actor.running != null) {
      say(actor.name + ": " + Wording.rejections(actor.running.statistics().rejected()));
    }
  }

  /** The words of a command, taken one by one. */
  private static final class Words {
    private final List<String> words;

    Words(String command) {
      words = new ArrayList<>(Arrays.asList(command.trim().split("[ ,:]+")));
    }

    boolean isEmpty() {
      return words.isEmpty();
    }

    String next() {
      if (words.isEmpty()) {
        throw new IllegalArgumentException("more words expected");
      }
      return words.remove(0);
    }

    void expect(String word) {
      if (!takes(word)) {
        throw new IllegalArgumentException(word + " expected: " + words);
      }
    }

    boolean takes(String... expected) {
      List<String> phrase = List.of(expected);
      boolean there =
          words.size() >= phrase.size() && words.subList(0, phrase.size()).equals(phrase);
      if (there) {
        words.subList(0, phrase.size()).clear();
      }
      return there;
    }

    List<String> until(String word) {
      List<String> found = new ArrayList<>();
      while (!takes(word)) {
        found.add(next());
      }
      return found;
    }

    List<String> after(String word) {
      expect(word);
      return rest();
    }

    List<String> rest() {
      List<String> rest = List.copyOf(words);
      words.clear();
      return rest;
    }

    long ms() {
      takes("to");
      long ms = new BigDecimal(next()).movePointRight(3).longValueExact();
      takes("s");
      return ms;
    }

    void end() {
      if (!words.isEmpty()) {
        throw new IllegalArgumentException("too many words: " + words);
      }
    }
  }
}
