package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.placement.ClusterView;
import io.horae.placement.Node;
import io.horae.placement.RendezvousPlacement;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterTest {

  private final ClusterView view =
      ClusterView.of(
          7, TestCluster.nodes("a", "b"), TestCluster.nodes("d"), TestCluster.nodes("c"));
  private final Cluster cluster = new Cluster(view, RendezvousPlacement::of);

  @Test
  void membership_isThatOfTheView() {
    assertEquals(Set.of("a", "b", "c", "d"), cluster.everyone().keySet());
    assertTrue(cluster.remains("a") && cluster.remains("d"));
    assertFalse(cluster.remains("c") || cluster.remains("e"));
    assertTrue(cluster.joins("d"));
    assertFalse(cluster.joins("a") || cluster.joins("c"));
    assertEquals(new ViewStamp(7, view.id()), cluster.stamp());
    assertEquals(7, cluster.epoch());
  }

  @Test
  void everyone_hasANodeThatStaysAsItIsAfterwards() {
    ClusterView one = ClusterView.of(1, List.of(Node.of("a"), Node.of("b")));
    ClusterView two = one.next(List.of(Node.of("a").withWeight(2), Node.of("b")));
    Cluster reweighted = new Cluster(two, RendezvousPlacement::of);
    assertEquals(2.0, reweighted.everyone().get("a").weight());
  }

  @Test
  void assign_isThePlacementOfTheClusterAfterwards() {
    RendezvousPlacement placement = RendezvousPlacement.of(view.after());
    for (long id = 0; id < 1_000; id++) {
      List<String> expected = placement.replicas(id, 2).stream().map(Node::id).toList();
      assertEquals(new Assignment(cluster.stamp(), expected), cluster.assign(id, 2));
    }
  }

  @Test
  void assign_moreReplicasThanNodes_isAllNodes() {
    assertEquals(
        Set.of("a", "b", "d"), Set.copyOf(cluster.assign(1, Assignment.REPLICAS_MAX).replicas()));
  }

  @Test
  void assign_equalReplicas_areOneObject() {
    Assignment first = cluster.assign(1, 3);
    long id = 2;
    while (!cluster.assign(id, 3).equals(first)) {
      id++;
    }
    assertSame(first, cluster.assign(id, 3));
  }
}
