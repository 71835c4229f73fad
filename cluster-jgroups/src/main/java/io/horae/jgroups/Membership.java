package io.horae.jgroups;

import io.horae.jgroups.Decision.Role;
import io.horae.jgroups.Decision.Seat;
import io.horae.jgroups.Report.Standing;
import io.horae.placement.ClusterView;
import io.horae.placement.Node;
import io.horae.resync.ViewStamp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jgroups.Address;
import org.jgroups.View;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the cluster's views out of JGroups' views: who is in the cluster, who joins and who leaves,
 * under which epoch.
 *
 * <p>JGroups' view is the term. In each term every member reports to the first member of the
 * JGroups view, the coordinator: who it is, the last view that it has, and whether it wishes to
 * leave. When all have reported, the coordinator decides and tells them; and again whenever a
 * report says something new. It decides by the reports alone: who reports is in the cluster; who
 * has had no view in this life joins; who wishes to leave is leaving, unless nobody would stay; who
 * is not in the JGroups view any more has crashed or gone, and is in no list. So a coordinator that
 * takes over needs to know nothing of the one before.
 *
 * <p>The epoch is one more than the highest that any report or decision of the term has named; two
 * more if the members do not all have the same last view, as after a split: so that every node
 * notices that it may have missed something, and checks all it has.
 *
 * <p>Why epochs only rise: a member takes a decision of its current term from its current
 * coordinator only. So, once it has reported, nobody but that coordinator can raise its epoch, and
 * that coordinator knows the report. A decision that was on its way when the term changed is void,
 * whoever has taken it has reported it. Two sides of a split may use the same epoch for different
 * views, which nodes tell apart by the views' ids; when JGroups merges them, the new coordinator
 * has reports of both sides, and its epoch is above both.
 *
 * <p>A member that does not report in time, or runs no node, is left out until it does. Should two
 * members have one id, the one that has been in the cluster counts, else the one that JGroups lists
 * first.
 *
 * <p>Used by one thread.
 */
final class Membership {

  private static final Logger LOG = LoggerFactory.getLogger(Membership.class);

  /** How long the coordinator waits for all reports. */
  static final long REPORTS_WITHIN_MS = 5_000;

  /** After how long a report that was not heard is repeated. */
  static final long REPORT_AGAIN_MS = 1_000;

  /** The effects. */
  interface Effects {
    /** Sends a frame to a member, if possible. */
    void send(Address to, byte[] frame);

    /** A view was decided; the addresses of all its nodes, by id. */
    void install(ClusterView view, Map<String, Address> addresses);

    /** This node cannot leave, as nobody would stay. */
    void leaveRefused();

    /** Another member has this node's id. */
    void idTaken();
  }

  private final Node self;
  private final Effects effects;

  private @Nullable View view;
  private @Nullable Term term;
  private @Nullable Address address;

  // As a member.
  private Standing standing = Standing.FRESH;
  private ViewStamp last;
  private long serial;
  private boolean heard;
  private long reportAtMs = Long.MAX_VALUE;

  // As the coordinator.
  private final Map<Address, Report> reports = new HashMap<>();
  private long decideAtMs = Long.MAX_VALUE;
  private long highestEpoch;
  private @Nullable Decision decision;

  /**
   * A member that has had no view yet.
   *
   * @param epochBefore what its epochs must be above
   */
  Membership(Node self, long epochBefore, Effects effects) {
    this.self = self;
    this.effects = effects;
    last = new ViewStamp(epochBefore, 0);
  }

  /** JGroups has a new view, in which this member has an address. */
  void viewAccepted(long nowMs, View view, Address address) {
    if (this.view != null && view.getViewId().compareToIDs(this.view.getViewId()) <= 0) {
      return;
    }
    this.view = view;
    this.address = address;
    Term current = Term.of(view);
    term = current;
    decision = null;
    highestEpoch = 0;
    decideAtMs = isCoordinator() ? nowMs + REPORTS_WITHIN_MS : Long.MAX_VALUE;
    Set<Address> members = new HashSet<>(view.getMembers());
    reports.keySet().retainAll(members);
    reports.values().removeIf(report -> report.term().number() < current.number());
    serial++;
    heard = false;
    report(nowMs);
  }

