package io.horae.jgroups;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A cluster of processes, and the client that counts their pops. Nothing here waits for a time: it
 * waits for things to happen, and fails if they do not within a time that no machine should need.
 */
final class ClusterProcesses implements AutoCloseable {

  /** Above the lateness of a busy machine: so no backup pops because its primary is only slow. */
  static final int SKEW_MS = 5_000;

  /** From when on a timer with two replicas has the whole skew: less, and it has a third of it. */
  static final int INTERVAL_MS_LEAST = 3 * SKEW_MS;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(180);

  private final Path directory;
  private final int silentMs;

  // Guarded by this.
  private final Map<String, Member> members = new LinkedHashMap<>();
  private final Map<Integer, List<Seen>> pops = new TreeMap<>();
  private int created;
  private final List<Change> changes = new ArrayList<>();
  private boolean isApart;
  private final List<String> failures = new ArrayList<>();
  private final List<String> log = new ArrayList<>();

  /** A pop as the client saw it. All processes of a machine have one clock. */
  record Seen(String member, int sequence, String stamp, long dueMs, long atMs) {}

  /**
   * A time in which not all members had one view of just themselves, and all that it gives them.
   */
  private record Change(long fromMs, long toMs) {
    /** Whether a timer that was due then may have popped here in spite of a pop elsewhere. */
    boolean explains(long dueMs, long againMs) {
      return fromMs - SKEW_MS <= dueMs && fromMs <= againMs && dueMs <= toMs;
    }
  }

  ClusterProcesses(Path directory, int silentMs) {
    this.directory = directory;
    this.silentMs = silentMs;
  }

  /** A member's process, and what it has last said. */
  final class Member {
    private final String id;
    private final Process process;
    private final Writer in;
    private long epoch;
    private int nodes;
    private int leaving;
    private long settledEpoch;
    private boolean isIgnoring;
    private boolean isLeaving;
    private boolean hasLeft;

    private Member(String id) throws IOException {
      this.id = id;
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  "-Xmx192m",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-Xshare:auto",
                  MemberMain.class.getName(),
                  id,
                  directory.toString(),
                  String.valueOf(silentMs))
              .redirectError(directory.resolve(id + ".err").toFile())
              .start();
      in = process.outputWriter(UTF_8);
      Thread reader = new Thread(this::read, "reads-" + id);
      reader.setDaemon(true);
      reader.start();
    }

