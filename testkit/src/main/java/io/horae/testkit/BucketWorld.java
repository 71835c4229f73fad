package io.horae.testkit;

import io.horae.placement.BucketTable;
import io.horae.placement.ClusterView;
import io.horae.placement.Node;
import io.horae.resync.BucketEvent;
import io.horae.resync.BucketMessage;
import io.horae.resync.BucketNodeOptions;
import io.horae.resync.BucketResult;
import io.horae.resync.Codec;
import io.horae.resync.Decoded;
import io.horae.resync.Item;
import io.horae.resync.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The simulated world of buckets: servers, clients, what connects them, and who judges. */
final class BucketWorld {

  private static final int LINES_SHOWN_MAX = 120;

  /** Something that happened, put into words when somebody wants to know. */
  private record Line(long atMs, String before, Object what) {}

  private final BucketSimulation simulation;
  private final BucketTampering tampering;
  private final Agenda agenda;
  private final SimulatedNetwork network;
  private final SplittableRandom random;
  private final BucketNodeOptions.Builder options;
  private final boolean readsConfirmed;
  private final Map<String, BucketHost> hosts = new LinkedHashMap<>();
  private final Map<String, BucketUser> users = new LinkedHashMap<>();
  private final List<BucketKey> keys = new ArrayList<>();
  private final Deque<Line> lines = new ArrayDeque<>();
  private final List<BucketJudge> judges;
  private @Nullable ClusterView view;
  private long moments;
  private int names;
  private boolean removals;
  private long transfers;

  BucketWorld(BucketSimulation simulation, long seed, BucketTampering tampering) {
    this.simulation = simulation;
    this.tampering = tampering;
    SplittableRandom seeded = new SplittableRandom(seed);
    agenda = new Agenda(seeded.split());
    network = new SimulatedNetwork(agenda, seeded.split(), this::arrived);
    random = seeded.split();
    readsConfirmed = random.nextBoolean();
    options = draw(random, readsConfirmed);
    int count = random.nextInt(4, 25);
    for (int i = 0; i < count; i++) {
      keys.add(new BucketKey("k" + i));
    }
    judges = BucketJudge.all(this);
  }

  private static BucketNodeOptions.Builder draw(SplittableRandom random, boolean readsConfirmed) {
    return BucketNodeOptions.builder()
        .readsConfirmed(readsConfirmed)
        .backupsMax(random.nextInt(5) == 0 ? 2 : 1)
        .transfersMax(random.nextInt(1, 4))
        .transfersInMax(random.nextInt(1, 4))
        .windowItemsMax(random.nextInt(1, 4))
        .windowsInFlightMax(random.nextInt(1, 4))
        .itemsPerSecondMax(random.nextInt(3) == 0 ? random.nextInt(5, 200) : 1_000_000)
        .writesOpenMax(random.nextInt(10) == 0 ? random.nextInt(1, 4) : 1_000)
        .drainMs(random.nextLong(100, 1_500))
        .transferIdleMs(random.nextLong(3_000, 15_000))
        .planMs(random.nextLong(10, 1_000))
        .retryMs(random.nextLong(60, 300))
        .retryMsMax(random.nextLong(500, 3_000))
        .entriesPerMessageMax(random.nextInt(1, 40));
  }

  BucketNodeOptions optionsOf(String server) {
    return options.seed(server.hashCode()).build();
  }

  int backupsMax() {
    return options.build().backupsMax();
  }

  BucketTampering tampering() {
    return tampering;
  }

  Agenda agenda() {
    return agenda;
  }

  SimulatedNetwork network() {
    return network;
  }

  long nowMs() {
    return agenda.nowMs();
  }

  /** The next moment: all that clients do and hear is in one order. */
  long moment() {
    return ++moments;
  }

  List<BucketKey> keys() {
    return keys;
  }

  Collection<BucketHost> hosts() {
    return hosts.values();
  }

  @Nullable BucketHost host(String id) {
    return hosts.get(id);
  }

  Collection<BucketUser> users() {
    return users.values();
  }

  List<BucketJudge> judges() {
    return judges;
  }

  /** Whether all reads are linearizable: no server that is out can answer with what was. */
  boolean readsAreCurrent() {
    return readsConfirmed || !removals;
  }

  long transfers() {
    return transfers;
  }

  ClusterView view() {
    if (view == null) {
      throw new AssertionError("no view yet");
    }
    return view;
  }

  boolean isMember(BucketHost host) {
    return view().after().contains(host.member());
  }

  // Machines and views

  BucketHost newHost() {
    BucketHost host = new BucketHost(this, "n" + names++);
    hosts.put(host.id(), host);
    host.start();
    return host;
  }

