package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.resync.MovingBucket.Envelope;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A bucket that is written to moves from b, whose backup is a, to c, and something goes wrong: once
 * at each step, a step being a message that is delivered. Whatever it is, in the end one server has
 * the bucket, with all that was written, and one other is its backup.
 */
class BucketTransferStepsTest {

  /** No transfer takes so many messages. */
  private static final int STEPS_MAX = 1_000;

  /** What can go wrong, and who may own the bucket in the end. */
  private enum Mishap {
    NONE("c") {
      @Override
      void strike(MovingBucket story) {}
    },
    TARGET_DIES("b") {
      @Override
      void strike(MovingBucket story) {
        story.crash("c");
        story.decide("a", "b", "d");
      }
    },
    TARGET_DIES_AND_THE_VIEW_IS_LATE("b") {
      @Override
      void strike(MovingBucket story) {
        story.crash("c");
        story.settle(1_500);
        story.decide("a", "b", "d");
      }
    },
    TARGET_STARTS_ANEW("b c") {
      @Override
      void strike(MovingBucket story) {
        story.crash("c");
        story.restart("c");
        story.decide("a", "b", "c", "d");
      }
    },
    SOURCE_DIES("a c") {
      @Override
      void strike(MovingBucket story) {
        boolean arrived = story.owns("c");
        story.crash("b");
        story.decide("a", "c", "d");
        story.settle(1_000);
        assertEquals(arrived ? "c" : "a", story.owner());
      }
    },
    SOURCE_DIES_AND_THE_VIEW_IS_LATE("a c") {
      @Override
      void strike(MovingBucket story) {
        story.crash("b");
        story.settle(1_500);
        boolean arrived = story.owns("c");
        story.decide("a", "c", "d");
        story.settle(1_000);
        assertEquals(arrived ? "c" : "a", story.owner());
      }
    },
    SOURCE_STARTS_ANEW("a c") {
      @Override
      void strike(MovingBucket story) {
        story.crash("b");
        story.restart("b");
        story.decide("a", "b", "c", "d");
      }
    },
    BACKUP_DIES("b c") {
      @Override
      void strike(MovingBucket story) {
        story.crash("a");
        story.settle(500);
        story.decide("b", "c", "d");
      }
    },
    BACKUP_STARTS_ANEW("b c") {
      @Override
      void strike(MovingBucket story) {
        story.crash("a");
        story.restart("a");
        story.decide("a", "b", "c", "d");
      }
    },
    /** It goes on, and with it clients that have not heard, until it comes back. */
    SOURCE_COMES_BACK_WITH_AN_OLD_EPOCH("a c") {
      @Override
      void strike(MovingBucket story) {
        story.next("a", "c", "d");
        Set.of("a", "c", "d").forEach(story::tell);
        story.settle(2_000);
        story.decide("a", "b", "c", "d");
      }
    },
    TARGET_COMES_BACK_WITH_AN_OLD_EPOCH("b") {
      @Override
      void strike(MovingBucket story) {
        story.next("a", "b", "d");
        Set.of("a", "b", "d").forEach(story::tell);
        story.settle(2_000);
        story.decide("a", "b", "c", "d");
      }
    },
    BACKUP_COMES_BACK_WITH_AN_OLD_EPOCH("b c") {
      @Override
      void strike(MovingBucket story) {
        story.next("b", "c", "d");
        Set.of("b", "c", "d").forEach(story::tell);
        story.settle(2_000);
        story.decide("a", "b", "c", "d");
      }
    },
    SOURCE_MISSES_A_VIEW("a b c") {
      @Override
      void strike(MovingBucket story) {
        story.next("a", "b", "c", "d");
        Set.of("a", "c", "d").forEach(story::tell);
        story.settle(2_000);
        story.decide("a", "b", "c", "d");
      }
    },
    /** If the last item is under way then, b takes the bucket back. */
    NEXT_VIEW("b c") {
      @Override
      void strike(MovingBucket story) {
        story.decide("a", "b", "c", "d");
      }
    },
    NEXT_VIEW_IN_PIECES("b c") {
      @Override
      void strike(MovingBucket story) {
        story.next("a", "b", "c", "d");
        story.tell("c");
        story.deliver(3);
        story.tell("b");
        story.deliver(3);
        story.tell("d");
        story.deliver(3);
        story.tell("a");
      }
    },
    MESSAGE_LOST("c") {
      @Override
      void strike(MovingBucket story) {
        story.take();
      }
    },
    FIVE_MESSAGES_LOST("c") {
      @Override
      void strike(MovingBucket story) {
        for (int i = 0; i < 5; i++) {
          story.take();
        }
      }
    },
    MESSAGE_TWICE("c") {
      @Override
      void strike(MovingBucket story) {
        Envelope twice = story.take();
        if (twice != null) {
          story.arrive(twice);
          story.arrive(twice);
          story.sendLater(twice);
          story.settle(5_000);
          story.arrive(twice);
        }
      }
    },
    MESSAGE_LATE("c") {
      @Override
      void strike(MovingBucket story) {
        Envelope late = story.take();
        story.deliver(4);
        if (late != null) {
          story.arrive(late);
        }
      }
    },
    MESSAGE_VERY_LATE("c") {
      @Override
      void strike(MovingBucket story) {
        Envelope late = story.take();
        story.settle(10_000);
        if (late != null) {
          story.arrive(late);
        }
      }
    },
    MESSAGES_REVERSED("c") {
      @Override
      void strike(MovingBucket story) {
        Envelope first = story.take();
        Envelope second = story.take();
        Envelope third = story.take();
        for (Envelope each : new Envelope[] {third, second, first}) {
          if (each != null) {
            story.arrive(each);
          }
        }
      }
    },
    SOURCE_AND_TARGET_APART("b c") { // clients are put off for a while, and then it is given up
      @Override
      void strike(MovingBucket story) {
        story.cut("b", "c", 2_000);
      }
    },
    SOURCE_AND_BACKUP_APART("b c") { // likewise
      @Override
      void strike(MovingBucket story) {
        story.cut("a", "b", 3_000);
      }
    },
    TARGET_AND_BACKUP_APART("c") {
      @Override
      void strike(MovingBucket story) {
        story.cut("a", "c", 3_000);
      }
    },
    OTHER_PLAN_FOR_THE_SOURCE("c") {
      @Override
      void strike(MovingBucket story) {
        story.carryOut("b", "d");
        story.carryOut("b", "a");
      }
    },
    OTHER_PLAN_FOR_ALL("c d") {
      @Override
      void strike(MovingBucket story) {
        story.carryOut("a", "d");
        story.carryOut("b", "d");
        story.carryOut("c", "d");
      }
    },
    PLAN_TO_MOVE_IT_BACK("b c") {
      @Override
      void strike(MovingBucket story) {
        story.carryOut("c", "b");
      }
    },
    SPLIT("b c") {
      @Override
      void strike(MovingBucket story) {
        boolean wasThere = story.owns("b");
        assertEquals(wasThere, story.split("b"));
        story.split("c");
      }
    },
    SPLIT_AND_SOURCE_DIES("a c") {
      @Override
      void strike(MovingBucket story) {
        story.split("b");
        story.split("c");
        story.deliver(7);
        story.crash("b");
        story.decide("a", "c", "d");
      }
    },
    SOURCE_LEAVES("a c d") {
      @Override
      void strike(MovingBucket story) {
        story.leave("b");
        story.settle(60_000);
        assertTrue(story.isDrained("b"));
      }
    },
    TARGET_LEAVES("a b d") {
      @Override
      void strike(MovingBucket story) {
        story.leave("c");
        story.settle(60_000);
        assertTrue(story.isDrained("c"));
      }
    },
    BACKUP_LEAVES("b c d") {
      @Override
      void strike(MovingBucket story) {
        story.leave("a");
        story.settle(60_000);
        assertTrue(story.isDrained("a"));
      }
    };

    private final String owners;

    Mishap(String owners) {
      this.owners = owners;
    }

    abstract void strike(MovingBucket story);
  }

  @ParameterizedTest
  @EnumSource(Mishap.class)
  void mishap_atEachStep_leavesOneOwnerWithEverything(Mishap mishap) {
    int steps = 0;
    for (boolean done = false; !done; steps++) {
      assertTrue(steps < STEPS_MAX, "no end");
      MovingBucket story = new MovingBucket();
      try {
        story.deliver(steps);
        done = !story.isUnderWay();
        mishap.strike(story);
        story.settle(120_000);
        story.assertAtRest();
        String owner = story.owner();
        assertTrue(mishap.owners.contains(owner), () -> "owner: " + owner);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(mishap + " after " + steps + " messages: " + e.getMessage(), e);
      }
    }
    assertTrue(steps > 40, "only " + steps + " steps");
  }

  @Test
  void move_nothingGoesWrong_isWrittenToAllTheTime() {
    MovingBucket story = new MovingBucket();
    int steps = 0;
    while (!story.owns("c")) {
      story.deliverNext();
      steps++;
    }
    assertTrue(steps > 20, "only " + steps + " steps");
  }
}
