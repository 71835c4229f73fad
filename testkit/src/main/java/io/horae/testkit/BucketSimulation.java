package io.horae.testkit;

import io.horae.placement.BucketPlan;
import io.horae.placement.BucketTable;
import io.horae.placement.HashMask;
import io.horae.placement.Node;
import io.horae.resync.BucketMessage.Role;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Servers with buckets, on virtual time, in which everything goes wrong that can, while clients
 * read and write through tables that nobody keeps up to date. The seed decides all of it.
 *
 * <pre>{@code
 * BucketSimulation.ofSeed(42).run();
 * }</pre>
 */
public final class BucketSimulation {

  /** The client that knows no more than the first server, until all is over. */
  static final String DAY_ONE = "day-one";

  private static final long ROUGH_MS = 25_000;
  private static final long HEAL_MS_MAX = 6_000;
  private static final int MEMBERS_MAX = 7;

  /** What can go wrong, or merely change. */
  private enum Fault {
    STORM,
    CUT,
    RESTART,
    PAUSE,
    DEATH,
    JOIN,
    REMOVAL,
    SAME_MEMBERS,
    SPLIT,
    OTHER_PLAN,
    LEAVE
  }

  private final long seed;
  private final BucketTampering tampering;

  private BucketSimulation(long seed, BucketTampering tampering) {
    this.seed = seed;
    this.tampering = tampering;
  }

  /**
   * The run of a seed.
   *
   * @param seed any number
   * @return the run, which can be run again and again
   */
  public static BucketSimulation ofSeed(long seed) {
    return new BucketSimulation(seed, BucketTampering.NONE);
  }

  static BucketSimulation spoiled(long seed, BucketTampering tampering) {
    return new BucketSimulation(seed, tampering);
  }

  long seed() {
    return seed;
  }

  String replay() {
    return "BucketSimulation.ofSeed(" + seed + ").run();";
  }

  /**
   * Runs it.
   *
   * @return what was seen; {@code pops} counts the transfers that came to a good end
   * @throws InvariantBroken if a promise was not kept
   */
  public SimulationReport run() {
    SplittableRandom random = new SplittableRandom(~seed);
    BucketWorld world = new BucketWorld(this, seed, tampering);
    BucketHost first = world.newHost();
    BucketTable dayOne = dayOne(first.member());
    world.decide(List.of(first.member()));
    world.agenda().runUntil(400);
    int clients = random.nextInt(1, 4);
    long endMs = 400 + ROUGH_MS + random.nextLong(ROUGH_MS);
    for (int i = 0; i < clients; i++) {
      world.newUser("c" + i, dayOne).busyUntil(endMs);
    }
    BucketUser dayOneUser = world.newUser(DAY_ONE, dayOne);
    new Faults(world, random.split()).until(endMs);
    world.agenda().runUntil(endMs + HEAL_MS_MAX);
    world.decide(survivors(world));
    world.agenda().runUntil(world.nowMs() + 90_000);
    world.judges().forEach(BucketJudge::quiet);
    dayOneUser.readAll(world.keys());
    world.agenda().runUntil(world.nowMs() + 150_000);
    world.judges().forEach(BucketJudge::end);
    Map<String, Long> judged = new LinkedHashMap<>();
    world.judges().forEach(judge -> judged.put(judge.name(), judge.judged()));
    return new SimulationReport(
        seed,
        world.nowMs(),
        world.agenda().entered(),
        world.network().sent(),
        world.transfers(),
        judged);
  }

  /** All on the first server. The others are names that one may try, of which some come to be. */
  private static BucketTable dayOne(Node first) {
    BucketTable table = BucketTable.initial(first);
    for (int i = 1; i < 2 * MEMBERS_MAX; i++) {
      table = table.join(Node.of("n" + i)).table();
    }
    return table;
  }

  /** A last view of those that are there. */
  private static List<Node> survivors(BucketWorld world) {
    List<Node> members = new ArrayList<>();
    for (BucketHost host : world.hosts()) {
      if (host.running() && world.isMember(host)) {
        members.add(host.member());
      }
    }
    if (members.isEmpty()) {
      members.add(world.newHost().member());
    }
    return members;
  }

  /** Makes things go wrong. Everything heals by itself in time. */
  private static final class Faults {

    private final BucketWorld world;
    private final SplittableRandom random;
    private final List<Fault> kinds = new ArrayList<>();

    Faults(BucketWorld world, SplittableRandom random) {
      this.world = world;
      this.random = random;
      Set<Fault> some = EnumSet.of(Fault.JOIN);
      for (Fault fault : Fault.values()) {
        if (random.nextInt(5) < 2) {
          some.add(fault);
        }
      }
      kinds.addAll(some);
    }

    void until(long endMs) {
      world.agenda().at(500 + random.nextLong(2_000), () -> join(random.nextInt(1, 4)));
      long atMs = 3_000;
      while (atMs < endMs) {
        world.agenda().at(atMs, () -> strike(kinds.get(random.nextInt(kinds.size()))));
        atMs += random.nextLong(200, 4_000);
      }
    }

