package io.horae.resync;

import io.horae.placement.Bucket;
import io.horae.placement.HashMask;
import io.horae.placement.Node;
import io.horae.resync.BucketCopy.Peer;
import io.horae.resync.BucketMessage.Receipt;
import io.horae.resync.Transfer.Stage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends buckets that this server is primary of: to their next primary, or to a server that is to be
 * a backup. Until the end nothing about the bucket changes, and the transfer can be given up.
 */
final class Transfers {

  /** When a transfer that came to nothing may be tried again. */
  private static final class Pause {
    private int tries;
    private long untilMs;
  }

  private final BucketSeat seat;
  private final Replication replication;
  private final Map<Long, Transfer> transfers = new LinkedHashMap<>();
  private final Map<HashMask, Pause> pauses = new HashMap<>();
  private long lastNumber;

  /** How far ahead of its rate a server may send, so that it need not be called for each window. */
  private static final long AHEAD_MS = 10;

  /** What a receipt counts for, beside items. */
  private static final int RECEIPT_BYTES = 48;

  /** For how long to send nothing, from a time on, that all be within the rates. */
  private long owedUs;

  private long owedSinceMs;

  private long done;
  private long failed;
  private long itemsSent;

  Transfers(BucketSeat seat, Replication replication) {
    this.seat = seat;
    this.replication = replication;
  }

  int size() {
    return transfers.size();
  }

  long done() {
    return done;
  }

  long failed() {
    return failed;
  }

  long itemsSent() {
    return itemsSent;
  }

  /** When a bucket may be sent; a time that has passed if now. */
  long pausedUntilMs(HashMask mask) {
    Pause pause = pauses.get(mask);
    return pause == null ? Long.MIN_VALUE : pause.untilMs;
  }

  /** Begins to send a bucket that this server is primary of, and that is not being sent. */
  void begin(BucketCopy copy, String to, boolean move) {
    lastNumber = Math.max(lastNumber + 1, seat.firstEpoch());
    Transfer transfer = new Transfer(lastNumber, copy, to, move);
    copy.transfer = transfer;
    transfers.put(transfer.number, transfer);
    transfer.heardMs = seat.nowMs();
    if (!copy.peers.containsKey(to)) {
      Peer peer = new Peer(to, copy.log.sequence());
      peer.transfer = transfer.number;
      peer.configured = true;
      copy.peers.put(to, peer);
    }
    seat.report(new BucketEvent.TransferBegun(copy.mask, to, move));
    again(transfer);
  }

  private @Nullable Transfer find(String from, long number) {
    Transfer transfer = transfers.get(number);
    if (transfer == null || !transfer.to.equals(from)) {
      seat.reject(BucketStatistics.Rejection.UNEXPECTED);
      return null;
    }
    transfer.heardMs = seat.nowMs();
    return transfer;
  }

  void accepted(String from, BucketMessage.Accept message) {
    Transfer transfer = find(from, message.transfer());
    if (transfer == null || transfer.stage != Stage.OFFERED) {
      return;
    }
    Peer peer = transfer.copy.peers.get(from);
    boolean isBackup = peer != null && peer.backup;
    if (message.complete() != isBackup) {
      seat.reject(BucketStatistics.Rejection.MALFORMED);
      giveUp(transfer);
      return;
    }
    transfer.tries = 0;
    if (isBackup) {
      transfer.stage = Stage.LEVELLING;
    } else {
      transfer.stage = Stage.SENDING;
      pump(transfer);
    }
    progress(transfer);
  }

  /** Sends the next windows, as many as may be under way. */
  private void pump(Transfer transfer) {
    while (transfer.stage == Stage.SENDING
        && !transfer.allRead
        && transfer.windows.size() < seat.options.windowsInFlightMax()
        && owedUs() <= AHEAD_MS * 1_000) {
      BucketMessage.Items window = read(transfer);
      if (transfer.windows.isEmpty()) {
        transfer.retryAtMs = seat.nowMs() + seat.backoff.waitMs(1);
        transfer.tries = 1;
      }
      transfer.windows.put(window.window(), window);
      transfer.allRead = window.last();
      transfer.readUpTo = transfer.copy.log.sequence();
      transfer.items += window.items().size();
      send(transfer, window);
    }
  }

