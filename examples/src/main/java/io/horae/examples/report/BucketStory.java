package io.horae.examples.report;

import io.horae.placement.BucketBalancer;
import io.horae.placement.BucketTable;
import io.horae.placement.Node;
import java.util.ArrayList;
import java.util.List;

/** The tables that the cluster would have had, had it kept its data in 256 buckets. */
final class BucketStory {

  private static final int BUCKETS = 256;

  private final List<BucketTable> tables = new ArrayList<>();

  BucketStory(List<Change> changes) {
    BucketTable table = null;
    for (Change change : changes) {
      if (table == null) {
        table = first(change.nodesBefore());
        tables.add(table);
      }
      table = next(table, change);
      tables.add(table);
    }
  }

  private static BucketTable first(List<Node> nodes) {
    BucketTable table = BucketTable.builder().server(nodes.get(0)).buckets(BUCKETS).build();
    for (Node node : nodes.subList(1, nodes.size())) {
      table = balanced(table.join(node).table());
    }
    return table;
  }

  private static BucketTable next(BucketTable before, Change change) {
    BucketTable table = before;
    for (Node node : change.nodesBefore()) {
      if (!change.nodesAfter().contains(node)) {
        table = (change.killed() ? table.fail(node) : table.leave(node)).table();
      }
    }
    for (Node node : change.nodesAfter()) {
      if (!change.nodesBefore().contains(node)) {
        table = table.join(node).table();
      }
    }
    return balanced(table);
  }

  private static BucketTable balanced(BucketTable table) {
    return BucketBalancer.byCounts().plan(table).applyTo(table).table();
  }

  /** The table before a change, counted from 0. */
  BucketTable before(int change) {
    return tables.get(change);
  }

  /** The table after a change, counted from 0. */
  BucketTable after(int change) {
    return tables.get(change + 1);
  }
}
