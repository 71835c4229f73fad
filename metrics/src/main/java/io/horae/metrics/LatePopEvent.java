package io.horae.metrics;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** What {@link RecordedOutbox} says of a pop that comes late. */
@Name("io.horae.LatePop")
@Label("Late Pop")
@Description("A pop was handed to the host later after its deadline than is usual")
@Category({"Horae", "Timers"})
@StackTrace(false)
final class LatePopEvent extends Event {

  @Label("Node")
  String node = "";

  @Label("Timer")
  long timer;

  @Label("Sequence")
  int sequence;

  @Label("Late By")
  @Timespan(Timespan.MILLISECONDS)
  long lateBy;
}
