package io.horae.resync;

import io.horae.placement.Bucket;
import io.horae.placement.BucketTable;
import io.horae.placement.Node;
import io.horae.resync.BucketMessage.Answer;
import io.horae.resync.BucketMessage.Kind;
import io.horae.resync.BucketMessage.Outcome;
import io.horae.resync.BucketMessage.Request;
import io.horae.resync.BucketMessage.Write;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Serves clients. A write is done here at once and answered when it is committed. A read sees what
 * is committed: while a write to its key is open, it waits for that.
 */
final class Service {

  private static final byte[] NOTHING = {};
  private static final ItemVersion NONE = new ItemVersion(0, 0);

  private final BucketSeat seat;
  private final Replication replication;
  private long reads;
  private long writes;
  private long repeated;
  private long redirects;
  private long retries;

  Service(BucketSeat seat, Replication replication) {
    this.seat = seat;
    this.replication = replication;
  }

  long reads() {
    return reads;
  }

  long writes() {
    return writes;
  }

  long repeated() {
    return repeated;
  }

  long redirects() {
    return redirects;
  }

  long retries() {
    return retries;
  }

  void request(String from, Request request) {
    if (!request.bucket().contains(request.hash())
        || request.number() < 1
        || request.oldest() > request.number()) {
      seat.reject(BucketStatistics.Rejection.MALFORMED);
      return;
    }
    BucketCopy copy = seat.copies.at(request.hash());
    if (copy == null || !copy.isPrimary() || !seat.isMember(seat.self)) {
      elsewhere(from, request);
    } else if (request.epoch() > copy.epoch()) {
      retry(from, request); // this server has not heard the latest
    } else if (request.kind() == Kind.GET) {
      read(from, request, copy);
    } else {
      write(from, request, copy);
    }
  }

  private void elsewhere(String from, Request request) {
    BucketTable table = seat.table();
    Bucket entry = table == null ? null : table.bucketAt(request.hash());
    if (table == null
        || entry == null
        || entry.primary().id().equals(seat.self)
        || entry.epoch() < request.epoch()) {
      retry(from, request);
      return;
    }
    redirects++;
    List<Bucket> entries = table.redirect(Node.of(seat.self), request.bucket(), request.hash());
    answer(from, request, Outcome.NOT_MINE, NOTHING, NONE, entries);
  }

  private void retry(String from, Request request) {
    retries++;
    answer(from, request, Outcome.RETRY, NOTHING, NONE, List.of());
  }

  private void answer(
      String to,
      Request request,
      Outcome outcome,
      byte[] value,
      ItemVersion version,
      List<Bucket> entries) {
    seat.send(to, new Answer(request.client(), request.number(), outcome, value, version, entries));
  }

  /** What a client whose entry is older should know. */
  private static List<Bucket> news(Request request, BucketCopy copy) {
    return request.epoch() < copy.epoch() ? List.of(copy.bucket) : List.of();
  }

  private void read(String from, Request request, BucketCopy copy) {
    long waitsFor = copy.log.openWrite(request.hash(), request.key());
    boolean confirmed = seat.options.readsConfirmed() && !copy.bucket.backups().isEmpty();
    if (confirmed && (copy.isDraining() || isBehind(copy))) {
      retry(from, request);
      return;
    }
    reads++;
    Answer answer = waitsFor == 0 ? found(request, copy) : found(request, copy, waitsFor);
    if (confirmed) {
      ItemVersion version = nextVersion(copy);
      waitsFor = version.sequence();
      copy.log.await(waitsFor, new WriteLog.Waiter(from, answer));
      replication.append(
          copy, new Write(Kind.GET, version, request.hash(), NOTHING, NOTHING, 0, 0, 0));
      replication.advance(copy);
    } else if (waitsFor > 0) {
      copy.log.await(waitsFor, new WriteLog.Waiter(from, answer));
    } else {
      seat.send(from, answer);
    }
  }

