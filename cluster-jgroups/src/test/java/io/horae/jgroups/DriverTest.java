package io.horae.jgroups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DriverTest {

  private final AtomicLong nextTickMs = new AtomicLong(Long.MAX_VALUE);
  private final CountDownLatch ticked = new CountDownLatch(1);
  private final Driver driver =
      new Driver(
          "driver",
          new Driver.Engine() {
            @Override
            public long nextTickMs() {
              return nextTickMs.get();
            }

            @Override
            public void tick() {
              nextTickMs.set(Long.MAX_VALUE);
              ticked.countDown();
            }
          },
          3);

  @AfterEach
  void close() {
    driver.close();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void offer_whenFull_refuses_butAddDoesNot() {
    List<Integer> done = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 3; i++) {
      int number = i;
      assertTrue(driver.offer(() -> done.add(number)));
    }
    assertFalse(driver.offer(() -> done.add(3)));
    CountDownLatch all = new CountDownLatch(1);
    assertTrue(driver.add(() -> done.add(4)));
    assertTrue(driver.add(all::countDown));
    driver.start();
    await(all);
    assertEquals(List.of(0, 1, 2, 4), done);
    CountDownLatch again = new CountDownLatch(1);
    assertTrue(driver.offer(again::countDown), "there is room again");
    await(again);
  }

  @Test
  void tick_whenItIsTime() {
    driver.start();
    driver.add(() -> nextTickMs.set(Driver.nowMs() + 5));
    await(ticked);
  }

  @Test
  void tick_isNotStarvedByInputs() {
    AtomicInteger inputs = new AtomicInteger();
    nextTickMs.set(Long.MIN_VALUE + 1);
    Driver.Task[] endless = new Driver.Task[1];
    endless[0] =
        () -> {
          inputs.incrementAndGet();
          driver.add(endless[0]);
        };
    driver.add(endless[0]);
    driver.start();
    await(ticked);
    assertTrue(inputs.get() > 0);
  }

  @Test
  void input_throws_goesOn() {
    CountDownLatch after = new CountDownLatch(1);
    driver.start();
    driver.add(
        () -> {
          throw new IllegalStateException("on purpose");
        });
    driver.add(after::countDown);
    await(after);
    assertEquals(1, driver.failures());
  }

  /** A store may throw at any question. */
  @Test
  void engine_throws_goesOn_andHasItsTurnAgain() {
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger tried = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(1);
    Driver.Engine broken =
        new Driver.Engine() {
          @Override
          public long nextTickMs() {
            if (asked.incrementAndGet() == 1) {
              throw new IllegalStateException("on purpose");
            }
            return done.getCount() == 0 ? Long.MAX_VALUE : Driver.nowMs();
          }

          @Override
          public void tick() {
            if (tried.incrementAndGet() < 3) {
              throw new AssertionError("on purpose");
            }
            done.countDown();
          }
        };
    Driver other = new Driver("broken", broken, 3);
    other.start();
    await(done);
    CountDownLatch after = new CountDownLatch(1);
    other.add(after::countDown);
    await(after);
    other.close();
    other.join();
    assertEquals(3, other.failures());
    // It was not asked all the time.
    assertTrue(asked.get() < 20, () -> "asked " + asked);
  }

  @Test
  void close_abandonsWhatWaits_andTakesNoMore() {
    CountDownLatch within = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger abandoned = new AtomicInteger();
    AtomicInteger run = new AtomicInteger();
    Driver.Task waiting =
        new Driver.Task() {
          @Override
          public void run() {
            run.incrementAndGet();
          }

          @Override
          public void abandoned() {
            abandoned.incrementAndGet();
          }
        };
    driver.start();
    driver.add(
        () -> {
          within.countDown();
          await(goOn);
        });
    await(within);
    driver.add(waiting);
    driver.offer(waiting);
    driver.close();
    goOn.countDown();
    driver.join();
    assertEquals(2, abandoned.get());
    assertEquals(0, run.get());
    assertFalse(driver.add(waiting));
    assertFalse(driver.offer(waiting));
  }
}
