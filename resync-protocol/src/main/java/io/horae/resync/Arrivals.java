package io.horae.resync;

import io.horae.placement.Bucket;
import io.horae.placement.HashMask;
import io.horae.resync.BucketMessage.Kind;
import io.horae.resync.BucketMessage.Refusal;
import io.horae.resync.BucketMessage.Write;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Takes buckets that other servers send. Items and forwarded writes join by their versions, in
 * whatever order they come; what was deleted meanwhile is remembered until the end.
 *
 * <p>A transfer that is refused is refused for good: its number, and all below, are never taken up
 * again. So a source whose last item is refused knows that it still is the primary.
 */
final class Arrivals {

  private static final class Arrival {
    private final String from;
    private final long number;

    /** What is filled, or the whole copy that is to be the primary. */
    private final BucketCopy copy;

    private final Map<ItemKey, ItemVersion> deleted = new HashMap<>();
    private final Set<Long> ahead = new HashSet<>();
    private long next;

    /** How many windows there are; none known yet if negative. */
    private long windows = -1;

    private long heardMs;

    Arrival(String from, long number, BucketCopy copy) {
      this.from = from;
      this.number = number;
      this.copy = copy;
    }

    boolean isComplete() {
      return copy.isWhole() || next == windows;
    }
  }

  /** No server sends so far ahead of what was taken: it may have other limits, but not such. */
  private static final int WINDOWS_AHEAD_MAX = 1_000;

  private final BucketSeat seat;
  private final Replication replication;
  private final Map<String, Long> highest = new HashMap<>();
  private final Map<HashMask, Arrival> arrivals = new LinkedHashMap<>();
  private long itemsTaken;

  Arrivals(BucketSeat seat, Replication replication) {
    this.seat = seat;
    this.replication = replication;
  }

  long itemsTaken() {
    return itemsTaken;
  }

  void offered(String from, BucketMessage.Offer message) {
    Arrival known = find(from, message.transfer());
    if (known != null) {
      known.heardMs = seat.nowMs();
      accept(known);
      return;
    }
    Bucket bucket = message.bucket();
    if (!bucket.primary().id().equals(from)
        || seat.isBeyond(bucket.epoch())
        || message.sequence() < 0
        || message.sequence() > BucketSeat.SEQUENCE_MAX) {
      seat.reject(BucketStatistics.Rejection.MALFORMED);
    } else if (message.transfer() <= highest.getOrDefault(from, 0L)) {
      refuse(from, message.transfer(), Refusal.UNKNOWN);
    } else {
      highest.put(from, message.transfer());
      take(from, message, bucket);
    }
  }

  private void take(String from, BucketMessage.Offer message, Bucket bucket) {
    if (!seat.isReady() || seat.drained || !seat.stays(seat.self)) {
      refuse(from, message.transfer(), Refusal.BUSY);
      return;
    }
    List<BucketCopy> here = seat.copies.overlapping(bucket.mask());
    if (seat.epochOf(bucket.mask()) > bucket.epoch() || here.stream().anyMatch(Arrivals::isOwn)) {
      refuse(from, message.transfer(), Refusal.EPOCH_BEHIND);
      return;
    }
    BucketCopy copy = seat.copies.of(bucket.mask());
    if (BucketCopy.lists(bucket, seat.self)) {
      if (copy == null || !copy.isWhole() || copy.epoch() != bucket.epoch()) {
        refuse(from, message.transfer(), Refusal.BUSY); // it will soon be what the other thinks
        return;
      }
      arrivals.remove(bucket.mask());
      arrive(new Arrival(from, message.transfer(), copy));
      return;
    }
    here.forEach(this::drop);
    if (arrivals.size() >= seat.options.transfersInMax()) {
      refuse(from, message.transfer(), Refusal.BUSY);
      return;
    }
    seat.enter(bucket);
    seat.sink.forget(bucket.mask());
    BucketCopy fresh =
        new BucketCopy(
            bucket, BucketCopy.Role.FILLING, new WriteLog(message.sequence()), new Receipts());
    seat.copies.add(fresh);
    arrive(new Arrival(from, message.transfer(), fresh));
  }

  private static boolean isOwn(BucketCopy copy) {
    return copy.isPrimary() || copy.role == BucketCopy.Role.YIELDING;
  }

