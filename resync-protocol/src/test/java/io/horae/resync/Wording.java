package io.horae.resync;

import io.horae.timer.Cursor;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Puts what nodes say and do into words, with the names that a script gives. */
final class Wording {

  /** How {@link Member#nextStamp} counts. */
  private static final int VERSIONS_PER_EPOCH_BITS = 24;

  private final ScriptedPlacement timers;
  private final Map<ViewStamp, String> views = new HashMap<>();
  private final Map<Integer, String> origins = new HashMap<>();

  Wording(ScriptedPlacement timers) {
    this.timers = timers;
  }

  void view(ViewStamp view, String label) {
    views.put(view, label);
  }

  /** Who makes the changes whose stamps have this origin. */
  void origin(int origin, String node) {
    origins.put(origin, node);
  }

  static String seconds(long ms) {
    return BigDecimal.valueOf(ms, 3).stripTrailingZeros().toPlainString() + " s";
  }

  String view(ViewStamp view) {
    return "view " + views.getOrDefault(view, "unknown");
  }

  String message(Message message) {
    if (message instanceof Message.Replicate replicate) {
      return "replicate" + number(replicate.operation()) + ": " + records(replicate.records());
    } else if (message instanceof Message.Acknowledge acknowledge) {
      return "acknowledge" + number(acknowledge.operation()) + ": " + all(acknowledge.known());
    } else if (message instanceof Message.FetchPage fetch) {
      return "fetch page"
          + number(fetch.request())
          + switch (fetch.extent()) {
            case CHANGES -> "";
            case EVERYTHING -> " of everything";
            case CHECK -> " to check";
          }
          + (fetch.from().equals(Cursor.START) ? "" : " from " + cursor(fetch.from()))
          + " under "
          + view(fetch.view())
          + (fetch.limit() == 100 ? "" : ", " + fetch.limit() + " at most");
    } else if (message instanceof Message.Page page) {
      return "page" + number(page.request()) + " under " + view(page.view()) + ": " + content(page);
    } else if (message instanceof Message.FetchTimers fetch) {
      return "fetch " + fetch.ids().stream().map(timers::name).collect(Collectors.joining(", "));
    } else if (message instanceof Message.Offer offer) {
      return "offer under " + view(offer.view()) + ": " + all(offer.references());
    } else if (message instanceof Message.Refer refer) {
      return "refer under " + view(refer.view()) + ": " + all(refer.references());
    } else if (message instanceof Message.Retire retire) {
      return "retire under " + view(retire.view()) + ": " + all(retire.references());
    } else if (message instanceof Message.Processed processed) {
      return "processed under " + view(processed.view()) + ": " + all(processed.references());
    } else if (message instanceof Message.Rejected rejected) {
      return "rejected"
          + number(rejected.request())
          + ": "
          + rejected.reason()
          + ", has "
          + view(rejected.view());
    }
    throw new IllegalArgumentException("no words for " + message);
  }

  private static String number(long number) {
    return number == 0 ? "" : " " + number;
  }

  private String content(Message.Page page) {
    String text = page.records().isEmpty() ? "" : records(page.records());
    if (!page.references().isEmpty()) {
      text += (text.isEmpty() ? "" : "; ") + "refers to " + all(page.references());
    }
    Cursor next = page.next();
    return (text.isEmpty() ? "nothing" : text)
        + (next == null ? "" : "; more from " + cursor(next));
  }

  private String cursor(Cursor cursor) {
    return timers.name(cursor.id()) + " at " + seconds(cursor.deadline());
  }

  private String all(List<Reference> references) {
    return references.stream().map(this::reference).collect(Collectors.joining(", "));
  }

  String reference(Reference reference) {
    return timers.name(reference.id())
        + " v"
        + version(reference.stamp().version())
        + origins.getOrDefault(reference.stamp().origin(), "?")
        + (reference.sequence() == 0 ? "" : " #" + reference.sequence())
        + (reference.ended() ? " ended" : "");
  }

  /** The count under epoch 1 as it is, under later ones with the epoch before it. */
  private static String version(long version) {
    long epoch = version >> VERSIONS_PER_EPOCH_BITS;
    long count = version - (epoch << VERSIONS_PER_EPOCH_BITS);
    return epoch == 1 ? String.valueOf(count) : epoch + "." + count;
  }

  private String records(List<TimerRecord> records) {
    return records.stream()
        .map(record -> reference(record.reference()) + age(record) + " on " + replicas(record))
        .collect(Collectors.joining(", "));
  }

  private static String age(TimerRecord record) {
    long ageMs = -record.startMs();
    return ageMs == 0 ? "" : record.ended() ? " " + ago(ageMs) : " begun " + ago(ageMs);
  }

  private static String ago(long ms) {
    return seconds(ms) + " ago";
  }

  private String replicas(TimerRecord record) {
    return String.join(" ", record.assignment().replicas())
        + " of "
        + view(record.assignment().view());
  }

  /** What a node holds, and when it acts on it: pops it, tries again, or forgets a tombstone. */
  String holding(String node, TimerRecord record, long actAtMs) {
    int level = record.assignment().level(node);
    return reference(record.reference())
        + (level < 0 ? ", no replica" : ", level " + level)
        + " on "
        + replicas(record)
        + (record.ended() ? ", forgotten at " : ", acts at ")
        + seconds(actAtMs);
  }

  String pop(Pop pop) {
    return reference(new Reference(pop.timer().id(), pop.stamp(), pop.sequence(), false))
        + (pop.last() ? ", the last" : "");
  }

  String confirmation(Confirmation confirmation) {
    return "operation "
        + confirmation.operation()
        + " on "
        + timers.name(confirmation.timer().id())
        + " confirmed by "
        + confirmation.confirmed()
        + " of "
        + confirmation.replicas()
        + (confirmation.ended() ? ", ended" : "");
  }

  String event(Event event) {
    if (event instanceof Event.ResyncProgress progress) {
      return "resync under " + view(progress.view()) + ": " + progress(progress);
    } else if (event instanceof Event.Drained drained) {
      return "drained under " + view(drained.view());
    } else if (event instanceof Event.ViewRefused refused) {
      return "refuses "
          + view(refused.view())
          + (refused.conflicting() ? ", which conflicts with " : ", has ")
          + view(refused.current());
    } else if (event instanceof Event.LimitReached reached) {
      return "reaches " + reached.option() + " " + reached.limit();
    } else if (event instanceof Event.PopGivenUp givenUp) {
      return "gives up " + pop(givenUp.pop()) + " after " + givenUp.attempts() + " attempts";
    } else if (event instanceof Event.Unreachable unreachable) {
      return "cannot reach " + String.join(" ", unreachable.nodes());
    }
    throw new IllegalArgumentException("no words for " + event);
  }

  private static String progress(Event.ResyncProgress progress) {
    return progress.nodesDone()
        + " nodes done, "
        + progress.nodesLeft()
        + " left"
        + (progress.nodesGivenUp() == 0 ? "" : ", " + progress.nodesGivenUp() + " given up")
        + "; "
        + progress.pages()
        + " pages, "
        + progress.timers()
        + " timers"
        + (progress.timersLeft() == 0 ? "" : ", " + progress.timersLeft() + " left")
        + (progress.ended() ? "; ended" : "");
  }

  static String rejections(Map<Statistics.Rejection, Long> rejected) {
    return rejected.isEmpty()
        ? "nothing"
        : rejected.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(entry -> entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining(", "));
  }
}
