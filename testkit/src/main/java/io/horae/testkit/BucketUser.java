package io.horae.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.horae.placement.BucketTable;
import io.horae.resync.BucketClient;
import io.horae.resync.BucketClientOutbox;
import io.horae.resync.BucketMessage;
import io.horae.resync.BucketMessage.Kind;
import io.horae.resync.BucketResult;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A client that does one thing after the other, through a table that nobody keeps up to date. */
final class BucketUser implements BucketClientOutbox {

  private final BucketWorld world;
  private final String name;
  private final SplittableRandom random;
  private final BucketClient client;
  private @Nullable BucketStep step;
  private long untilMs;
  private long tickAtMs = Long.MAX_VALUE;
  private int written;
  private final List<BucketKey> toRead = new ArrayList<>();

  BucketUser(BucketWorld world, String name, long id, BucketTable table, SplittableRandom random) {
    this.world = world;
    this.name = name;
    this.random = random;
    client =
        BucketClient.builder(id)
            .table(table)
            .outbox(this)
            .timeoutMs(300)
            .retryMs(40)
            .giveUpMs(isHasty(name, random) ? 3_000 : 60_000)
            .build();
  }

  private static boolean isHasty(String name, SplittableRandom random) {
    return random.nextInt(3) == 0 && !name.equals(BucketSimulation.DAY_ONE);
  }

  /** Reads and writes until a time. */
  void busyUntil(long untilMs) {
    this.untilMs = untilMs;
    next();
  }

  /** Reads every key once, and nothing more. */
  void readAll(List<BucketKey> keys) {
    toRead.addAll(keys);
    next();
  }

  boolean idle() {
    return step == null && toRead.isEmpty();
  }

  private void next() {
    if (step != null) {
      return;
    }
    if (!toRead.isEmpty()) {
      begin(toRead.remove(0), Kind.GET);
    } else if (world.nowMs() < untilMs) {
      world.agenda().after(random.nextLong(1, 400), this::anything);
    }
  }

  private void anything() {
    if (step == null && world.nowMs() < untilMs) {
      List<BucketKey> keys = world.keys();
      BucketKey key = keys.get(random.nextInt(keys.size()));
      int what = random.nextInt(10);
      begin(key, what < 5 ? Kind.PUT : what < 6 ? Kind.DELETE : Kind.GET);
    }
  }

  private void begin(BucketKey key, Kind kind) {
    String value = kind == Kind.PUT ? name + "." + ++written : "";
    BucketStep begun = new BucketStep(name, key, kind, value, world.moment());
    step = begun;
    key.begun(begun);
    world.note(begun);
    switch (kind) {
      case PUT -> client.put(world.nowMs(), key.bytes(), value.getBytes(UTF_8));
      case DELETE -> client.delete(world.nowMs(), key.bytes());
      case GET -> client.get(world.nowMs(), key.bytes());
    }
    planTick();
  }

  void receive(String from, BucketMessage message) {
    if (message instanceof BucketMessage.Answer answer) {
      world.answered(name, from, answer);
    }
    client.receive(world.nowMs(), from, message);
    planTick();
  }

  private void planTick() {
    long atMs = client.nextTickMs();
    if (atMs != tickAtMs && atMs < Long.MAX_VALUE) {
      tickAtMs = atMs;
      world.agenda().at(atMs, () -> tick(atMs));
    }
  }

  private void tick(long atMs) {
    if (tickAtMs == atMs) {
      tickAtMs = Long.MAX_VALUE;
      client.tick(world.nowMs());
      planTick();
    }
  }

  @Override
  public void send(String server, BucketMessage.Request request) {
    world.send(name, server, request);
  }

  @Override
  public void done(BucketResult result) {
    BucketStep ended = step;
    if (ended == null) {
      throw new AssertionError(name + " did not ask for " + result);
    }
    step = null;
    ended.end(world.moment(), result);
    world.note(ended);
    world.ended(ended, result);
    world.agenda().after(0, this::next);
  }
}
