package io.horae.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.horae.placement.BucketTable;
import io.horae.placement.HashMask;
import io.horae.placement.Node;
import io.horae.resync.Event.ResyncProgress;
import io.horae.resync.Statistics;
import io.horae.resync.Statistics.Rejection;
import io.horae.resync.ViewStamp;
import io.horae.timer.ConcurrentTimerWheel;
import io.horae.timer.TimerWheel;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class MetersTest {

  private static final Tags TAGS = Tags.of("node", "a");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  /** Every value another number. */
  private static Statistics statistics(ResyncProgress resync) {
    Map<Rejection, Long> rejected = Map.of(Rejection.VIEW_BEHIND, 21L, Rejection.MALFORMED, 22L);
    return new Statistics(List.of(1, 2, 3, 0), 4, 5, 6, 7, 8, 9, 10, rejected, 11, 12, 13, resync);
  }

  /** What the registry has, by name and those tags that are not all meters'. */
  private Map<String, Double> values() {
    Map<String, Double> values = new TreeMap<>();
    for (Meter meter : registry.getMeters()) {
      assertEquals("a", meter.getId().getTag("node"));
      StringBuilder name = new StringBuilder(meter.getId().getName());
      for (var tag : meter.getId().getTags()) {
        name.append(tag.getKey().equals("node") ? "" : " " + tag.getValue());
      }
      for (Measurement measurement : meter.measure()) {
        values.put(name.toString(), measurement.getValue());
      }
    }
    return values;
  }

  @Test
  void timerNode_metersSayWhatTheStatisticsSay() {
    ResyncProgress resync = new ResyncProgress(new ViewStamp(2, 17), 31, 32, 33, 34, 35, 36, false);
    Statistics now = statistics(resync);
    new TimerNodeMetrics(() -> now, TAGS).bindTo(registry);

    Map<String, Double> expected = new TreeMap<>();
    expected.put("horae.timers primary", 1.0);
    expected.put("horae.timers backup", 5.0);
    expected.put("horae.timers other", 4.0);
    expected.put("horae.tombstones", 5.0);
    expected.put("horae.operations", 6.0);
    expected.put("horae.pops.in.flight", 7.0);
    expected.put("horae.pops", 8.0);
    expected.put("horae.pops.failed", 9.0);
    expected.put("horae.pops.suppressed", 10.0);
    expected.put("horae.timers.fetched", 11.0);
    expected.put("horae.timers.unsettled", 12.0);
    expected.put("horae.timers.let.go", 13.0);
    expected.put("horae.messages.rejected view.behind", 21.0);
    expected.put("horae.messages.rejected view.ahead", 0.0);
    expected.put("horae.messages.rejected view.differs", 0.0);
    expected.put("horae.messages.rejected unexpected", 0.0);
    expected.put("horae.messages.rejected malformed", 22.0);
    expected.put("horae.resync.running", 1.0);
    expected.put("horae.resync.nodes done", 31.0);
    expected.put("horae.resync.nodes left", 32.0);
    expected.put("horae.resync.nodes given.up", 33.0);
    assertEquals(expected, values());
  }

  @Test
  void timerNode_metersFollowTheNode() {
    TwoNodes cluster = new TwoNodes(outbox -> outbox);
    AtomicReference<Statistics> latest = new AtomicReference<>(cluster.nodes.get("a").statistics());
    new TimerNodeMetrics(latest::get, TAGS).bindTo(registry);
    assertEquals(0, values().get("horae.timers primary"));

    cluster.create(5);
    latest.set(cluster.nodes.get("a").statistics());
    assertEquals(5, values().get("horae.timers primary"));
    assertEquals(0, values().get("horae.pops"));
    assertEquals(0, values().get("horae.resync.running"));

    cluster.advance(3_600_000);
    latest.set(cluster.nodes.get("a").statistics());
    assertEquals(0, values().get("horae.timers primary"));
    assertEquals(5, values().get("horae.pops"));
    assertEquals(5, values().get("horae.tombstones"));
  }

  @Test
  void timerNode_withoutAResync_saysNone() {
    new TimerNodeMetrics(() -> statistics(null), TAGS).bindTo(registry);

    assertEquals(0, values().get("horae.resync.running"));
    assertEquals(0, values().get("horae.resync.nodes left"));
  }

  @Test
  void meters_keepWhatTheyReadFrom() {
    AtomicLong value = new AtomicLong();
    // A counter and a gauge, each with a supplier that nobody else holds.
    new Meters<>(registry, TAGS, () -> value).counter("counter", "", AtomicLong::get);
    new Meters<>(registry, TAGS, () -> value).gauge("gauge", "", AtomicLong::get);
    System.gc();
    value.set(17);

    assertEquals(Map.of("counter", 17.0, "gauge", 17.0), values());
  }

  @Test
  void timerWheel_metersSayHowManyAndHowLate() {
    AtomicLong clock = new AtomicLong(1_000);
    ConcurrentTimerWheel wheel =
        new ConcurrentTimerWheel(TimerWheel.builder().start(1_000), Runnable::run, 10);
    new TimerWheelMetrics(wheel, clock::get, TimeUnit.MILLISECONDS, TAGS).bindTo(registry);
    assertEquals(Map.of("horae.wheel.timers", 0.0, "horae.wheel.lag", 0.0), values());

    wheel.schedule(3_000, () -> {});
    wheel.schedule(9_000, () -> {});
    clock.set(3_000);
    assertEquals(Map.of("horae.wheel.timers", 2.0, "horae.wheel.lag", 0.0), values());
    clock.set(5_500);
    assertEquals(Map.of("horae.wheel.timers", 2.0, "horae.wheel.lag", 2.5), values());
    wheel.advance(5_500, 10);
    assertEquals(Map.of("horae.wheel.timers", 1.0, "horae.wheel.lag", 0.0), values());
  }

  @Test
  void timerWheel_furtherBehindThanALongCanSay_isAsLateAsALongCanSay() {
    ConcurrentTimerWheel wheel =
        new ConcurrentTimerWheel(TimerWheel.builder().start(Long.MIN_VALUE), Runnable::run, 10);
    wheel.schedule(Long.MIN_VALUE + 1, () -> {});
    new TimerWheelMetrics(wheel, () -> Long.MAX_VALUE - 1, TimeUnit.SECONDS, TAGS).bindTo(registry);

    assertEquals((double) Long.MAX_VALUE, values().get("horae.wheel.lag"));
  }

  @Test
  void bucketTable_metersSayWhoOwnsHowMuch() {
    Node a = Node.of("a");
    Node b = Node.of("b");
    AtomicReference<BucketTable> table = new AtomicReference<>(BucketTable.initial(a));
    new BucketTableMetrics(b, table::get, TAGS).bindTo(registry);
    assertEquals(0, values().get("horae.buckets.owned"));
    assertEquals(1, values().get("horae.buckets.servers"));

    BucketTable two = table.get().join(b).table().move(HashMask.parse("000F/0006"), b).table();
    table.set(two.split(HashMask.parse("000F/0006")).table());
    assertEquals(31, values().get("horae.buckets"));
    assertEquals(16, values().get("horae.buckets.owned"));
    assertEquals(2, values().get("horae.buckets.servers"));
    assertEquals(3, values().get("horae.buckets.version"));
  }

  @Test
  void nulls_areNamed() {
    for (Runnable bad :
        List.<Runnable>of(
            () -> new TimerNodeMetrics(null, TAGS),
            () -> new TimerNodeMetrics(() -> statistics(null), null),
            () -> new BucketTableMetrics(null, () -> null, TAGS),
            () -> new TimerWheelMetrics(null, () -> 0, TimeUnit.SECONDS, TAGS))) {
      String message = assertThrows(IllegalArgumentException.class, bad::run).getMessage();
      assertEquals("must not be null", message.substring(message.indexOf("must")));
    }
  }
}
