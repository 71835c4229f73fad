package io.horae.resync;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What there is to tell other nodes about many timers, collected and sent in few messages. */
final class Announcements {

  private final Member member;
  private final Map<Address, List<Reference>> collected = new LinkedHashMap<>();

  /** What a message can say of timers. */
  enum Kind {
    REFER,
    RETIRE,
    PROCESSED,
    OFFER;

    Message message(ViewStamp view, List<Reference> references) {
      return switch (this) {
        case REFER -> new Message.Refer(view, references);
        case RETIRE -> new Message.Retire(view, references);
        case PROCESSED -> new Message.Processed(view, references);
        case OFFER -> new Message.Offer(view, references);
      };
    }
  }

  private record Address(String to, Kind kind, ViewStamp view) {}

  Announcements(Member member) {
    this.member = member;
  }

  /** For a node that a record names, which may be long gone. */
  void add(String to, Kind kind, ViewStamp view, TimerRecord record) {
    boolean isGone = view.equals(member.view()) && !member.cluster().everyone().containsKey(to);
    if (!to.equals(member.self) && !isGone) {
      answer(to, kind, view, record);
    }
  }

  /** For a node that has just said something, so it is there: maybe it left under an older view. */
  void answer(String to, Kind kind, ViewStamp view, TimerRecord record) {
    collected
        .computeIfAbsent(new Address(to, kind, view), unknown -> new ArrayList<>())
        .add(record.reference());
  }

  void send() {
    int limit = member.options.referencesPerMessageMax();
    collected.forEach(
        (address, all) -> {
          for (int from = 0; from < all.size(); from += limit) {
            List<Reference> some = all.subList(from, Math.min(all.size(), from + limit));
            member.send(address.to(), address.kind().message(address.view(), some));
          }
        });
    collected.clear();
  }
}
