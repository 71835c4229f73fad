package io.horae.metrics;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** What {@link RecordedOutbox} says of a page that was asked of this node. */
@Name("io.horae.ResyncPage")
@Label("Resync Page")
@Description("A page of timers sent to a node that asked for it")
@Category({"Horae", "Timers"})
@StackTrace(false)
final class PageEvent extends Event {

  @Label("Node")
  String node = "";

  @Label("To")
  String to = "";

  @Label("Epoch")
  long epoch;

  @Label("Records")
  int records;

  @Label("References")
  int references;

  @Label("Is Last")
  boolean isLast;
}
