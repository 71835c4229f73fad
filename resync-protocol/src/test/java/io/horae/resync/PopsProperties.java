package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.resync.TestCluster.Host;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** When timers pop, and what comes of it. */
class PopsProperties {

  private static final String[] NODES = {"a", "b", "c", "d"};

  @Property
  void whileOneReplicaLivesATimerPopsInTime(
      @ForAll @LongRange(min = 1, max = 20_000) long intervalMs,
      @ForAll @IntRange(min = 1, max = 4) int replicas,
      @ForAll @IntRange(min = 0, max = 15) int dead) {
    Assume.that((dead & (1 << replicas) - 1) != (1 << replicas) - 1);
    TestCluster cluster = TestCluster.of(NODES);
    long startMs = cluster.nowMs;
    cluster.create("a", TestCluster.once(intervalMs, replicas));
    IntStream.range(0, 4)
        .filter(node -> (dead & 1 << node) != 0)
        .forEach(node -> cluster.stop(NODES[node]));
    cluster.runTo(startMs + 2 * intervalMs - 1);

    List<Pop> pops = cluster.pops();
    assertFalse(pops.isEmpty());
    assertEquals(1, new HashSet<>(pops).size(), "one number: " + pops);
    assertEquals(1, pops.get(0).sequence());
    assertTrue(pops.get(0).last());
    for (Host host : cluster.hosts.values()) {
      host.popTimes.forEach(atMs -> assertTrue(atMs >= startMs + intervalMs, host.id));
    }
    if (intervalMs > 4) { // else all levels pop at once
      assertEquals(1, pops.size());
    }
  }

  @Property(tries = 200)
  void aRecurringTimerPopsOncePerIntervalToItsEnd(
      @ForAll @LongRange(min = 5, max = 20_000) long intervalMs,
      @ForAll @IntRange(min = 1, max = 20) int repeats,
      @ForAll @IntRange(min = 1, max = 4) int replicas) {
    TestCluster cluster = TestCluster.of(NODES);
    TimerSpec spec =
        TestCluster.once(intervalMs, replicas).repeatedFor(repeats * intervalMs + intervalMs / 2);
    long startMs = cluster.nowMs;
    TimerId timer = cluster.create("d", spec);
    cluster.runTo(startMs + (repeats + 3) * intervalMs);

    Host primary = cluster.host("a");
    assertEquals(cluster.pops().size(), primary.pops.size());
    assertEquals(repeats, primary.pops.size());
    for (int i = 0; i < repeats; i++) {
      assertEquals(i + 1, primary.pops.get(i).sequence());
      assertEquals(startMs + (i + 1) * intervalMs, primary.popTimes.get(i));
      assertEquals(i == repeats - 1, primary.pops.get(i).last());
    }
    long endMs = startMs + repeats * intervalMs;
    for (int level = 0; level < replicas; level++) {
      assertTrue(cluster.host(NODES[level]).record(timer).ended());
    }
    cluster.runTo(endMs + cluster.options.tombstoneMs() - 1);
    assertTrue(primary.record(timer).ended());
    cluster.runTo(endMs + cluster.options.tombstoneMs());
    for (String node : NODES) {
      assertNull(cluster.host(node).record(timer), node);
    }
  }

  @Property(tries = 200)
  void afterAFailureTheNextReplicaTakesOver(
      @ForAll @LongRange(min = 100, max = 20_000) long intervalMs,
      @ForAll @IntRange(min = 1, max = 3) int failing) {
    TestCluster cluster = TestCluster.of(NODES);
    IntStream.range(0, failing).forEach(node -> cluster.host(NODES[node]).outcome = false);
    long startMs = cluster.nowMs;
    TimerId timer = cluster.create("a", TestCluster.once(intervalMs, 4));
    cluster.runTo(startMs + 2 * intervalMs - 1);

    long skewMs = Math.min(cluster.options.skewMs(), intervalMs / 5);
    for (int level = 0; level <= failing; level++) {
      Host host = cluster.host(NODES[level]);
      assertEquals(List.of(startMs + intervalMs + level * skewMs), host.popTimes, host.id);
      assertTrue(host.record(timer).ended());
    }
    assertEquals(failing + 1, cluster.pops().size());
  }

  @Example
  void whereAllFailItIsTriedAgainAndInTheEndGivenUpAndReported() {
    TimerNodeOptions options = TimerNodeOptions.builder().popAttemptsMax(3).build();
    TestCluster cluster = new TestCluster(options, "a");
    Host a = cluster.host("a");
    a.outcome = false;
    TimerId timer = cluster.create("a", TestCluster.once(100_000, 1).repeatedFor(200_000));
    cluster.runFor(150_000);

    assertEquals(3, a.pops.size());
    assertEquals(1, new HashSet<>(a.pops).size());
    assertTrue(a.popTimes.get(1) > a.popTimes.get(0) && a.popTimes.get(2) > a.popTimes.get(1));
    List<Event.PopGivenUp> givenUp = a.events(Event.PopGivenUp.class);
    assertEquals(List.of(new Event.PopGivenUp(a.pops.get(0), 3)), givenUp);
    assertEquals(1, a.record(timer).sequence());
    a.outcome = true;
    cluster.runFor(60_000);
    assertEquals(2, a.pops.get(3).sequence());
    assertTrue(a.record(timer).ended());
  }

  @Example
  void aHostThatSaysNothingIsAskedAgainAfterTheTimeout() {
    TestCluster cluster = TestCluster.of("a");
    Host a = cluster.host("a");
    a.outcome = null;
    cluster.create("a", TestCluster.once(100_000, 1));
    cluster.runFor(100_000 + cluster.options.popTimeoutMs() - 1);
    assertEquals(1, a.pops.size());
    cluster.runFor(10_000);
    assertTrue(a.pops.size() > 1);
    assertEquals(a.pops.get(0), a.pops.get(1));
  }
}