  private void send(Transfer transfer, BucketMessage.Items window) {
    itemsSent += window.items().size();
    spend(window.items());
    seat.send(transfer.to, window);
  }

  private BucketMessage.Items read(Transfer transfer) {
    int itemsMax = seat.options.windowItemsMax();
    HashMask mask = transfer.copy.mask;
    List<Item> read =
        transfer.receipts == null ? seat.source.items(mask, transfer.cursor, itemsMax) : List.of();
    List<Item> items = new ArrayList<>(read.size());
    long bytes = 0;
    for (Item item : read) {
      bytes += item.bytes();
      if (bytes > seat.options.windowBytesMax() && !items.isEmpty()) {
        break;
      }
      items.add(item);
      transfer.cursor = item;
    }
    List<Receipt> receipts = read.isEmpty() ? readReceipts(transfer) : List.of();
    boolean last = transfer.receipts != null && transfer.receiptsRead == transfer.receipts.size();
    return new BucketMessage.Items(
        seat.view(), transfer.number, transfer.nextWindow++, items, receipts, last);
  }

  /** The next receipts; those of writes from here on come with the writes. */
  private List<Receipt> readReceipts(Transfer transfer) {
    if (transfer.receipts == null) {
      transfer.receipts = transfer.copy.receipts.all();
    }
    int from = transfer.receiptsRead;
    int ofBytes = Math.max(1, seat.options.windowBytesMax() / RECEIPT_BYTES);
    int receiptsMax = Math.min(seat.options.windowItemsMax(), ofBytes);
    transfer.receiptsRead = Math.min(from + receiptsMax, transfer.receipts.size());
    return transfer.receipts.subList(from, transfer.receiptsRead);
  }

  /** Puts off the next items for as long as these take at the rates allowed. */
  private void spend(List<Item> items) {
    long bytes = 0;
    for (Item item : items) {
      bytes += item.bytes();
    }
    long costUs =
        Math.max(
            items.size() * 1_000_000L / seat.options.itemsPerSecondMax(),
            (long) (bytes * 1e6 / seat.options.bytesPerSecondMax()));
    owedUs = owedUs() + costUs;
    owedSinceMs = seat.nowMs();
  }

  private long owedUs() {
    long passedMs = owedUs == 0 ? 0 : seat.nowMs() - owedSinceMs;
    return passedMs > owedUs / 1_000 ? 0 : owedUs - passedMs * 1_000;
  }

  void taken(String from, BucketMessage.Taken message) {
    Transfer transfer = find(from, message.transfer());
    if (transfer == null || transfer.stage != Stage.SENDING) {
      return;
    }
    if (message.next() > transfer.nextWindow) {
      seat.reject(BucketStatistics.Rejection.MALFORMED);
      return;
    }
    int before = transfer.windows.size();
    transfer.windows.headMap(message.next()).clear();
    if (transfer.windows.size() < before) {
      transfer.tries = 1;
      transfer.retryAtMs = seat.nowMs() + seat.backoff.waitMs(1);
    }
    pump(transfer);
    if (transfer.allRead && transfer.windows.isEmpty()) {
      transfer.stage = Stage.LEVELLING;
      Peer peer = transfer.copy.peers.get(from);
      if (peer != null) {
        peer.counted = true; // so that it cannot fall behind what is committed
      }
      replication.advance(transfer.copy);
    }
  }

  /** Looks whether a transfer can go on, now that something about its bucket has moved. */
  void progress(Transfer transfer) {
    BucketCopy copy = transfer.copy;
    if (copy.transfer != transfer || !copy.isPrimary() || transfer.stage != Stage.LEVELLING) {
      return;
    }
    Peer peer = copy.peers.get(transfer.to);
    if (peer == null) { // it was its backup, and is no more
      giveUp(transfer);
    } else if (transfer.move) {
      if (copy.isDrained()) {
        handOver(transfer);
      } else if (!copy.isDraining()) {
        copy.drainedByMs = seat.nowMs() + seat.options.drainMs();
      }
    } else if (peer.acked >= Math.max(transfer.readUpTo, copy.log.committed())) {
      List<Node> backups = new ArrayList<>(copy.bucket.backups());
      backups.add(seat.node(transfer.to));
      leaversLast(backups); // kept until the new one goes by the next epoch
      end(transfer, true);
      replication.change(copy, replication.next(copy, backups));
    }
  }

