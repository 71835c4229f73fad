package io.horae.testkit;

import io.horae.placement.ClusterView;
import io.horae.resync.Assignment;
import io.horae.resync.Message;
import io.horae.resync.Reference;
import io.horae.resync.TimerRecord;
import io.horae.resync.ViewStamp;
import io.horae.timer.Cursor;
import io.horae.timer.Page;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a node is made to believe. */
final class Forgery {

  private Forgery() {}

  /** The same message, as if of the receiver's view, if the receiver cannot tell the two apart. */
  static Message restamped(
      Cluster cluster, String to, Message message, BiPredicate<ClusterView, ClusterView> alike) {
    SimulatedHost host = cluster.host(to);
    if (host == null || !host.knowsView()) {
      return message;
    }
    UnaryOperator<ViewStamp> taken =
        said -> {
          ClusterView theirs = cluster.membership().view(said.epoch());
          return theirs != null && alike.test(theirs, host.view())
              ? ViewStamp.of(host.view())
              : said;
        };
    ViewStamp said = view(message);
    return under(message, said == null ? ViewStamp.of(host.view()) : taken.apply(said), taken);
  }

  private static @Nullable ViewStamp view(Message message) {
    if (message instanceof Message.FetchPage fetch) {
      return fetch.view();
    } else if (message instanceof Message.Page page) {
      return page.view();
    } else if (message instanceof Message.Offer offer) {
      return offer.view();
    } else if (message instanceof Message.Refer refer) {
      return refer.view();
    } else if (message instanceof Message.Retire retire) {
      return retire.view();
    }
    return message instanceof Message.Processed processed ? processed.view() : null;
  }

  private static Message under(Message message, ViewStamp view, UnaryOperator<ViewStamp> taken) {
    List<Reference> references = Mentions.references(message);
    List<TimerRecord> records =
        Mentions.records(message).stream()
            .map(
                record ->
                    assigned(
                        record,
                        new Assignment(
                            taken.apply(record.assignment().view()),
                            record.assignment().replicas())))
            .toList();
    if (message instanceof Message.FetchPage it) {
      return new Message.FetchPage(it.request(), view, it.extent(), it.from(), it.limit());
    } else if (message instanceof Message.Page it) {
      return new Message.Page(it.request(), view, records, references, it.next());
    } else if (message instanceof Message.Replicate it) {
      return new Message.Replicate(it.operation(), records);
    } else if (message instanceof Message.Offer) {
      return new Message.Offer(view, references);
    } else if (message instanceof Message.Refer) {
      return new Message.Refer(view, references);
    } else if (message instanceof Message.Retire) {
      return new Message.Retire(view, references);
    }
    return message instanceof Message.Processed ? new Message.Processed(view, references) : message;
  }

  private static TimerRecord assigned(TimerRecord record, Assignment assignment) {
    return new TimerRecord(
        record.id(),
        record.stamp(),
        record.startMs(),
        record.intervalMs(),
        record.repeatForMs(),
        record.sequence(),
        record.replicationFactor(),
        assignment,
        record.payload(),
        record.ended());
  }

  /** Tells a node that those below it have taken their places: it moves up to its own. */
  static void displace(SimulatedHost host) {
    if (!host.knowsView()) {
      return;
    }
    Map<String, List<Reference>> told = new HashMap<>();
    for (TimerRecord record : records(host)) {
      List<String> after = host.replicas(record.id(), record.replicationFactor());
      int before = record.assignment().level(host.id());
      int own = after.indexOf(host.id());
      boolean movesUp = before >= 0 && (own < 0 ? after.size() > 1 : before < own);
      if (movesUp) {
        told.computeIfAbsent(after.get(0), unknown -> new ArrayList<>()).add(of(record));
      }
    }
    told.forEach(
        (from, them) -> host.receive(from, new Message.Refer(ViewStamp.of(host.view()), them)));
  }

  /** Has a node drop the timers that are no longer its own. */
  static void letGo(@Nullable SimulatedHost host, List<Reference> references) {
    if (host != null && host.knowsView()) {
      for (Reference reference : references) {
        TimerRecord held = host.store().find(reference.id());
        if (held != null
            && !host.replicas(held.id(), held.replicationFactor()).contains(host.id())) {
          host.store().remove(held.id());
        }
      }
    }
  }

  /** What a node would hear from one that has all that it asks for. */
  static @Nullable Message processed(@Nullable SimulatedHost host, List<Long> ids) {
    if (host == null || !host.knowsView()) {
      return null;
    }
    List<Reference> references = new ArrayList<>();
    for (long id : ids) {
      TimerRecord held = host.store().find(id);
      if (held != null) {
        references.add(of(held));
      }
    }
    return new Message.Processed(ViewStamp.of(host.view()), references);
  }

  /** The tombstones of timers that a node holds. */
  static @Nullable Message buried(@Nullable SimulatedHost host, List<Reference> references) {
    List<TimerRecord> tombstones = new ArrayList<>();
    for (Reference reference : references) {
      TimerRecord held = host == null ? null : host.store().find(reference.id());
      if (held != null) {
        tombstones.add(
            new TimerRecord(
                held.id(),
                held.stamp(),
                0,
                held.intervalMs(),
                held.repeatForMs(),
                held.sequence(),
                held.replicationFactor(),
                held.assignment(),
                new byte[0],
                true));
      }
    }
    return tombstones.isEmpty() ? null : new Message.Replicate(0, tombstones);
  }

  private static Reference of(TimerRecord record) {
    return new Reference(record.id(), record.stamp(), record.sequence(), record.ended());
  }

  private static List<TimerRecord> records(SimulatedHost host) {
    List<TimerRecord> records = new ArrayList<>();
    Cursor from = Cursor.START;
    while (from != null) {
      Page<TimerRecord> page = host.store().scan(from, 1_000);
      page.timers().forEach(timer -> records.add(timer.payload()));
      from = page.next();
    }
    return records;
  }
}
