package io.horae.jgroups;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Members in processes of their own, on the loopback interface. {@code -Dhorae.long=true} runs each
 * story with ten times the timers. No pop is lost; one that is due while the cluster changes may
 * come twice, with the same stamp and sequence number, and none that is due at another time. The
 * stories wait for timers most of the time, so they are told at once.
 */
@Execution(ExecutionMode.CONCURRENT)
class ClusterProcessesTest {

  private static final int TIMERS = Boolean.getBoolean("horae.long") ? 100_000 : 10_000;
  private static final int SPREAD_MS = Boolean.getBoolean("horae.long") ? 30_000 : 4_000;

  /** On a machine that has something else to do, members must not take each other for dead. */
  private static final int SILENT_MS = 30_000;

  @TempDir Path directory;

  @Test
  void kill_whileAllAreDue_losesNone() throws Exception {
    try (ClusterProcesses cluster = new ClusterProcesses(directory, SILENT_MS)) {
      cluster.start("a", "b", "c");
      cluster.create("a", 0, TIMERS, SPREAD_MS);
      cluster.awaitPopped(TIMERS / 10);
      cluster.member("b").kill();
      cluster.awaitSettled();
      cluster.awaitPopped(TIMERS);
      cluster.assertAllPopped(TIMERS);
    }
  }

  @Test
  void addTwoAndTakeOneAway_whilePopping_losesNone() throws Exception {
    try (ClusterProcesses cluster = new ClusterProcesses(directory, SILENT_MS)) {
      cluster.start("a", "b", "c");
      cluster.create("b", 0, TIMERS / 2, 2 * SPREAD_MS);
      cluster.create("c", TIMERS / 2, TIMERS, 2 * SPREAD_MS);
      cluster.awaitPopped(1);
      cluster.start("d", "e");
      cluster.leave("a");
      cluster.awaitSettled();
      cluster.awaitPopped(TIMERS);
      cluster.assertAllPopped(TIMERS);
    }
  }

  @Test
  void partitionAndHeal_whilePopping_losesNone() throws Exception {
    try (ClusterProcesses cluster = new ClusterProcesses(directory, 3_000)) {
      cluster.start("a", "b", "c", "d", "e");
      cluster.create("a", 0, TIMERS, 3 * SPREAD_MS);
      cluster.awaitPopped(1);
      cluster.partition(List.of("a", "b"), List.of("c", "d", "e"));
      cluster.awaitSettled("a", "b");
      cluster.awaitSettled("c", "d", "e");
      cluster.heal();
      cluster.awaitSettled();
      cluster.awaitPopped(TIMERS);
      cluster.assertAllPopped(TIMERS);
    }
  }
}