  /**
   * The last word to the next primary. From here on this server neither serves the bucket nor
   * changes it, until it hears what came of that word, or a view removes the other.
   */
  private void handOver(Transfer transfer) {
    BucketCopy copy = transfer.copy;
    List<Node> backups = new ArrayList<>();
    backups.add(seat.node(seat.self));
    for (Node backup : copy.bucket.backups()) {
      if (!backup.id().equals(transfer.to)) {
        backups.add(backup);
      }
    }
    leaversLast(backups);
    copy.next =
        new Bucket(
            copy.mask,
            seat.node(transfer.to),
            backups.subList(0, Math.min(backups.size(), seat.options.backupsMax())),
            copy.epoch() + 1);
    copy.role = BucketCopy.Role.YIELDING;
    copy.drainedByMs = 0;
    transfer.stage = Stage.YIELDED;
    transfer.tries = 0;
    again(transfer);
  }

  private void leaversLast(List<Node> backups) {
    backups.sort(Comparator.comparing(backup -> !seat.stays(backup.id())));
  }

  /** Says again what has not been answered. */
  private void again(Transfer transfer) {
    transfer.tries++;
    transfer.retryAtMs = seat.nowMs() + seat.backoff.waitMs(transfer.tries);
    BucketCopy copy = transfer.copy;
    if (transfer.stage == Stage.OFFERED) {
      Peer peer = copy.peers.get(transfer.to);
      long sequence = peer == null ? 0 : peer.acked;
      seat.send(
          transfer.to,
          new BucketMessage.Offer(
              seat.view(), transfer.number, copy.bucket, transfer.move, sequence));
    } else if (transfer.stage == Stage.SENDING) {
      transfer.windows.values().stream()
          .map(this::inView)
          .forEach(window -> send(transfer, window));
    } else if (transfer.stage == Stage.YIELDED && copy.next != null) {
      seat.send(
          transfer.to,
          new BucketMessage.Last(seat.view(), transfer.number, copy.next, copy.log.sequence()));
    }
  }

  private BucketMessage.Items inView(BucketMessage.Items window) {
    return new BucketMessage.Items(
        seat.view(),
        window.transfer(),
        window.window(),
        window.items(),
        window.receipts(),
        window.last());
  }

  void refused(String from, BucketMessage.Refuse message) {
    Transfer transfer = transfers.get(message.transfer());
    if (transfer == null || !transfer.to.equals(from)) {
      noBackup(from, message);
      return;
    }
    boolean yielded = transfer.stage == Stage.YIELDED;
    if (yielded != (message.reason() == BucketMessage.Refusal.NOT_OWNED)) {
      seat.reject(BucketStatistics.Rejection.UNEXPECTED); // that was said before
      return;
    }
    BucketCopy copy = transfer.copy;
    if (yielded) {
      copy.role = BucketCopy.Role.PRIMARY; // the other has not taken over and never will
      copy.next = null;
    }
    end(transfer, false);
    replication.advance(copy);
  }

  /** Somebody has given up what was sent before it heard that it is a backup now. */
  private void noBackup(String from, BucketMessage.Refuse message) {
    for (BucketCopy copy : seat.copies.snapshot()) {
      Peer peer = copy.isPrimary() ? copy.peers.get(from) : null;
      if (peer != null && peer.backup && !peer.configured && peer.transfer == message.transfer()) {
        replication.keepOnly(copy, backup -> !backup.equals(from));
        return;
      }
    }
    seat.reject(BucketStatistics.Rejection.UNEXPECTED);
  }

