package io.horae.resync;

/**
 * Which write of a bucket made an item what it is. Of two versions of an item the higher is the
 * later.
 *
 * @param epoch the bucket's epoch when it was written, not negative
 * @param sequence the number of the write within the bucket, not negative
 */
public record ItemVersion(long epoch, long sequence) implements Comparable<ItemVersion> {

  /**
   * Checks the values.
   *
   * @param epoch the bucket's epoch when it was written, not negative
   * @param sequence the number of the write within the bucket, not negative
   */
  public ItemVersion {
    if (epoch < 0 || sequence < 0) {
      throw new IllegalArgumentException(
          "epoch and sequence must not be negative: " + epoch + ", " + sequence);
    }
  }

  @Override
  public int compareTo(ItemVersion other) {
    int byEpoch = Long.compare(epoch, other.epoch);
    return byEpoch != 0 ? byEpoch : Long.compare(sequence, other.sequence);
  }

  @Override
  public String toString() {
    return sequence + "@" + epoch;
  }
}
