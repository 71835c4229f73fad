package io.horae.timer;

import java.util.ArrayList;
import java.util.List;

/** Takes every timer, and remembers which, in order. */
final class FiredTimers implements ExpiryHandler<String> {

  private final List<Page.Timer<String>> timers = new ArrayList<>();

  @Override
  public boolean take(long id, long deadline, String payload) {
    timers.add(new Page.Timer<>(id, deadline, payload));
    return true;
  }

  /** The timers since they were last asked for. */
  List<Page.Timer<String>> timers() {
    List<Page.Timer<String>> all = List.copyOf(timers);
    timers.clear();
    return all;
  }

  /** Their ids alone. */
  List<Long> ids() {
    return timers().stream().map(Page.Timer::id).toList();
  }

  /** Their deadlines alone. */
  List<Long> deadlines() {
    return timers().stream().map(Page.Timer::deadline).toList();
  }
}
