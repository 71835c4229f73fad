package io.horae.placement;

import java.util.List;

/**
 * What a change of a {@link BucketTable} comes to.
 *
 * @param table the table afterwards
 * @param duties what servers must do about it, in this order for each bucket; a server that has
 *     failed has none
 * @param lost buckets of which no server held a copy any more. They are owned again, and empty
 */
public record BucketChange(BucketTable table, List<BucketDuty> duties, List<HashMask> lost) {

  /**
   * Copies the lists.
   *
   * @param table the table afterwards
   * @param duties what servers must do about it
   * @param lost buckets of which no server held a copy any more
   * @throws IllegalArgumentException if one is null
   */
  public BucketChange {
    Nodes.present(table, "table");
    duties = List.copyOf(Nodes.present(duties, "duties"));
    lost = List.copyOf(Nodes.present(lost, "lost"));
  }

  /**
   * What one server must do.
   *
   * @param server the server
   * @return its duties, in order
   */
  public List<BucketDuty> dutiesOf(Node server) {
    String id = Nodes.present(server, "server").id();
    return duties.stream().filter(duty -> duty.server().id().equals(id)).toList();
  }
}
