package io.horae.metrics;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** What {@link RecordedOutbox} says of a resync: one when it starts, for each page, at the end. */
@Name("io.horae.ResyncProgress")
@Label("Resync Progress")
@Description("How a resync of this node goes")
@Category({"Horae", "Timers"})
@StackTrace(false)
final class ProgressEvent extends Event {

  @Label("Node")
  String node = "";

  @Label("Epoch")
  long epoch;

  @Label("Nodes Done")
  int nodesDone;

  @Label("Nodes Left")
  int nodesLeft;

  @Label("Nodes Given Up")
  int nodesGivenUp;

  @Label("Pages")
  long pages;

  @Label("Timers")
  long timers;

  @Label("Timers Left")
  long timersLeft;

  @Label("Has Ended")
  boolean hasEnded;
}
