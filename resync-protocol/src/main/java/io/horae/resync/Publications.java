package io.horae.resync;

import io.horae.placement.Bucket;
import io.horae.placement.HashMask;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tells every member of what this server has changed, until each has said that it knows. */
final class Publications {

  private static final class Reader {
    private final Map<HashMask, Bucket> untold = new LinkedHashMap<>();

    /** What it has been told and has not acknowledged. */
    private List<Bucket> told = List.of();

    private long number;
    private int tries;
    private long retryAtMs;
  }

  private final BucketSeat seat;
  private final Map<String, Reader> readers = new LinkedHashMap<>();
  private final List<Bucket> news = new ArrayList<>();
  private long numbers;

  Publications(BucketSeat seat) {
    this.seat = seat;
  }

  /** A new view: who takes it hears the state of things when all tell each other what they have. */
  void viewChanged() {
    readers.clear();
    for (String member : seat.members().keySet()) {
      if (!member.equals(seat.self)) {
        readers.put(member, new Reader());
      }
    }
  }

  /** This server has changed an entry. */
  void changed(Bucket bucket) {
    seat.enter(bucket);
    news.add(bucket);
    readers.values().forEach(reader -> reader.untold.put(bucket.mask(), bucket));
  }

  /** Sends what there is to tell; called at the end of every call. */
  void flush() {
    if (!news.isEmpty()) {
      List<Bucket> changed = List.copyOf(news);
      news.clear();
      seat.report(new BucketEvent.Changed(changed));
    }
    readers.forEach(
        (server, reader) -> {
          if (reader.told.isEmpty() && !reader.untold.isEmpty()) {
            reader.told =
                reader.untold.values().stream().limit(seat.options.entriesPerMessageMax()).toList();
            reader.number = ++numbers;
            reader.tries = 0;
            tell(server, reader);
          }
        });
  }

  private void tell(String server, Reader reader) {
    reader.tries++;
    reader.retryAtMs = seat.nowMs() + seat.backoff.waitMs(reader.tries);
    seat.send(server, new BucketMessage.Publish(seat.view(), reader.number, reader.told));
  }

  void published(String from, BucketMessage.Published message) {
    Reader reader = readers.get(from);
    if (reader == null || reader.told.isEmpty() || reader.number != message.number()) {
      seat.reject(BucketStatistics.Rejection.UNEXPECTED);
      return;
    }
    reader.told.forEach(bucket -> reader.untold.remove(bucket.mask(), bucket));
    reader.told = List.of();
  }

  void tick() {
    readers.forEach(
        (server, reader) -> {
          if (!reader.told.isEmpty() && reader.retryAtMs <= seat.nowMs()) {
            tell(server, reader);
          }
        });
  }

  long nextTickMs() {
    long next = Long.MAX_VALUE;
    for (Reader reader : readers.values()) {
      if (!reader.told.isEmpty()) {
        next = Math.min(next, reader.retryAtMs);
      }
    }
    return next;
  }
}
