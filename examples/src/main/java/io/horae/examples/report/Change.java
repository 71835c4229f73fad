package io.horae.examples.report;

import io.horae.placement.Movement;
import io.horae.placement.Node;
import java.util.List;

/**
 * A change of the cluster, and what it moved.
 *
 * @param title such as "3 → 4"
 * @param killed whether a node went without warning
 * @param nodesBefore the cluster until then
 * @param nodesAfter the cluster from then on
 * @param holdingsBefore what each node held when it began
 * @param holdingsAfter what each node held when all was in place
 * @param movement what the placement moves, of the timers that lived then
 * @param inFlight the copies not yet in place, as time went on
 * @param settledMs after how long all was in place
 */
public record Change(
    String title,
    boolean killed,
    List<Node> nodesBefore,
    List<Node> nodesAfter,
    List<Holding> holdingsBefore,
    List<Holding> holdingsAfter,
    Movement movement,
    List<InFlight> inFlight,
    long settledMs) {

  /** Copies the lists. */
  public Change {
    nodesBefore = List.copyOf(nodesBefore);
    nodesAfter = List.copyOf(nodesAfter);
    holdingsBefore = List.copyOf(holdingsBefore);
    holdingsAfter = List.copyOf(holdingsAfter);
    inFlight = List.copyOf(inFlight);
  }

  /**
   * What a node held.
   *
   * @param node its id
   * @param primaries the timers that it was primary of
   * @param backups the timers that it was a backup of
   */
  public record Holding(String node, int primaries, int backups) {}

  /**
   * How many timers were not yet in place.
   *
   * @param atMs when, from the beginning of the change
   * @param timers how many
   */
  public record InFlight(long atMs, long timers) {}
}