  /** Ends a transfer of which the other side may not know more than that it is under way. */
  void giveUp(Transfer transfer) {
    if (transfer.stage == Stage.YIELDED) {
      throw new AssertionError("nobody knows whether it has arrived: " + transfer.copy);
    }
    seat.send(transfer.to, new BucketMessage.Cancel(seat.view(), transfer.number));
    end(transfer, false);
    replication.advance(transfer.copy);
  }

  /** Sends nothing more to a server, unless it may be the primary already. */
  void giveUpTo(String server) {
    for (Transfer transfer : List.copyOf(transfers.values())) {
      if (transfer.to.equals(server) && transfer.stage != Stage.YIELDED) {
        giveUp(transfer);
      }
    }
  }

  /** Takes a transfer off the books. */
  void end(Transfer transfer, boolean success) {
    BucketCopy copy = transfer.copy;
    transfers.remove(transfer.number);
    copy.transfer = null;
    copy.drainedByMs = 0;
    if (success) {
      done++;
      pauses.remove(copy.mask);
    } else {
      failed++;
      copy.peers.computeIfPresent(transfer.to, (to, peer) -> peer.backup ? peer : null);
      Pause pause = pauses.computeIfAbsent(copy.mask, unknown -> new Pause());
      pause.tries++;
      pause.untilMs = seat.nowMs() + seat.backoff.waitMs(pause.tries);
    }
    seat.report(
        new BucketEvent.TransferEnded(
            copy.mask, transfer.to, transfer.move, success, transfer.items));
  }

  /** Who is out of the view gets nothing more; what has been yielded to it is settled later. */
  void viewChanged(boolean goesOn) {
    for (Transfer transfer : List.copyOf(transfers.values())) {
      if (transfer.stage != Stage.YIELDED && !(goesOn && seat.isMember(transfer.to))) {
        end(transfer, false);
      }
    }
    pauses.clear();
  }

  void tick() {
    for (Transfer transfer : List.copyOf(transfers.values())) {
      if (transfer.copy.transfer != transfer) {
        continue;
      }
      if (transfer.stage == Stage.YIELDED) {
        if (seat.isReady() && transfer.retryAtMs <= seat.nowMs()) {
          again(transfer);
        }
      } else if (isHopeless(transfer)) {
        giveUp(transfer);
      } else {
        if (isWaiting(transfer) && transfer.retryAtMs <= seat.nowMs()) {
          again(transfer);
        }
        pump(transfer);
      }
    }
  }

  /** Whether there is something that the other should have answered. */
  private static boolean isWaiting(Transfer transfer) {
    return transfer.stage == Stage.OFFERED || !transfer.windows.isEmpty();
  }

  /** Silent for too long, too far behind, or clients have been put off for too long. */
  private boolean isHopeless(Transfer transfer) {
    BucketCopy copy = transfer.copy;
    return hopelessAtMs(transfer) <= seat.nowMs()
        || copy.log.size() > 2L * seat.options.writesOpenMax();
  }

  private long hopelessAtMs(Transfer transfer) {
    BucketCopy copy = transfer.copy;
    Peer peer = copy.peers.get(transfer.to);
    boolean isOwed = isWaiting(transfer) || (peer != null && peer.acked < copy.log.sequence());
    long silentAtMs = isOwed ? transfer.heardMs + seat.options.transferIdleMs() : Long.MAX_VALUE;
    long drainedByMs = copy.isDraining() && !copy.splits ? copy.drainedByMs : Long.MAX_VALUE;
    return Math.min(silentAtMs, drainedByMs);
  }

  long nextTickMs() {
    long next = Long.MAX_VALUE;
    for (Transfer transfer : transfers.values()) {
      if (transfer.stage == Stage.YIELDED) {
        next = Math.min(next, seat.isReady() ? transfer.retryAtMs : Long.MAX_VALUE);
        continue;
      }
      next = Math.min(next, hopelessAtMs(transfer));
      if (isWaiting(transfer)) {
        next = Math.min(next, transfer.retryAtMs);
      }
      if (transfer.stage == Stage.SENDING
          && !transfer.allRead
          && transfer.windows.size() < seat.options.windowsInFlightMax()) {
        next = Math.min(next, owedSinceMs + (owedUs + 999) / 1_000 - AHEAD_MS);
      }
    }
    return next;
  }
}
