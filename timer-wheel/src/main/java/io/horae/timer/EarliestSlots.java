package io.horae.timer;

/**
 * Collects the slots of the earliest timers from a cursor on, as many as still fit on a page, out
 * of slots that come in no order: a heap with the latest of them at its root, which the next
 * earlier one replaces.
 */
final class EarliestSlots {

  private final Slab slab;
  private final Cursor from;
  private final int[] heap;
  private int room;
  private int size;

  EarliestSlots(Slab slab, Cursor from, int room) {
    this.slab = slab;
    this.from = from;
    this.room = room;
    heap = new int[room];
  }

  void offer(int slot) {
    if (isFromCursorOn(slot)) {
      if (size < room) {
        siftUp(size++, slot);
      } else if (room > 0 && slab.isBefore(slot, heap[0])) {
        siftDown(slot);
      }
    }
  }

  private boolean isFromCursorOn(int slot) {
    long deadline = slab.deadline(slot);
    return deadline != from.deadline() ? deadline > from.deadline() : slab.id(slot) >= from.id();
  }

  /** Returns what was collected, in order, and starts anew with the room that is left. */
  int[] take() {
    int[] taken = new int[size];
    while (size > 0) {
      taken[size - 1] = heap[0];
      int last = heap[--size];
      if (size > 0) {
        siftDown(last);
      }
    }
    room -= taken.length;
    return taken;
  }

  private void siftUp(int at, int slot) {
    int child = at;
    while (child > 0 && slab.isBefore(heap[(child - 1) / 2], slot)) {
      heap[child] = heap[(child - 1) / 2];
      child = (child - 1) / 2;
    }
    heap[child] = slot;
  }

  /** Puts a slot in place of the root. */
  private void siftDown(int slot) {
    int parent = 0;
    for (int child = 1; child < size; child = 2 * parent + 1) {
      if (child + 1 < size && slab.isBefore(heap[child], heap[child + 1])) {
        child++;
      }
      if (!slab.isBefore(slot, heap[child])) {
        break;
      }
      heap[parent] = heap[child];
      parent = child;
    }
    heap[parent] = slot;
  }
}