  /** Decides on the next view; servers hear of it at different times, and not always. */
  void decide(List<Node> members) {
    ClusterView before = view;
    ClusterView next = before == null ? ClusterView.of(1, members) : before.next(members);
    view = next;
    removals |= !next.leaving().isEmpty();
    note("decided: " + next);
    loseWhatDied();
    for (BucketHost host : hosts.values()) {
      long life = host.life();
      long delayMs = random.nextLong(random.nextInt(6) == 0 ? 4_000 : 300);
      agenda.after(
          delayMs,
          () -> {
            boolean overtaken = next.epoch() < view().epoch();
            if (host.running() && host.life() == life && !(overtaken && random.nextBoolean())) {
              host.told(next);
            }
          });
    }
  }

  /**
   * After servers have died or are out: what nobody has any more is lost, and no promise broken.
   */
  void loseWhatDied() {
    for (BucketKey key : keys) {
      key.settle();
      boolean lives = false;
      for (BucketHost host : hosts.values()) {
        lives |= host.running() && isMember(host) && host.has(key);
      }
      if (!lives && !key.lost() && moments > 0) {
        note("the last copy of " + key.name() + " is gone");
        key.lose();
      }
    }
  }

  BucketUser newUser(String name, BucketTable table) {
    BucketUser user = new BucketUser(this, name, users.size() + 1, table, random.split());
    users.put(name, user);
    return user;
  }

  // Messages

  void send(String from, String to, BucketMessage message) {
    network.send(from, to, message);
  }

  private void arrived(String from, String to, Message message) {
    if (!(message instanceof BucketMessage said)) {
      return;
    }
    for (BucketMessage each : tampering.message(this, from, to, said)) {
      BucketMessage read = onTheWire(each);
      note(from + " to " + to + ": ", read);
      BucketHost host = hosts.get(to);
      BucketUser user = users.get(to);
      if (host != null) {
        host.receive(from, read);
      } else if (user != null) {
        user.receive(from, read);
      }
    }
  }

  /** Some go through the codec, all of one link: what is read is what was written. */
  private static BucketMessage onTheWire(BucketMessage message) {
    if (message.hashCode() % 8 == 0
        && Codec.decode(Codec.encode(message)) instanceof Decoded.Understood understood
        && understood.message() instanceof BucketMessage read) {
      return read;
    }
    return message;
  }

  // What is seen

  void reported(BucketHost host, BucketEvent event) {
    note(host.id() + " reports ", event);
    if (event instanceof BucketEvent.TransferEnded ended && ended.success()) {
      transfers++;
    } else if (event instanceof BucketEvent.Forgotten && host.viewEpoch() < view().epoch()) {
      loseWhatDied(); // whoever was to keep it is out of a view that this server has not heard of
    } else if (event instanceof BucketEvent.Drained drained) {
      drained(host, drained.view().epoch());
    }
  }

  /**
   * What may be stopped is stopped, if no other view comes first; and a view without it follows.
   */
  private void drained(BucketHost host, long viewEpoch) {
    long life = host.life();
    agenda.after(
        random.nextLong(1_000),
        () -> {
          if (host.running() && host.life() == life && host.viewEpoch() == viewEpoch) {
            judges.forEach(judge -> judge.drained(host));
            host.stop();
            agenda.after(
                random.nextLong(2_000),
                () -> {
                  List<Node> members = new ArrayList<>(view().after());
                  if (!host.running() && members.remove(host.member()) && !members.isEmpty()) {
                    decide(members);
                  }
                });
          }
        });
  }

  void put(Item item) {
    for (BucketJudge judge : judges) {
      judge.put(item);
    }
  }

  void answered(String client, String server, BucketMessage.Answer answer) {
    for (BucketJudge judge : judges) {
      judge.answered(client, server, answer);
    }
  }

  void ended(BucketStep step, BucketResult result) {
    if (step.succeeded()) {
      step.key().told(result.version());
    }
    for (BucketJudge judge : judges) {
      judge.ended(step, result);
    }
  }

  /** After every call of a server. */
  void check() {
    for (BucketJudge judge : judges) {
      judge.check();
    }
  }

  void thrown(BucketHost host, Throwable failure) {
    for (BucketJudge judge : judges) {
      judge.thrown(host, failure);
    }
  }

  void note(String what) {
    note(what, "");
  }

  /** A step of a client: so far when it begins, whole when it has ended. */
  void note(BucketStep step) {
    note(step.succeeded() ? step.toString() : "", step.succeeded() ? "" : step);
  }

  private void note(String before, Object what) {
    if (lines.size() == LINES_SHOWN_MAX) {
      lines.removeFirst();
    }
    lines.add(new Line(nowMs(), before, what));
  }

  /** Ends the run: a promise was broken. */
  InvariantBroken broken(BucketJudge judge, String what) {
    StringBuilder story = new StringBuilder();
    for (Line line : lines) {
      story.append(
          String.format(Locale.ROOT, "  %9.3f s  %s%s%n", line.atMs / 1e3, line.before, line.what));
    }
    String message =
        judge.name()
            + " is broken: "
            + what
            + "\nat "
            + nowMs() / 1e3
            + " s of seed "
            + simulation.seed()
            + "\n"
            + story
            + "Replay: "
            + simulation.replay();
    return new InvariantBroken(judge.name(), simulation.seed(), message);
  }
}
