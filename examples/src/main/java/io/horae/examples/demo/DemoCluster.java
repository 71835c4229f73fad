package io.horae.examples.demo;

import io.horae.examples.report.Change.Holding;
import io.horae.examples.report.Run.Life;
import io.horae.jgroups.HostStatistics;
import io.horae.placement.Node;
import io.horae.resync.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** All nodes that are or ever were there. Used by one thread. */
final class DemoCluster implements AutoCloseable {

  private final DemoPlacement placement;
  private final Ledger ledger;
  private final List<DemoNode> everyone = new ArrayList<>();

  DemoCluster(DemoPlacement placement, Ledger ledger) {
    this.placement = placement;
    this.ledger = ledger;
  }

  /** Starts the next node. It is a member from now on, though the others may not know yet. */
  void start() throws Exception {
    everyone.add(new DemoNode("n" + (everyone.size() + 1), placement, ledger));
  }

  /** Waits until the node that was started last is in the cluster. */
  void awaitJoined(long withinMs) throws Exception {
    everyone.get(everyone.size() - 1).joined().get(withinMs, TimeUnit.MILLISECONDS);
  }

  /**
   * Asks the last nodes to leave, all at once. They are no members from now on, but live until they
   * are drained.
   */
  void leave(int count) {
    List<DemoNode> members = members();
    members.subList(members.size() - count, members.size()).forEach(DemoNode::leave);
  }

  /** Kills a member. */
  void kill(String id) throws Exception {
    for (DemoNode node : members()) {
      if (node.node().id().equals(id)) {
        node.kill();
      }
    }
  }

  /** The nodes that stay. */
  List<DemoNode> members() {
    return everyone.stream().filter(DemoNode::isMember).toList();
  }

  /** The nodes that stay, as placements have them. */
  List<Node> nodes() {
    return members().stream().map(DemoNode::node).toList();
  }

  /** What the nodes count at this moment. */
  Census census() {
    List<Node> nodes = nodes();
    long inFlight = 0;
    boolean settled = true;
    List<Holding> holdings = new ArrayList<>();
    for (DemoNode node : everyone) {
      if (node.isMember()) {
        HostStatistics statistics = node.statistics();
        inFlight += DemoNode.inFlight(statistics.node());
        settled &= node.isSettledAmong(nodes, statistics);
        holdings.add(holding(node.node().id(), statistics.node()));
      } else if (node.isLeaving()) {
        inFlight += DemoNode.inFlight(node.statistics().node());
        settled = false;
      }
    }
    return new Census(inFlight, settled, holdings);
  }

  private static Holding holding(String id, Statistics held) {
    int primaries = held.timersByLevel().get(0);
    int all = held.timersByLevel().stream().mapToInt(count -> count).sum();
    return new Holding(id, primaries, all - primaries);
  }

  /**
   * What the nodes count.
   *
   * @param inFlight copies of timers to be handed over or heard about
   * @param settled whether all is where it belongs
   * @param holdings what each node holds of those that stay
   */
  record Census(long inFlight, boolean settled, List<Holding> holdings) {}

  /** All lives so far, in the order in which they began; who stays, stays until now. */
  List<Life> lives() {
    return everyone.stream().map(DemoNode::life).toList();
  }

  /** Ends all nodes. */
  @Override
  public void close() {
    everyone.forEach(DemoNode::close);
  }
}
