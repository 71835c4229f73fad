package io.horae.placement;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * An entry of a {@link BucketTable}: which hashes, and who holds them.
 *
 * <p>The epoch rises with every change that the bucket goes through, and the parts of a split, or
 * the whole of a merge, go on from the epochs before. So of two entries that say something about
 * the same hash, the one with the higher epoch is the newer, whatever their masks.
 *
 * @param mask the hashes
 * @param primary the server that owns them
 * @param backups the servers that owned them before and still hold a copy, newest first; distinct,
 *     and not the primary
 * @param epoch how often the bucket has changed, not negative
 */
public record Bucket(HashMask mask, Node primary, List<Node> backups, long epoch) {

  /**
   * Checks the values.
   *
   * @param mask the hashes
   * @param primary the server that owns them
   * @param backups the servers that hold a copy, newest first; distinct, and not the primary
   * @param epoch not negative
   * @throws IllegalArgumentException if one is null, the epoch is negative or a server is in it
   *     twice
   */
  public Bucket {
    Nodes.present(mask, "mask");
    Nodes.present(primary, "primary of " + mask);
    backups = List.copyOf(Nodes.present(backups, "backups of " + mask));
    if (epoch < 0) {
      throw new IllegalArgumentException("epoch of " + mask + " must not be negative: " + epoch);
    }
    for (int i = 0; i < backups.size(); i++) {
      String id = backups.get(i).id();
      if (id.equals(primary.id()) || backups.subList(0, i).stream().anyMatch(has(id))) {
        throw new IllegalArgumentException("a server holds " + mask + " twice: " + Node.quoted(id));
      }
    }
  }

  private static Predicate<Node> has(String id) {
    return node -> node.id().equals(id);
  }

  /**
   * The entry in a line.
   *
   * @return {@code 000F/0006 b<a @2}: on b, before that on a, which is its backup, at epoch 2
   */
  @Override
  public String toString() {
    return mask
        + " "
        + primary.id()
        + backups.stream().map(node -> "<" + node.id()).collect(Collectors.joining())
        + " @"
        + epoch;
  }
}