  private void arrive(Arrival arrival) {
    arrival.heardMs = seat.nowMs();
    arrivals.put(arrival.copy.mask, arrival);
    accept(arrival);
  }

  private void accept(Arrival arrival) {
    seat.send(
        arrival.from,
        new BucketMessage.Accept(seat.view(), arrival.number, arrival.copy.isWhole()));
  }

  private void refuse(String to, long number, Refusal reason) {
    highest.merge(to, number, Math::max);
    seat.send(to, new BucketMessage.Refuse(seat.view(), number, reason));
  }

  private @Nullable Arrival find(String from, long number) {
    for (Arrival arrival : arrivals.values()) {
      if (arrival.number == number && arrival.from.equals(from)) {
        return arrival;
      }
    }
    return null;
  }

  /** Lets go of a copy that is here, and of its arrival. */
  void drop(BucketCopy copy) {
    arrivals.computeIfPresent(copy.mask, (mask, arrival) -> arrival.copy == copy ? null : arrival);
    seat.forget(copy);
  }

  void items(String from, BucketMessage.Items message) {
    Arrival arrival = find(from, message.transfer());
    if (arrival == null || arrival.copy.isWhole()) {
      seat.reject(BucketStatistics.Rejection.UNEXPECTED);
      return;
    }
    if (message.window() < 0
        || message.window() > arrival.next + WINDOWS_AHEAD_MAX
        || !message.items().stream().allMatch(item -> arrival.copy.mask.contains(item.hash()))) {
      seat.reject(BucketStatistics.Rejection.MALFORMED);
      return;
    }
    arrival.heardMs = seat.nowMs();
    if (message.window() >= arrival.next && arrival.ahead.add(message.window())) {
      message.items().forEach(item -> join(arrival, item));
      message
          .receipts()
          .forEach(receipt -> arrival.copy.receipts.add(receipt, seat.receiptUntilMs()));
      itemsTaken += message.items().size();
      if (message.last()) {
        arrival.windows = message.window() + 1;
      }
      while (arrival.ahead.remove(arrival.next)) {
        arrival.next++;
      }
    }
    seat.send(from, new BucketMessage.Taken(seat.view(), message.transfer(), arrival.next));
  }

  private void join(Arrival arrival, Item item) {
    ItemVersion deleted = arrival.deleted.get(new ItemKey(item.hash(), item.key()));
    if (deleted != null && deleted.compareTo(item.version()) > 0) {
      return;
    }
    Item here = seat.source.find(item.hash(), item.key());
    if (here == null || here.version().compareTo(item.version()) < 0) {
      seat.sink.put(item);
    }
  }

  /** Writes for a bucket that is being filled, or of which this server is a backup. */
  void forwarded(String from, BucketMessage.Forward message) {
    BucketCopy copy = seat.copies.of(message.bucket());
    if (copy == null) {
      seat.reject(BucketStatistics.Rejection.UNEXPECTED);
      return;
    }
    Arrival arrival = message.transfer() == 0 ? null : find(from, message.transfer());
    if (message.transfer() == 0) {
      if (copy.role != BucketCopy.Role.COPY || !copy.bucket.primary().id().equals(from)) {
        seat.reject(BucketStatistics.Rejection.UNEXPECTED);
        return;
      }
      if (copy.epoch() != message.epoch()) {
        seat.reject(BucketStatistics.Rejection.EPOCH_BEHIND);
        return;
      }
    } else if (arrival == null || arrival.copy != copy || copy.isWhole()) {
      seat.reject(BucketStatistics.Rejection.UNEXPECTED);
      return;
    }
    if (arrival != null) {
      arrival.heardMs = seat.nowMs();
    }
    for (Write write : message.writes()) {
      if (!copy.mask.contains(write.hash())) {
        seat.reject(BucketStatistics.Rejection.MALFORMED);
        return;
      }
      if (write.version().sequence() == copy.log.sequence() + 1) {
        apply(arrival, copy, write);
      }
    }
    copy.log.commit(Math.min(message.committed(), copy.log.sequence()));
    copy.log.drop(copy.log.committed());
    answer(from, message.transfer(), copy);
  }

