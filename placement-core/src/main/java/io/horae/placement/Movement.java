package io.horae.placement;

import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * What a change of placement moves: for a set of keys, which nodes gain and lose them, and how that
 * compares with the least that any placement could have moved.
 *
 * <pre>{@code
 * Movement movement = Movement.between(three, four, LongStream.range(0, 1_000_000), 2);
 * movement.primariesMoved();        // 250,000, give or take
 * movement.primariesMovedLeast();   // the same
 * movement.movedBetweenStaying();   // 0
 * }</pre>
 *
 * <p>Keys are looked at one after the other, so that their number is limited by patience alone.
 * Nodes are matched by id.
 *
 * <p><b>The least</b> is what the nodes that end up with more keys than before have to gain, all
 * together. No placement that gives each node as many keys as this one does can move fewer; one
 * that moves just as many moves no key in vain.
 */
public final class Movement {

  private final List<Change> changes;
  private final long keys;
  private final long primariesMoved;
  private final long primariesMovedLeast;
  private final long backupsMoved;
  private final long copiesMoved;
  private final long copiesMovedLeast;
  private final long movedBetweenStaying;

  private Movement(MovementCount count) {
    changes = count.changes();
    keys = count.keys();
    primariesMoved = sum(Change::primariesGained);
    primariesMovedLeast = sum(change -> change.primariesGained() - change.primariesLost());
    backupsMoved = sum(Change::backupsGained);
    copiesMoved = sum(Change::copiesGained);
    copiesMovedLeast = sum(change -> change.copiesGained() - change.copiesLost());
    movedBetweenStaying = count.movedBetweenStaying();
  }

  private long sum(ToLongFunction<Change> gain) {
    return changes.stream().mapToLong(gain).filter(value -> value > 0).sum();
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
  public long copiesMoved() {
    return copiesMoved;
  }

  /**
   * The least number of copies that any placement could have moved.
   *
   * @return the number, see {@linkplain Movement above}
   */
  public long copiesMovedLeast() {
    return copiesMovedLeast;
  }

  /**
   * Keys of which a replica moved from one node that stays to another, or the office of primary
   * did; not if joining nodes account for all that staying ones lost, or leaving nodes for all that
   * they gained. {@link RendezvousPlacement} moves none, unless a node's weight changes or a
   * primary changes zones.
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
        Locale.ROOT,
        "%d keys: %d primaries moved (least %d), %d backups moved, %d copies moved (least %d),"
            + " %d keys moved between staying nodes",
        keys,
        primariesMoved,
        primariesMovedLeast,
        backupsMoved,
        copiesMoved,
        copiesMovedLeast,
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
