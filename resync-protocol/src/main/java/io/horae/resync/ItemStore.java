package io.horae.resync;

/** Items that are kept: both ends in one. */
public interface ItemStore extends ItemSource, ItemSink {

  /**
   * Items in memory, in a tree in which each bucket is a range.
   *
   * @return an empty store, not safe for use by several threads
   */
  static ItemStore inMemory() {
    return new TreeItemStore();
  }
}
