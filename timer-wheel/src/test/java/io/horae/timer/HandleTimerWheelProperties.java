package io.horae.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** The wheel with handles against {@link WheelModel}, over long random histories. */
class HandleTimerWheelProperties {

  private static final int STEPS = 150;

  @Property(tries = 800, shrinking = ShrinkingMode.OFF)
  void agreesWithASortedSet(@ForAll long seed) {
    new History(seed, 40).run();
  }

  /** With so many timers at times that arrays grow beyond the size from which on they shrink. */
  @Property(tries = 8, shrinking = ShrinkingMode.OFF)
  void agreesWithASortedSetWhileArraysGrowAndShrink(@ForAll long seed) {
    new History(seed, 2_500).run();
  }

  private static final class HandlerException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** One wheel and its model, driven by a seed. */
  private static final class History {

    private final SplittableRandom random;
    private final RandomTimes times;
    private final int manyMax;
    private final long tick;
    private final HandleTimerWheel<String> wheel;
    private final WheelModel model;

    /** Every handle that there ever was. */
    private final List<Long> handles = new ArrayList<>();

    private final Set<Long> different = new HashSet<>();
    private long now;

    History(long seed, int manyMax) {
      random = new SplittableRandom(seed);
      times = new RandomTimes(random);
      this.manyMax = manyMax;
      tick = times.tick();
      now = times.start();
      wheel = TimerWheel.builder().start(now).tick(tick).ordered().buildWithHandles();
      model = new WheelModel(tick);
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(12)) {
          case 0, 1, 2 -> schedule();
          case 3 -> scheduleMany();
          case 4, 5 -> cancel(handle());
          case 6 -> reschedule(handle());
          case 7 -> clearSeldom();
          default -> advance();
        }
        wheel.checkConsistency();
        assertSame();
      }
    }

    private void assertSame() {
      List<WheelModel.Entry> all = model.all();
      assertEquals(all.size(), wheel.size());
      assertEquals(all.isEmpty() ? Long.MAX_VALUE : all.get(0).deadline(), wheel.nextDeadline());
      assertSame(handle());
      Page<String> page = wheel.scan(Cursor.START, Integer.MAX_VALUE);
      assertNull(page.next());
      assertEquals(
          all,
          page.timers().stream()
              .map(timer -> new WheelModel.Entry(timer.id(), timer.deadline(), timer.payload()))
              .toList());
    }

    private void assertSame(long handle) {
      WheelModel.Entry entry = model.entry(handle);
      assertEquals(entry != null, wheel.contains(handle));
      if (entry == null) {
        assertNull(wheel.payload(handle));
        assertThrows(IllegalArgumentException.class, () -> wheel.deadline(handle));
      } else {
        assertEquals(entry.payload(), wheel.payload(handle));
        assertEquals(entry.deadline(), wheel.deadline(handle));
      }
    }

    /** Of a timer that is there or not, or none. */
    private long handle() {
      if (handles.isEmpty() || random.nextInt(10) == 0) {
        return random.nextBoolean() ? random.nextLong() : random.nextInt(-3, 100);
      }
      // As a rule, one of the latest.
      int back =
          random.nextInt(random.nextBoolean() ? Math.min(20, handles.size()) : handles.size());
      return handles.get(handles.size() - 1 - back);
    }

    private void schedule() {
      long deadline = times.deadline(now, tick);
      String payload = "payload " + handles.size();
      long handle = wheel.schedule(deadline, payload);
      assertTrue(handle >= 0);
      assertTrue(different.add(handle), () -> "handed out twice: " + handle);
      handles.add(handle);
      assertTrue(model.schedule(handle, deadline, payload));
    }

    private void scheduleMany() {
      for (int many = random.nextInt(manyMax); many > 0; many--) {
        schedule();
      }
    }

    private void cancel(long handle) {
      assertEquals(model.cancel(handle), wheel.cancel(handle));
    }

    private void reschedule(long handle) {
      long deadline = times.deadline(now, tick);
      WheelModel.Entry entry = model.entry(handle);
      assertEquals(entry != null, wheel.reschedule(handle, deadline));
      if (entry != null) {
        model.schedule(handle, deadline, entry.payload());
      }
    }

    private void clearSeldom() {
      if (random.nextInt(10) == 0) {
        wheel.clear();
        model.all().forEach(entry -> model.cancel(entry.id()));
      }
    }

    private void advance() {
      now = Math.max(now, times.deadline(now, tick));
      List<WheelModel.Entry> due = new ArrayList<>(model.due(now));
      int limit = random.nextInt(3) == 0 ? 1 + random.nextInt(5) : Integer.MAX_VALUE;
      boolean[] ended = {false};
      int fired = 0;
      try {
        fired =
            wheel.advance(
                now,
                limit,
                (handle, deadline, payload) -> {
                  assertFalse(ended[0], "after it was told to end");
                  WheelModel.Entry actual = new WheelModel.Entry(handle, deadline, payload);
                  // What the handler itself has scheduled may be among them.
                  assertEquals(actual, model.entry(handle));
                  assertTrue(model.due(now).contains(actual), () -> actual + " is not due");
                  if (due.contains(actual)) {
                    assertEquals(due.get(0), actual, "in order");
                    due.remove(0);
                  }
                  switch (random.nextInt(12)) {
                    case 0 -> ended[0] = true;
                    case 1 -> throw new HandlerException();
                    case 2 -> schedule();
                    case 3 -> {
                      long other = handle();
                      due.removeIf(entry -> entry.id() == other);
                      if (other != handle) {
                        cancel(other);
                      }
                    }
                    case 4 -> {
                      // It stays, with another deadline.
                      reschedule(handle);
                      return true;
                    }
                    default -> {}
                  }
                  if (!ended[0]) {
                    model.cancel(handle);
                  }
                  return !ended[0];
                });
      } catch (HandlerException e) {
        ended[0] = true;
      }
      assertTrue(ended[0] || fired == limit || due.isEmpty(), () -> "left behind: " + due);
    }
  }
}
