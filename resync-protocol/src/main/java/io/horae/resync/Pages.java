package io.horae.resync;

import io.horae.resync.Message.Extent;
import io.horae.timer.Cursor;
import io.horae.timer.Page;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The answering side of a resync: which of this node's timers another node becomes a replica of.
 *
 * <p>The timers are gone through once for a view, however many nodes ask for however many pages,
 * and those whose replicas change are listed for each of their new replicas. A node that has
 * nothing, or that may have missed some, needs more: all that it is a replica of. If it joins, that
 * is just what changes; else they are gone through once more: for each that has nothing, and once
 * for all that may have missed some. Going through them is spread over ticks, and who asks before
 * it is done is asked to come back.
 */
final class Pages {

  private static final Comparator<Cursor> BY_PLACE =
      Comparator.comparingLong(Cursor::deadline).thenComparingLong(Cursor::id);

  private final Member member;
  private final Holdings holdings;
  private final Handover handover;

  /** Who becomes a replica of what. */
  private @Nullable Sweep changes;

  /** Who is a replica of what, for those that may have missed some: while one of them asks. */
  private @Nullable Sweep checks;

  /** What nodes that ask for all are being given. */
  private final Map<String, Round> rounds = new HashMap<>();

  /** Whether all timers have been gone through, for some view. */
  private boolean swept;

  /** Nodes that had nothing, and that have had a page. */
  private final Set<String> served = new HashSet<>();

  /** Whether this is the first view that this node has: it does not know whom it served before. */
  private boolean isFirstView = true;

  Pages(Member member, Holdings holdings, Handover handover) {
    this.member = member;
    this.holdings = holdings;
    this.handover = handover;
  }

  void viewChanged(boolean isFirstView) {
    this.isFirstView = isFirstView;
    changes = null;
    checks = null;
    rounds.clear();
    served.clear();
  }

  /** Begins to go through the timers for this view, if that has not been done. */
  void prepare() {
    if (changes == null) {
      changes = new Sweep(Listed.CHANGES, null);
      changes.goOn();
    }
  }

  void tick() {
    sweeps().forEach(Sweep::goOn);
  }

  /** The sweeps that some nodes wait for or page through, once each. */
  private Set<Sweep> sweeps() {
    Set<Sweep> sweeps = new LinkedHashSet<>();
    rounds.values().forEach(round -> sweeps.add(round.sweep));
    if (changes != null) {
      sweeps.add(changes);
    }
    return sweeps;
  }

  boolean isPrepared() {
    return changes != null && changes.isDone();
  }

  long nextTickMs() {
    boolean done = sweeps().stream().allMatch(Sweep::isDone);
    return done ? Long.MAX_VALUE : member.nowMs();
  }

  /** The answer to a node that asks for a page under this node's view. */
  Message answer(String asker, Message.FetchPage request) {
    prepare();
    if (request.extent() == Extent.EVERYTHING) {
      handover.emptied(asker);
    }
    Round round = request.extent() == Extent.CHANGES ? null : round(asker, request);
    Sweep sweep = round == null ? changes : round.sweep;
    if (sweep == null || !sweep.isDone()) {
      return new Message.Rejected(request.request(), Message.Reason.BUSY, member.view());
    }
    Message.Page page = page(asker, request, sweep);
    if (request.extent() == Extent.EVERYTHING) {
      served.add(asker);
    }
    if (round != null) {
      round.served = true;
      if (page.next() == null && sweep != changes) {
        end(asker);
      }
    }
    return page;
  }

  /** What a node is given that asks for all, from the first page on, which it may ask for again. */
  private Round round(String asker, Message.FetchPage request) {
    boolean begins = request.from().equals(Cursor.START);
    Round round = rounds.get(asker);
    if (round == null || (begins && (round.served || isOutdated(round, request)))) {
      round = new Round(begin(asker, request, round));
      rounds.put(asker, round);
    }
    round.request = request.request();
    round.askedMs = member.nowMs();
    return round;
  }

  /** One time through all timers does for all that may have missed some, if none comes again. */
  private Sweep begin(String asker, Message.FetchPage request, @Nullable Round before) {
    boolean begins = request.from().equals(Cursor.START);
    Sweep known = request.extent() == Extent.CHECK ? checks : changes;
    boolean will = request.extent() == Extent.CHECK || (begins && needsChangesOnly(asker));
    if (known != null && will && (before == null || before.sweep != known)) {
      return known;
    }
    Sweep sweep;
    if (request.extent() == Extent.CHECK) {
      sweep = new Sweep(Listed.ALL, null);
      checks = sweep;
    } else {
      sweep = new Sweep(Listed.ALL, asker);
    }
    sweep.goOn();
    return sweep;
  }

  private void end(String asker) {
    rounds.remove(asker);
    if (rounds.values().stream().noneMatch(round -> round.sweep == checks)) {
      checks = null; // it lists all timers, and is not kept for nobody
    }
  }

