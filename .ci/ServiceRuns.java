import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs the commands with which README.md shows the timer services, line by line, on any free ports;
 * and kills a service while timers are due. From the root of the project.
 */
final class ServiceRuns {

  private static final String START = "examples/cluster.sh start";
  private static final String KILL = "examples/cluster.sh kill";
  private static final Pattern STARTED = Pattern.compile("^(n[0-9]) at (http://\\S+)$");
  private static final Pattern HANDLE = Pattern.compile("\\{\"timer\":\"([^\"]+)\"\\}\\s*");
  private static final int DUE_AT_KILL = 20;

  /** Until something has happened that no machine should need so long for. */
  private static final int PATIENCE_SECONDS = 120;

  private final Path home;
  private final BlockingQueue<Callback> callbacks = new LinkedBlockingQueue<>();
  private final HttpServer client;
  private final Map<String, String> places = new HashMap<>();
  private final List<String> services = new ArrayList<>();
  private String handle = "TIMER";
  private int passed;
  private int failed;

  /** A callback as it came. */
  private record Callback(String timer, String sequence, String body) {}

  private ServiceRuns(Path home) throws IOException {
    this.home = home;
    client = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    client.createContext("/pops", this::take);
    client.start();
    places.put("http://127.0.0.1:9000", "http://127.0.0.1:" + client.getAddress().getPort());
  }

  public static void main(String[] args) throws Exception {
    Path home = Files.createTempDirectory("services");
    ServiceRuns runs = new ServiceRuns(home);
    try {
      for (String line : commands()) {
        runs.follow(line);
      }
    } finally {
      runs.run("examples/cluster.sh stop");
      runs.client.stop(0);
      try (Stream<Path> files = Files.walk(home)) {
        files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(file -> file.delete());
      }
    }
    System.out.printf("%d passed, %d failed%n", runs.passed, runs.failed);
    System.exit(runs.failed == 0 ? 0 : 1);
  }

  /** The lines of the block that starts the services. */
  private static List<String> commands() throws IOException {
    for (String block : Files.readString(Path.of("README.md")).split("```")) {
      if (block.startsWith("sh\n") && block.contains(START)) {
        return block.lines().skip(1).toList();
      }
    }
    throw new IOException("README.md starts no services");
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      callbacks.add(
          new Callback(
              exchange.getRequestHeaders().getFirst("Horae-Timer"),
              exchange.getRequestHeaders().getFirst("Horae-Sequence"),
              new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
      exchange.sendResponseHeaders(204, -1);
    }
  }

  private void follow(String line) throws Exception {
    if (line.startsWith(START)) {
      start(line);
    } else if (line.startsWith(KILL)) {
      kill(line);
    } else if (line.startsWith("curl ")) {
      ask(line);
    } else {
      run(line);
      String status = run("examples/cluster.sh status");
      check(line, status.split("is not running", -1).length == 4);
    }
  }

  /** Starts the services on other ports than the line says, and notes which those are. */
  private void start(String line) throws Exception {
    String[] ports = line.substring(START.length()).strip().split(" ");
    for (String said : run(START).lines().toList()) {
      Matcher started = STARTED.matcher(said);
      if (started.matches()) {
        places.put("http://127.0.0.1:" + ports[services.size()], started.group(2));
        services.add(started.group(2));
      }
    }
    check(line, services.size() == ports.length);
    String status = run("examples/cluster.sh status");
    check("each says who it is", List.of("n1", "n2", "n3").stream().allMatch(status::contains));
  }

  /** A timer is on two of the services, by the same handle. */
  private void ask(String line) throws Exception {
    String said = run(line);
    if (line.contains("-X DELETE")) {
      check(line, said.contains("deleted") && keepers() == 0);
    } else if (line.contains(" -d ")) {
      Matcher answer = HANDLE.matcher(said);
      check(line, answer.matches());
      handle = answer.matches() ? answer.group(1) : handle;
      check("two services keep the timer", keepers() == 2);
    } else {
      check(line, said.startsWith("["));
    }
  }

  private int keepers() throws Exception {
    int keepers = 0;
    for (String service : services) {
      keepers += run("curl " + service + "/timers").contains(id(handle)) ? 1 : 0;
    }
    return keepers;
  }

  /** A timer's handle changes when it moves; its id, with which it begins, does not. */
  private static String id(String handle) {
    return handle.substring(0, Math.min(16, handle.length()));
  }

  /** Timers pop all the same, each with its body and its number. */
  private void kill(String line) throws Exception {
    Set<String> created = new TreeSet<>();
    for (int i = 0; i < DUE_AT_KILL; i++) {
      String service = services.get(i % services.size());
      String form = "-d after=3s -d callback=http://127.0.0.1:9000/pops -d body=hello ";
      Matcher answer = HANDLE.matcher(run("curl " + form + service + "/timers"));
      created.add(answer.matches() ? id(answer.group(1)) : "none");
    }
    check(line, run(line).contains("killed"));
    Set<String> popped = new TreeSet<>();
    boolean isRight = true;
    while (popped.size() < created.size()) {
      Callback callback = callbacks.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (callback == null) {
        break;
      }
      isRight &= callback.sequence().equals("1") && callback.body().equals("hello");
      popped.add(id(callback.timer()));
    }
    check("of " + created.size() + " timers " + popped.size() + " popped", created.equals(popped));
    check("each with its body and number", isRight);
  }

  /** What a command prints, whatever becomes of it. */
  private String run(String command) throws IOException, InterruptedException {
    String here = command.replace("TIMER", handle);
    for (Map.Entry<String, String> place : places.entrySet()) {
      here = here.replace(place.getKey(), place.getValue());
    }
    ProcessBuilder shell =
        new ProcessBuilder("bash", "-c", here).redirectError(home.resolve("errors").toFile());
    shell.environment().put("HORAE_CLUSTER", home.toString());
    Process process = shell.start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      System.out.println(here + " ends with " + process.exitValue());
      System.out.println(Files.readString(home.resolve("errors")));
    }
    return said;
  }

  private void check(String what, boolean holds) {
    System.out.println((holds ? "ok: " : "FAILED: ") + what);
    passed += holds ? 1 : 0;
    failed += holds ? 0 : 1;
  }
}
