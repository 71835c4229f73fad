package io.horae.resync;

import io.horae.resync.BucketMessage.Claim;
import io.horae.resync.BucketMessage.Claims;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Every member tells every other what it had when it took the view. What was under way then is not
 * taken any more, so all these claims together are one picture.
 */
final class Exchange {

  private record Heard(long incarnation, List<Claim> claims) {}

  private final BucketSeat seat;
  private final Map<String, Heard> heard = new LinkedHashMap<>();
  private List<Claim> mine = List.of();
  private int tries;
  private long retryAtMs = Long.MAX_VALUE;

  /** The last claims of each member by which it was decided. */
  private Map<String, List<Claim>> decided = Map.of();

  Exchange(BucketSeat seat) {
    this.seat = seat;
  }

  /** A new view, and what this server has. */
  void begin(List<Claim> claims) {
    mine = List.copyOf(claims);
    heard.clear();
    decided = Map.of();
    tries = 0;
    if (seat.isMember(seat.self)) {
      heard.put(seat.self, new Heard(seat.incarnation, mine));
      ask();
    } else {
      retryAtMs = Long.MAX_VALUE;
    }
  }

  private void ask() {
    tries++;
    retryAtMs = seat.nowMs() + seat.backoff.waitMs(tries);
    for (String member : seat.members().keySet()) {
      if (!heard.containsKey(member)) {
        tell(member, true);
      }
    }
  }

  private void tell(String to, boolean wanted) {
    seat.send(to, new Claims(seat.view(), seat.incarnation, wanted, mine));
  }

  /** What another member had. */
  void claimed(String from, Claims message) {
    Heard before = heard.get(from);
    if (before != null && before.incarnation != message.incarnation()) {
      seat.report(new BucketEvent.Restarted(from));
      return;
    }
    for (Claim claim : message.claims()) {
      if (claim.sequence() < 0
          || claim.sequence() > BucketSeat.SEQUENCE_MAX
          || seat.isBeyond(claim.bucket().epoch())) {
        seat.reject(BucketStatistics.Rejection.MALFORMED);
        return;
      }
    }
    if (before == null) {
      heard.put(from, new Heard(message.incarnation(), message.claims()));
    }
    if (message.wanted()) {
      tell(from, false);
    }
  }

  /** Whether all have been heard, and nothing has been decided yet. */
  boolean isDue() {
    return decided.isEmpty() && !heard.isEmpty() && heard.size() == seat.members().size();
  }

  /** The claims of all. */
  Map<String, List<Claim>> all() {
    Map<String, List<Claim>> all = new HashMap<>();
    heard.forEach((server, its) -> all.put(server, its.claims));
    decided = all;
    retryAtMs = Long.MAX_VALUE;
    return all;
  }

  void tick() {
    if (retryAtMs <= seat.nowMs()) {
      ask();
    }
  }

  long nextTickMs() {
    return retryAtMs;
  }
}
