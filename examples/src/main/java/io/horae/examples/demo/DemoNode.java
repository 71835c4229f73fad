package io.horae.examples.demo;

import io.horae.examples.report.Run.End;
import io.horae.examples.report.Run.Life;
import io.horae.jgroups.HostStatistics;
import io.horae.jgroups.JGroupsHost;
import io.horae.jgroups.Stacks;
import io.horae.placement.ClusterView;
import io.horae.placement.Node;
import io.horae.resync.Confirmation;
import io.horae.resync.Event;
import io.horae.resync.Statistics;
import io.horae.resync.TimerSpec;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jgroups.JChannel;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/** A member of the cluster: a timer node on a JGroups channel of its own, and its life. */
final class DemoNode {

  private static final long HEARTBEAT_MS = 1_000;
  private static final long SILENT_MS = 4_000;

  private final Node node;
  private final JGroupsHost host;
  private final CompletableFuture<ClusterView> joined;
  private final long fromMs = Clock.nowMs();
  private long leavingMs;
  private volatile long goneMs;
  private End end = End.STAYS;

  /** Starts a node, which joins the cluster. */
  DemoNode(String id, DemoPlacement placement, Ledger ledger) throws Exception {
    node = Node.of(id);
    host =
        JGroupsHost.builder(node)
            .clusterName("horae-demo")
            .channel(channel())
            .placement(placement::of)
            .pops(
                pop -> {
                  ledger.came(pop, Clock.nowMs());
                  return true;
                })
            .build();
    joined = host.start();
  }

  /** A channel that notices within seconds that a node has been killed. */
  private static JChannel channel() throws Exception {
    JChannel channel = Stacks.inProcess();
    FD_ALL3 heartbeats = channel.getProtocolStack().findProtocol(FD_ALL3.class);
    heartbeats.setInterval(HEARTBEAT_MS).setTimeout(SILENT_MS);
    return channel;
  }

  Node node() {
    return node;
  }

  /** Completes when the node is in the cluster. */
  CompletableFuture<ClusterView> joined() {
    return joined;
  }

  /** Creates a timer; tells when all replicas have confirmed it, or that this failed, by null. */
  void create(TimerSpec spec, Consumer<@Nullable Confirmation> confirmed) {
    var unused =
        host.create(spec).whenComplete((confirmation, failure) -> confirmed.accept(confirmation));
  }

  /** Leaves in good order, when the others have all that it holds. */
  void leave() {
    leavingMs = Clock.nowMs();
    end = End.LEAVES;
    var unused = host.leave().whenComplete((nothing, failure) -> goneMs = Clock.nowMs());
  }

  /** Is gone from one moment to the next, and tells nobody. */
  void kill() throws Exception {
    leavingMs = Clock.nowMs();
    goneMs = leavingMs;
    end = End.KILLED;
    Util.shutdown(host.channel());
    host.close();
  }

  void close() {
    host.close();
  }

  /** Whether it is to stay. */
  boolean isMember() {
    return end == End.STAYS;
  }

  /** Whether it has still to hand its timers over. */
  boolean isLeaving() {
    return end == End.LEAVES && goneMs == 0;
  }

  Life life() {
    long nowMs = Clock.nowMs();
    return new Life(
        node.id(), fromMs, leavingMs == 0 ? nowMs : leavingMs, goneMs == 0 ? nowMs : goneMs, end);
  }

  HostStatistics statistics() {
    return host.statistics();
  }

  /** The copies that it has still to hand over, or that another replica may not know of. */
  static long inFlight(Statistics held) {
    return (long) held.timersOfOthers() + held.timersUnsettled();
  }

  /** Whether its cluster is made of these nodes, and all that belongs to it is here. */
  boolean isSettledAmong(List<Node> nodes, HostStatistics statistics) {
    Statistics held = statistics.node();
    Event.ResyncProgress resync = held.resync();
    return hasView(nodes)
        && resync != null
        && resync.ended()
        && resync.view().epoch() == statistics.epoch()
        && inFlight(held) == 0;
  }

  /** What there is to say of a node that is not settled in time. */
  String standing() {
    Statistics held = host.statistics().node();
    return String.format(
        Locale.ROOT,
        "%s has %s, %s, %,d timers of others, %,d unsettled",
        node.id(),
        host.view(),
        held.resync(),
        held.timersOfOthers(),
        held.timersUnsettled());
  }

  /** Whether its cluster is made of these nodes, with nobody still on the way out. */
  private boolean hasView(List<Node> nodes) {
    ClusterView view = host.view();
    return view != null
        && view.leaving().isEmpty()
        && view.after().size() == nodes.size()
        && view.after().containsAll(nodes);
  }
}