  /** This node wishes to leave. */
  void leave(long nowMs) {
    if (standing == Standing.MEMBER) {
      standing = Standing.WISHES_TO_LEAVE;
      serial++;
      heard = false;
      report(nowMs);
    }
  }

  private boolean isCoordinator() {
    return view != null && address != null && address.equals(view.getCoord());
  }

  private void report(long nowMs) {
    View current = view;
    Term currentTerm = term;
    Address own = address;
    if (current == null || currentTerm == null || own == null) {
      return;
    }
    reportAtMs = nowMs + REPORT_AGAIN_MS;
    Report report = new Report(currentTerm, serial, self, last, standing);
    if (isCoordinator()) {
      reported(own, report);
    } else {
      effects.send(current.getCoord(), Frames.encode(report));
    }
  }

  /** A member has reported. */
  void reported(Address from, Report report) {
    Term current = term;
    if (current == null || report.term().number() > current.number()) {
      reports.put(from, report); // JGroups has yet to tell this member of that view
      return;
    }
    if (!isCoordinator() || !report.term().equals(current) || !isMember(from)) {
      return;
    }
    Report known = reports.get(from);
    Decision decided = decision;
    if (known != null
        && known.term().equals(current)
        && known.serial() >= report.serial()
        && decided != null) {
      effects.send(from, Frames.encode(decided)); // it has not heard of it
      return;
    }
    reports.put(from, known == null ? report : report.knowing(known.last()));
    if (decided != null || allReported(current)) {
      decide();
    }
  }

  private boolean isMember(Address member) {
    return view != null && view.containsMember(member);
  }

  private boolean allReported(Term current) {
    if (view == null) {
      return false;
    }
    for (Address member : view.getMembersRaw()) {
      Report report = reports.get(member);
      if (report == null || !report.term().equals(current)) {
        return false;
      }
    }
    return true;
  }

  private void decide() {
    View current = view;
    Term currentTerm = term;
    if (current == null || currentTerm == null) {
      return;
    }
    decideAtMs = Long.MAX_VALUE;
    List<Address> members = current.getMembers();
    Map<String, Integer> admitted = admitted(members, currentTerm);
    Integer keeper = keeper(members, admitted);
    List<Seat> seats = new ArrayList<>();
    Set<ViewStamp> lasts = new HashSet<>();
    admitted.forEach(
        (id, place) -> {
          Report report = reportOf(members.get(place));
          Role role = role(report.standing(), place.equals(keeper));
          highestEpoch = Math.max(highestEpoch, report.last().epoch());
          seats.add(new Seat(place, report.serial(), report.node(), role));
          if (report.standing() != Standing.FRESH) {
            lasts.add(report.last());
          }
        });
    seats.sort(Comparator.comparing(seat -> seat.node().id()));
    highestEpoch += lasts.size() > 1 ? 2 : 1;
    Decision decided = new Decision(currentTerm, highestEpoch, seats);
    decision = decided;
    ViewStamp stamp = ViewStamp.of(decided.view());
    for (Seat seat : seats) {
      Address member = members.get(seat.member());
      reports.put(member, reportOf(member).after(stamp, seat.role()));
    }
    LOG.debug("{} decides in JGroups view {}: {}", self.id(), current.getViewId(), decided);
    byte[] frame = Frames.encode(decided);
    for (Address member : members) {
      if (reports.containsKey(member) && !member.equals(address)) {
        effects.send(member, frame);
      }
    }
    if (address != null) {
      decided(address, decided);
    }
  }

  private Report reportOf(Address member) {
    Report report = reports.get(member);
    if (report == null) {
      throw new AssertionError("no report of " + member);
    }
    return report;
  }

