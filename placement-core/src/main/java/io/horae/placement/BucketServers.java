package io.horae.placement;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The servers of a table, by index and by id. One more costs a few bytes for each. */
final class BucketServers {

  private final List<Node> nodes;

  /** The indexes of all servers, in the order of their ids. */
  private final int[] byId;

  private BucketServers(List<Node> nodes, int[] byId) {
    this.nodes = nodes;
    this.byId = byId;
  }

  static BucketServers of(Collection<Node> servers) {
    List<Node> nodes = Nodes.checked(servers);
    int[] byId =
        IntStream.range(0, nodes.size())
            .boxed()
            .sorted(Comparator.comparing(i -> nodes.get(i).id()))
            .mapToInt(Integer::intValue)
            .toArray();
    return new BucketServers(nodes, byId);
  }

  List<Node> nodes() {
    return nodes;
  }

  int size() {
    return nodes.size();
  }

  /** The index of a server, by its id; null if there is no such server. */
  @Nullable Integer find(Node server) {
    int place = place(server);
    return place < 0 ? null : (Integer) byId[place];
  }

  /**
   * Where a server is among the ids; if it is nowhere, where it would be, as {@code -1 - place}.
   */
  private int place(Node server) {
    int from = 0;
    int to = byId.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      int order = nodes.get(byId[middle]).id().compareTo(server.id());
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return -1 - from;
  }

  int index(Node server) {
    Integer index = find(Nodes.present(server, "server"));
    if (index == null) {
      throw new IllegalArgumentException("unknown server: " + Node.quoted(server.id()));
    }
    return index;
  }

  BucketServers with(Node server) {
    int place = -1 - place(Nodes.present(server, "server"));
    if (place < 0) {
      throw new IllegalArgumentException("duplicate node id: " + Node.quoted(server.id()));
    }
    Node[] more = nodes.toArray(new Node[size() + 1]);
    more[size()] = server;
    int[] moreById = Arrays.copyOf(byId, size() + 1);
    System.arraycopy(byId, place, moreById, place + 1, size() - place);
    moreById[place] = size();
    return new BucketServers(List.of(more), moreById);
  }
}
