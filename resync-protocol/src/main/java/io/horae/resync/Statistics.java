package io.horae.resync;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a node holds and has done, at one moment.
 *
 * @param timersByLevel the live timers that it is primary of, first backup of, and so on
 * @param timersOfOthers the live timers that it holds but is no longer a replica of
 * @param tombstones the tombstones that it keeps
 * @param operations the operations waiting for confirmation
 * @param popsInFlight the pops waiting for the host's word
 * @param pops the pops handed to the host
 * @param popsFailed those that failed or were not answered in time
 * @param duplicatesSuppressed the pops that another replica was first with
 * @param rejected messages that were not acted on, by reason
 * @param timersFetched the timers that resyncs brought
 * @param timersUnsettled the timers that this node is about to hand over, or that some replica may
 *     not have yet
 * @param timersLetGo the timers handed over to their new replicas
 * @param resync how the last resync stands or ended; null if there was none
 */
public record Statistics(
    List<Integer> timersByLevel,
    int timersOfOthers,
    int tombstones,
    int operations,
    int popsInFlight,
    long pops,
    long popsFailed,
    long duplicatesSuppressed,
    Map<Rejection, Long> rejected,
    long timersFetched,
    int timersUnsettled,
    long timersLetGo,
    Event.@Nullable ResyncProgress resync) {

  /**
   * Copies the collections.
   *
   * @param timersByLevel the live timers that it is primary of, first backup of, and so on
   * @param timersOfOthers the live timers that it holds but is no longer a replica of
   * @param tombstones the tombstones that it keeps
   * @param operations the operations waiting for confirmation
   * @param popsInFlight the pops waiting for the host's word
   * @param pops the pops handed to the host
   * @param popsFailed those that failed or were not answered in time
   * @param duplicatesSuppressed the pops that another replica was first with
   * @param rejected messages that were not acted on, by reason
   * @param timersFetched the timers that resyncs brought
   * @param timersUnsettled the timers that this node is about to hand over, or that some replica
   *     may not have yet
   * @param timersLetGo the timers handed over to their new replicas
   * @param resync how the last resync stands or ended; null if there was none
   */
  public Statistics {
    timersByLevel = List.copyOf(timersByLevel);
    rejected = Map.copyOf(rejected);
  }

  /** Why a message was not acted on. */
  public enum Rejection {
    /** It was said under an older view. */
    VIEW_BEHIND,
    /** It was said under a view that this node has not heard of yet. */
    VIEW_AHEAD,
    /** It was said under another view of the same epoch. */
    VIEW_DIFFERS,
    /** It answers nothing that this node is waiting for. */
    UNEXPECTED,
    /** It makes no sense. */
    MALFORMED
  }
}
