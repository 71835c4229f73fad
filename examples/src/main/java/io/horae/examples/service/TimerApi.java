package io.horae.examples.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.horae.jgroups.JGroupsHost;
import io.horae.resync.Confirmation;
import io.horae.resync.TimerId;
import io.horae.resync.TimerRecord;
import io.horae.resync.TimerSpec;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;

/**
 * What can be asked over HTTP, of any member:
 *
 * <table>
 *   <caption>Requests</caption>
 *   <tr><td>{@code POST /timers}</td><td>creates a timer</td></tr>
 *   <tr><td>{@code PUT /timers/}<i>timer</i></td><td>changes one, which starts anew</td></tr>
 *   <tr><td>{@code DELETE /timers/}<i>timer</i></td><td>deletes one</td></tr>
 *   <tr><td>{@code GET /timers?after=}<i>timer</i></td><td>lists those that this member keeps, a
 *     hundred at a time</td></tr>
 *   <tr><td>{@code GET /}</td><td>says who is in the cluster, and what this member holds</td></tr>
 * </table>
 *
 * <p>POST and PUT take a form: {@code after} and {@code callback}; if wanted {@code for} (it pops
 * every {@code after}, for so long), {@code body}, and for POST {@code replicas}. The answer has
 * the timer's handle from now on. It comes when all replicas have confirmed; 503 means that not all
 * did, or that the member has too much to do: ask again.
 */
final class TimerApi implements HttpHandler {

  private static final String TIMERS = "/timers";
  private static final int LIST_MAX = 100;
  private static final int FORM_BYTES_MAX = 100_000;

  private final JGroupsHost host;
  private final ListedStore store;

  TimerApi(JGroupsHost host, ListedStore store) {
    this.host = host;
    this.store = store;
  }

  private record Answer(int status, String body) {}

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Answer answer;
      try {
        answer = answer(exchange);
      } catch (IllegalArgumentException e) {
        answer = problem(400, e);
      } catch (CompletionException e) {
        Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
        answer = problem(cause instanceof IllegalArgumentException ? 400 : 503, cause);
      } catch (RejectedExecutionException | IllegalStateException e) {
        answer = problem(503, e);
      }
      byte[] body = (answer.body() + "\n").getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(answer.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static Answer problem(int status, Throwable problem) {
    return new Answer(status, Json.object(Map.of("problem", String.valueOf(problem.getMessage()))));
  }

  private Answer answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String method = exchange.getRequestMethod();
    String named = path.startsWith(TIMERS + "/") ? path.substring(TIMERS.length() + 1) : "";
    String request = method + " " + (named.isEmpty() ? path : TIMERS + "/*");
    return switch (request) {
      case "GET /" -> new Answer(200, member());
      case "GET /timers" -> new Answer(200, list(exchange.getRequestURI().getQuery()));
      case "POST /timers" -> {
        TimerSpec spec = form(exchange).spec(TimerSpec.REPLICATION_FACTOR);
        String handle = confirmed(host.create(spec));
        exchange.getResponseHeaders().set("Location", TIMERS + "/" + handle);
        yield new Answer(201, Json.object(Map.of("timer", handle)));
      }
      case "PUT /timers/*" -> {
        TimerId timer = TimerId.parse(named);
        TimerSpec spec = form(exchange).spec(timer.replicationFactor());
        yield new Answer(200, Json.object(Map.of("timer", confirmed(host.update(timer, spec)))));
      }
      case "DELETE /timers/*" -> {
        confirmed(host.delete(TimerId.parse(named)));
        yield new Answer(200, Json.object(Map.of("deleted", named)));
      }
      default -> problem(404, new IOException("no such request: " + method + " " + path));
    };
  }

  private static Form form(HttpExchange exchange) throws IOException {
    byte[] text = exchange.getRequestBody().readNBytes(FORM_BYTES_MAX + 1);
    if (text.length > FORM_BYTES_MAX) {
      throw new IllegalArgumentException("more than " + FORM_BYTES_MAX + " bytes");
    }
    return new Form(new String(text, UTF_8));
  }

  /** The handle to keep; waits for all replicas. */
  private static String confirmed(CompletableFuture<Confirmation> operation) {
    return operation.join().timer().toString();
  }

  private String member() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("node", host.node().id());
    fields.put("view", String.valueOf(host.view()));
    fields.put("timers", host.statistics().node().timersByLevel().toString());
    return Json.object(fields);
  }

  private String list(String query) {
    long after = 0;
    if (query != null) {
      if (!query.startsWith("after=")) {
        throw new IllegalArgumentException("there is nothing but after=, and a timer: " + query);
      }
      after = TimerId.parse(query.substring("after=".length())).id();
    }
    return store.list(after, LIST_MAX).stream()
        .map(this::listed)
        .collect(Collectors.joining(",\n ", "[", "]"));
  }

  private String listed(TimerRecord record) {
    long nowMs = System.nanoTime() / 1_000_000; // as the host has it
    long dueMs = record.startMs() + (record.sequence() + 1L) * record.intervalMs();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("timer", ListedStore.handle(record));
    fields.put("dueInMs", dueMs - nowMs);
    fields.put("sequence", record.sequence());
    fields.put("callback", Callback.ofPayload(record.payload()).uri());
    fields.put("level", record.assignment().level(host.node().id()));
    return Json.object(fields);
  }
}
