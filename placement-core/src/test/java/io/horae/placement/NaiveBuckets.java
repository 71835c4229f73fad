package io.horae.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The model of a bucket table: a list of entries, looked through from end to end. */
final class NaiveBuckets {

  private final int backupsMax;
  private final List<Bucket> entries = new ArrayList<>();
  final Set<String> servers = new TreeSet<>();

  NaiveBuckets(Node server, int buckets, int backupsMax) {
    this.backupsMax = backupsMax;
    servers.add(server.id());
    for (int value = 0; value < buckets; value++) {
      entries.add(new Bucket(new HashMask(buckets - 1, value), server, List.of(), 0));
    }
  }

  List<Bucket> entries() {
    return entries.stream().sorted(Comparator.comparing(Bucket::mask)).toList();
  }

  /** The only entry for a hash. */
  Bucket at(long hash) {
    List<Bucket> found = entries.stream().filter(entry -> entry.mask().contains(hash)).toList();
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " entries for one hash: " + found);
    }
    return found.get(0);
  }

  void move(HashMask mask, Node server) {
    Bucket old = at(mask.value());
    List<Node> backups = new ArrayList<>(old.backups());
    backups.remove(server);
    backups.add(0, old.primary());
    replace(old, new Bucket(mask, server, cut(backups), old.epoch() + 1));
  }

  void split(HashMask mask) {
    Bucket old = at(mask.value());
    entries.remove(old);
    for (int digit = 0; digit < 16; digit++) {
      HashMask part =
          new HashMask((mask.mask() << 4) | 15, mask.value() + digit * (mask.mask() + 1));
      entries.add(new Bucket(part, old.primary(), old.backups(), old.epoch() + 1));
    }
  }

  void merge(HashMask mask) {
    // Backups stay in the order of the first part, whichever of them changed last.
    List<Bucket> parts = entries().stream().filter(e -> mask.contains(e.mask())).toList();
    List<Node> backups = new ArrayList<>(parts.get(0).backups());
    parts.forEach(part -> backups.retainAll(part.backups()));
    long epoch = parts.stream().mapToLong(Bucket::epoch).max().orElseThrow() + 1;
    entries.removeAll(parts);
    entries.add(new Bucket(mask, parts.get(0).primary(), backups, epoch));
  }

  /** Returns what no live server holds; their owner is the model's one free choice. */
  List<HashMask> fail(Node server, BucketTable after) {
    servers.remove(server.id());
    List<HashMask> lost = new ArrayList<>();
    for (Bucket old : List.copyOf(entries)) {
      List<Node> holders = new ArrayList<>(old.backups());
      holders.add(0, old.primary());
      if (holders.remove(server)) {
        if (holders.isEmpty()) {
          lost.add(old.mask());
          holders.add(after.bucket(old.mask()).primary());
        }
        replace(
            old,
            new Bucket(
                old.mask(), holders.get(0), holders.subList(1, holders.size()), old.epoch() + 1));
      }
    }
    return lost.stream().sorted().toList();
  }

  /** Here too the new owner is taken from the table; who is a backup is not. */
  void leave(Node server, BucketTable after) {
    servers.remove(server.id());
    for (Bucket old : List.copyOf(entries)) {
      if (old.primary().equals(server) || old.backups().contains(server)) {
        Node owner =
            old.primary().equals(server) ? after.bucket(old.mask()).primary() : old.primary();
        List<Node> backups = new ArrayList<>(old.backups());
        backups.removeAll(List.of(server, owner));
        replace(old, new Bucket(old.mask(), owner, backups, old.epoch() + 1));
      }
    }
  }

  private void replace(Bucket old, Bucket now) {
    entries.remove(old);
    entries.add(now);
  }

  private List<Node> cut(List<Node> backups) {
    return List.copyOf(backups.subList(0, Math.min(backups.size(), backupsMax)));
  }
}
