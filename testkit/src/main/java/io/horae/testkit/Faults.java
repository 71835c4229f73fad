package io.horae.testkit;

import io.horae.placement.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Makes things go wrong, in rough spells with calm ones between them. Everything heals by itself
 * within {@value #HEAL_MS_MAX} ms.
 */
final class Faults {

  /** The longest that a fault lasts. */
  static final long HEAL_MS_MAX = 30_000;

  private static final long CLOCK_STEP_MS_MAX = 4_000;

  private final Cluster cluster;
  private final SplittableRandom random;
  private final List<Fault> kinds;
  private final int membersMax;

  Faults(Cluster cluster, SplittableRandom random, Collection<Fault> kinds, int membersMax) {
    this.cluster = cluster;
    this.random = random;
    this.kinds = List.copyOf(kinds);
    this.membersMax = membersMax;
  }

  /** Things go wrong from one time to the other. */
  void spell(long fromMs, long untilMs) {
    long atMs = fromMs;
    while (atMs < untilMs && !kinds.isEmpty()) {
      cluster.agenda().at(atMs, () -> strike(kinds.get(random.nextInt(kinds.size()))));
      atMs += random.nextLong(200, 8_000);
    }
  }

  private void strike(Fault kind) {
    if (!kind.isChange()) {
      cluster.calm().rough();
    }
    switch (kind) {
      case STORM -> storm();
      case CUT -> cut();
      case CRASH -> crash(true);
      case RESTART -> crash(false);
      case PAUSE -> pause();
      case CLOCK_STEP -> step();
      case SICK_CALLBACKS -> sicken();
      case DEATH -> die();
      case JOIN -> replace(0, 1 + random.nextInt(2));
      case LEAVE -> replace(1 + random.nextInt(2), 0);
      case REPLACE -> replace(1 + random.nextInt(2), 1 + random.nextInt(2));
      case SAME_MEMBERS -> cluster.membership().change(cluster.membership().current().after());
    }
  }

  private void note(String what) {
    cluster.tell(new Happening.Noted(what));
  }

  private void later(Runnable action) {
    cluster.agenda().after(random.nextLong(100, HEAL_MS_MAX), action);
  }

  private @Nullable SimulatedHost anyRunning() {
    List<SimulatedHost> running = cluster.hosts().stream().filter(SimulatedHost::running).toList();
    return running.isEmpty() ? null : running.get(random.nextInt(running.size()));
  }

  private void storm() {
    cluster
        .network()
        .storm(
            random.nextDouble(0.4),
            random.nextDouble(0.4),
            random.nextLong(100, SimulatedNetwork.STORM_DELAY_MS_MAX));
    cluster.calm().stormy();
    note("a storm begins");
    later(
        () -> {
          cluster.network().calm();
          cluster.calm().stormy();
          note("a storm ends");
        });
  }

  /** One pair, one node from all, or one half from the other; one way or both. */
  private void cut() {
    List<SimulatedHost> all = new ArrayList<>(cluster.hosts());
    int kind = random.nextInt(3);
    boolean bothWays = random.nextBoolean();
    SimulatedHost one = all.get(random.nextInt(all.size()));
    SimulatedHost two = all.get(random.nextInt(all.size()));
    List<String> left = new ArrayList<>();
    List<String> right = new ArrayList<>();
    for (SimulatedHost host : all) {
      if (kind == 2 ? random.nextBoolean() : host == one) {
        left.add(host.id());
      } else if (kind > 0 || host == two) {
        right.add(host.id());
      }
    }
    boolean outward = random.nextBoolean();
    cutAll(outward ? left : right, outward ? right : left, bothWays);
  }

  private void cutAll(List<String> from, List<String> to, boolean bothWays) {
    forLinks(from, to, bothWays, cluster.network()::cut);
    String links = from + (bothWays ? " and " : " to ") + to;
    note("cut: " + links);
    later(
        () -> {
          forLinks(from, to, bothWays, cluster.network()::heal);
          note("healed: " + links);
        });
  }

  private interface LinkAction {
    void accept(String from, String to);
  }

  private static void forLinks(
      List<String> from, List<String> to, boolean bothWays, LinkAction action) {
    for (String left : from) {
      for (String right : to) {
        action.accept(left, right);
        if (bothWays) {
          action.accept(right, left);
        }
      }
    }
  }

  private void crash(boolean memoryLost) {
    SimulatedHost host = anyRunning();
    if (host != null) {
      host.stop(memoryLost, false);
      later(
          () -> {
            if (!host.running() && !host.gone()) {
              host.start(memoryLost);
              cluster.membership().welcome(host);
            }
          });
    }
  }

  private void pause() {
    SimulatedHost host = anyRunning();
    if (host != null && !host.paused()) {
      long life = host.life();
      long pausedMs = cluster.nowMs();
      host.pause();
      note(host.id() + ": pauses");
      later(
          () -> {
            if (host.life() == life && host.running()) {
              note(host.id() + ": resumes");
              cluster.calm().heldUp(cluster.nowMs() - pausedMs);
              host.resume();
            }
          });
    }
  }

  private void step() {
    SimulatedHost host = anyRunning();
    if (host != null) {
      long byMs = random.nextLong(-CLOCK_STEP_MS_MAX, CLOCK_STEP_MS_MAX);
      cluster.calm().stepped(byMs);
      host.step(byMs);
    }
  }

  private void sicken() {
    SimulatedHost host = anyRunning();
    if (host != null && !cluster.callbacks().sick(host)) {
      cluster.callbacks().sicken(host);
      note(host.id() + ": callbacks go wrong");
      later(
          () -> {
            cluster.callbacks().cure(host);
            note(host.id() + ": callbacks go well");
          });
    }
  }

  private void die() {
    SimulatedHost host = anyRunning();
    if (host != null && cluster.membership().current().after().size() > 1) {
      cluster.membership().kill(host);
      later(
          () -> {
            List<Node> members = new ArrayList<>(cluster.membership().current().after());
            if (members.size() > 1 && host.gone() && members.remove(host.member())) {
              cluster.membership().change(members);
            }
          });
    }
  }

  private void replace(int leaving, int joining) {
    List<Node> members = new ArrayList<>(cluster.membership().current().after());
    for (int i = 0; i < leaving && members.size() > 1; i++) {
      Node leaver = members.remove(random.nextInt(members.size()));
      SimulatedHost host = cluster.host(leaver.id());
      if (host != null && random.nextInt(4) == 0) {
        later(() -> killIfOut(host));
      }
    }
    for (int i = 0; i < joining && members.size() < membersMax; i++) {
      SimulatedHost joiner = returning();
      if (joiner == null) {
        joiner = cluster.membership().newHost();
      }
      members.add(joiner.member());
    }
    cluster.membership().change(members);
  }

  private void killIfOut(SimulatedHost host) {
    if (host.running() && !cluster.membership().isMember(host)) {
      cluster.membership().kill(host);
    }
  }

  /** Sometimes a machine that had left comes back, under its old name and with nothing. */
  private @Nullable SimulatedHost returning() {
    if (random.nextInt(3) > 0) {
      return null;
    }
    for (SimulatedHost host : cluster.hosts()) {
      if (host.gone() && !cluster.membership().isMember(host)) {
        host.start(true);
        return host;
      }
    }
    return null;
  }
}
