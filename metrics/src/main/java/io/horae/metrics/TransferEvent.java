package io.horae.metrics;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** What {@link RecordedBucketOutbox} says of a transfer; it lasts as long as that. */
@Name("io.horae.Transfer")
@Label("Bucket Transfer")
@Description("This server has sent a bucket to another, or has tried to")
@Category({"Horae", "Buckets"})
@StackTrace(false)
final class TransferEvent extends Event {

  @Label("Node")
  String node = "";

  @Label("Bucket")
  String bucket = "";

  @Label("To")
  String to = "";

  @Label("Is Move")
  boolean isMove;

  @Label("Has Succeeded")
  boolean hasSucceeded;

  @Label("Items")
  long items;
}
