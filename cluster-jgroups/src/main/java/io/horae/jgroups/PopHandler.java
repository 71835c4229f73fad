package io.horae.jgroups;

import io.horae.resync.Pop;

/** What a service does when a timer is due. Called by the host's executor, many at a time. */
@FunctionalInterface
public interface PopHandler {

  /**
   * Acts on a timer that is due.
   *
   * <p>The same pop may come twice, here or on another node: after a failure, when the cluster was
   * split, or when a node died before it could tell. Both times it has the same timer, stamp and
   * sequence number.
   *
   * @param pop what is due
   * @return whether it is done; if not, another replica, or later this node, tries again
   * @throws Exception if it is not done, just as if it had returned {@code false}
   */
  boolean pop(Pop pop) throws Exception;
}