  /**
   * Whether the timers were gone through for an earlier life or resync of the asker, which never
   * came back for its first page: there may be more by now.
   */
  private boolean isOutdated(Round round, Message.FetchPage request) {
    long waitsMs = 2 * member.options.retryMsMax();
    return request.request() <= round.request || round.askedMs + waitsMs < member.nowMs();
  }

  /**
   * Whether what changes is all that a node needs that has nothing: it joins, and asks for the
   * first time. Else it may have lost what it had. It may also have lost timers that came here
   * since all were gone through.
   */
  private boolean needsChangesOnly(String asker) {
    return member.cluster().joins(asker)
        && !served.contains(asker)
        && !isFirstView
        && changes != null
        && changes.additionsBefore == holdings.additions();
  }

  private Message.Page page(String asker, Message.FetchPage request, Sweep sweep) {
    List<TimerRecord> records = new ArrayList<>();
    List<Reference> references = new ArrayList<>();
    List<Cursor> listing = sweep.listing(asker);
    boolean all = sweep != changes && request.extent() == Extent.EVERYTHING;
    int at = firstFrom(listing, request.from());
    int limit = Math.min(request.limit(), member.options.pageTimersMax());
    while (at < listing.size() && records.size() + references.size() < limit) {
      TimerRecord record = holdings.find(listing.get(at).id());
      if (record != null && handover.target(record).contains(asker)) {
        if (isToSend(record, asker, all)) {
          records.add(member.outgoing(record));
        } else {
          references.add(record.reference());
        }
      }
      at++;
    }
    Cursor next = at < listing.size() ? listing.get(at) : null;
    return new Message.Page(request.request(), member.view(), records, references, next);
  }

  /**
   * Whether the asker gets the record: if it cannot have it, and if this node is the one to send
   * it. The others send a reference, by which the asker notices that it misses one.
   */
  private boolean isToSend(TimerRecord record, String asker, boolean all) {
    if (!all && !handover.isStale(record)) {
      return handover.isToSend(record, asker); // this node has taken its place since
    }
    boolean has = record.assignment().contains(asker) && !all;
    return !has && handover.isDesignated(record, asker);
  }

  private static int firstFrom(List<Cursor> listing, Cursor from) {
    int low = 0;
    int high = listing.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (BY_PLACE.compare(listing.get(middle), from) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** What a node that asks for all is being given, and how it asks for it. */
  private static final class Round {

    private final Sweep sweep;
    private boolean served;
    private long request;
    private long askedMs;

    Round(Sweep sweep) {
      this.sweep = sweep;
    }
  }

  private enum Listed {
    /** What changes, for those that it changes for. */
    CHANGES,
    /** All, for each of its replicas. */
    ALL
  }

  /** One time through all timers. */
  private final class Sweep {

    private final Listed listed;

    /** The one node that it is for; null for all. */
    private final @Nullable String only;

    private final Map<String, List<Cursor>> listings = new HashMap<>();
    private @Nullable Cursor cursor = Cursor.START;
    private final long additionsBefore = holdings.additions();
    private final boolean mayBeBack = !member.cluster().view().joining().isEmpty();

    Sweep(Listed listed, @Nullable String only) {
      this.listed = listed;
      this.only = only;
    }

    boolean isDone() {
      return cursor == null;
    }

    List<Cursor> listing(String asker) {
      return listings.getOrDefault(asker, List.of());
    }

    void goOn() {
      Cursor from = cursor;
      if (from == null) {
        return;
      }
      Page<TimerRecord> page = holdings.scan(from, member.options.sweepTimersMax());
      for (Page.Timer<TimerRecord> timer : page.timers()) {
        list(timer);
      }
      cursor = page.next();
      if (cursor == null) {
        swept = true;
        listings.values().forEach(listing -> listing.sort(BY_PLACE));
      }
    }

    private void list(Page.Timer<TimerRecord> timer) {
      TimerRecord record = timer.payload();
      List<String> replicas = handover.target(record).replicas();
      if (listed == Listed.ALL) {
        for (String replica : replicas) {
          if (!replica.equals(member.self) && (only == null || replica.equals(only))) {
            listing(replica, timer);
          }
        }
        return;
      }
      if (holdings.isRestored() && !swept) {
        handover.oweToAll(record);
      }
      boolean changes = !replicas.contains(member.self) || handover.isStale(record);
      if (changes) {
        handover.unsettle(record);
      }
      if (changes || mayBeBack) {
        for (String replica : replicas) {
          if (!replica.equals(member.self) && (changes || isBack(replica, record))) {
            listing(replica, timer);
          }
        }
      }
    }

    /** Whether a node that joins was a replica already: it left in between, and has nothing. */
    private boolean isBack(String replica, TimerRecord record) {
      return member.cluster().joins(replica)
          && record.assignment().view().epoch() < member.view().epoch();
    }

    private void listing(String asker, Page.Timer<TimerRecord> timer) {
      listings
          .computeIfAbsent(asker, unknown -> new ArrayList<>())
          .add(new Cursor(timer.deadline(), timer.id()));
    }
  }
}
