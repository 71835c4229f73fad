package io.horae.testkit;

import io.horae.resync.Message;
import io.horae.resync.Reference;
import io.horae.resync.TimerRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which timers a message is about. */
final class Mentions {

  private Mentions() {}

  static List<TimerRecord> records(Message message) {
    if (message instanceof Message.Replicate replicate) {
      return replicate.records();
    }
    return message instanceof Message.Page page ? page.records() : List.of();
  }

  static List<Reference> references(Message message) {
    if (message instanceof Message.Acknowledge acknowledge) {
      return acknowledge.known();
    } else if (message instanceof Message.Page page) {
      return page.references();
    } else if (message instanceof Message.Offer offer) {
      return offer.references();
    } else if (message instanceof Message.Refer refer) {
      return refer.references();
    } else if (message instanceof Message.Retire retire) {
      return retire.references();
    }
    return message instanceof Message.Processed processed ? processed.references() : List.of();
  }

  static boolean contains(Message message, long timer) {
    return records(message).stream().anyMatch(record -> record.id() == timer)
        || references(message).stream().anyMatch(reference -> reference.id() == timer)
        || (message instanceof Message.FetchTimers fetch && fetch.ids().contains(timer));
  }

  /** What a message says of one timer; without one, the message. */
  static String describe(Message message, @Nullable Long timer) {
    if (timer == null) {
      return message.toString();
    }
    List<String> said = new ArrayList<>();
    for (TimerRecord record : records(message)) {
      if (record.id() == timer) {
        said.add(record.toString());
      }
    }
    for (Reference reference : references(message)) {
      if (reference.id() == timer) {
        said.add(
            (reference.ended() ? "ended #" : "#") + reference.sequence() + " " + reference.stamp());
      }
    }
    int others = records(message).size() + references(message).size() - said.size();
    return message.getClass().getSimpleName()
        + " "
        + String.join(", ", said)
        + (others > 0 ? " and " + others + " others" : "");
  }
}
