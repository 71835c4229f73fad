package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Clients whose tables are old in any way still reach the owner, soon. */
class BucketClientProperties {

  private static final int STEPS = 50;

  /**
   * Servers all know the latest table; a client missed any of the updates. It reaches the owner as
   * long as one server that it knows of is alive.
   */
  @Property(tries = 150, shrinking = ShrinkingMode.OFF)
  void oneLiveServerAtMostIsAskedInVain(@ForAll long seed) {
    BucketHistory history = new BucketHistory(seed);
    BucketTable client = history.table;
    for (int step = 0; step < STEPS; step++) {
      BucketTable before = history.table;
      history.step();
      if (history.random.nextInt(3) == 0) {
        client = client.learn(someOf(history.table.since(before).buckets(), history));
      }
      if (history.random.nextInt(4) == 0) {
        long hash = history.random.nextBoolean() ? history.random.nextLong() : 2;
        client = reach(client, history.table, hash);
        assertEquals(history.table.bucketAt(hash).primary(), client.bucketAt(hash).primary());
      }
    }
  }

  private static BucketTable reach(BucketTable start, BucketTable servers, long hash) {
    BucketTable client = start;
    int inVain = 0;
    int dead = 0;
    List<Node> route = route(client, hash);
    for (int i = 0; ; ) {
      if (i == route.size()) {
        // All that the client knew of are gone: it must start anew.
        assertEquals(start.nodes().size(), dead, "nobody left to ask");
        return servers;
      }
      Node asked = route.get(i++);
      if (servers.nodes().stream().noneMatch(node -> node.id().equals(asked.id()))) {
        dead++;
        continue;
      }
      List<Bucket> answer = servers.redirect(asked, client.bucketAt(hash).mask(), hash);
      if (answer.isEmpty()) {
        assertTrue(inVain <= 1, inVain + " asked in vain");
        assertTrue(dead < start.nodes().size(), dead + " dead servers asked");
        return client.learn(List.of(servers.bucketAt(hash)));
      }
      assertTrue(answer.size() <= 16);
      assertTrue(answer.get(0).mask().contains(hash));
      client = client.learn(answer);
      route = List.of(client.bucketAt(hash).primary());
      i = 0;
      inVain++;
    }
  }

  /** The owner as the client knows it, its backups, then everyone else. */
  private static List<Node> route(BucketTable client, long hash) {
    Bucket bucket = client.bucketAt(hash);
    List<Node> route = new ArrayList<>(bucket.backups());
    route.add(0, bucket.primary());
    client.nodes().stream().filter(node -> !route.contains(node)).forEach(route::add);
    return route;
  }

  /**
   * Servers too may be stale: of a move, a split or a merge only those know that held the bucket
   * before or own it after. Every answer is newer than the last, so as many servers are asked in
   * vain as changes were missed, at most.
   *
   * <p>When a server joins, leaves or fails, all are brought up to date: only so does everyone know
   * a server that lives, and can lead on from there who asked a dead one.
   */
  @Property(tries = 150, shrinking = ShrinkingMode.OFF)
  void hopsAreAtMostTheChangesMissedWhenServersAreStaleToo(@ForAll long seed) {
    BucketHistory history = new BucketHistory(seed);
    BucketTable client = history.table;
    Map<String, BucketTable> views = new HashMap<>(Map.of("s0", history.table));
    for (int step = 0; step < 2 * STEPS; step++) {
      BucketTable before = history.table;
      history.step();
      if (!history.table.nodes().equals(before.nodes())) {
        views.clear();
        history.table.nodes().forEach(node -> views.put(node.id(), history.table));
      }
      for (Bucket entry : history.table.since(before).buckets()) {
        for (Node node : involved(before, entry)) {
          views.computeIfPresent(node.id(), (id, view) -> view.learn(List.of(entry)));
        }
      }
      if (history.random.nextInt(4) == 0) {
        long hash = history.random.nextBoolean() ? history.random.nextLong() : 2;
        client = reachByStale(client, views, history.table, hash);
      }
    }
  }

  private static List<Node> involved(BucketTable before, Bucket entry) {
    List<Node> involved = new ArrayList<>(List.of(entry.primary()));
    BucketTree.walkWithin(
        before.root,
        entry.mask(),
        spot -> {
          Bucket was = before.bucketAt(spot.mask().value());
          involved.add(was.primary());
          involved.addAll(was.backups());
        });
    return involved;
  }

  private static BucketTable reachByStale(
      BucketTable start, Map<String, BucketTable> views, BucketTable latest, long hash) {
    BucketTable known = start;
    long missed = latest.bucketAt(hash).epoch() - known.bucketAt(hash).epoch();
    // A dead server does not answer; the first that lives does.
    List<Node> route = new ArrayList<>(route(known, hash));
    route.removeIf(node -> !views.containsKey(node.id()));
    if (route.isEmpty()) {
      return latest;
    }
    Node asked = route.get(0);
    for (int inVain = 0; ; inVain++) {
      BucketTable view = views.get(asked.id());
      assertTrue(view != null, "led to a dead server: " + asked);
      List<Bucket> answer = view.redirect(asked, known.bucketAt(hash).mask(), hash);
      if (answer.isEmpty()) {
        assertEquals(latest.bucketAt(hash).primary(), asked);
        assertTrue(inVain <= missed, inVain + " asked in vain, " + missed + " changes missed");
        return known;
      }
      assertTrue(answer.get(0).epoch() > known.bucketAt(hash).epoch(), "no newer answer");
      known = known.learn(answer);
      asked = known.bucketAt(hash).primary();
    }
  }

  /** Whatever comes, in whatever order and however often, the newest of it is what is known. */
  @Property(tries = 100, shrinking = ShrinkingMode.OFF)
  void orderAndRepetitionOfEntriesDoNotMatter(@ForAll long seed) {
    BucketHistory history = new BucketHistory(seed);
    BucketTable client = history.table;
    List<Bucket> news = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      BucketTable before = history.table;
      history.step();
      news.addAll(history.table.since(before).buckets());
    }
    news.addAll(someOf(news, history));
    Collections.shuffle(news, new Random(seed));
    BucketTable one = client.learn(news);
    BucketTable other = client;
    for (Bucket entry : news) {
      BucketTable next = other.learn(List.of(entry));
      for (Bucket known : List.of(other.bucketAt(entry.mask().value()))) {
        assertTrue(next.bucketAt(entry.mask().value()).epoch() >= known.epoch());
      }
      other = next;
    }
    assertSame(other, other.learn(news));
    assertEquals(client.version(), one.version());
    for (Bucket bucket : history.table.buckets()) {
      for (long hash :
          new long[] {bucket.mask().value(), bucket.mask().value() | ~bucket.mask().mask()}) {
        assertSameHolders(bucket, one.bucketAt(hash));
        assertSameHolders(bucket, other.bucketAt(hash));
      }
    }
  }

  private static void assertSameHolders(Bucket expected, Bucket known) {
    assertEquals(expected.primary(), known.primary());
    assertEquals(expected.backups(), known.backups());
    assertEquals(expected.epoch(), known.epoch());
  }

  private static List<Bucket> someOf(List<Bucket> buckets, BucketHistory history) {
    return buckets.stream().filter(bucket -> history.random.nextBoolean()).toList();
  }
}
