package io.horae.resync;

import io.horae.placement.Node;
import io.horae.placement.Placement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replicas as a script wants them: for each timer and each set of members a list, primary first.
 */
final class ScriptedPlacement {

  private final Map<Place, List<String>> places = new HashMap<>();
  private final Map<Long, String> names = new HashMap<>();
  private @Nullable String unborn;

  private record Place(String timer, Set<String> members) {}

  void place(String timer, List<String> members, List<String> replicas) {
    places.put(new Place(timer, new HashSet<>(members)), List.copyOf(replicas));
  }

  /** Names the timer of the next id that is not known yet: who creates one asks for its place. */
  void name(String timer) {
    unborn = timer;
  }

  String name(long id) {
    if (unborn != null && !names.containsKey(id)) {
      names.put(id, unborn);
      unborn = null;
    }
    String name = names.get(id);
    if (name == null) {
      throw new IllegalArgumentException("no timer of the script has the id " + id);
    }
    return name;
  }

  Placement among(List<Node> members) {
    List<Node> nodes = List.copyOf(members);
    List<String> ids = nodes.stream().map(Node::id).toList();
    return new Placement() {
      @Override
      public List<Node> nodes() {
        return nodes;
      }

      @Override
      public int replicas(long key, int[] into) {
        Place place = new Place(name(key), new HashSet<>(ids));
        List<String> replicas = places.get(place);
        if (replicas == null) {
          throw new IllegalArgumentException(
              "the script does not place " + place.timer() + " among " + ids);
        }
        int count = Math.min(into.length, nodes.size());
        if (replicas.size() != count) {
          throw new IllegalArgumentException(place.timer() + " needs " + count + ": " + replicas);
        }
        for (int level = 0; level < count; level++) {
          into[level] = ids.indexOf(replicas.get(level));
        }
        return count;
      }

      @Override
      public int replicas(String key, int[] into) {
        throw new UnsupportedOperationException("timers have numbers");
      }
    };
  }
}
