package io.horae.resync;

import io.horae.placement.ClusterView;
import io.horae.placement.Node;
import io.horae.placement.Placement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A few nodes on one virtual clock. Messages take no time, unless a test cuts the way or loses
 * them; timers are placed in the order in which a view lists its nodes, so that a test decides who
 * is primary.
 */
final class TestCluster {

  /** A message on its way. */
  record Sent(String from, String to, Message message) {}

  /** A node's host: it keeps what it gets, and answers pops as the test says. */
  static final class Host implements Outbox {
    final String id;
    final List<Pop> pops = new ArrayList<>();
    final List<Long> popTimes = new ArrayList<>();
    final List<Confirmation> confirmations = new ArrayList<>();
    final List<Event> events = new ArrayList<>();
    final TimerStore store;
    final TimerNode node;

    /** What the host says of each pop; null says nothing. */
    Boolean outcome = true;

    /** Whether the outbox throws on send. */
    boolean throwing;

    /** Whether the outbox throws on pop. */
    boolean throwingPops;

    private final TestCluster cluster;
    private final Deque<Pop> unanswered = new ArrayDeque<>();

    Host(TestCluster cluster, String id, long incarnation, TimerStore store) {
      this.cluster = cluster;
      this.id = id;
      this.store = store;
      node =
          TimerNode.builder(id)
              .incarnation(incarnation)
              .placement(InOrder::new)
              .options(cluster.options)
              .store(store)
              .outbox(this)
              .build();
    }

    @Override
    public void send(String to, Message message) {
      if (throwing) {
        throw new OutboxException();
      }
      cluster.send(new Sent(id, to, message));
    }

    @Override
    public void pop(Pop pop) {
      if (throwingPops) {
        throw new OutboxException();
      }
      pops.add(pop);
      popTimes.add(cluster.nowMs);
      unanswered.add(pop);
    }

    @Override
    public void confirmed(Confirmation confirmation) {
      confirmations.add(confirmation);
    }

    @Override
    public void report(Event event) {
      events.add(event);
    }

    Confirmation lastConfirmation() {
      return confirmations.get(confirmations.size() - 1);
    }

    <E extends Event> List<E> events(Class<E> kind) {
      return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    TimerRecord record(TimerId timer) {
      return store.find(timer.id());
    }

    boolean holdsLive(TimerId timer) {
      TimerRecord record = record(timer);
      return record != null && !record.ended();
    }

    long rejected(Statistics.Rejection reason) {
      return node.statistics().rejected().getOrDefault(reason, 0L);
    }

    private boolean answerPops() {
      boolean any = false;
      while (outcome != null && !unanswered.isEmpty()) {
        node.popped(cluster.nowMs, unanswered.remove(), outcome);
        any = true;
      }
      return any;
    }
  }

  /** What a failing outbox throws. */
  static final class OutboxException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Every timer on the first nodes of the list. */
  private record InOrder(List<Node> nodes) implements Placement {
    @Override
    public int replicas(long key, int[] into) {
      int count = Math.min(into.length, nodes.size());
      Arrays.setAll(into, level -> level);
      return count;
    }

    @Override
    public int replicas(String key, int[] into) {
      return replicas(0, into);
    }
  }

  final TimerNodeOptions options;
  final Map<String, Host> hosts = new LinkedHashMap<>();

  /** All that was ever sent, also what was lost. */
  final List<Sent> sent = new ArrayList<>();

  long nowMs = 1_000;
  ClusterView view;

  private final Deque<Sent> underWay = new ArrayDeque<>();
  private final Set<String> down = new HashSet<>();
  private Predicate<Sent> lost = message -> false;
  private long incarnations;

  /** A settled cluster of these nodes. */
  TestCluster(TimerNodeOptions options, String... nodes) {
    this.options = options;
    view = ClusterView.of(1, nodes(nodes));
    for (String node : nodes) {
      start(node);
    }
    resyncAll();
  }

  static TestCluster of(String... nodes) {
    return new TestCluster(TimerNodeOptions.defaults(), nodes);
  }

