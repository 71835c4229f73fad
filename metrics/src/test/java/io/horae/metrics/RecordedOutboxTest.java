package io.horae.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.horae.resync.Confirmation;
import io.horae.resync.Event;
import io.horae.resync.Message;
import io.horae.resync.Outbox;
import io.horae.resync.Pop;
import io.horae.resync.Stamp;
import io.horae.resync.TimerId;
import io.horae.resync.ViewStamp;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedOutboxTest {

  private static final String PAGE = "io.horae.ResyncPage";
  private static final String PROGRESS = "io.horae.ResyncProgress";
  private static final String LATE_POP = "io.horae.LatePop";

  private static final List<String> ALL = List.of(PAGE, PROGRESS, LATE_POP);

  @TempDir private Path directory;

  /** For the clock that the outboxes are made with before the nodes are. */
  private TwoNodes cluster;

  private List<RecordedEvent> recorded(Runnable run, String... events) throws IOException {
    Path file = directory.resolve("recording.jfr");
    try (Recording recording = new Recording()) {
      for (String event : ALL) {
        recording.disable(event); // else it is on
      }
      for (String event : events) {
        recording.enable(event);
      }
      recording.start();
      run.run();
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().startsWith("io.horae."))
        .toList();
  }

  private void start(long lateMs) {
    LongSupplier clock = () -> cluster.nowMs;
    cluster = new TwoNodes(outbox -> new RecordedOutbox("some", outbox, clock, lateMs));
  }

  @Test
  void resync_isRecordedPageByPage() throws IOException {
    start(0);
    List<RecordedEvent> events =
        recorded(
            () -> {
              cluster.create(250);
              cluster.joinOfB();
            },
            PAGE,
            PROGRESS);

    List<RecordedEvent> pages = events.stream().filter(event -> is(event, PAGE)).toList();
    List<RecordedEvent> toB =
        pages.stream().filter(page -> page.getString("to").equals("b")).toList();
    assertEquals(250, toB.stream().mapToInt(page -> page.getInt("records")).sum());
    assertEquals(
        List.of(false, false, true), toB.stream().map(page -> page.getBoolean("isLast")).toList());
    assertTrue(pages.stream().allMatch(page -> page.getString("node").equals("some")));
    assertTrue(pages.stream().allMatch(page -> page.getLong("epoch") == 2));

    List<RecordedEvent> progress =
        events.stream()
            .filter(event -> is(event, PROGRESS) && event.getLong("epoch") == 2)
            .toList();
    assertTrue(
        progress.stream()
            .anyMatch(
                event ->
                    event.getBoolean("hasEnded")
                        && event.getLong("timers") == 250
                        && event.getLong("pages") == 3
                        && event.getInt("nodesDone") == 1
                        && event.getInt("nodesLeft") == 0
                        && event.getInt("nodesGivenUp") == 0));
  }

  private static boolean is(RecordedEvent event, String name) {
    return event.getEventType().getName().equals(name);
  }

  @Test
  void latePop_isRecordedFromTheLimitOn() throws IOException {
    start(500);
    List<RecordedEvent> events =
        recorded(
            () -> {
              cluster.create(1);
              cluster.advance(3_600_499);
              cluster.create(1);
              cluster.advance(3_600_500);
            },
            LATE_POP);

    assertEquals(1, events.size(), events::toString);
    assertEquals(500, events.get(0).getDuration("lateBy").toMillis());
    assertEquals(1, events.get(0).getInt("sequence"));
  }

  @Test
  void recording_thatDoesNotWantThem_getsNone() throws IOException {
    start(0);
    List<RecordedEvent> events =
        recorded(
            () -> {
              cluster.create(1);
              cluster.joinOfB();
              cluster.advance(3_600_000);
            });

    assertEquals(List.of(), events);
  }

  @Test
  void everything_isPassedOn_inItsOrder() throws IOException {
    TwoNodes plain = new TwoNodes(outbox -> outbox);
    plain.create(3);
    plain.joinOfB();
    plain.advance(3_600_000);

    start(0);
    recorded(
        () -> {
          cluster.create(3);
          cluster.joinOfB();
          cluster.advance(3_600_000);
        },
        PAGE,
        PROGRESS,
        LATE_POP);

    assertTrue(plain.passedOn.size() > 20, () -> plain.passedOn.size() + " are too few");
    assertEquals(plain.passedOn.toString(), cluster.passedOn.toString());
  }

  /** What costs nothing: an outbox that drops all. */
  private static final Outbox NOWHERE =
      new Outbox() {
        @Override
        public void send(String to, Message message) {}

        @Override
        public void pop(Pop pop) {}

        @Override
        public void confirmed(Confirmation confirmation) {}

        @Override
        public void report(Event event) {}
      };

  @Test
  void events_thatNobodyWants_allocateNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    assumeTrue(threads.isThreadAllocatedMemorySupported());
    ViewStamp view = new ViewStamp(2, 17);
    Message page = new Message.Page(1, view, List.of(), List.of(), null);
    Pop pop = new Pop(new TimerId(1, 2, 3), new Stamp(1, 1), 1, true, 0, new byte[0]);
    Event progress = new Event.ResyncProgress(view, 1, 0, 0, 3, 250, 7, true);
    Outbox outbox = new RecordedOutbox("some", NOWHERE, () -> 1_000, 0);

    long least = Long.MAX_VALUE;
    for (int round = 0; round < 5 && least > 0; round++) {
      long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
      for (int i = 0; i < 1_000; i++) {
        outbox.send("b", page);
        outbox.pop(pop);
        outbox.report(progress);
      }
      long bytes = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
      least = Math.min(least, bytes);
    }
    assertEquals(0, least / 1_000);
  }

  @Test
  void badArguments_areNamed() {
    assertEquals(
        "lateMs must not be negative: -1",
        assertThrows(
                IllegalArgumentException.class,
                () -> new RecordedOutbox("some", NOWHERE, () -> 0, -1))
            .getMessage());
    for (String missing : List.of("node", "outbox", "clock")) {
      assertEquals(
          missing + " must not be null",
          assertThrows(
                  IllegalArgumentException.class,
                  () ->
                      new RecordedOutbox(
                          missing.equals("node") ? null : "some",
                          missing.equals("outbox") ? null : NOWHERE,
                          missing.equals("clock") ? null : () -> 0,
                          0))
              .getMessage());
    }
  }
}
