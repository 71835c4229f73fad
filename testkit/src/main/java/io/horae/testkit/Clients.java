package io.horae.testkit;

import io.horae.resync.TimerId;
import io.horae.resync.TimerSpec;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What clients do: they create timers at any node, in some runs many at once, and now and then
 * change or delete them at any other, with the handle that they have, be it the newest or not.
 */
final class Clients {

  private static final int REPLICATION_FACTOR_MAX = 4;

  private final Cluster cluster;
  private final SplittableRandom random;
  private final long untilMs;

  /** How many timers are created at once, with the same deadlines. */
  private final int burst;

  Clients(Cluster cluster, SplittableRandom random, long untilMs) {
    this.cluster = cluster;
    this.random = random;
    this.untilMs = untilMs;
    burst = cluster.scenario().burst();
  }

  /** Has so many timers created in the time there is. */
  void begin(int timers) {
    for (int i = 0; i < timers; i += burst) {
      int count = Math.min(burst, timers - i);
      cluster.agenda().at(random.nextLong(3_000, untilMs), () -> create(count));
    }
  }

  private void create(int count) {
    SimulatedHost host = anyHost();
    if (host == null) {
      return;
    }
    TimerSpec spec = spec(random.nextInt(1, REPLICATION_FACTOR_MAX + 1));
    for (int i = 0; i < count; i++) {
      byte[] payload = Payload.of(cluster.log().nextNumber(), spec.payload().length);
      Operation created =
          host.ask(
              null,
              new TimerSpec(
                  spec.intervalMs(), spec.repeatForMs(), spec.replicationFactor(), payload));
      if (created != null) {
        actLater(created.story());
      }
    }
  }

  private void actLater(TimerStory story) {
    long atMs = cluster.nowMs() + between(10, 120_000);
    if (atMs < untilMs && random.nextInt(3) > 0) {
      cluster.agenda().at(atMs, () -> act(story));
    }
  }

  private void act(TimerStory story) {
    SimulatedHost host = anyHost();
    if (host != null) {
      // Who has begun to delete a timer may try again, but not think better of it.
      boolean deletes = story.last().deletes() || random.nextInt(3) == 0;
      TimerSpec spec = deletes ? null : spec(story.replicationFactor());
      host.ask(handle(story), spec);
      if (random.nextInt(20) == 0) { // another client has the same idea
        SimulatedHost other = anyHost();
        if (other != null) {
          other.ask(handle(story), deletes ? null : spec(story.replicationFactor()));
        }
      }
    }
    actLater(story);
  }

  private TimerId handle(TimerStory story) {
    List<TimerId> handles = story.handles();
    return handles.get(random.nextInt(3) > 0 ? handles.size() - 1 : random.nextInt(handles.size()));
  }

  private TimerSpec spec(int replicationFactor) {
    boolean isLong = random.nextInt(3) == 0;
    long intervalMs = isLong ? between(120_000, 3_600_000) : between(200, 60_000);
    int pops = random.nextBoolean() ? 1 : random.nextInt(1, isLong ? 100 : 30);
    return new TimerSpec(
        intervalMs,
        pops * intervalMs + random.nextLong(intervalMs),
        replicationFactor,
        Payload.of(cluster.log().nextNumber(), random.nextInt(40)));
  }

  /** Small values as likely as large ones. */
  private long between(long least, long most) {
    return (long) (least * Math.pow((double) most / least, random.nextDouble()));
  }

  private @Nullable SimulatedHost anyHost() {
    List<SimulatedHost> able =
        cluster.hosts().stream().filter(host -> host.knowsView() && !host.paused()).toList();
    return able.isEmpty() ? null : able.get(random.nextInt(able.size()));
  }
}