  private void apply(@Nullable Arrival arrival, BucketCopy copy, Write write) {
    ItemKey key = new ItemKey(write.hash(), write.key());
    if (write.kind() == Kind.PUT) {
      seat.sink.put(new Item(write.hash(), write.key(), write.value(), write.version()));
    } else if (write.kind() == Kind.DELETE) {
      seat.sink.remove(write.hash(), write.key());
      if (arrival != null) {
        arrival.deleted.put(key, write.version());
      }
    }
    copy.receipts.add(write, seat.receiptUntilMs());
    copy.log.add(write);
  }

  private void answer(String to, long transfer, BucketCopy copy) {
    seat.send(
        to,
        new BucketMessage.Forwarded(
            seat.view(), transfer, copy.mask, copy.epoch(), copy.log.sequence()));
  }

  /** The bucket belongs to this server, if it has all of it. */
  void last(String from, BucketMessage.Last message) {
    Bucket bucket = message.bucket();
    Bucket known = seat.inView(bucket);
    boolean isCovered =
        bucket.backups().size() >= seat.options.backupsMax() || BucketCopy.lists(bucket, from);
    if (known == null
        || known.backups().size() < bucket.backups().size()
        || seat.isBeyond(bucket.epoch())
        || !bucket.primary().id().equals(seat.self)
        || !isCovered) {
      seat.reject(BucketStatistics.Rejection.MALFORMED);
      return;
    }
    if (seat.epochOf(bucket.mask()) >= bucket.epoch()) {
      // It has come before: whoever says it again has not heard what came of it.
      List<Bucket> entries = seat.entriesWithin(bucket.mask());
      seat.send(from, new BucketMessage.Publish(seat.view(), 0, entries));
      return;
    }
    Arrival arrival = find(from, message.transfer());
    if (arrival == null
        || !arrival.copy.mask.equals(bucket.mask())
        || !arrival.isComplete()
        || arrival.copy.log.sequence() != message.sequence()) {
      if (arrival != null) {
        abandon(arrival);
      }
      refuse(from, message.transfer(), Refusal.NOT_OWNED);
      return;
    }
    arrivals.remove(bucket.mask());
    BucketCopy copy = arrival.copy;
    copy.log.commit(message.sequence());
    copy.log.drop(message.sequence());
    replication.lead(copy, known, backup -> message.sequence());
  }

  /** Ends an arrival; a copy that was whole before stays. */
  private void abandon(Arrival arrival) {
    arrivals.remove(arrival.copy.mask);
    if (!arrival.copy.isWhole()) {
      seat.forget(arrival.copy);
    }
  }

  /** This server is a backup from now on, or still, under a new epoch. */
  void configured(String from, BucketMessage.Configure message, @Nullable BucketCopy copy) {
    if (copy == null) {
      seat.reject(BucketStatistics.Rejection.UNEXPECTED);
      if (message.transfer() != 0) {
        refuse(from, message.transfer(), Refusal.UNKNOWN);
      }
      return;
    }
    if (copy.role == BucketCopy.Role.FILLING) {
      Arrival arrival = find(from, message.transfer());
      if (arrival == null || arrival.copy != copy || !arrival.isComplete()) {
        seat.reject(BucketStatistics.Rejection.UNEXPECTED);
        return;
      }
    }
    if (copy.log.sequence() < message.sequence()) {
      seat.reject(BucketStatistics.Rejection.UNEXPECTED);
      return;
    }
    arrivals.remove(copy.mask);
    copy.role = BucketCopy.Role.COPY;
    copy.next = null;
    copy.bucket = message.bucket();
    answer(from, 0, copy);
  }

  void cancelled(String from, BucketMessage.Cancel message) {
    Arrival arrival = find(from, message.transfer());
    highest.merge(from, message.transfer(), Math::max);
    if (arrival != null) {
      abandon(arrival);
    }
  }

  /** Ends the arrivals that a test does not pass. */
  void keepOnly(BiPredicate<String, BucketCopy> test) {
    for (Arrival arrival : List.copyOf(arrivals.values())) {
      if (!test.test(arrival.from, arrival.copy)) {
        abandon(arrival);
      }
    }
  }

  void tick() {
    for (Arrival arrival : List.copyOf(arrivals.values())) {
      if (arrival.heardMs + seat.options.transferIdleMs() <= seat.nowMs()) {
        abandon(arrival);
      }
    }
  }

  long nextTickMs() {
    long next = Long.MAX_VALUE;
    for (Arrival arrival : arrivals.values()) {
      next = Math.min(next, arrival.heardMs + seat.options.transferIdleMs());
    }
    return next;
  }
}
