package io.horae.placement;

import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * What a change of placement moves: for a set of keys, which nodes gain and lose them, and how that
 * compares with the least that any placement could have moved.
 *
 * <pre>{@code
 * Movement movement = Movement.between(three, four, LongStream.range(0, 1_000_000), 2);
 * movement.primariesMoved();        // 250,000, give or take
 * movement.primariesMovedLeast();   // 250,000
 * movement.movedBetweenStaying();   // 0
 * }</pre>
 *
 * <p>Keys are looked at one after the other, so that their number is limited by patience alone.
 * Nodes are matched by id.
 *
 * <p><b>The least.</b> Two things are bound to move, whatever the placement: every replica on a
 * node that leaves, and as much as it takes to give each node that gains its fair share of the
 * keys, by weight. One move may serve both, so the larger number is the least. The first is counted
 * on the given keys and the second computed for keys spread perfectly, so chance can put what moved
 * a little below it; a node has at most one replica of a key, so no fair share is above one.
 */
public final class Movement {

  private final List<Change> changes;
  private final long keys;
  private final long primariesMoved;
  private final long primariesMovedLeast;
  private final long backupsMoved;
  private final long copies;
  private final long copiesLeast;
  private final long movedBetweenStaying;

  private Movement(MovementCount count) {
    changes = count.changes();
    keys = count.keys();
    primariesMoved = changes.stream().mapToLong(Change::primariesGained).sum();
    primariesMovedLeast = count.primariesMovedLeast();
    backupsMoved = changes.stream().mapToLong(Change::backupsGained).sum();
    copies = changes.stream().mapToLong(Change::copiesGained).sum();
    copiesLeast = count.copiesLeast();
    movedBetweenStaying = count.movedBetweenStaying();
  }

  /**
   * Measures on number keys.
   *
   * @param before the placement until now
   * @param after the placement from now on
   * @param keys the keys; the stream is consumed
   * @param count how many replicas a key has, at least 1
   * @return what moves
   * @throws IllegalArgumentException if {@code count} is below 1 or anything is null
   */
  public static Movement between(Placement before, Placement after, LongStream keys, int count) {
    MovementCount moved = new MovementCount(before, after, count);
    Nodes.present(keys, "keys").sequential().forEach(moved::add);
    return new Movement(moved);
  }

  /**
   * Measures on text keys.
   *
   * @param before the placement until now
   * @param after the placement from now on
   * @param keys the keys; the stream is consumed
   * @param count how many replicas a key has, at least 1
   * @return what moves
   * @throws IllegalArgumentException if {@code count} is below 1 or anything is null
   */
  public static Movement between(
      Placement before, Placement after, Stream<String> keys, int count) {
    MovementCount moved = new MovementCount(before, after, count);
    Nodes.present(keys, "keys").sequential().forEach(moved::add);
    return new Movement(moved);
  }

  /**
   * The keys looked at.
   *
   * @return their number
   */
  public long keys() {
    return keys;
  }

  /**
   * Keys that have another primary than before.
   *
   * @return their number
   */
  public long primariesMoved() {
    return primariesMoved;
  }

  /**
   * The least number of primaries that any placement could have moved.
   *
   * @return the number, see {@linkplain Movement above}
   */
  public long primariesMovedLeast() {
    return primariesMovedLeast;
  }

  /**
   * Backups on nodes that were not backups of that key before; one that was its primary counts.
   *
   * @return their number
   */
  public long backupsMoved() {
    return backupsMoved;
  }

  /**
   * Replicas, primary or backup, on nodes that had none of that key before: what must be sent over
   * the network.
   *
   * @return their number
   */
  public long copies() {
    return copies;
  }

  /**
   * The least number of copies that any placement could have made.
   *
   * @return the number, see {@linkplain Movement above}
   */
  public long copiesLeast() {
    return copiesLeast;
  }

  /**
   * Keys of which a replica moved from one node that stays to another, or the office of primary
   * did: with a good placement, none.
   *
   * @return their number
   */
  public long movedBetweenStaying() {
    return movedBetweenStaying;
  }

  /**
   * Gains and losses, node by node.
   *
   * @return one change for each node that is in either cluster: first the nodes before, in their
   *     order, then the nodes that join; an unmodifiable list
   */
  public List<Change> changes() {
    return changes;
  }

  @Override
  public String toString() {
    return String.format(
        "%d keys: %d primaries moved (least %d), %d backups moved, %d copies (least %d),"
            + " %d keys moved between staying nodes",
        keys,
        primariesMoved,
        primariesMovedLeast,
        backupsMoved,
        copies,
        copiesLeast,
        movedBetweenStaying);
  }

  /**
   * What one node gains and loses, in keys.
   *
   * @param node the node, as it is afterwards if it is still there
   * @param primariesBefore keys it was primary of
   * @param primariesGained keys it becomes primary of
   * @param primariesLost keys it is no longer primary of
   * @param backupsBefore keys it was a backup of
   * @param backupsGained keys it becomes a backup of
   * @param backupsLost keys it is no longer a backup of
   * @param copiesGained keys it must be sent, having been neither before
   * @param copiesLost keys it may forget, being neither any more
   */
  public record Change(
      Node node,
      long primariesBefore,
      long primariesGained,
      long primariesLost,
      long backupsBefore,
      long backupsGained,
      long backupsLost,
      long copiesGained,
      long copiesLost) {

    /**
     * Keys it is primary of.
     *
     * @return their number afterwards
     */
    public long primariesAfter() {
      return primariesBefore + primariesGained - primariesLost;
    }

    /**
     * Keys it is a backup of.
     *
     * @return their number afterwards
     */
    public long backupsAfter() {
      return backupsBefore + backupsGained - backupsLost;
    }
  }
}
