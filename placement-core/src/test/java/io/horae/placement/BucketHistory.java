package io.horae.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** A table that changes at random, with its model beside it; decided by a seed. */
final class BucketHistory {

  private static final int SERVERS_MAX = 12;
  private static final int BUCKETS_MAX = 600;

  final SplittableRandom random;
  final NaiveBuckets model;
  BucketTable table;
  BucketChange change;
  private int names;

  BucketHistory(long seed) {
    random = new SplittableRandom(seed);
    int buckets = random.nextInt(4) == 0 ? 256 : 16;
    int backups = random.nextInt(4);
    Node first = newServer();
    table = BucketTable.builder().server(first).buckets(buckets).backups(backups).build();
    model = new NaiveBuckets(first, buckets, backups);
    change = new BucketChange(table, List.of(), List.of());
  }

  private Node newServer() {
    return Node.of("s" + names++);
  }

  Node anyServer() {
    return table.nodes().get(random.nextInt(table.nodes().size()));
  }

  Bucket anyBucket() {
    // Half of the time among the deepest, so that some get deep.
    long hash = random.nextBoolean() ? random.nextLong() : random.nextInt(3);
    return table.bucketAt(hash);
  }

  /** Makes one change, whichever is possible; returns its name. */
  String step() {
    int dice = random.nextInt(20);
    if (dice < 4 && table.nodes().size() < SERVERS_MAX) {
      Node server = newServer();
      model.servers.add(server.id());
      return done("join", table.join(server));
    }
    if (dice == 4 && table.nodes().size() > 1) {
      Node server = anyServer();
      BucketChange failed = table.fail(server);
      List<HashMask> lost = model.fail(server, failed.table());
      if (!lost.equals(failed.lost())) {
        throw new AssertionError(lost + " are lost, not " + failed.lost());
      }
      return done("fail", failed);
    }
    if (dice == 5 && table.nodes().size() > 1) {
      Node server = anyServer();
      BucketChange left = table.leave(server);
      model.leave(server, left.table());
      return done("leave", left);
    }
    if (dice < 9) {
      HashMask mask = anyBucket().mask();
      if (mask.digits() < 16 && table.size() < BUCKETS_MAX) {
        model.split(mask);
        return done("split", table.split(mask));
      }
    }
    if (dice < 12) {
      Optional<HashMask> whole = mergeable();
      if (whole.isPresent()) {
        model.merge(whole.get());
        return done("merge", table.merge(whole.get()));
      }
    }
    Bucket bucket = anyBucket();
    Node server = anyServer();
    if (!server.equals(bucket.primary())) {
      model.move(bucket.mask(), server);
      return done("move", table.move(bucket.mask(), server));
    }
    return "nothing";
  }

  private String done(String name, BucketChange next) {
    change = next;
    table = next.table();
    return name;
  }

  private Optional<HashMask> mergeable() {
    List<HashMask> wholes = new ArrayList<>();
    for (Bucket bucket : table.buckets()) {
      if (bucket.mask().digits() > 1) {
        HashMask whole = bucket.mask().parent();
        boolean uniform =
            whole.split().stream()
                .map(part -> table.bucketAt(part.value()))
                .allMatch(
                    part ->
                        part.mask().digits() == bucket.mask().digits()
                            && part.primary().equals(bucket.primary()));
        if (uniform) {
          wholes.add(whole);
        }
      }
    }
    return wholes.isEmpty()
        ? Optional.empty()
        : Optional.of(wholes.get(random.nextInt(wholes.size())));
  }
}
