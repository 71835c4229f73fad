package io.horae.benchmarks;

import java.util.function.LongSupplier;

/**
 * A timer wheel, Horae's or a peer's, as the benchmarks see it: driven by the calling thread in a
 * time of its own, with a tick of a millisecond.
 *
 * <p>The benchmarks number their timers; what a wheel needs to find one again, such as an id or the
 * object that it handed out, it keeps by that number, as a caller would in a record of its own.
 */
abstract class Wheel {

  static final long HOUR_MS = 3_600_000;

  /** A time such as {@link System#currentTimeMillis} gives. */
  static final long START_MS = 1_760_000_000_000L;

  /** The deadline of a timer that is not to be scheduled again. */
  static final long NEVER = Long.MAX_VALUE;

  /** Asked, for every timer that fires, for the deadline that it is scheduled with next. */
  LongSupplier nextDeadline = () -> NEVER;

  /**
   * A new wheel, empty, that has been seen to work.
   *
   * @param name Horae's, or a peer's; a number behind it is that of spokes
   * @param timers how many timers it will hold
   */
  static Wheel named(String name, int timers) {
    check(create(name, 1_000));
    return create(name, timers);
  }

  private static Wheel create(String name, int timers) {
    return switch (name) {
      case "horae" -> new HoraeWheel(timers);
      case "horae-handles" -> new HoraeHandlesWheel(timers);
      case "agrona-4096" -> new AgronaWheel(timers, 4_096);
      case "agrona-524288" -> new AgronaWheel(timers, 524_288);
      case "agronaWithIds-4096" -> new AgronaWithIdsWheel(timers, 4_096);
      case "agronaWithIds-524288" -> new AgronaWithIdsWheel(timers, 524_288);
      case "netty-4096" -> new NettyWheel(timers, 4_096);
      case "netty-524288" -> new NettyWheel(timers, 524_288);
      case "kafka-20" -> new KafkaWheel(timers, 20);
      case "kafka-256" -> new KafkaWheel(timers, 256);
      case "executor" -> new ExecutorWheel(timers);
      default -> throw new IllegalArgumentException("no wheel is called " + name);
    };
  }

  abstract void schedule(int timer, long deadlineMs);

  /** Cancels a timer; returns whether it was outstanding. */
  abstract boolean cancel(int timer);

  /** Fires all that is due; returns how many timers that was. */
  abstract int advance(long nowMs);

  abstract long size();

  /** What the wheel handed out for a timer, to find it again; nothing if it takes ids. */
  Object handle(int timer) {
    return null;
  }

  /** Whether {@link #advance} works. */
  boolean canAdvance() {
    return true;
  }

  void close() {}

  /** An id as a caller may have it: any number. Different for each count. */
  static long id(long count) {
    long scattered = count * 0xd1342543de82ef95L;
    return scattered ^ (scattered >>> 32);
  }

  /**
   * Schedules a timer for each second, in no order, cancels every other, schedules half of those
   * again, and sees that each second fires what it should. Deadlines are in the middle of their
   * seconds, as not every wheel is exact.
   */
  private static void check(Wheel wheel) {
    int timers = 1_000;
    for (int i = 0; i < timers; i++) {
      int second = i * 7 % timers;
      wheel.schedule(second, START_MS + second * 1_000L + 500);
    }
    for (int second = 1; second < timers; second += 2) {
      expect(wheel.cancel(second), "cannot cancel timer " + second);
      expect(!wheel.cancel(second), "can cancel twice timer " + second);
    }
    for (int second = 1; second < timers; second += 4) {
      wheel.schedule(second, START_MS + second * 1_000L + 500);
    }
    if (wheel.canAdvance()) {
      for (int second = 0; second < timers; second++) {
        int fired = wheel.advance(START_MS + (second + 1) * 1_000L);
        expect(fired == (second % 4 == 3 ? 0 : 1), "at second " + second + " fired " + fired);
      }
      expect(wheel.size() == 0, "timers left");
    } else {
      expect(wheel.size() == timers * 3 / 4, "timers missing");
    }
    wheel.close();
  }

  static void expect(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
