package io.horae.examples.service;

import io.horae.jgroups.PopHandler;
import io.horae.resync.Pop;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * Acts on pops: POSTs to the address that the client gave. An answer from 200 to 299 means that the
 * pop is done; after any other, or none, another replica tries, or later this one.
 *
 * <p>A pop may come twice, from here or from another node. It then has the same values in {@code
 * Horae-Timer}, {@code Horae-Stamp} and {@code Horae-Sequence}.
 */
final class CallbackSender implements PopHandler {

  private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(5);

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(ANSWERED_WITHIN).build();

  @Override
  public boolean pop(Pop pop) throws IOException, InterruptedException {
    Callback callback = Callback.ofPayload(pop.payload());
    HttpRequest request =
        HttpRequest.newBuilder(callback.uri())
            .timeout(ANSWERED_WITHIN)
            .header("Horae-Timer", pop.timer().toString())
            .header("Horae-Stamp", pop.stamp().toString())
            .header("Horae-Sequence", String.valueOf(pop.sequence()))
            .header("Horae-Last", String.valueOf(pop.last()))
            .POST(BodyPublishers.ofString(callback.body()))
            .build();
    int status = client.send(request, BodyHandlers.discarding()).statusCode();
    return status >= 200 && status < 300;
  }
}
