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

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(180);

  private final Path directory;
  private final int silentMs;

  // Guarded by this.
  private final Map<String, Member> members = new LinkedHashMap<>();
  private final Map<Integer, List<Seen>> pops = new TreeMap<>();
  private int created;
  private final List<String> failures = new ArrayList<>();
  private final List<String> log = new ArrayList<>();

  /** A pop as the client saw it. */
  record Seen(String member, int sequence, String stamp, long atNanos) {}

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
    private long resyncedEpoch;
    private boolean isIgnoring;
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
      process.destroyForcibly().onExit().join();
      synchronized (ClusterProcesses.this) {
        members.remove(id);
      }
    }
  }

  private synchronized void said(Member member, String line) {
    String[] words = line.split(" ", -1);
    switch (words[0]) {
      case "POP" ->
          pops.computeIfAbsent(Integer.valueOf(words[1]), number -> new ArrayList<>())
              .add(new Seen(member.id, Integer.parseInt(words[2]), words[3], System.nanoTime()));
      case "CREATED" -> created++;
      case "FAILED" -> failures.add(member.id + ": " + line);
      case "VIEW" -> {
        member.epoch = Long.parseLong(words[1]);
        member.nodes = Integer.parseInt(words[2]);
        member.leaving = Integer.parseInt(words[3]);
      }
      case "RESYNCED" -> {
        if (words[2].equals("0")) {
          member.resyncedEpoch = Long.parseLong(words[1]);
        }
      }
      case "IGNORING" -> member.isIgnoring = true;
      case "LEFT" -> member.hasLeft = words[1].equals("true");
      default -> {}
    }
    if (!words[0].equals("POP") && !words[0].equals("CREATED")) {
      log.add(System.nanoTime() / 1_000_000 + " " + member.id + ": " + line);
    }
    notifyAll();
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

  /** Waits until all members have one view, of just themselves, and have resynced under it. */
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
          || member.resyncedEpoch != epoch
          || member.nodes != members.size()
          || member.leaving != 0) {
        return false;
      }
    }
    return epoch > 0;
  }

  /** Creates timers that are due in so long, spread over so long, and waits for all replicas. */
  void create(String member, int from, int to, int dueMs, int spreadMs) {
    int before = created();
    member(member).tell("create " + from + " " + to + " " + dueMs + " " + spreadMs);
    await("all are created", () -> created + failures.size() == before + to - from);
    assertEquals(List.of(), failures);
  }

  private synchronized int created() {
    return created;
  }

  void awaitPopped(int count) {
    await(count + " timers have popped", () -> pops.size() >= count);
  }

  void awaitLeft(String id) {
    Member member = member(id);
    await(id + " has left", () -> member.hasLeft);
    synchronized (this) {
      members.remove(id);
    }
    member.process.destroyForcibly().onExit().join();
  }

  void partition(List<String> one, List<String> other) {
    one.forEach(id -> member(id).tell("ignore " + String.join(" ", other)));
    other.forEach(id -> member(id).tell("ignore " + String.join(" ", one)));
    await("apart", () -> members.values().stream().allMatch(member -> member.isIgnoring));
  }

  synchronized void heal() {
    members.values().forEach(member -> member.tell("heal"));
  }

  /** None was lost, and whoever got one twice could tell. */
  synchronized void assertAllPopped(int timers) {
    for (int i = 0; i < timers; i++) {
      assertTrue(pops.containsKey(i), "lost: " + i);
    }
    pops.forEach(
        (number, seen) -> {
          assertEquals(
              1, seen.stream().map(Seen::sequence).distinct().count(), number + ": " + seen);
          assertEquals(1, seen.stream().map(Seen::stamp).distinct().count(), number + ": " + seen);
        });
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
