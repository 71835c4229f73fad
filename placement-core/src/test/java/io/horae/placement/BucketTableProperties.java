package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.placement.BucketDuty.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Tables through random histories, against {@link NaiveBuckets} and their own promises. */
class BucketTableProperties {

  private static final int STEPS = 60;

  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void tableIsTheModelAfterEveryChange(@ForAll long seed) {
    BucketHistory history = new BucketHistory(seed);
    for (int step = 0; step < STEPS; step++) {
      BucketTable before = history.table;
      List<Bucket> entriesBefore = before.buckets();
      String name = history.step();
      BucketTable table = history.table;
      assertEquals(history.model.entries(), table.buckets(), name);
      assertEquals(table.buckets().size(), table.size(), name);
      assertEquals(before.version() + (name.equals("nothing") ? 0 : 1), table.version(), name);
      assertEquals(
          history.model.servers,
          new TreeSet<>(table.nodes().stream().map(Node::id).toList()),
          name);
      assertEquals(entriesBefore, before.buckets(), "the old table after " + name);
    }
  }

  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void everyHashIsInExactlyOneBucket(@ForAll long seed) {
    BucketHistory history = new BucketHistory(seed);
    for (int step = 0; step < STEPS; step++) {
      history.step();
    }
    BucketTable table = history.table;
    // Exactly: shares of 16^-digits add up to one, and no bucket is part of another.
    long share = 0;
    for (Bucket bucket : table.buckets()) {
      assertEquals(bucket, table.bucketAt(bucket.mask().value()));
      assertEquals(bucket, table.bucketAt(bucket.mask().value() | ~bucket.mask().mask()));
      assertEquals(bucket.primary(), owner(table, bucket.mask().value()));
      assertEquals(bucket.primary(), owner(table, bucket.mask().value() | ~bucket.mask().mask()));
      share += 1L << (4 * (15 - Math.min(15, bucket.mask().digits())));
    }
    if (table.buckets().stream().allMatch(bucket -> bucket.mask().digits() <= 15)) {
      assertEquals(1L << 60, share);
    }
    int[] into = new int[table.nodes().size()];
    for (int i = 0; i < 200; i++) {
      long hash = history.random.nextLong();
      Bucket bucket = history.model.at(hash);
      assertEquals(bucket, table.bucketAt(hash));
      assertEquals(bucket.primary(), owner(table, hash));
      assertEquals(bucket, table.bucket(bucket.mask()));
      // As a placement: the bucket's holders first, then everyone else once.
      assertEquals(into.length, table.replicas(hash, into));
      List<Node> replicas = table.replicas(hash, 100);
      Bucket ofKey = table.bucketOf(hash);
      List<Node> holders = new ArrayList<>(ofKey.backups());
      holders.add(0, ofKey.primary());
      assertEquals(holders, replicas.subList(0, holders.size()));
      assertEquals(new HashSet<>(table.nodes()), new HashSet<>(replicas));
      assertEquals(table.nodes().size(), replicas.size());
      assertEquals(ofKey.primary(), table.primary(hash));
      String text = "key " + hash;
      assertEquals(table.bucketOf(text).primary(), table.primary(text));
      assertEquals(table.primary(text), table.replicas(text, 2).get(0));
    }
  }

  private static Node owner(BucketTable table, long hash) {
    return table.nodes().get(table.primaryAt(hash));
  }

  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void serversFindTheirBucketsAndCountThem(@ForAll long seed) {
    BucketHistory history = new BucketHistory(seed);
    for (int step = 0; step < STEPS; step++) {
      String name = history.step();
      for (Node server : history.table.nodes()) {
        List<Bucket> owned =
            history.model.entries().stream().filter(b -> b.primary().equals(server)).toList();
        assertEquals(owned, history.table.bucketsOf(server), name);
        assertEquals(owned.size(), history.table.count(server), name);
      }
    }
  }

  /**
   * Copies as they are if servers do what they are told, and nothing else, hold what they should.
   */
  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void dutiesLeaveEveryServerWithWhatTheTableSays(@ForAll long seed) {
    BucketHistory history = new BucketHistory(seed);
    Map<String, Set<HashMask>> copies = new TreeMap<>();
    for (int step = 0; step < STEPS; step++) {
      BucketTable before = history.table;
      copies = copiesOf(before);
      String name = history.step();
      Set<String> gone = new TreeSet<>(copies.keySet());
      gone.removeAll(history.table.nodes().stream().map(Node::id).toList());
      if (name.equals("nothing")) {
        continue;
      }
      for (BucketDuty duty : history.change.duties()) {
        assertTrue(
            !name.equals("fail") || !gone.contains(duty.server().id()), "told the dead: " + duty);
        follow(duty, copies, new HashSet<>(history.change.lost()));
      }
      copies.values().removeIf(Set::isEmpty);
      if (name.equals("fail")) {
        gone.forEach(copies::remove);
      }
      Map<String, Set<HashMask>> expected = copiesOf(history.table);
      expected.values().removeIf(Set::isEmpty);
      assertEquals(expected, copies, name);
      assertPublished(before, history, name);
    }
  }

