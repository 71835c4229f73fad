package io.horae.benchmarks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.ignite.cache.affinity.rendezvous.ClusterNodeAttributeAffinityBackupFilter;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.cluster.ClusterMetrics;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.lang.IgniteProductVersion;

/**
 * As much of one of Ignite's nodes as its affinity function looks at. Everything is a field, as in
 * Ignite's own node, so that nothing but the function's work is measured.
 */
record IgniteNode(UUID id, Object consistentId, Map<String, Object> attributes)
    implements ClusterNode {

  private static final String ZONE = "zone";

  /** The same nodes for Ignite, with the same ids. */
  static List<ClusterNode> of(List<io.horae.placement.Node> nodes) {
    List<ClusterNode> all = new ArrayList<>();
    for (io.horae.placement.Node node : nodes) {
      Map<String, Object> attributes = node.zone() == null ? Map.of() : Map.of(ZONE, node.zone());
      all.add(new IgniteNode(new UUID(0, all.size()), node.id(), attributes));
    }
    return all;
  }

  static RendezvousAffinityFunction affinity(int partitions) {
    return new RendezvousAffinityFunction(false, partitions);
  }

  /** Keeps the replicas of a partition in distinct zones. */
  static RendezvousAffinityFunction affinityByZone(int partitions) {
    RendezvousAffinityFunction affinity = affinity(partitions);
    affinity.setAffinityBackupFilter(new ClusterNodeAttributeAffinityBackupFilter(ZONE));
    return affinity;
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as Ignite has it
  public <T> T attribute(String name) {
    return (T) attributes.get(name);
  }

  @Override
  public ClusterMetrics metrics() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Collection<String> addresses() {
    return List.of();
  }

  @Override
  public Collection<String> hostNames() {
    return List.of();
  }

  @Override
  public long order() {
    return 1;
  }

  @Override
  public IgniteProductVersion version() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isLocal() {
    return false;
  }

  @Override
  public boolean isClient() {
    return false;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IgniteNode node && id.equals(node.id);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }
}
