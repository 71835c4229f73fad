package io.horae.resync;

import io.horae.resync.BucketMessage.Kind;
import io.horae.resync.BucketMessage.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The last writes of a bucket, one number after the other: those that some server may still need,
 * and at the primary who waits for them. What is committed is on the primary and all its backups.
 */
final class WriteLog {

  /** Who is to be told when a write is committed. */
  record Waiter(String from, BucketMessage.Answer answer) {}

  private final List<Write> writes = new ArrayList<>();

  /** How many at the front of the list are not needed any more. */
  private int dropped;

  private long sequence;
  private long committed;

  /** The last write to each key that is not committed yet. */
  private final Map<ItemKey, Long> open = new HashMap<>();

  private final Map<Long, List<Waiter>> waiters = new HashMap<>();

  /** A log whose writes up to a number are committed, and over. */
  WriteLog(long sequence) {
    this.sequence = sequence;
    committed = sequence;
  }

  /** The number of the last write. */
  long sequence() {
    return sequence;
  }

  long committed() {
    return committed;
  }

  /** How many writes are kept. */
  int size() {
    return writes.size() - dropped;
  }

  boolean isCommitted() {
    return committed == sequence;
  }

  void add(Write write) {
    if (write.version().sequence() != sequence + 1) {
      throw new AssertionError("write " + write.version() + " behind number " + sequence);
    }
    sequence++;
    writes.add(write);
    if (write.kind() != Kind.GET) {
      open.put(new ItemKey(write.hash(), write.key()), sequence);
    }
  }

  /** The last write to a key if it is not committed yet; else 0. */
  long openWrite(long hash, byte[] key) {
    return open.isEmpty() ? 0 : open.getOrDefault(new ItemKey(hash, key), 0L);
  }

  void await(long number, Waiter waiter) {
    waiters.computeIfAbsent(number, unknown -> new ArrayList<>(1)).add(waiter);
  }

  /** The first write that is kept has this number, if there is one. */
  private long first() {
    return sequence - size() + 1;
  }

  /** The write of a number that is kept. */
  Write write(long number) {
    return writes.get((int) (dropped + number - first()));
  }

  /** Writes from a number on, within limits, but at least one if there is one. */
  List<Write> from(long number, int writesMax, int bytesMax) {
    List<Write> found = new ArrayList<>();
    long bytes = 0;
    for (long next = number; next <= sequence && found.size() < writesMax; next++) {
      Write write = write(next);
      bytes += write.bytes();
      if (bytes > bytesMax && !found.isEmpty()) {
        break;
      }
      found.add(write);
    }
    return found;
  }

  /** Commits up to a number; returns who waited for that. */
  List<Waiter> commit(long number) {
    if (number <= committed) {
      return List.of();
    }
    List<Waiter> served = waiters.isEmpty() ? List.of() : new ArrayList<>();
    for (long next = committed + 1; next <= number; next++) {
      if (!open.isEmpty()) {
        Write write = write(next);
        open.remove(new ItemKey(write.hash(), write.key()), next);
      }
      List<Waiter> some = waiters.isEmpty() ? null : waiters.remove(next);
      if (some != null) {
        served.addAll(some);
      }
    }
    committed = number;
    return served;
  }

  /** Nobody waits any more: whoever asked asks again. */
  void forgetWaiters() {
    waiters.clear();
  }

  /** Lets go of the writes up to a number, as far as they are committed. */
  void drop(long number) {
    while (size() > 0 && first() <= Math.min(number, committed)) {
      dropped++;
    }
    if (dropped > 32 && dropped > writes.size() / 2) {
      writes.subList(0, dropped).clear();
      dropped = 0;
    }
  }
}