  static List<Node> nodes(String... ids) {
    return Stream.of(ids).map(Node::of).toList();
  }

  Host host(String id) {
    return hosts.get(id);
  }

  TimerNode node(String id) {
    return host(id).node;
  }

  /** Starts a node with nothing, or anew after a crash; it has the current view. */
  Host start(String id) {
    return start(id, TimerStore.inMemory());
  }

  Host start(String id, TimerStore store) {
    Host host = new Host(this, id, ++incarnations, store);
    hosts.put(id, host);
    down.remove(id);
    host.node.view(nowMs, view);
    return host;
  }

  /** From now on the node does nothing. */
  void stop(String id) {
    down.add(id);
  }

  /** Gives all nodes that are up a view of these members, and has them resync. */
  void change(String... members) {
    view = view.next(nodes(members));
    for (String member : members) {
      if (!hosts.containsKey(member)) {
        start(member);
      }
    }
    up().forEach(host -> host.node.view(nowMs, view));
    resyncAll();
  }

  void resyncAll() {
    up().filter(host -> view.after().contains(Node.of(host.id)))
        .forEach(host -> host.node.resync(nowMs));
    settle();
  }

  private Stream<Host> up() {
    return hosts.values().stream().filter(host -> !down.contains(host.id));
  }

  /** Loses the messages that are sent from now on and that this is true of. */
  void lose(Predicate<Sent> lost) {
    this.lost = lost;
  }

  /** Loses all between two groups of nodes. */
  void cut(Set<String> some, Set<String> others) {
    lose(
        message ->
            (some.contains(message.from()) && others.contains(message.to()))
                || (others.contains(message.from()) && some.contains(message.to())));
  }

  void heal() {
    lose(message -> false);
  }

  private void send(Sent message) {
    sent.add(message);
    if (!lost.test(message)) {
      underWay.add(message);
    }
  }

  /** A message from outside, or of another time. */
  void deliver(String from, String to, Message message) {
    host(to).node.receive(nowMs, from, message);
  }

  /** Delivers and answers until nothing is under way; no time passes. */
  void settle() {
    boolean going = true;
    while (going) {
      going = false;
      while (!underWay.isEmpty()) {
        Sent next = underWay.remove();
        if (hosts.containsKey(next.to()) && !down.contains(next.to())) {
          deliver(next.from(), next.to(), next.message());
        }
        going = true;
      }
      for (Host host : up().toList()) {
        going |= host.answerPops();
        if (host.node.nextTickMs() <= nowMs) {
          host.node.tick(nowMs);
          going = true;
        }
      }
    }
  }

  /** Lets time pass, and all happen that is due on the way. */
  void runTo(long untilMs) {
    settle();
    long nextMs = nextMs();
    while (nextMs <= untilMs) {
      nowMs = Math.max(nowMs, nextMs);
      settle();
      nextMs = nextMs();
    }
    nowMs = untilMs;
    settle();
  }

  void runFor(long ms) {
    runTo(nowMs + ms);
  }

  private long nextMs() {
    return up().mapToLong(host -> host.node.nextTickMs()).min().orElse(Long.MAX_VALUE);
  }

  /** Creates a timer at a node. */
  TimerId create(String at, TimerSpec spec) {
    TimerId timer = node(at).create(nowMs, spec).timer();
    settle();
    return timer;
  }

  /** A recurring timer that pops every so often, a thousand times. */
  static TimerSpec every(long intervalMs, int replicas) {
    return TimerSpec.once(intervalMs, new byte[] {1})
        .repeatedFor(1_000 * intervalMs)
        .onReplicas(replicas);
  }

  static TimerSpec once(long intervalMs, int replicas) {
    return TimerSpec.once(intervalMs, new byte[] {1}).onReplicas(replicas);
  }

  /** Who holds a timer that lives, in the order of the hosts. */
  List<String> holders(TimerId timer) {
    return up().filter(host -> host.holdsLive(timer)).map(host -> host.id).toList();
  }

  /** All pops of all nodes. */
  List<Pop> pops() {
    return hosts.values().stream().flatMap(host -> host.pops.stream()).toList();
  }
}
