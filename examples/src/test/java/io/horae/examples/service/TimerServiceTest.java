package io.horae.examples.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.horae.jgroups.Stacks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two members and a client, over HTTP; each test has a path of its own for its callbacks. */
class TimerServiceTest {

  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static TimerService one;
  private static TimerService two;
  private static HttpServer client;

  /** A callback as it came. */
  private record Came(String timer, String stamp, String sequence, String last, String body) {}

  @BeforeAll
  static void start() throws Exception {
    client = HttpServer.create(ANY_PORT, 0);
    client.start();
    one = TimerService.start("one", Stacks.inProcess(), ANY_PORT);
    two = TimerService.start("two", Stacks.inProcess(), ANY_PORT);
  }

  @AfterAll
  static void stop() {
    one.close();
    two.close();
    client.stop(0);
  }

  /** Takes callbacks at a path, and answers with a status for each, the last again and again. */
  private static BlockingQueue<Came> callbacksAt(String path, int... statuses) {
    BlockingQueue<Came> callbacks = new LinkedBlockingQueue<>();
    int[] count = {0};
    client.createContext(
        path,
        exchange -> {
          int status = statuses[Math.min(count[0]++, statuses.length - 1)];
          callbacks.add(came(exchange));
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    return callbacks;
  }

  private static Came came(HttpExchange exchange) throws IOException {
    return new Came(
        exchange.getRequestHeaders().getFirst("Horae-Timer"),
        exchange.getRequestHeaders().getFirst("Horae-Stamp"),
        exchange.getRequestHeaders().getFirst("Horae-Sequence"),
        exchange.getRequestHeaders().getFirst("Horae-Last"),
        new String(exchange.getRequestBody().readAllBytes(), UTF_8));
  }

  private static String form(String path, String rest) {
    return "callback=http://127.0.0.1:" + client.getAddress().getPort() + path + rest;
  }

  private static HttpResponse<String> send(
      TimerService service, String method, String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(service.uri() + path))
            .method(method, BodyPublishers.ofString(body))
            .build();
    return HTTP.send(request, BodyHandlers.ofString());
  }

  private static String created(TimerService service, String form) throws Exception {
    HttpResponse<String> response = send(service, "POST", "/timers", form);
    assertEquals(201, response.statusCode(), response.body());
    String location = response.headers().firstValue("Location").orElseThrow();
    String timer = location.substring("/timers/".length());
    assertEquals("{\"timer\":\"" + timer + "\"}\n", response.body());
    return timer;
  }

  private static Came next(BlockingQueue<Came> callbacks) throws InterruptedException {
    Came came = callbacks.poll(120, TimeUnit.SECONDS);
    assertNotNull(came, "no callback");
    return came;
  }

  @Test
  void create_callsBackWithItsBodyAndSequence() throws Exception {
    BlockingQueue<Came> callbacks = callbacksAt("/create", 204);
    String body = URLEncoder.encode("50 % & \"more\"", UTF_8);

    String timer = created(one, form("/create", "&after=300ms&for=600ms&body=" + body));

    Came first = next(callbacks);
    assertEquals(timer.substring(0, 16), first.timer().substring(0, 16));
    assertEquals("1", first.sequence());
    assertEquals("false", first.last());
    assertEquals("50 % & \"more\"", first.body());
    Came second = next(callbacks);
    while (second.sequence().equals("1")) {
      assertEquals(first.stamp(), second.stamp(), "the same pop again");
      second = next(callbacks);
    }
    assertEquals("2", second.sequence());
    assertEquals("true", second.last());
  }

  @Test
  void callback_refused_comesAgainWithTheSameSequence() throws Exception {
    BlockingQueue<Came> callbacks = callbacksAt("/refused", 500, 204);

    created(two, form("/refused", "&after=200ms"));

    Came first = next(callbacks);
    assertEquals(first, next(callbacks));
  }

  @Test
  void update_atAnotherMember_startsAnew() throws Exception {
    BlockingQueue<Came> before = callbacksAt("/before", 204);
    BlockingQueue<Came> after = callbacksAt("/after", 204);
    String timer = created(one, form("/before", "&after=1h"));

    HttpResponse<String> response =
        send(two, "PUT", "/timers/" + timer, form("/after", "&after=200ms"));

    assertEquals(200, response.statusCode(), response.body());
    assertEquals("1", next(after).sequence());
    assertTrue(before.isEmpty());
  }

  @Test
  void delete_atAnotherMember_takesItOffTheList() throws Exception {
    String timer = created(one, form("/none", "&after=1h"));
    String id = timer.substring(0, 16);
    for (TimerService service : new TimerService[] {one, two}) {
      String list = send(service, "GET", "/timers", "").body();
      assertTrue(list.contains("{\"timer\":\"" + timer + "\",\"dueInMs\":35"), list);
    }

    assertEquals(200, send(two, "DELETE", "/timers/" + timer, "").statusCode());

    for (TimerService service : new TimerService[] {one, two}) {
      assertFalse(send(service, "GET", "/timers", "").body().contains(id));
    }
  }

  @Test
  void list_goesOnBehindATimer() throws Exception {
    String first = created(one, form("/none", "&after=2h"));
    String second = created(one, form("/none", "&after=2h"));
    String rest = send(one, "GET", "/timers?after=" + first, "").body();

    assertFalse(rest.contains(first));
    assertTrue(rest.contains(second));
  }

  @Test
  void root_saysWhoIsThere() throws Exception {
    String member = send(two, "GET", "/", "").body();

    assertTrue(member.contains("\"node\":\"two\""), member);
    assertTrue(member.contains("staying [one"), member);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST   | /timers     | callback=http://h/          | 400 | field \\\"after\\\" is missing",
        "POST   | /timers     | after=1s                    | 400 | \\\"callback\\\" is missing",
        "POST   | /timers     | after=1y&callback=http://h/ | 400 | a duration as in 500ms",
        "POST   | /timers     | after=0s&callback=http://h/ | 400 | intervalMs must be 1 to",
        "POST   | /timers     | after=1s&callback=ftp://h/  | 400 | an address as in http://",
        "POST   | /timers     | after=1s&callback=:         | 400 | an address as in http://",
        "POST   | /timers     | sparkle=1                   | 400 | no field \\\"sparkle\\\"",
        "PUT    | /timers/abc | after=1s&callback=http://h/ | 400 | not a timer's handle",
        "DELETE | /timers/abc | x=1                         | 400 | not a timer's handle",
        "GET    | /timers?x=1 | x=1                         | 400 | nothing but after=",
        "GET    | /nothing    | x=1                         | 404 | no such request",
        "PATCH  | /timers     | x=1                         | 404 | no such request",
      })
  void badRequest_isToldWhatIsWrong(
      String method, String path, String body, int status, String problem) throws Exception {
    HttpResponse<String> response = send(one, method, path, body);

    assertEquals(status, response.statusCode());
    assertTrue(response.body().contains(problem), response.body());
  }

  @Test
  void payload_ofSomebodyElse_isRefused() {
    Callback callback = Callback.of("http://127.0.0.1:1/x?y=1", "text ✓");
    assertEquals(callback, Callback.ofPayload(callback.toPayload()));
    for (byte[] payload : new byte[][] {{}, {1, 2}, {0, 0, 0, 9, 'h'}, {-1, 0, 0, 0}}) {
      assertThrows(IllegalArgumentException.class, () -> Callback.ofPayload(payload));
    }
  }
}
