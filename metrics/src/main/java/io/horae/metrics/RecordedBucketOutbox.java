package io.horae.metrics;

import io.horae.placement.HashMask;
import io.horae.resync.BucketEvent;
import io.horae.resync.BucketMessage;
import io.horae.resync.BucketOutbox;
import java.util.HashMap;
import java.util.Map;

/**
 * A server's outbox that records its transfers of buckets for JDK Flight Recorder, as {@code
 * io.horae.Transfer}, and hands everything on. An event lasts from the beginning of a transfer to
 * its end, and says which bucket went to whom, with how many items, and whether it succeeded.
 *
 * <p>A recording has them unless it is told otherwise. While none wants them it costs the question
 * whether one does, and no object.
 */
public final class RecordedBucketOutbox implements BucketOutbox {

  // To ask whether events are wanted, without making one.
  private static final TransferEvent TRANSFER = new TransferEvent();

  private final String node;
  private final BucketOutbox outbox;

  /** The transfers under way whose beginning was recorded. */
  private final Map<Way, TransferEvent> begun = new HashMap<>();

  private record Way(HashMask bucket, String to) {}

  /**
   * An outbox in front of the host's.
   *
   * @param node the id of the node, as the events are to have it
   * @param outbox the host's
   * @throws IllegalArgumentException if anything is null
   */
  public RecordedBucketOutbox(String node, BucketOutbox outbox) {
    if (node == null || outbox == null) {
      throw new IllegalArgumentException((node == null ? "node" : "outbox") + " must not be null");
    }
    this.node = node;
    this.outbox = outbox;
  }

  @Override
  public void send(String to, BucketMessage message) {
    outbox.send(to, message);
  }

  @Override
  public void report(BucketEvent report) {
    if (TRANSFER.isEnabled()) {
      record(report);
    } else {
      begun.clear();
    }
    outbox.report(report);
  }

  private void record(BucketEvent report) {
    if (report instanceof BucketEvent.TransferBegun transfer) {
      TransferEvent event = new TransferEvent();
      event.begin();
      begun.put(new Way(transfer.bucket(), transfer.to()), event);
    } else if (report instanceof BucketEvent.TransferEnded transfer) {
      TransferEvent event = begun.remove(new Way(transfer.bucket(), transfer.to()));
      if (event == null) {
        event = new TransferEvent(); // it began before the recording
      }
      event.node = node;
      event.bucket = transfer.bucket().toString();
      event.to = transfer.to();
      event.isMove = transfer.move();
      event.hasSucceeded = transfer.success();
      event.items = transfer.items();
      event.commit();
    }
  }
}
