package io.horae.testkit;

import io.horae.placement.ClusterView;
import io.horae.resync.Confirmation;
import io.horae.resync.TimerSpec;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a client asked for, and what came of it, as the client sees it. */
final class Operation {

  enum Kind {
    CREATE,
    UPDATE,
    DELETE
  }

  private final long number;
  private final Kind kind;
  private final TimerStory story;
  private final SimulatedHost host;
  private final @Nullable TimerSpec spec;
  private final ClusterView view;
  private final List<String> replicas;
  private final long askedMs;
  private final boolean ordered;

  /** The pops seen of it, by sequence number. */
  private final BitSet pops = new BitSet();

  /** The highest pop that a host reported to have gone well. */
  private int succeeded;

  private long confirmedMs = Long.MAX_VALUE;
  private boolean ended;

  /**
   * An operation that is asked for now.
   *
   * @param spec null to delete
   * @param view the asked node's view
   * @param replicas the timer's replicas under that view
   * @param ordered whether all earlier operations on the timer have come to rest, and were asked
   *     for under the same view or before there was this one's, so that this one must win over them
   */
  Operation(
      long number,
      TimerStory story,
      SimulatedHost host,
      @Nullable TimerSpec spec,
      ClusterView view,
      List<String> replicas,
      long askedMs,
      boolean ordered) {
    this.number = number;
    this.kind =
        spec == null ? Kind.DELETE : story.operations().isEmpty() ? Kind.CREATE : Kind.UPDATE;
    this.story = story;
    this.host = host;
    this.spec = spec;
    this.view = view;
    this.replicas = replicas;
    this.askedMs = askedMs;
    this.ordered = ordered;
  }

  long number() {
    return number;
  }

  boolean deletes() {
    return kind == Kind.DELETE;
  }

  TimerStory story() {
    return story;
  }

  SimulatedHost host() {
    return host;
  }

  ClusterView view() {
    return view;
  }

  List<String> replicas() {
    return replicas;
  }

  long askedMs() {
    return askedMs;
  }

  /** Whether it was asked for when all before it had come to rest. */
  boolean ordered() {
    return ordered;
  }

  boolean isLast() {
    return story.last() == this;
  }

  long intervalMs() {
    return spec().intervalMs();
  }

  /** How many pops it asks for. */
  int popsAsked() {
    return (int) (spec().repeatForMs() / spec().intervalMs());
  }

  /** The true time that a pop is asked for. */
  long dueMs(int sequence) {
    return askedMs + sequence * intervalMs();
  }

  private TimerSpec spec() {
    if (spec == null) {
      throw new AssertionError("a delete has no pops: operation " + number);
    }
    return spec;
  }

  /** When the last of its replicas confirmed it; {@link Long#MAX_VALUE} if that has not been. */
  long confirmedMs() {
    return confirmedMs;
  }

  boolean confirmedByAll() {
    return confirmedMs != Long.MAX_VALUE;
  }

  boolean ended() {
    return ended;
  }

  void confirm(Confirmation confirmation, long nowMs) {
    ended |= confirmation.ended();
    if (confirmation.confirmed() >= confirmation.replicas() && !confirmedByAll()) {
      confirmedMs = nowMs;
    }
  }

  void pop(int sequence) {
    pops.set(sequence);
  }

  boolean hasPopped(int sequence) {
    return pops.get(sequence);
  }

  void succeed(int sequence) {
    succeeded = Math.max(succeeded, sequence);
  }

  int succeeded() {
    return succeeded;
  }

  @Override
  public String toString() {
    return "operation "
        + number
        + ": "
        + kind.name().toLowerCase(java.util.Locale.ROOT)
        + " timer "
        + Long.toHexString(story.id())
        + " at "
        + host.id()
        + (spec == null ? "" : ", every " + intervalMs() + " ms, " + popsAsked() + " times")
        + ", replicas "
        + replicas;
  }
}
