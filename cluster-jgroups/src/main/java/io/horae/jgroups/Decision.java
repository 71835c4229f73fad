package io.horae.jgroups;

import io.horae.placement.ClusterView;
import io.horae.placement.Node;
import java.util.ArrayList;
import java.util.List;

/**
 * What the coordinator decides: the cluster's next view.
 *
 * @param term the JGroups view that it was decided in
 * @param epoch the view's number
 * @param seats the nodes of the view, in the order of their ids
 */
record Decision(Term term, long epoch, List<Seat> seats) {

  Decision {
    seats = List.copyOf(seats);
  }

  /**
   * A node in a view.
   *
   * @param member its place among the members of the JGroups view
   * @param serial which of its reports was heard
   * @param node the node
   * @param role what it does
   */
  record Seat(int member, long serial, Node node, Role role) {}

  /** What a node does in a view. */
  enum Role {
    JOINING,
    STAYING,
    LEAVING
  }

  /** The view; throws IllegalArgumentException if there is none such. */
  ClusterView view() {
    return ClusterView.of(epoch, nodes(Role.STAYING), nodes(Role.JOINING), nodes(Role.LEAVING));
  }

  private List<Node> nodes(Role role) {
    List<Node> nodes = new ArrayList<>();
    for (Seat seat : seats) {
      if (seat.role == role) {
        nodes.add(seat.node);
      }
    }
    return nodes;
  }
}
