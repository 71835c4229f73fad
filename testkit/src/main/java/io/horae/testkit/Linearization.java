package io.horae.testkit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Whether the operations on a key can be put into one order, each somewhere between its beginning
 * and its end, such that each read finds what was written last. An operation without an end may
 * come at any time after its beginning, or never. Follows all orders at once, event by event.
 */
final class Linearization {

  /** Beyond this a history is taken for good: it has too many writes of unknown end. */
  private static final int STATES_MAX = 20_000;

  /** A value, and which of the operations under way have had their effect. */
  private record State(String value, Set<BucketStep> done) {}

  private record Moment(long at, BucketStep step, boolean begins) {}

  private Linearization() {}

  /** The first read or write that fits into no order; empty if all fit. */
  static String unfit(List<BucketStep> steps) {
    List<Moment> moments = new ArrayList<>();
    for (BucketStep step : steps) {
      if (step.reads() && step.ended() == Long.MAX_VALUE) {
        continue;
      }
      moments.add(new Moment(step.begun(), step, true));
      if (step.ended() != Long.MAX_VALUE) {
        moments.add(new Moment(step.ended(), step, false));
      }
    }
    moments.sort((one, other) -> Long.compare(one.at, other.at));
    Set<State> states = new HashSet<>(Set.of(new State("", Set.of())));
    Set<BucketStep> open = new HashSet<>();
    for (Moment moment : moments) {
      if (moment.begins) {
        open.add(moment.step);
        continue;
      }
      states = with(closure(states, open), moment.step);
      open.remove(moment.step);
      if (states.isEmpty()) {
        return moment.step.toString();
      }
      if (states.size() > STATES_MAX) {
        return "";
      }
    }
    return "";
  }

  private static Set<State> closure(Set<State> states, Set<BucketStep> open) {
    Set<State> all = new HashSet<>(states);
    List<State> fresh = new ArrayList<>(states);
    while (!fresh.isEmpty() && all.size() <= STATES_MAX) {
      State state = fresh.remove(fresh.size() - 1);
      for (BucketStep step : open) {
        boolean fits = !state.done.contains(step);
        if (fits && step.reads()) {
          fits = step.found().equals(state.value);
        }
        if (fits) {
          Set<BucketStep> done = new HashSet<>(state.done);
          done.add(step);
          State next = new State(step.reads() ? state.value : step.value(), done);
          if (all.add(next)) {
            fresh.add(next);
          }
        }
      }
    }
    return all;
  }

  private static Set<State> with(Set<State> states, BucketStep ended) {
    Set<State> kept = new HashSet<>();
    for (State state : states) {
      if (state.done.contains(ended)) {
        Set<BucketStep> done = new HashSet<>(state.done);
        done.remove(ended);
        kept.add(new State(state.value, done));
      }
    }
    return kept;
  }
}