  /** The places in the JGroups view of those who are in, by node id. */
  private Map<String, Integer> admitted(List<Address> members, Term currentTerm) {
    Map<String, Integer> admitted = new LinkedHashMap<>();
    for (boolean fresh : new boolean[] {false, true}) {
      for (int place = 0; place < members.size(); place++) {
        Report report = reports.get(members.get(place));
        if (report != null
            && report.term().equals(currentTerm)
            && fresh == (report.standing() == Standing.FRESH)) {
          admitted.putIfAbsent(report.node().id(), place);
        }
      }
    }
    return admitted;
  }

  /** The place of who has to stay although it wishes to leave, as else nobody would; else null. */
  private @Nullable Integer keeper(List<Address> members, Map<String, Integer> admitted) {
    Integer keeper = null;
    for (int place : admitted.values()) {
      Report report = reportOf(members.get(place));
      if (report.wantsToStay()) {
        return null;
      }
      if (keeper == null
          || (report.standing() == Standing.WISHES_TO_LEAVE
              && reportOf(members.get(keeper)).standing() == Standing.LEAVING)) {
        keeper = place;
      }
    }
    return keeper;
  }

  private static Role role(Standing standing, boolean keeper) {
    return switch (standing) {
      case FRESH -> Role.JOINING;
      case MEMBER -> Role.STAYING;
      case WISHES_TO_LEAVE, LEAVING -> keeper ? Role.STAYING : Role.LEAVING;
    };
  }

  /** A coordinator has decided. */
  void decided(Address from, Decision decided) {
    View current = view;
    Term currentTerm = term;
    if (current == null
        || !decided.term().equals(currentTerm)
        || !from.equals(current.getCoord())) {
      LOG.debug("{} skips a decision of {}: {}", self.id(), from, decided);
      return;
    }
    Map<String, Address> addresses = new HashMap<>();
    Seat own = null;
    for (Seat seat : decided.seats()) {
      if (seat.member() < 0 || seat.member() >= current.size()) {
        LOG.warn("{} skips a decision without sense: {}", self.id(), decided);
        return;
      }
      Address member = current.getMembersRaw()[seat.member()];
      addresses.put(seat.node().id(), member);
      own = member.equals(address) ? seat : own;
    }
    if (own == null) {
      if (addresses.containsKey(self.id()) && !heard) {
        heard = true;
        effects.idTaken();
      }
      return;
    }
    if (decided.epoch() > last.epoch()) {
      take(decided, own, addresses);
    }
    if (own.serial() == serial) {
      heard = true;
      if (standing == Standing.WISHES_TO_LEAVE && own.role() == Role.STAYING) {
        standing = Standing.MEMBER;
        effects.leaveRefused();
      }
    }
  }

  private void take(Decision decided, Seat own, Map<String, Address> addresses) {
    ClusterView next;
    try {
      next = decided.view();
    } catch (IllegalArgumentException e) {
      LOG.warn("{} skips a decision without sense: {}", self.id(), decided, e);
      return;
    }
    last = ViewStamp.of(next);
    boolean wishes = standing == Standing.WISHES_TO_LEAVE;
    if (own.role() == Role.LEAVING) {
      standing = Standing.LEAVING;
    } else if (standing == Standing.LEAVING) {
      standing = Standing.MEMBER;
      effects.leaveRefused();
    } else if (!wishes) {
      standing = Standing.MEMBER;
    }
    effects.install(next, addresses);
  }

  /** Says again what was not heard; decides without those who are silent. */
  void tick(long nowMs) {
    if (!heard && reportAtMs <= nowMs) {
      report(nowMs);
    }
    if (decideAtMs <= nowMs) {
      LOG.warn("{} decides without those who have not reported, in {}", self.id(), view);
      decide();
    }
  }

  long nextTickMs() {
    return Math.min(heard ? Long.MAX_VALUE : reportAtMs, decideAtMs);
  }
}
