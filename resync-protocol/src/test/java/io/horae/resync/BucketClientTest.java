package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.horae.placement.Bucket;
import io.horae.placement.BucketTable;
import io.horae.placement.Node;
import io.horae.resync.BucketMessage.Answer;
import io.horae.resync.BucketMessage.Outcome;
import io.horae.resync.BucketMessage.Request;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where a client asks next. */
class BucketClientTest {

  private static final Node A = Node.of("a");
  private static final Node B = Node.of("b");
  private static final byte[] KEY = {'k'};
  private static final byte[] NOTHING = {};

  private final List<String> asked = new ArrayList<>();
  private final List<BucketResult> results = new ArrayList<>();
  private final BucketTable table = BucketTable.initial(A).join(B).table();
  private final BucketClient client =
      BucketClient.builder(1)
          .table(table)
          .timeoutMs(1_000)
          .retryMs(100)
          .giveUpMs(10_000)
          .hopsMax(3)
          .outbox(
              new BucketClientOutbox() {
                @Override
                public void send(String server, Request request) {
                  asked.add(server + " @" + request.epoch());
                }

                @Override
                public void done(BucketResult result) {
                  results.add(result);
                }
              })
          .build();

  private final Bucket first = table.bucketAt(table.keyHash().hash(KEY));

  private Bucket on(Node primary, long later) {
    return new Bucket(first.mask(), primary, List.of(), first.epoch() + later);
  }

  private void answer(long nowMs, Node server, Outcome outcome, Bucket... entries) {
    Answer answer = new Answer(1, 1, outcome, NOTHING, new ItemVersion(0, 0), List.of(entries));
    client.receive(nowMs, server.id(), answer);
  }

  private String ask(Node server, long later) {
    return server.id() + " @" + (first.epoch() + later);
  }

  @Test
  void notMine_whoKnowsMore_isFollowedAtOnce() {
    client.get(0, KEY);
    answer(1, A, Outcome.NOT_MINE, on(B, 1));
    assertEquals(List.of(ask(A, 0), ask(B, 1)), asked);
    answer(2, B, Outcome.ABSENT);
    assertEquals(1, results.get(0).hops());
  }

  @Test
  void notMine_whoKnowsNoMore_isNotFollowed() {
    client.get(0, KEY);
    client.tick(1_000); // a is silent: b is asked
    assertEquals(List.of(ask(A, 0), ask(B, 0)), asked);
    answer(1_001, B, Outcome.NOT_MINE);
    assertEquals(2, asked.size());
    client.tick(1_300);
    assertEquals(ask(A, 0), asked.get(2));
  }

  @Test
  void notMine_againAndAgain_takesABreath() {
    client.get(0, KEY);
    for (int later = 1; later <= 3; later++) {
      answer(later, later % 2 == 1 ? A : B, Outcome.NOT_MINE, on(later % 2 == 1 ? B : A, later));
    }
    assertEquals(4, asked.size());
    answer(4, B, Outcome.NOT_MINE, on(A, 4));
    assertEquals(4, asked.size());
    client.tick(300);
    assertEquals(ask(A, 4), asked.get(4));
  }

  @Test
  void retry_isAskedAgainLater_andNotForever() {
    client.get(0, KEY);
    answer(1, A, Outcome.RETRY);
    assertEquals(1, asked.size());
    client.tick(200);
    assertEquals(List.of(ask(A, 0), ask(A, 0)), asked);
    client.tick(10_000);
    assertEquals(BucketResult.Outcome.GIVEN_UP, results.get(0).outcome());
    assertEquals(Long.MAX_VALUE, client.nextTickMs());
  }
}
