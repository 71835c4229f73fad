package io.horae.benchmarks;

import com.google.common.base.Splitter;
import io.horae.benchmarks.report.Figure;
import io.horae.benchmarks.report.Question;
import io.horae.placement.Bucket;
import io.horae.placement.BucketPlan;
import io.horae.placement.BucketTable;
import io.horae.placement.HashMask;
import io.horae.placement.KetamaContinuum;
import io.horae.placement.Node;
import io.horae.resync.TimerNodeOptions;
import io.horae.timer.TimerWheel;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much memory does a point of a ring take, a bucket of a table, a timer in a node and in a bare
 * wheel that carries the same payloads of 100 bytes? What is retained is the heap in use after a
 * collection, in a JVM with the serial collector told to leave no gaps, so that it is what can be
 * reached. Of timers in wheels beside their peers, {@link WheelMemory} tells.
 *
 * <pre>
 * ./gradlew :benchmarks:run -PmainClass=io.horae.benchmarks.Footprint
 * mvn -q compile -Pbenchmarks -Dexec.mainClass=io.horae.benchmarks.Footprint
 * </pre>
 */
final class Footprint {

  private static final String SECTION = "What does it take in memory?";
  private static final int SERVERS = 1_000;
  private static final int BUCKETS = 65_536;
  private static final int TIMERS = 1_000_000;
  private static final int PAYLOAD_BYTES = 100;

  private Footprint() {}

  /** What is measured, by "question subject", and how many there are of what it is counted by. */
  private record Subject(int count, Supplier<Object> building) {}

  private static Map<String, Subject> subjects() {
    int points = SERVERS * Members.POINTS;
    Map<String, Subject> subjects = new LinkedHashMap<>();
    subjects.put("memory-point horae", new Subject(points, () -> Servers.horae(SERVERS)));
    subjects.put(
        "memory-point spymemcached", new Subject(points, () -> Servers.spymemcached(SERVERS)));
    subjects.put(
        "memory-point allgood", new Subject(points, () -> Members.allgood(Members.of(SERVERS))));
    subjects.put("memory-bucket horae", new Subject(BUCKETS, Footprint::table));
    subjects.put("memory-bucket map", new Subject(BUCKETS, Footprint::map));
    subjects.put("memory-node wheel", new Subject(TIMERS, Footprint::wheel));
    subjects.put("memory-node node", new Subject(TIMERS, Footprint::node));
    return subjects;
  }

  public static void main(String[] args) throws InterruptedException {
    KetamaContinuum.of(Members.of(1)); // so that no classes are counted
    Servers.spymemcached(1);
    Members.allgood(Members.of(1));
    table();
    new TimerCluster(Members.of(1), TimerNodeOptions.defaults()).fill(1, 1, new byte[1]);
    for (Map.Entry<String, Subject> subject : subjects().entrySet()) {
      String question = subject.getKey().substring(0, subject.getKey().indexOf(' '));
      if (args.length > 0 && !List.of(args).contains(question)) {
        continue;
      }
      long before = bytesInUse();
      Object built = subject.getValue().building().get();
      double bytes = (double) (bytesInUse() - before) / subject.getValue().count();
      Wheel.expect(built.hashCode() != bytes, "never, but it keeps what was built");
      System.out.println(subject.getKey() + " " + bytes);
    }
  }

  private static BucketTable table() {
    BucketTable table = BucketTable.initial(Node.of(Members.id(0)));
    while (table.size() < BUCKETS) {
      List<HashMask> masks = table.buckets().stream().map(Bucket::mask).toList();
      table = new BucketPlan(masks, List.of()).applyTo(table).table();
    }
    return table;
  }

  /** The plain way to keep them: an object for each, in a map. */
  private static Map<HashMask, Bucket> map() {
    Map<HashMask, Bucket> map = new HashMap<>();
    table().buckets().forEach(bucket -> map.put(bucket.mask(), bucket));
    return map;
  }

  private static TimerWheel<byte[]> wheel() {
    TimerWheel<byte[]> wheel = TimerWheel.startingAt(0);
    for (int i = 1; i <= TIMERS; i++) {
      wheel.schedule(Wheel.id(i), TimerCluster.DAY_MS + i, new byte[PAYLOAD_BYTES]);
    }
    return wheel;
  }

  private static TimerCluster node() {
    TimerCluster cluster = new TimerCluster(Members.of(1), TimerNodeOptions.defaults());
    cluster.fillOneByOne(TIMERS, PAYLOAD_BYTES);
    return cluster;
  }