  private Answer found(Request request, BucketCopy copy) {
    @Nullable Item item = seat.source.find(request.hash(), request.key());
    return new Answer(
        request.client(),
        request.number(),
        item == null ? Outcome.ABSENT : Outcome.FOUND,
        item == null ? NOTHING : item.value(),
        item == null ? NONE : item.version(),
        news(request, copy));
  }

  /** What a write that is still open will have left, whatever comes behind it. */
  private static Answer found(Request request, BucketCopy copy, long number) {
    Write write = copy.log.write(number);
    boolean isThere = write.kind() == Kind.PUT;
    return new Answer(
        request.client(),
        request.number(),
        isThere ? Outcome.FOUND : Outcome.ABSENT,
        write.value(),
        isThere ? write.version() : NONE,
        news(request, copy));
  }

  private void write(String from, Request request, BucketCopy copy) {
    if (request.key().length > seat.options.keyBytesMax()
        || request.value().length > seat.options.valueBytesMax()) {
      answer(from, request, Outcome.TOO_LARGE, NOTHING, NONE, List.of());
      return;
    }
    ItemVersion done = copy.receipts.find(request.client(), request.number());
    if (done != null) {
      repeated++;
      tell(from, request, copy, done);
    } else if (copy.receipts.isPast(request.client(), request.number())) {
      repeated++; // the client has its answer, or waits for none
    } else if (copy.isDraining() || isBehind(copy) || isFull(copy, request)) {
      retry(from, request);
    } else {
      apply(from, request, copy);
    }
  }

  /** Whether as many writes wait for the backups as may. */
  private boolean isBehind(BucketCopy copy) {
    int limit = seat.options.writesOpenMax();
    return copy.log.sequence() - copy.log.committed() >= limit && reached("writesOpenMax", limit);
  }

  /** Whether there is no room to remember that a write was done. */
  private boolean isFull(BucketCopy copy, Request request) {
    long client = request.client();
    int clientsMax = seat.options.receiptsClientsMax();
    if (!copy.receipts.knows(client) && copy.receipts.clients() >= clientsMax) {
      return reached("receiptsClientsMax", clientsMax);
    }
    int writesMax = seat.options.receiptsPerClientMax();
    return copy.receipts.hasAsMany(writesMax, client, request.oldest())
        && reached("receiptsPerClientMax", writesMax);
  }

  private boolean reached(String option, int limit) {
    seat.report(new BucketEvent.LimitReached(option, limit));
    return true;
  }

  private static ItemVersion nextVersion(BucketCopy copy) {
    return new ItemVersion(copy.epoch(), copy.log.sequence() + 1);
  }

  private void apply(String from, Request request, BucketCopy copy) {
    ItemVersion version = nextVersion(copy);
    if (request.kind() == Kind.PUT) {
      seat.sink.put(new Item(request.hash(), request.key(), request.value(), version));
    } else {
      seat.sink.remove(request.hash(), request.key());
    }
    writes++;
    Write write =
        new Write(
            request.kind(),
            version,
            request.hash(),
            request.key(),
            request.kind() == Kind.PUT ? request.value() : NOTHING,
            request.client(),
            request.number(),
            request.oldest());
    copy.receipts.add(write, seat.receiptUntilMs());
    tell(from, request, version.sequence(), copy, version);
    replication.append(copy, write);
    replication.advance(copy);
  }

  private void tell(String from, Request request, BucketCopy copy, ItemVersion version) {
    boolean isOpen = version.sequence() > copy.log.committed();
    tell(from, request, isOpen ? version.sequence() : 0, copy, version);
  }

  private void tell(
      String from, Request request, long waitsFor, BucketCopy copy, ItemVersion version) {
    Answer answer =
        new Answer(
            request.client(),
            request.number(),
            Outcome.DONE,
            NOTHING,
            version,
            news(request, copy));
    if (waitsFor > 0) {
      copy.log.await(waitsFor, new WriteLog.Waiter(from, answer));
    } else {
      seat.send(from, answer);
    }
  }
}
