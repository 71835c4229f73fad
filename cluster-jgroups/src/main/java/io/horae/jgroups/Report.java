package io.horae.jgroups;

import io.horae.placement.Node;
import io.horae.resync.ViewStamp;

/**
 * What a member tells its coordinator. Once it has reported under a term it takes no decision of an
 * earlier one, so what it says of its last view stays true.
 *
 * @param term the member's JGroups view
 * @param serial rises with every report of a member that says something new
 * @param node who it is
 * @param last the view that it has; no other has ever been installed in its life if it is fresh,
 *     then it is only a bound for the epoch
 * @param standing how it sees itself
 */
record Report(Term term, long serial, Node node, ViewStamp last, Standing standing) {

  /** How a member stands. */
  enum Standing {
    /** It has not been in the cluster in this life, and has nothing. */
    FRESH,
    /** It is in the cluster. */
    MEMBER,
    /** It wishes to leave. */
    WISHES_TO_LEAVE,
    /** It is leaving. */
    LEAVING
  }

  boolean wantsToStay() {
    return standing == Standing.FRESH || standing == Standing.MEMBER;
  }

  /** What the member would say once it has a view that was on its way when it said this. */
  Report knowing(ViewStamp view) {
    return view.epoch() > last.epoch() ? new Report(term, serial, node, view, standing) : this;
  }

  /** What the member would say once it has taken a decision. */
  Report after(ViewStamp view, Decision.Role role) {
    Standing then = role == Decision.Role.LEAVING ? Standing.LEAVING : Standing.MEMBER;
    return new Report(term, serial, node, view, then);
  }
}
