package io.horae.testkit;

import io.horae.resync.Confirmation;
import io.horae.resync.Pop;
import io.horae.resync.TimerId;
import io.horae.resync.TimerSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An independent record of what clients asked for and were told: it knows nothing of stamps and
 * records, and believes no node.
 */
final class ClientLog {

  private record OperationKey(String node, long life, long operation) {}

  private final Map<Long, TimerStory> stories = new LinkedHashMap<>();
  private final List<Operation> operations = new ArrayList<>();
  private final Map<OperationKey, Operation> open = new HashMap<>();

  /** What was asked for before this time has come to rest. */
  private long restedMs = -1;

  /** The number that the next operation will have. */
  long nextNumber() {
    return operations.size();
  }

  Collection<TimerStory> stories() {
    return stories.values();
  }

  @Nullable TimerStory story(long id) {
    return stories.get(id);
  }

  Operation operation(long number) {
    return operations.get((int) number);
  }

  /** The operation that a pop belongs to; null if nobody asked for it. */
  @Nullable Operation of(Pop pop) {
    if (pop.payload().length < Long.BYTES) {
      return null;
    }
    long number = Payload.operation(pop);
    if (number < 0 || number >= operations.size()) {
      return null;
    }
    Operation operation = operations.get((int) number);
    return operation.story().id() == pop.timer().id() ? operation : null;
  }

  /** A client asks a host, whose view was decided on at some time. */
  Operation asked(
      long nowMs,
      SimulatedHost host,
      long viewDecidedMs,
      long operation,
      TimerId timer,
      @Nullable TimerSpec spec) {
    TimerStory story = stories.computeIfAbsent(timer.id(), id -> new TimerStory(timer));
    boolean ordered =
        story.operations().stream().allMatch(before -> isBefore(before, host, viewDecidedMs));
    Operation asked =
        new Operation(
            nextNumber(),
            story,
            host,
            spec,
            host.view(),
            host.replicas(timer.id(), timer.replicationFactor()),
            nowMs,
            ordered);
    story.operations().add(asked);
    keep(story, timer);
    operations.add(asked);
    open.put(new OperationKey(host.id(), host.life(), operation), asked);
    return asked;
  }

  /**
   * Whether an operation must yield to one that is asked of a host now: it has come to rest, and
   * was asked for under the same view or before there was that view.
   */
  private boolean isBefore(Operation before, SimulatedHost host, long viewDecidedMs) {
    boolean isViewInOrder =
        before.view().epoch() == host.view().epoch() || before.askedMs() < viewDecidedMs;
    return before.askedMs() < restedMs || (before.confirmedByAll() && isViewInOrder);
  }

  /** The operation, with what the client now knows of it; null if it is none of the client's. */
  @Nullable Operation confirmed(long nowMs, SimulatedHost host, Confirmation confirmation) {
    OperationKey key = new OperationKey(host.id(), host.life(), confirmation.operation());
    Operation operation = confirmation.ended() ? open.remove(key) : open.get(key);
    if (operation != null) {
      operation.confirm(confirmation, nowMs);
      keep(operation.story(), confirmation.timer());
    }
    return operation;
  }

  /** The operations that nobody has said the last word on. */
  Collection<Operation> open() {
    return open.values();
  }

  /** All that was asked for before a time has come to rest. */
  void rested(long beforeMs) {
    restedMs = beforeMs;
  }

  private static void keep(TimerStory story, TimerId handle) {
    if (!story.handles().get(story.handles().size() - 1).equals(handle)) {
      story.handles().add(handle);
    }
  }
}