    private void later(Runnable action) {
      world.agenda().after(random.nextLong(50, HEAL_MS_MAX), action);
    }

    private @Nullable BucketHost anyRunning() {
      List<BucketHost> running = new ArrayList<>();
      for (BucketHost host : world.hosts()) {
        if (host.running() && world.isMember(host)) {
          running.add(host);
        }
      }
      return running.isEmpty() ? null : running.get(random.nextInt(running.size()));
    }

    private List<Node> members() {
      return new ArrayList<>(world.view().after());
    }

    private void strike(Fault kind) {
      switch (kind) {
        case STORM -> storm();
        case CUT -> cut();
        case RESTART -> restart();
        case PAUSE -> pause();
        case DEATH -> die();
        case JOIN -> join(1);
        case REMOVAL -> remove();
        case SAME_MEMBERS -> world.decide(members());
        case SPLIT -> split();
        case OTHER_PLAN -> otherPlan();
        case LEAVE -> leave();
      }
    }

    private void storm() {
      world
          .network()
          .storm(random.nextDouble(0.3), random.nextDouble(0.4), random.nextLong(1, 800));
      world.note("a storm begins");
      later(
          () -> {
            world.network().calm();
            world.note("a storm ends");
          });
    }

    private void cut() {
      BucketHost one = anyRunning();
      BucketHost other = anyRunning();
      if (one != null && other != null && one != other) {
        boolean both = random.nextBoolean();
        world.network().cut(one.id(), other.id());
        if (both) {
          world.network().cut(other.id(), one.id());
        }
        world.note("cut: " + one.id() + " to " + other.id());
        later(
            () -> {
              world.network().heal(one.id(), other.id());
              if (both) {
                world.network().heal(other.id(), one.id());
              }
            });
      }
    }

    /** A process ends and another begins; a view follows, as the guide demands. */
    private void restart() {
      BucketHost host = anyRunning();
      if (host != null && world.view().after().size() > 1) {
        host.stop();
        world.loseWhatDied();
        later(
            () -> {
              if (!host.running()) {
                host.start();
                List<Node> members = members();
                if (!members.contains(host.member())) {
                  members.add(host.member());
                }
                world.decide(members);
              }
            });
      }
    }

    private void pause() {
      BucketHost host = anyRunning();
      if (host != null && !host.paused()) {
        long life = host.life();
        world.note(host.id() + ": pauses");
        host.pause();
        later(
            () -> {
              if (host.life() == life && host.running()) {
                world.note(host.id() + ": resumes");
                host.resume();
              }
            });
      }
    }

    private void die() {
      BucketHost host = anyRunning();
      if (host != null && world.view().after().size() > 2) {
        host.stop();
        world.loseWhatDied();
        later(
            () -> {
              List<Node> members = members();
              if (!host.running() && members.size() > 1 && members.remove(host.member())) {
                world.decide(members);
              }
            });
      }
    }

    private void join(int count) {
      List<Node> members = members();
      for (int i = 0; i < count && members.size() < MEMBERS_MAX; i++) {
        members.add(world.newHost().member());
      }
      world.decide(members);
    }

    /** A server is taken for dead that is not; later it may be back. */
    private void remove() {
      BucketHost host = anyRunning();
      List<Node> members = members();
      if (host != null && members.size() > 2 && members.remove(host.member())) {
        world.decide(members);
        if (random.nextInt(3) > 0) {
          later(
              () -> {
                List<Node> again = members();
                if (host.running() && !again.contains(host.member())) {
                  again.add(host.member());
                  world.decide(again);
                }
              });
        }
      }
    }

    /** A server goes in good order; {@link BucketWorld} stops it when it says that it may. */
    private void leave() {
      BucketHost host = anyRunning();
      if (host != null && !host.leaving() && world.view().after().size() > 2) {
        host.leave();
      }
    }

    private void split() {
      BucketHost host = anyRunning();
      BucketTable table = host == null ? null : host.table();
      if (host != null && table != null && table.size() < 60) {
        BucketKey key = world.keys().get(random.nextInt(world.keys().size()));
        HashMask mask = table.bucketAt(key.hash()).mask();
        for (BucketHost each : world.hosts()) {
          if (each.roleAt(key.hash()) == Role.PRIMARY) {
            each.split(mask);
          }
        }
      }
    }

    /** Somebody else has ideas of his own about what should be where. */
    private void otherPlan() {
      List<BucketPlan.Move> moves = new ArrayList<>();
      for (BucketHost host : world.hosts()) {
        BucketTable table = host.table();
        for (BucketKey key : world.keys()) {
          BucketHost to = anyRunning();
          if (table != null
              && to != null
              && to != host
              && random.nextInt(4) == 0
              && host.roleAt(key.hash()) == Role.PRIMARY) {
            HashMask mask = table.bucketAt(key.hash()).mask();
            moves.add(new BucketPlan.Move(mask, host.member(), to.member()));
          }
        }
      }
      for (BucketHost host : world.hosts()) {
        host.carryOut(
            new BucketPlan(
                List.of(),
                moves.stream().filter(move -> move.from().equals(host.member())).toList()));
      }
    }
  }
}
