package io.horae.jgroups;

import io.horae.placement.ClusterView;
import io.horae.resync.Event;

/** What a host tells its listener. */
public sealed interface HostEvent
    permits HostEvent.ViewInstalled, HostEvent.NodeReported, HostEvent.IdTaken {

  /**
   * The node has a new view; a resync begins.
   *
   * @param view the view
   */
  record ViewInstalled(ClusterView view) implements HostEvent {}

  /**
   * The node reports something: how a resync goes, that it is drained, that a limit was reached.
   *
   * @param event what it reports
   */
  record NodeReported(Event event) implements HostEvent {}

  /**
   * Another member of the cluster has this node's id, and was there first. This node takes part
   * when the other has gone: at once if it was this node in an earlier life, as soon as the others
   * notice its end.
   *
   * @param nodeId the id
   */
  record IdTaken(String nodeId) implements HostEvent {}
}