  private static Map<String, Set<HashMask>> copiesOf(BucketTable table) {
    Map<String, Set<HashMask>> copies = new TreeMap<>();
    table.nodes().forEach(node -> copies.put(node.id(), new TreeSet<>()));
    for (Bucket bucket : table.buckets()) {
      Stream.concat(Stream.of(bucket.primary()), bucket.backups().stream())
          .forEach(node -> copies.get(node.id()).add(bucket.mask()));
    }
    return copies;
  }

  private static void follow(
      BucketDuty duty, Map<String, Set<HashMask>> copies, Set<HashMask> lost) {
    Set<HashMask> own = copies.computeIfAbsent(duty.server().id(), id -> new TreeSet<>());
    HashMask mask = duty.bucket();
    switch (duty.kind()) {
      case SEND -> {
        assertTrue(own.contains(mask), "sends what it has not: " + duty);
        assertTrue(copies.get(duty.to().id()).add(mask), "sends to who has it: " + duty);
      }
      case BECOME_PRIMARY -> {
        if (lost.contains(mask)) {
          own.add(mask);
        }
        assertTrue(own.contains(mask), "owns without a copy: " + duty);
      }
      case BECOME_BACKUP -> assertTrue(own.contains(mask), "backup without a copy: " + duty);
      case FORGET -> assertTrue(own.remove(mask), "forgets what it has not: " + duty);
      case SPLIT -> {
        assertTrue(own.remove(mask), "splits what it has not: " + duty);
        own.addAll(mask.split());
      }
      case MERGE -> {
        assertTrue(own.removeAll(mask.split()), "merges what it has not: " + duty);
        own.add(mask);
      }
      case PUBLISH -> {}
    }
  }

  /** Whoever owns a bucket that is new or changed, publishes it, or what it was a part of. */
  private static void assertPublished(BucketTable before, BucketHistory history, String name) {
    for (Bucket bucket : history.table.since(before).buckets()) {
      assertTrue(
          history.change.dutiesOf(bucket.primary()).stream()
              .anyMatch(
                  duty -> duty.kind() == Kind.PUBLISH && duty.bucket().contains(bucket.mask())),
          () -> bucket + " is not published by " + name);
    }
  }

  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void backupsArePreviousOwnersNeverThePrimaryNeverTwice(@ForAll long seed) {
    BucketHistory history = new BucketHistory(seed);
    for (int step = 0; step < STEPS; step++) {
      BucketTable before = history.table;
      history.step();
      for (Bucket bucket : history.table.buckets()) {
        assertTrue(bucket.backups().size() <= history.table.backupsMax());
        Set<Node> holders = new HashSet<>(bucket.backups());
        holders.add(bucket.primary());
        assertEquals(bucket.backups().size() + 1, holders.size());
        for (Node backup : bucket.backups()) {
          // A backup owned a part of it until now, or was a backup before.
          Bucket was = before.bucketAt(bucket.mask().value());
          assertTrue(was.primary().equals(backup) || was.backups().contains(backup));
        }
      }
    }
  }

  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void epochsRiseWithEveryChangeAndOnlyThen(@ForAll long seed) {
    BucketHistory history = new BucketHistory(seed);
    for (int step = 0; step < STEPS; step++) {
      BucketTable before = history.table;
      history.step();
      for (Bucket bucket : history.table.buckets()) {
        Bucket was = before.bucketAt(bucket.mask().value());
        assertEquals(bucket.equals(was), bucket.epoch() == was.epoch());
        assertTrue(bucket.epoch() >= was.epoch());
      }
    }
  }

  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void badChangesLeaveTheTableAsItWas(@ForAll long seed) {
    BucketHistory history = new BucketHistory(seed);
    for (int step = 0; step < STEPS / 2; step++) {
      history.step();
    }
    BucketTable table = history.table;
    List<Bucket> buckets = table.buckets();
    Bucket bucket = history.anyBucket();
    Node stranger = Node.of("stranger");
    assertRefused(() -> table.move(bucket.mask(), stranger), "stranger");
    assertRefused(() -> table.move(bucket.mask(), bucket.primary()), bucket.mask().toString());
    assertRefused(() -> table.fail(stranger), "stranger");
    assertRefused(() -> table.leave(stranger), "stranger");
    assertRefused(() -> table.join(bucket.primary()), bucket.primary().id());
    assertRefused(() -> table.merge(bucket.mask()), bucket.mask().toString());
    if (bucket.mask().digits() < 16) {
      HashMask part = bucket.mask().split().get(3);
      assertRefused(() -> table.split(part), part.toString());
      assertRefused(() -> table.move(part, bucket.primary()), part.toString());
    }
    assertFalse(table.buckets().isEmpty());
    assertEquals(buckets, table.buckets());
  }

  private static void assertRefused(org.junit.jupiter.api.function.Executable call, String part) {
    String message = assertThrows(IllegalArgumentException.class, call).getMessage();
    assertTrue(message.contains(part), () -> part + " is not in: " + message);
  }
}
