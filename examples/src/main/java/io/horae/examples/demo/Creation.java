package io.horae.examples.demo;

import io.horae.resync.Confirmation;
import io.horae.resync.TimerSpec;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Creates timers at all nodes in turn, so many at a time. */
final class Creation {

  private static final int AT_ONCE_MAX = 256;

  private final Stage stage;
  private final Ledger ledger;
  private final TimerPlan plan;

  /** The timers' own ids, by number. */
  private final long[] ids;

  private final Semaphore free = new Semaphore(AT_ONCE_MAX);
  private final AtomicInteger failed = new AtomicInteger();

  Creation(Stage stage) {
    this.stage = stage;
    ledger = stage.ledger();
    DemoArguments arguments = stage.arguments();
    plan = new TimerPlan(arguments.seed(), arguments.seconds() * 1_000L, arguments.replicas());
    ids = new long[arguments.timers()];
  }

  /** Creates timers for a while; tells whether there are more to create. */
  boolean goOn(long forMs) throws InterruptedException {
    List<DemoNode> nodes = stage.cluster().members();
    long untilMs = Clock.nowMs() + forMs;
    while (ledger.askedCount() < ids.length) {
      if (!free.tryAcquire(forMs, TimeUnit.MILLISECONDS)) {
        return true;
      }
      create(nodes.get(ledger.askedCount() % nodes.size()));
      if (Clock.nowMs() >= untilMs) {
        return true;
      }
    }
    // When all are free again, all have been answered.
    boolean answered = free.tryAcquire(AT_ONCE_MAX, forMs, TimeUnit.MILLISECONDS);
    return !answered;
  }

  private void create(DemoNode node) {
    TimerSpec spec = plan.next(Clock.nowMs() - stage.beganMs(), ledger.askedCount());
    int pops = (int) (spec.repeatForMs() / spec.intervalMs());
    int timer = ledger.asked(Clock.nowMs(), spec.intervalMs(), pops);
    node.create(spec, confirmation -> answered(timer, confirmation));
  }

  private void answered(int timer, @Nullable Confirmation confirmation) {
    if (confirmation == null) {
      failed.incrementAndGet();
    } else {
      synchronized (ids) {
        ids[timer] = confirmation.timer().id();
      }
      ledger.created(timer, Clock.nowMs());
    }
    free.release();
  }

  /** How many timers nobody has confirmed. */
  int failedCount() {
    return failed.get();
  }

  /** The ids of the timers that have still to pop. */
  LongStream alive() {
    synchronized (ids) {
      long[] known = ids.clone();
      return IntStream.range(0, known.length)
          .filter(timer -> known[timer] != 0 && !ledger.isOver(timer))
          .mapToLong(timer -> known[timer]);
    }
  }
}
