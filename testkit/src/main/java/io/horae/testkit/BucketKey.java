package io.horae.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.horae.placement.KeyHash;
import io.horae.resync.ItemVersion;
import java.util.ArrayList;
import java.util.List;

/** A key, and all that clients did with it and were told: an independent record. */
final class BucketKey {

  private final String name;
  private final byte[] bytes;
  private final long hash;
  private final List<BucketStep> steps = new ArrayList<>();
  private ItemVersion known = new ItemVersion(0, 0);
  private boolean deleted = true;
  private boolean lost;

  BucketKey(String name) {
    this.name = name;
    bytes = name.getBytes(UTF_8);
    hash = KeyHash.md5().hash(bytes);
  }

  String name() {
    return name;
  }

  byte[] bytes() {
    return bytes;
  }

  long hash() {
    return hash;
  }

  /** Operations in the order in which they began. */
  List<BucketStep> steps() {
    return steps;
  }

  /** The latest version that some client was told of. */
  ItemVersion known() {
    return known;
  }

  /** Whether the last copy has died that had what clients were told of. */
  boolean lost() {
    return lost;
  }

  /** Judgement ends: the last copy has died with the servers that had it. */
  void lose() {
    lost = true;
  }

  /** Whether nothing may be there: somebody deletes it, or nobody put anything. */
  boolean mayBeAbsent() {
    return deleted;
  }

  /** Some client was told of a version. */
  void told(ItemVersion version) {
    if (version.compareTo(known) > 0) {
      known = version;
    }
  }

  /** A deletion was asked for that may come after what is known. */
  void begun(BucketStep step) {
    steps.add(step);
    deleted |= step.deletes();
  }

  /** A put is known to have come behind all deletions that were asked for. */
  void settle() {
    boolean open = false;
    ItemVersion last = new ItemVersion(0, 0);
    for (BucketStep step : steps) {
      if (step.deletes()) {
        open |= !step.succeeded();
        if (step.succeeded() && step.version().compareTo(last) > 0) {
          last = step.version();
        }
      }
    }
    deleted = open || last.compareTo(known) >= 0 || known.sequence() == 0;
  }
}
