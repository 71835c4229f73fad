package io.horae.placement;

import java.util.List;

/**
 * What a {@link BucketBalancer} would have done: first the splits, then the moves. No bucket is in
 * it twice.
 *
 * @param splits the buckets to split
 * @param moves the buckets to move, among them parts of those that are split
 */
public record BucketPlan(List<HashMask> splits, List<Move> moves) {

  /**
   * Copies the lists.
   *
   * @param splits the buckets to split
   * @param moves the buckets to move
   * @throws IllegalArgumentException if one is null
   */
  public BucketPlan {
    splits = List.copyOf(Nodes.present(splits, "splits"));
    moves = List.copyOf(Nodes.present(moves, "moves"));
  }

  /**
   * A bucket that changes its owner.
   *
   * @param bucket the bucket
   * @param from its primary until then
   * @param to its primary from then on
   */
  public record Move(HashMask bucket, Node from, Node to) {

    /**
     * The move in words.
     *
     * @return such as {@code 000F/0006 from a to b}
     */
    @Override
    public String toString() {
      return bucket + " from " + from.id() + " to " + to.id();
    }
  }

  /**
   * Whether there is nothing to do.
   *
   * @return {@code true} if it has no split and no move
   */
  public boolean isEmpty() {
    return splits.isEmpty() && moves.isEmpty();
  }

  /**
   * All of it at once, as if each split and each move had been made in turn.
   *
   * @param table the table that it was made for
   * @return the change as a whole
   * @throws IllegalArgumentException if the table is null or has no such bucket or server
   */
  public BucketChange applyTo(BucketTable table) {
    BucketEdit edit = new BucketEdit(Nodes.present(table, "table"));
    splits.forEach(edit::split);
    moves.forEach(move -> edit.move(move.bucket(), move.to()));
    return edit.change();
  }
}
