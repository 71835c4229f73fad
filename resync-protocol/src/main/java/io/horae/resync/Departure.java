package io.horae.resync;

/**
 * This server's wish to leave, once it has one: it tells the others again and again, since they
 * forget it with every view and may not hear it, and reports when it holds nothing any more.
 */
final class Departure {

  private final BucketSeat seat;
  private boolean wished;
  private int tries;
  private long retryAtMs = Long.MAX_VALUE;

  Departure(BucketSeat seat) {
    this.seat = seat;
  }

  void wish() {
    if (!wished) {
      wished = true;
      begin();
    }
  }

  void viewChanged() {
    retryAtMs = Long.MAX_VALUE;
    if (wished) {
      begin();
    }
  }

  private void begin() {
    if (seat.isMember(seat.self)) {
      seat.leavers.add(seat.self);
      tries = 0;
      tell();
    }
  }

  private void tell() {
    tries++;
    retryAtMs = seat.nowMs() + seat.backoff.waitMs(tries);
    for (String member : seat.members().keySet()) {
      if (!member.equals(seat.self)) {
        seat.send(member, new BucketMessage.Leaving(seat.view()));
      }
    }
  }

  void tick() {
    if (retryAtMs <= seat.nowMs()) {
      tell();
    }
  }

  long nextTickMs() {
    return retryAtMs;
  }

  /** Reports, once for each view, that there is nothing left here. */
  void reportIfDrained() {
    if (wished && !seat.drained && seat.isReady() && seat.copies.all().isEmpty()) {
      seat.drained = true;
      seat.report(new BucketEvent.Drained(seat.view()));
    }
  }
}
