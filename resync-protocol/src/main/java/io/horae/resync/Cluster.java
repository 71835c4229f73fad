package io.horae.resync;

import io.horae.placement.ClusterView;
import io.horae.placement.Node;
import io.horae.placement.Placement;
import java.util.ArrayList;
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

  /** Equal lists of replicas are one object, which a million records share. */
  private final Map<List<Integer>, Assignment> assignments = new HashMap<>();

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
    int[] indexes = new int[replicationFactor];
    int count = placement.replicas(id, indexes);
    List<Integer> key = new ArrayList<>(count);
    for (int level = 0; level < count; level++) {
      key.add(indexes[level]);
    }
    return assignments.computeIfAbsent(
        key,
        unknown ->
            new Assignment(
                stamp, unknown.stream().map(at -> placement.nodes().get(at).id()).toList()));
  }

  Assignment assign(TimerRecord record) {
    return assign(record.id(), record.replicationFactor());
  }
}
