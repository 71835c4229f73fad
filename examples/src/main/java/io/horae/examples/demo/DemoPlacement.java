package io.horae.examples.demo;

import io.horae.placement.BucketBalancer;
import io.horae.placement.BucketTable;
import io.horae.placement.KetamaContinuum;
import io.horae.placement.Node;
import io.horae.placement.Placement;
import io.horae.placement.RendezvousPlacement;
import java.util.Comparator;
import java.util.List;

/** The placements that the cluster can run on: each gives all nodes the same answers. */
enum DemoPlacement {
  RENDEZVOUS,
  KETAMA,
  BUCKETS;

  private static final int BUCKETS_COUNT = 256;

  Placement of(List<Node> nodes) {
    return switch (this) {
      case RENDEZVOUS -> RendezvousPlacement.of(nodes);
      case KETAMA -> KetamaContinuum.of(nodes);
      case BUCKETS -> buckets(nodes);
    };
  }

  /**
   * The table that results when these nodes join one after the other, in the order of their ids. A
   * table like this needs nobody to keep it, but has no memory: if a node other than the last goes,
   * more moves than in a table that is carried on from change to change.
   */
  private static Placement buckets(List<Node> nodes) {
    List<Node> sorted = nodes.stream().sorted(Comparator.comparing(Node::id)).toList();
    BucketTable table = BucketTable.builder().server(sorted.get(0)).buckets(BUCKETS_COUNT).build();
    for (Node node : sorted.subList(1, sorted.size())) {
      BucketTable joined = table.join(node).table();
      table = BucketBalancer.byCounts().plan(joined).applyTo(joined).table();
    }
    return table;
  }
}
