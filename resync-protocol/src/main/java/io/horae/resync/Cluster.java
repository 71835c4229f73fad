package io.horae.resync;

import io.horae.placement.ClusterView;
import io.horae.placement.Node;
import io.horae.placement.Placement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A view, and whose every timer is under it. */
final class Cluster {

  private final ClusterView view;
  private final ViewStamp stamp;
  private final Placement placement;

  /** All that were or will be members, by id. */
  private final Map<String, Node> everyone = new LinkedHashMap<>();

  private final Set<String> remaining = new HashSet<>();
  private final Set<String> joining = new HashSet<>();

  /** Equal lists of replicas are one object, which a million records share: by their indexes. */
  private final Map<Indexes, Assignment> assignments = new HashMap<>();

  /** What was last asked of the placement; it is looked up by, and never kept. */
  private Indexes asked = new Indexes(new int[0]);

  /** The timer that was last asked for, as one is asked for many times before the next. */
  private long lastId;

  private int lastReplicationFactor;
  private @Nullable Assignment last;

  Cluster(ClusterView view, Function<List<Node>, Placement> placements) {
    this.view = view;
    stamp = ViewStamp.of(view);
    placement = placements.apply(view.after());
    view.after().forEach(node -> remaining.add(node.id()));
    view.joining().forEach(node -> joining.add(node.id()));
    view.after().forEach(node -> everyone.put(node.id(), node));
    view.before().forEach(node -> everyone.putIfAbsent(node.id(), node));
  }

  ClusterView view() {
    return view;
  }

  ViewStamp stamp() {
    return stamp;
  }

  long epoch() {
    return stamp.epoch();
  }

  Map<String, Node> everyone() {
    return everyone;
  }

  boolean remains(String node) {
    return remaining.contains(node);
  }

  boolean joins(String node) {
    return joining.contains(node);
  }

  /** The replicas of a timer under this view. */
  Assignment assign(long id, int replicationFactor) {
    Assignment known = last;
    if (known == null || id != lastId || replicationFactor != lastReplicationFactor) {
      known = find(id, replicationFactor);
      last = known;
      lastId = id;
      lastReplicationFactor = replicationFactor;
    }
    return known;
  }

  private Assignment find(long id, int replicationFactor) {
    int most = Math.min(replicationFactor, placement.nodes().size());
    if (asked.all.length != most) {
      asked = new Indexes(new int[most]);
    }
    int count = placement.replicas(id, asked.all);
    if (count < most) {
      asked = new Indexes(Arrays.copyOf(asked.all, count));
    }
    Assignment known = assignments.get(asked);
    if (known == null) {
      List<String> replicas = new ArrayList<>(count);
      for (int at : asked.all) {
        replicas.add(placement.nodes().get(at).id());
      }
      known = new Assignment(stamp, replicas);
      assignments.put(new Indexes(asked.all.clone()), known);
    }
    return known;
  }

  /** The replicas of a timer, each by where it is among the nodes of the placement. */
  private static final class Indexes {
    private final int[] all;

    Indexes(int[] all) {
      this.all = all;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Indexes indexes && Arrays.equals(all, indexes.all);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(all);
    }
  }

  Assignment assign(TimerRecord record) {
    return assign(record.id(), record.replicationFactor());
  }
}
