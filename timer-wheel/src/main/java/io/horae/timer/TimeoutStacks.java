package io.horae.timer;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Timers on their way into the wheel, or out of it: several stacks without locks, each thread
 * pushing onto one of them, so that threads seldom meet on the same.
 *
 * <p>A timer is pushed onto a stack of one kind once in its life. That is why a compare-and-set
 * that finds the timer on top that it expects also finds below it what it expects.
 */
final class TimeoutStacks {

  /** How many there are: a power of two. */
  static final int COUNT = 16;

  /** Keeps the tops of two stacks, at four or eight bytes each, in different cache lines. */
  private static final int STRIDE = 32;

  /** On top of a stack that takes no more. */
  private final Timeout closed;

  private final AtomicReferenceArray<@Nullable Timeout> tops =
      new AtomicReferenceArray<>((COUNT + 1) * STRIDE);

  TimeoutStacks(Timeout closed) {
    this.closed = closed;
  }

  /** The number of the stack that the current thread pushes onto. */
  @SuppressWarnings("deprecation") // its successor is not in Java 17
  static int own() {
    return (int) Thread.currentThread().getId() & (COUNT - 1);
  }

  private static int place(int stack) {
    return (stack + 1) * STRIDE;
  }

  /**
   * Puts a timer on top of a stack; in place of the one on top, if that one needs no way into the
   * wheel any more.
   *
   * @return whether it is there: {@code false} if the stack is closed
   */
  boolean push(int stack, Timeout timeout) {
    int place = place(stack);
    Timeout top;
    do {
      top = tops.get(place);
      if (top == closed) {
        return false;
      }
      Timeout below = top != null && top.isDropped() ? top.below : top;
      timeout.below = below;
      timeout.depth(below == null ? 1 : below.depth() + 1);
    } while (!tops.compareAndSet(place, top, timeout));
    return true;
  }

  /** Empties a stack and turns it over: returns the oldest, with the newer ones below it. */
  @Nullable Timeout take(int stack) {
    int place = place(stack);
    Timeout top;
    do {
      top = tops.get(place);
      if (top == null || top == closed) {
        return null;
      }
    } while (!tops.compareAndSet(place, top, null));
    return turnOver(top);
  }

  /** Takes a stack for the last time. */
  @Nullable Timeout close(int stack) {
    Timeout top = tops.getAndSet(place(stack), closed);
    return top == closed ? null : turnOver(top);
  }

  private static @Nullable Timeout turnOver(@Nullable Timeout top) {
    Timeout newer = null;
    while (top != null) {
      Timeout below = top.below;
      top.below = newer;
      newer = top;
      top = below;
    }
    return newer;
  }

  boolean isClosed(int stack) {
    return tops.get(place(stack)) == closed;
  }
}