    private void read() {
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          said(this, line);
        }
      } catch (IOException e) { // it was killed
        said(this, "EVENT " + e);
      }
    }

    void tell(String line) {
      try {
        in.write(line + "\n");
        in.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Ends the process as by kill -9. */
    void kill() {
      synchronized (ClusterProcesses.this) {
        members.remove(id);
        changing(Driver.nowMs());
      }
      process.destroyForcibly().onExit().join();
    }
  }

  private synchronized void said(Member member, String line) {
    String[] words = line.split(" ", -1);
    switch (words[0]) {
      case "POP" ->
          pops.computeIfAbsent(Integer.valueOf(words[1]), number -> new ArrayList<>())
              .add(
                  new Seen(
                      member.id,
                      Integer.parseInt(words[2]),
                      words[3],
                      Long.parseLong(words[4]),
                      Long.parseLong(words[5])));
      case "CREATED" -> created++;
      case "FAILED" -> failures.add(member.id + ": " + line);
      case "VIEW" -> {
        member.epoch = Long.parseLong(words[1]);
        member.nodes = Integer.parseInt(words[2]);
        member.leaving = Integer.parseInt(words[3]);
      }
      case "SETTLED" -> member.settledEpoch = Long.parseLong(words[1]);
      case "IGNORING" -> member.isIgnoring = true;
      case "LEFT" -> member.hasLeft = words[1].equals("true");
      default -> {}
    }
    if (!words[0].equals("POP") && !words[0].equals("CREATED")) {
      log.add(Driver.nowMs() + " " + member.id + ": " + line);
      if (isChanging()) {
        changing(words[0].equals("VIEW") ? Long.parseLong(words[4]) : Driver.nowMs());
      } else if (!isQuiet()) {
        Change last = changes.remove(changes.size() - 1);
        changes.add(new Change(last.fromMs, Driver.nowMs()));
      }
    }
    notifyAll();
  }

  private boolean isChanging() {
    List<Member> in = members.values().stream().filter(member -> member.epoch > 0).toList();
    return isApart
        || !in.stream()
            .allMatch(
                member ->
                    member.epoch == in.get(0).epoch
                        && (member.settledEpoch == member.epoch || member.isLeaving)
                        && member.nodes + member.leaving == in.size());
  }

  private boolean isQuiet() {
    return changes.isEmpty() || changes.get(changes.size() - 1).toMs < Long.MAX_VALUE;
  }

  /** The cluster changes, since a moment at the latest. Called with the lock. */
  private void changing(long sinceMs) {
    long fromMs = isQuiet() ? sinceMs : changes.remove(changes.size() - 1).fromMs;
    changes.add(new Change(Math.min(fromMs, sinceMs), Long.MAX_VALUE));
  }

  synchronized Member member(String id) {
    return members.get(id);
  }

  /** Starts members and waits until all are in, and hold what they should. */
  void start(String... ids) throws Exception {
    synchronized (this) {
      for (String id : ids) {
        members.put(id, new Member(id));
      }
    }
    awaitSettled();
  }

  /** Waits until all members have one view, of just themselves, and all that it gives them. */
  void awaitSettled() {
    await("the members settle", () -> isSettled(List.copyOf(members.values())));
  }

  /** Waits until some members have one view of just themselves. */
  void awaitSettled(String... ids) {
    List<Member> some = new ArrayList<>();
    for (String id : ids) {
      some.add(member(id));
    }
    await("settled: " + String.join(" ", ids), () -> isSettled(some));
  }

  private static boolean isSettled(List<Member> members) {
    long epoch = members.get(0).epoch;
    for (Member member : members) {
      if (member.epoch != epoch
          || member.settledEpoch != epoch
          || member.nodes != members.size()
          || member.leaving != 0) {
        return false;
      }
    }
    return epoch > 0;
  }

  /** Creates timers that are due some time later, spread over so long; waits for all replicas. */
  void create(String member, int from, int to, int spreadMs) {
    int before = created();
    member(member).tell("create " + from + " " + to + " " + INTERVAL_MS_LEAST + " " + spreadMs);
    await("all are created", () -> created + failures.size() == before + to - from);
    assertEquals(List.of(), failures);
  }

  private synchronized int created() {
    return created;
  }

  void awaitPopped(int count) {
    await(count + " timers have popped", () -> pops.size() >= count);
  }

  /** Takes a member away in good order, and waits until it has gone. */
  void leave(String id) {
    Member member = member(id);
    synchronized (this) {
      member.isLeaving = true;
    }
    member.tell("leave");
    await(id + " has left", () -> member.hasLeft);
    synchronized (this) {
      members.remove(id);
    }
    member.process.destroyForcibly().onExit().join();
  }

  void partition(List<String> one, List<String> other) {
    synchronized (this) {
      isApart = true;
      changing(Driver.nowMs());
    }
    one.forEach(id -> member(id).tell("ignore " + String.join(" ", other)));
    other.forEach(id -> member(id).tell("ignore " + String.join(" ", one)));
    await("apart", () -> members.values().stream().allMatch(member -> member.isIgnoring));
  }

  synchronized void heal() {
    isApart = false;
    members.values().forEach(member -> member.tell("heal"));
  }

  /**
   * None was lost; none came twice but while the cluster changed; and whoever got one twice could
   * tell.
   */
  synchronized void assertAllPopped(int timers) {
    for (int i = 0; i < timers; i++) {
      assertTrue(pops.containsKey(i), "lost: " + i);
    }
    pops.forEach(this::assertSame);
    List<String> doubled = new ArrayList<>();
    pops.forEach(
        (number, seen) -> {
          long dueMs = seen.stream().mapToLong(Seen::dueMs).min().orElseThrow();
          long againMs = seen.stream().mapToLong(Seen::atMs).sorted().skip(1).findFirst().orElse(0);
          if (seen.size() > 1
              && changes.stream().noneMatch(change -> change.explains(dueMs, againMs))) {
            doubled.add(number + ": " + seen);
          }
        });
    assertEquals(List.of(), doubled, () -> changes + "\n" + story());
  }

  private void assertSame(int number, List<Seen> seen) {
    assertEquals(1, seen.stream().map(Seen::sequence).distinct().count(), number + ": " + seen);
    assertEquals(1, seen.stream().map(Seen::stamp).distinct().count(), number + ": " + seen);
  }

  /** Waits for something to happen. */
  synchronized void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      for (Member member : members.values()) {
        assertTrue(member.process.isAlive(), () -> member.id + " has died\n" + story());
      }
      assertTrue(left > 0, () -> "not yet: " + what + "\n" + story());
      try {
        wait(Math.min(left, 1_000));
      } catch (InterruptedException e) {
        throw new AssertionError("interrupted while waiting: " + what, e);
      }
    }
  }

  /** What happened, for whoever has to find out why. */
  synchronized String story() {
    return pops.size() + " popped, " + created + " created\n" + String.join("\n", log);
  }

  @Override
  public void close() {
    List<Member> all;
    synchronized (this) {
      all = List.copyOf(members.values());
      members.clear();
    }
    all.forEach(member -> member.process.destroyForcibly().onExit().join());
  }
}
