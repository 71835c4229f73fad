package io.horae.resync;

import java.util.List;

/** What a node reports beside messages and pops. */
public sealed interface Event
    permits Event.ResyncProgress,
        Event.Drained,
        Event.ViewRefused,
        Event.LimitReached,
        Event.PopGivenUp,
        Event.Unreachable {

  /**
   * How a resync goes. The first has nothing done, the last has {@code ended}.
   *
   * @param view the view it is for
   * @param nodesDone the nodes that have answered to the end
   * @param nodesLeft those still to be asked or answering
   * @param nodesGivenUp those that did not answer
   * @param pages the pages received
   * @param timers the timers taken from them, or fetched because one of them mentioned them
   * @param timersLeft the timers that others have mentioned and none has sent yet; how many more
   *     they will mention nobody knows
   * @param ended whether it is over
   */
  record ResyncProgress(
      ViewStamp view,
      int nodesDone,
      int nodesLeft,
      int nodesGivenUp,
      long pages,
      long timers,
      long timersLeft,
      boolean ended)
      implements Event {}

  /**
   * This node is not in its view's cluster any more, and holds nothing that the others do not have:
   * it may go.
   *
   * @param view the view
   */
  record Drained(ViewStamp view) implements Event {}

  /**
   * A view was not taken.
   *
   * @param view what was offered
   * @param current the node's view
   * @param conflicting whether both have the same epoch and different members; else it was older
   */
  record ViewRefused(ViewStamp view, ViewStamp current, boolean conflicting) implements Event {}

  /**
   * A limit was reached, and something waits or was dropped because of it.
   *
   * @param option the limit, as {@link TimerNodeOptions} calls it
   * @param limit its value
   */
  record LimitReached(String option, long limit) implements Event {}

  /**
   * A pop was given up after as many attempts as allowed; the timer goes on with the next.
   *
   * @param pop the pop
   * @param attempts how often this node tried
   */
  record PopGivenUp(Pop pop, int attempts) implements Event {}

  /**
   * Nodes that answered nothing for as many tries as allowed.
   *
   * @param nodes their ids
   */
  record Unreachable(List<String> nodes) implements Event {}
}
