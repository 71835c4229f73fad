package io.horae.resync;

import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A bucket on its way, as its primary sees it. */
final class Transfer {

  /** How far it is. */
  enum Stage {
    /** The other has not answered yet. */
    OFFERED,
    /** Items are under way. */
    SENDING,
    /** The other has all items; writes follow until it is level. */
    LEVELLING,
    /** The last item is under way: the other may be the primary. */
    YIELDED
  }

  final long number;
  final BucketCopy copy;
  final String to;
  final boolean move;

  /** Sent, and not yet acknowledged. */
  final TreeMap<Long, BucketMessage.Items> windows = new TreeMap<>();

  Stage stage = Stage.OFFERED;

  /** The last item that was read; null before the first. */
  @Nullable Item cursor;

  /** The receipts that follow when all items have been read; null until then. */
  @Nullable List<BucketMessage.Receipt> receipts;

  int receiptsRead;
  long nextWindow;
  boolean allRead;

  /** The last write that was done when all was read: the windows may show any write up to it. */
  long readUpTo;

  long items;
  int tries;
  long retryAtMs;

  /** When the other side was last heard of. */
  long heardMs;

  Transfer(long number, BucketCopy copy, String to, boolean move) {
    this.number = number;
    this.copy = copy;
    this.to = to;
    this.move = move;
  }
}
