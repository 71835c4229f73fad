package io.horae.jgroups;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that calls a node, and the queue of what is to call it. The queue is bounded for
 * what others may send without end, messages and clients' calls: when it is full, those are
 * refused. What must not be lost, views and the outcomes of pops, is bounded by its nature, and
 * always taken.
 */
final class Driver {

  private static final Logger LOG = LoggerFactory.getLogger(Driver.class);

  /** So many inputs are worked off before what is due has its turn. */
  private static final int INPUTS_PER_TURN = 64;

  /** After how long what threw has its turn again. */
  private static final long AGAIN_MS = 100;

  /** What the thread drives. */
  interface Engine {
    /** When {@link #tick} has something to do next, by {@link Driver#nowMs}. */
    long nextTickMs();

    void tick();
  }

  private final Engine engine;
  private final int offeredMax;
  private final LongAdder failures = new LongAdder();
  private final Thread thread;

  /** Before this the engine has no turn. For the thread alone. */
  private long notBeforeMs = Long.MIN_VALUE;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();

  // Guarded by the lock.
  private final ArrayDeque<Input> inputs = new ArrayDeque<>();
  private int offered;
  private boolean closed;

  private record Input(Task task, boolean offered) {}

  /** What calls the node. */
  @FunctionalInterface
  interface Task {
    void run();

    /** The driver was closed before it came to this. */
    default void abandoned() {}
  }

  Driver(String name, Engine engine, int offeredMax) {
    this.engine = engine;
    this.offeredMax = offeredMax;
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  /** A clock that runs evenly. */
  static long nowMs() {
    return System.nanoTime() / 1_000_000;
  }

  void start() {
    thread.start();
  }

  boolean isDriving() {
    return Thread.currentThread() == thread;
  }

  /** Queues what may be refused; tells whether it was taken. */
  boolean offer(Task task) {
    return enqueue(new Input(task, true));
  }

  /** Queues what must not be lost; tells whether it was taken, as it is until the driver closes. */
  boolean add(Task task) {
    return enqueue(new Input(task, false));
  }

  private boolean enqueue(Input input) {
    lock.lock();
    try {
      if (closed || (input.offered && offered >= offeredMax)) {
        return false;
      }
      offered += input.offered ? 1 : 0;
      inputs.add(input);
      more.signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the thread after what it is just doing. What is queued is abandoned. */
  void close() {
    List<Input> abandoned;
    lock.lock();
    try {
      closed = true;
      abandoned = List.copyOf(inputs);
      inputs.clear();
      more.signal();
    } finally {
      lock.unlock();
    }
    abandoned.forEach(input -> perform(input.task::abandoned));
  }

  /** Waits for the thread to end; not if it is this one. */
  void join() {
    boolean interrupted = false;
    while (!isDriving() && thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true; // it ends after what it is just doing
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** How many inputs threw. */
  long failures() {
    return failures.sum();
  }

  private void run() {
    while (true) {
      Input input = next(nextTickMs());
      for (int i = 1; input != null; i++) {
        perform(input.task::run);
        input = i < INPUTS_PER_TURN ? next(Long.MIN_VALUE) : null;
      }
      if (isClosed()) {
        return;
      }
      if (nextTickMs() <= nowMs() && !perform(engine::tick)) {
        notBeforeMs = nowMs() + AGAIN_MS;
      }
    }
  }

  private long nextTickMs() {
    try {
      return Math.max(engine.nextTickMs(), notBeforeMs);
    } catch (RuntimeException | Error e) {
      failed(e);
      notBeforeMs = nowMs() + AGAIN_MS;
      return notBeforeMs;
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** The next input, waiting for it until a time; null if there is none. */
  private @Nullable Input next(long untilMs) {
    lock.lock();
    try {
      while (inputs.isEmpty() && !closed) {
        long waitMs = untilMs == Long.MAX_VALUE ? untilMs : untilMs - nowMs();
        if (untilMs == Long.MIN_VALUE || waitMs <= 0) {
          return null;
        }
        more.await(waitMs, TimeUnit.MILLISECONDS);
      }
      Input input = inputs.poll();
      offered -= input != null && input.offered ? 1 : 0;
      return input;
    } catch (InterruptedException e) {
      return null; // nobody who may end the thread interrupts it
    } finally {
      lock.unlock();
    }
  }

  /** The thread goes on, whatever an action throws; tells whether it threw nothing. */
  private boolean perform(Runnable action) {
    try {
      action.run();
      return true;
    } catch (RuntimeException | Error e) {
      failed(e);
      return false;
    }
  }

  private void failed(Throwable what) {
    LOG.warn("{}: an input failed", thread.getName(), what);
    failures.increment();
  }
}
