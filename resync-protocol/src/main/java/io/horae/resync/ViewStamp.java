package io.horae.resync;

import io.horae.placement.ClusterView;

/**
 * Which view something was said or decided in.
 *
 * @param epoch the view's epoch, not negative
 * @param id the view's digest
 */
public record ViewStamp(long epoch, long id) {

  /**
   * Checks the epoch.
   *
   * @param epoch the view's epoch, not negative
   * @param id the view's digest
   */
  public ViewStamp {
    if (epoch < 0) {
      throw new IllegalArgumentException("epoch must not be negative: " + epoch);
    }
  }

  /**
   * The stamp of a view.
   *
   * @param view the view
   * @return its epoch and id
   */
  public static ViewStamp of(ClusterView view) {
    return new ViewStamp(view.epoch(), view.id());
  }

  @Override
  public String toString() {
    return epoch + "/" + Long.toHexString(id);
  }
}