  /** Collects until nothing more goes: what has a finalizer takes several rounds. */
  private static long bytesInUse() throws InterruptedException {
    long least = Long.MAX_VALUE;
    for (int same = 0; same < 3; same++) {
      System.gc();
      long now = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      if (now < least - 10_000) {
        least = now;
        same = 0;
      }
      Thread.sleep(20);
    }
    return least;
  }

  /** Runs a class in such a JVM; returns what it prints. */
  private static List<String> run(Class<?> main, String... args)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:+UseSerialGC",
                "-XX:MarkSweepAlwaysCompactCount=1",
                "-Xmx4g",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(args));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    List<String> lines;
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      lines = out.lines().toList();
    }
    Wheel.expect(process.waitFor() == 0, "failed: " + command);
    return lines;
  }

  static List<Computed> questions() {
    Question timer =
        Question.of("memory-timer", SECTION, "A timer in a wheel", "timers", "bytes")
            .text(
                "With an index by the caller's ids, without which a timer could not be cancelled;"
                    + " Horae's and Agrona's with ids have it, the others are given Agrona's map."
                    + " Payloads are not counted.")
            .horae("horae", "Horae")
            .peer("agronaWithIds-4096", "Agrona with ids, 4,096")
            .peer("agronaWithIds-524288", "Agrona with ids, 524,288")
            .peer("netty-4096", "Netty, 4,096")
            .peer("kafka-256", "Kafka, 256")
            .peer("executor", "the JDK's executor");
    Question point =
        Question.of("memory-point", SECTION, "A point of a ring", "servers", "bytes")
            .text("Of 1,000 servers with 160 points each, the servers included.")
            .horae("horae", "Horae, Ketama")
            .peer("spymemcached", "spymemcached")
            .peer("allgood", "allgood");
    Question bucket =
        Question.of("memory-bucket", SECTION, "A bucket of a table", "buckets", "bytes")
            .text("Of 65,536 on one server. The map has an object for each.")
            .horae("horae", "Horae")
            .peer("map", "a `HashMap`");
    Question node =
        Question.of("memory-node", SECTION, "A replicated timer", "timers", "bytes")
            .text("Its payload of 100 bytes included, in a `TimerNode` and in a bare wheel.")
            .horae("node", "in a node")
            .work("wheel", "in a bare wheel");
    return List.of(
        new Computed(timer, 60, () -> wheels(timer)),
        new Computed(point, 6, () -> figures(point, Integer.toString(SERVERS))),
        new Computed(bucket, 6, () -> figures(bucket, Integer.toString(BUCKETS))),
        new Computed(node, 6, () -> figures(node, Integer.toString(TIMERS))));
  }

  private static List<Figure> figures(Question question, String size)
      throws IOException, InterruptedException {
    List<Figure> figures = new ArrayList<>();
    bytes(question.id())
        .forEach((subject, bytes) -> figures.add(figure(question, subject, size, bytes)));
    return figures;
  }

  /** The bytes of each subject of a question, measured in a JVM of its own. */
  static Map<String, Double> bytes(String question) throws IOException, InterruptedException {
    Map<String, Double> bytes = new LinkedHashMap<>();
    for (String line : run(Footprint.class, question)) {
      List<String> words = Splitter.on(' ').splitToList(line);
      bytes.put(words.get(1), Double.parseDouble(words.get(2)));
    }
    return bytes;
  }

  /** A line: the wheel, the range of its bytes, and that with an index if it needs one. */
  private static final Pattern WHEEL =
      Pattern.compile("(\\S+) +[\\d.]+ to ([\\d.]+)(?: +[\\d.]+ to ([\\d.]+))?.*");

  private static List<Figure> wheels(Question question) throws IOException, InterruptedException {
    List<Figure> figures = new ArrayList<>();
    String[] names = question.subjects().stream().map(Question.Subject::id).toArray(String[]::new);
    for (String line : run(WheelMemory.class, names)) {
      Matcher parts = WHEEL.matcher(line);
      if (parts.matches()) {
        String most = parts.group(3) == null ? parts.group(2) : parts.group(3);
        figures.add(
            figure(question, parts.group(1), Integer.toString(TIMERS), Double.parseDouble(most)));
      }
    }
    return figures;
  }

  private static Figure figure(Question question, String subject, String size, double bytes) {
    return new Figure(question.id(), subject, size, bytes, Double.NaN, Double.NaN);
  }
}
