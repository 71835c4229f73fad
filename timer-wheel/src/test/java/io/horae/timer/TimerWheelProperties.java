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
import net.jqwik.api.constraints.IntRange;

/** The wheel against {@link WheelModel}, over long random histories. */
class TimerWheelProperties {

  private static final int STEPS = 150;

  @Property(tries = 1_500, shrinking = ShrinkingMode.OFF)
  void agreesWithASortedSet(@ForAll long seed) {
    new History(seed, 80, 20).run();
  }

  /** With so many timers at times that arrays grow beyond the size from which on they shrink. */
  @Property(tries = 10, shrinking = ShrinkingMode.OFF)
  void agreesWithASortedSetWhileArraysGrowAndShrink(@ForAll long seed) {
    new History(seed, 2_500, 1_000).run();
  }

  /** One wheel and its model, driven by a seed. */
  private static final class History {

    private final SplittableRandom random;
    private final RandomTimes times;
    private final int manyMax;

    /** One in so many timers that fire does each of the things that a handler may do. */
    private final int outcomes;

    private final long tick;
    private final boolean ordered;
    private final TimerWheel<String> wheel;
    private final WheelModel model;

    /** The latest time that the wheel was told. */
    private long now;

    /** The tick up to which the wheel has turned. */
    private long position;

