package io.horae.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.placement.HashMask;
import io.horae.resync.BucketEvent;
import io.horae.resync.BucketEvent.TransferBegun;
import io.horae.resync.BucketEvent.TransferEnded;
import io.horae.resync.BucketMessage;
import io.horae.resync.BucketOutbox;
import io.horae.resync.BucketStatistics;
import io.horae.resync.BucketStatistics.Rejection;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BucketRecordingTest {

  private static final HashMask SIX = HashMask.parse("000F/0006");
  private static final HashMask NINE = HashMask.parse("000F/0009");

  @TempDir private Path directory;

  private final List<BucketEvent> passedOn = new ArrayList<>();

  private final BucketOutbox outbox =
      new RecordedBucketOutbox(
          "a",
          new BucketOutbox() {
            @Override
            public void send(String to, BucketMessage message) {}

            @Override
            public void report(BucketEvent event) {
              passedOn.add(event);
            }
          });

  @Test
  void transfer_isRecordedFromItsBeginningToItsEnd() throws Exception {
    Path file = directory.resolve("recording.jfr");
    outbox.report(new TransferBegun(NINE, "c", false)); // before the recording
    try (Recording recording = new Recording()) {
      recording.start();
      outbox.report(new TransferBegun(SIX, "b", true));
      outbox.report(new TransferEnded(NINE, "c", false, false, 3));
      outbox.report(new TransferEnded(SIX, "b", true, true, 250));
      recording.stop();
      recording.dump(file);
    }
    outbox.report(new TransferBegun(SIX, "b", true));
    assertEquals(5, passedOn.size());

    Map<String, RecordedEvent> events = new TreeMap<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      if (event.getEventType().getName().equals("io.horae.Transfer")) {
        events.put(event.getString("bucket"), event);
      }
    }
    assertEquals(List.of("000F/0006", "000F/0009"), List.copyOf(events.keySet()));
    RecordedEvent six = events.get("000F/0006");
    RecordedEvent nine = events.get("000F/0009");
    assertEquals("a", six.getString("node"));
    assertEquals("b", six.getString("to"));
    assertTrue(six.getBoolean("isMove"));
    assertTrue(six.getBoolean("hasSucceeded"));
    assertEquals(250, six.getLong("items"));
    assertTrue(six.getDuration().toNanos() > 0);
    assertTrue(six.getStartTime().isBefore(nine.getStartTime()));
    assertFalse(nine.getBoolean("isMove"));
    assertFalse(nine.getBoolean("hasSucceeded"));
  }

  @Test
  void bucketNode_metersSayWhatTheStatisticsSay() {
    Map<Rejection, Long> rejected = Map.of(Rejection.EPOCH_BEHIND, 31L);
    BucketStatistics now =
        new BucketStatistics(true, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, rejected);
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    new BucketNodeMetrics(() -> now, Tags.empty()).bindTo(registry);

    Map<String, Double> values = new TreeMap<>();
    registry
        .getMeters()
        .forEach(
            meter -> {
              StringBuilder name = new StringBuilder(meter.getId().getName());
              meter.getId().getTags().forEach(tag -> name.append(' ').append(tag.getValue()));
              meter.measure().forEach(value -> values.put(name.toString(), value.getValue()));
            });
    values.values().removeIf(value -> value == 0);
    Map<String, Double> expected = new TreeMap<>();
    expected.put("horae.buckets.held copy", 3.0);
    expected.put("horae.buckets.held filling", 4.0);
    expected.put("horae.buckets.held primary", 1.0);
    expected.put("horae.buckets.held sending", 5.0);
    expected.put("horae.buckets.held yielding", 2.0);
    expected.put("horae.buckets.messages.rejected epoch.behind", 31.0);
    expected.put("horae.buckets.ready", 1.0);
    expected.put("horae.items sent", 8.0);
    expected.put("horae.items taken", 9.0);
    expected.put("horae.requests read", 10.0);
    expected.put("horae.requests redirect", 14.0);
    expected.put("horae.requests repeated", 13.0);
    expected.put("horae.requests retry", 15.0);
    expected.put("horae.requests write", 11.0);
    expected.put("horae.transfers done", 6.0);
    expected.put("horae.transfers failed", 7.0);
    expected.put("horae.writes.open", 12.0);
    assertEquals(expected, values);
  }
}