    History(long seed, int manyMax, int outcomes) {
      random = new SplittableRandom(seed);
      times = new RandomTimes(random);
      this.manyMax = manyMax;
      this.outcomes = outcomes;
      tick = times.tick();
      ordered = random.nextBoolean();
      now = times.start();
      TimerWheel.Builder builder = TimerWheel.builder().start(now).tick(tick);
      wheel = ordered ? builder.ordered().build() : builder.build();
      model = new WheelModel(tick);
      position = model.tickReached(now);
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(12)) {
          case 0, 1, 2, 3, 4 -> schedule();
          case 5 -> scheduleMany();
          case 6 -> cancel();
          case 7 -> scanInPages();
          case 8 -> clearSeldom();
          default -> advance();
        }
        wheel.checkConsistency();
        assertSame();
      }
      now = Long.MAX_VALUE;
      late.clear();
      assertEquals(wheel.size(), wheel.advance(now, Integer.MAX_VALUE, this::expected));
      wheel.checkConsistency();
    }

    private void assertSame() {
      List<WheelModel.Entry> all = model.all();
      assertEquals(all.size(), wheel.size());
      assertEquals(all.isEmpty() ? Long.MAX_VALUE : all.get(0).deadline(), wheel.nextDeadline());
      long id = id();
      WheelModel.Entry entry = model.entry(id);
      assertEquals(entry != null, wheel.contains(id));
      if (entry == null) {
        assertNull(wheel.payload(id));
        assertThrows(IllegalArgumentException.class, () -> wheel.deadline(id));
      } else {
        assertEquals(entry.payload(), wheel.payload(id));
        assertEquals(entry.deadline(), wheel.deadline(id));
      }
    }

    private long id() {
      return random.nextInt(8) == 0 ? Long.MAX_VALUE - random.nextInt(3) : random.nextInt(40);
    }

    private long deadline() {
      return times.deadline(now, tick);
    }

    private void schedule() {
      schedule(id());
    }

    private void scheduleMany() {
      // Beyond the ids in use otherwise, so that the arrays grow, and shrink again as these fire.
      int many = random.nextInt(manyMax);
      for (long id = 1_000; id < 1_000 + many; id++) {
        schedule(id);
      }
    }

    private void schedule(long id) {
      long deadline = deadline();
      String payload = id + "@" + deadline;
      assertEquals(model.schedule(id, deadline, payload), wheel.schedule(id, deadline, payload));
    }

    private void cancel() {
      long id = id();
      assertEquals(model.cancel(id), wheel.cancel(id));
    }

    private void clearSeldom() {
      if (random.nextInt(10) == 0) {
        wheel.clear();
        model.all().forEach(entry -> model.cancel(entry.id()));
      }
    }

    /** Ids that a handler scheduled for a tick that had its turn: for the next advance. */
    private final Set<Long> late = new HashSet<>();

    private void advance() {
      advance(random.nextInt(5) == 0 ? now - random.nextInt(1_000) : deadline());
    }

    private void advance(long time) {
      now = Math.max(now, time);
      int limit = random.nextInt(3) == 0 ? 1 + random.nextInt(5) : Integer.MAX_VALUE;
      int[] fired = {0};
      late.clear();
      boolean[] ended = {false};
      try {
        int count =
            wheel.advance(
                time,
                limit,
                (id, deadline, payload) -> {
                  assertFalse(ended[0], "after it was told to end");
                  expected(id, deadline, payload, false);
                  int outcome = random.nextInt(outcomes);
                  ended[0] = outcome < 2;
                  if (outcome == 0) {
                    throw new HandlerException();
                  }
                  if (outcome == 1) {
                    return false;
                  }
                  fired[0]++;
                  model.cancel(id);
                  interfere(id, outcome);
                  if (random.nextInt(8) == 0) {
                    wheel.checkConsistency();
                  }
                  return true;
                });
        assertEquals(fired[0], count);
      } catch (HandlerException e) {
        assertTrue(ended[0]);
      }
      List<WheelModel.Entry> left = candidates();
      assertTrue(
          left.isEmpty() || ended[0] || fired[0] == limit,
          () ->
              "at " + now + ", tick " + tick + ", position " + position + ", left behind: " + left);
      position =
          left.isEmpty()
              ? Math.max(position, model.tickReached(now))
              : Math.max(position, model.tickOf(left.get(0).deadline()));
    }

    /** What a handler may do to the wheel that calls it. */
    private void interfere(long id, int outcome) {
      switch (outcome) {
        case 2 ->
            assertThrows(IllegalStateException.class, () -> wheel.advance(now, 1, this::expected));
        case 3, 4 -> reschedule(id, true);
        case 5, 6 -> reschedule(id(), false);
        case 7 -> {
          long other = id();
          if (other != id) {
            assertEquals(model.cancel(other), wheel.cancel(other));
            late.remove(other);
          }
        }
        case 8 -> assertTrue(wheel.cancel(id));
        default -> {}
      }
    }

    private void reschedule(long id, boolean itself) {
      long deadline = deadline();
      boolean isNew = model.schedule(id, deadline, "again");
      // To the wheel, the timer that is being fired is still there.
      boolean reallyNew = wheel.schedule(id, deadline, "again");
      assertTrue(itself ? !reallyNew : reallyNew == isNew || !reallyNew);
      late.remove(id);
      if (model.tickOf(deadline) <= position) {
        late.add(id);
      }
    }

    private boolean expected(long id, long deadline, String payload) {
      return expected(id, deadline, payload, true);
    }

    private boolean expected(long id, long deadline, String payload, boolean take) {
      List<WheelModel.Entry> candidates = candidates();
      WheelModel.Entry first = candidates.get(0);
      WheelModel.Entry actual = new WheelModel.Entry(id, deadline, payload);
      if (ordered) {
        assertEquals(first, actual);
      } else {
        assertTrue(candidates.contains(actual), () -> actual + " is not due");
        // Those that were late already go first, in order.
        long turn = Math.max(position, model.tickOf(first.deadline()));
        assertEquals(turn, Math.max(position, model.tickOf(deadline)), "in order of ticks");
      }
      position = Math.max(position, model.tickOf(deadline));
      if (take) {
        model.cancel(id);
      }
      return true;
    }

    private List<WheelModel.Entry> candidates() {
      return model.due(now).stream().filter(entry -> !late.contains(entry.id())).toList();
    }

    private void scanInPages() {
      List<WheelModel.Entry> all = model.all();
      Cursor cursor = random.nextInt(3) > 0 ? Cursor.START : new Cursor(deadline(), id());
      Cursor from = cursor;
      List<WheelModel.Entry> expected =
          all.stream()
              .filter(
                  entry ->
                      entry.deadline() > from.deadline()
                          || (entry.deadline() == from.deadline() && entry.id() >= from.id()))
              .toList();
      List<WheelModel.Entry> actual = new ArrayList<>();
      int limit = 1 + random.nextInt(random.nextBoolean() ? 3 : 60);
      while (cursor != null) {
        Page<String> page = wheel.scan(cursor, limit);
        assertTrue(page.timers().size() <= limit);
        page.timers()
            .forEach(
                timer ->
                    actual.add(
                        new WheelModel.Entry(timer.id(), timer.deadline(), timer.payload())));
        cursor = page.next();
      }
      assertEquals(expected, actual);
    }

    /** Pages of one size, and between any two of them a few things happen. */
    void scanWhileAllChanges() {
      scheduleMany();
      scheduleMany();
      Set<WheelModel.Entry> throughout = new HashSet<>(model.all());
      List<WheelModel.Entry> seen = new ArrayList<>();
      int limit = 1 + random.nextInt(20);
      for (Cursor cursor = Cursor.START; cursor != null; ) {
        Page<String> page = wheel.scan(cursor, limit);
        for (Page.Timer<String> timer : page.timers()) {
          WheelModel.Entry entry =
              new WheelModel.Entry(timer.id(), timer.deadline(), timer.payload());
          assertEquals(entry, model.entry(timer.id()), "there now");
          seen.add(entry);
        }
        cursor = page.next();
        for (int changes = random.nextInt(4); changes > 0; changes--) {
          changeSomething();
          throughout.retainAll(new HashSet<>(model.all()));
        }
      }
      List<WheelModel.Entry> once = seen.stream().filter(throughout::contains).toList();
      assertEquals(throughout.size(), once.size(), "each once");
      assertEquals(throughout, new HashSet<>(once));
      assertEquals(seen.stream().sorted(WheelModel.ORDER).toList(), seen, "in order");
    }

    private void changeSomething() {
      switch (random.nextInt(5)) {
        case 0, 1 -> schedule();
        case 2 -> schedule(1_000 + random.nextInt(manyMax));
        case 3 -> cancel();
        default -> {
          // To one of the next deadlines, so that the wheel turns and most timers stay.
          List<WheelModel.Entry> all = model.all();
          if (!all.isEmpty()) {
            advance(all.get(random.nextInt(Math.min(5, all.size()))).deadline());
          }
        }
      }
    }
  }

  /** From wherever a wheel stands, with timers at every edge, and while it turns. */
  @Property(tries = 600, shrinking = ShrinkingMode.OFF)
  void pagesHaveExactlyOnceWhatIsThereThroughout(@ForAll long seed) {
    new History(seed, 80, 20).scanWhileAllChanges();
  }

  private static final class HandlerException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void aScanSeesExactlyOnceWhatIsThereThroughout(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 20) int limit) {
    SplittableRandom random = new SplittableRandom(seed);
    TimerWheel<String> wheel = TimerWheel.startingAt(0);
    Set<Long> throughout = new HashSet<>();
    for (long id = 0; id < 200; id++) {
      // Few deadlines for many timers, near and far.
      wheel.schedule(id, 1_000 + (long) random.nextInt(3) * random.nextInt(100_000), "old");
      throughout.add(id);
    }
    List<Long> seen = new ArrayList<>();
    long now = 0;
    for (Cursor cursor = Cursor.START; cursor != null; ) {
      Page<String> page = wheel.scan(cursor, limit);
      page.timers().forEach(timer -> seen.add(timer.id()));
      cursor = page.next();
      long cancelled = random.nextInt(200);
      wheel.cancel(cancelled);
      throughout.remove(cancelled);
      wheel.schedule(1_000 + random.nextInt(100), random.nextInt(100_000), "new");
      // The scan does not mind where the wheel stands; nothing old is due yet.
      now = Math.min(999, now + random.nextInt(50));
      wheel.advance(now, Integer.MAX_VALUE, (id, deadline, payload) -> true);
    }
    List<Long> seenOfThose = seen.stream().filter(throughout::contains).toList();
    assertEquals(throughout, new HashSet<>(seenOfThose));
    assertEquals(throughout.size(), seenOfThose.size(), "each once");
  }
}
