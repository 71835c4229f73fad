package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.placement.Bucket;
import io.horae.placement.BucketPlan;
import io.horae.placement.ClusterView;
import io.horae.placement.HashMask;
import io.horae.placement.Node;
import io.horae.resync.BucketMessage.Accept;
import io.horae.resync.BucketMessage.Cancel;
import io.horae.resync.BucketMessage.Claim;
import io.horae.resync.BucketMessage.Claims;
import io.horae.resync.BucketMessage.Configure;
import io.horae.resync.BucketMessage.Forward;
import io.horae.resync.BucketMessage.Forwarded;
import io.horae.resync.BucketMessage.Items;
import io.horae.resync.BucketMessage.Kind;
import io.horae.resync.BucketMessage.Last;
import io.horae.resync.BucketMessage.Offer;
import io.horae.resync.BucketMessage.Outcome;
import io.horae.resync.BucketMessage.Refusal;
import io.horae.resync.BucketMessage.Refuse;
import io.horae.resync.BucketMessage.Request;
import io.horae.resync.BucketMessage.Role;
import io.horae.resync.BucketMessage.Taken;
import io.horae.resync.BucketMessage.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Server b, and what a and c tell it that is not so, or not yet. */
class BucketNodeMisledTest {

  private static final HashMask BUCKET = HashMask.parse("000F/0006");
  private static final Node A = Node.of("a");
  private static final Node B = Node.of("b");
  private static final Node C = Node.of("c");
  private static final ClusterView VIEW = ClusterView.of(1, List.of(A, B, C));
  private static final ViewStamp STAMP = ViewStamp.of(VIEW);
  private static final long FIRST = (1L << BucketSeat.CHANGES_PER_VIEW_BITS) + 1;
  private static final byte[] NOTHING = {};
  private static final byte[] KEY = {'k'};

  private final List<BucketMessage> sent = new ArrayList<>();
  private final List<BucketEvent> events = new ArrayList<>();
  private final ItemStore store = ItemStore.inMemory();
  private final BucketNode node =
      BucketNode.builder("b")
          .store(store)
          .planner(table -> new BucketPlan(List.of(), List.of()))
          .options(BucketNodeOptions.builder().backupsMax(2).planMs(1L << 40).build())
          .outbox(
              new BucketOutbox() {
                @Override
                public void send(String to, BucketMessage message) {
                  sent.add(message);
                }

                @Override
                public void report(BucketEvent event) {
                  events.add(event);
                }
              })
          .build();

  /** All buckets are on a. */
  @BeforeEach
  void begin() {
    List<Claim> all = new ArrayList<>();
    for (int digit = 0; digit < 16; digit++) {
      Bucket bucket = new Bucket(HashMask.of(digit, 1), A, List.of(), FIRST);
      all.add(new Claim(bucket, Role.PRIMARY, 0));
    }
    node.view(0, VIEW);
    hear("a", new Claims(STAMP, 0, false, all));
    hear("c", new Claims(STAMP, 0, false, List.of()));
    assertTrue(node.statistics().ready());
    sent.clear();
    events.clear();
  }

  private void hear(String from, BucketMessage message) {
    node.receive(0, from, message);
  }

  private <T extends BucketMessage> T last(Class<T> type) {
    return type.cast(
        sent.stream().filter(type::isInstance).reduce((one, next) -> next).orElseThrow());
  }

  private static Bucket bucket(Node primary, long epoch, Node... backups) {
    return new Bucket(BUCKET, primary, List.of(backups), epoch);
  }

  private static Item item(int number) {
    return new Item(6, new byte[] {(byte) number}, KEY, new ItemVersion(FIRST, 0));
  }

  private static Write write(long sequence) {
    ItemVersion version = new ItemVersion(FIRST, sequence);
    return new Write(Kind.PUT, version, 6, KEY, NOTHING, 1, sequence, 1);
  }

  private static Items items(long transfer, long window, boolean last) {
    return new Items(STAMP, transfer, window, List.of(item((int) window)), List.of(), last);
  }

  @Test
  void last_beforeAllItems_isRefusedForGood() {
    hear("a", new Offer(STAMP, 5, bucket(A, FIRST), true, 0));
    hear("a", items(5, 1, true));
    assertEquals(0, last(Taken.class).next());
    hear("a", new Last(STAMP, 5, bucket(B, FIRST + 1, A), 0));
    assertEquals(new Refuse(STAMP, 5, Refusal.NOT_OWNED), last(Refuse.class));
    hear("a", items(5, 0, false));
    hear("a", new Last(STAMP, 5, bucket(B, FIRST + 1, A), 0));
    hear("a", new Offer(STAMP, 5, bucket(A, FIRST), true, 0)); // it is over
    assertEquals(new Refuse(STAMP, 5, Refusal.UNKNOWN), last(Refuse.class));
    assertNull(node.roleAt(6));
    assertTrue(store.items(BUCKET, null, 10).isEmpty());
  }

  @Test
  void offer_afterItsLastItemWasRefused_isRefused() {
    hear("a", new Last(STAMP, 7, bucket(B, FIRST + 1, A), 0));
    assertEquals(new Refuse(STAMP, 7, Refusal.NOT_OWNED), last(Refuse.class));
    hear("a", new Offer(STAMP, 7, bucket(A, FIRST), true, 0));
    assertEquals(new Refuse(STAMP, 7, Refusal.UNKNOWN), last(Refuse.class));
    hear("a", new Offer(STAMP, 8, bucket(A, FIRST), true, 0));
    assertEquals(8, last(Accept.class).transfer());
  }

  @Test
  void last_beforeAllWrites_isRefused() {
    hear("a", new Offer(STAMP, 5, bucket(A, FIRST), true, 0));
    hear("a", items(5, 0, true));
    hear("a", new Forward(STAMP, 5, BUCKET, FIRST, 0, List.of(write(1))));
    assertEquals(1, last(Forwarded.class).sequence());
    hear("a", new Last(STAMP, 5, bucket(B, FIRST + 1, A), 2));
    assertEquals(new Refuse(STAMP, 5, Refusal.NOT_OWNED), last(Refuse.class));
    assertNull(node.roleAt(6));
  }

  @Test
  void last_whenAllIsThere_makesThePrimary() {
    hear("a", new Offer(STAMP, 5, bucket(A, FIRST), true, 0));
    hear("a", items(5, 0, true));
    hear("a", new Forward(STAMP, 5, BUCKET, FIRST, 0, List.of(write(1))));
    hear("a", new Last(STAMP, 5, bucket(B, FIRST + 1, A), 1));
    assertEquals(Role.PRIMARY, node.roleAt(6));
    assertEquals(new Configure(STAMP, 0, bucket(B, FIRST + 1, A), 1), last(Configure.class));
  }

  @Test
  void last_ofAnEpochThatNoServerCanHaveReached_isRefused() {
    hear("a", new Offer(STAMP, 5, bucket(A, FIRST), true, 0));
    hear("a", items(5, 0, true));
    long beyond = 2L << BucketSeat.CHANGES_PER_VIEW_BITS;
    hear("a", new Last(STAMP, 5, bucket(B, beyond, A), 0));
    assertNull(node.roleAt(6));
    hear("a", new Last(STAMP, 5, bucket(B, beyond - 1, A), 0));
    assertEquals(Role.PRIMARY, node.roleAt(6));
  }

  @Test
  void window_thatComesAgain_bringsBackNothingThatWasDeletedMeanwhile() {
    hear("a", new Offer(STAMP, 5, bucket(A, FIRST), true, 0));
    ItemVersion second = new ItemVersion(FIRST, 1);
    byte[] key = {0};
    hear(
        "a",
        new Forward(
            STAMP,
            5,
            BUCKET,
            FIRST,
            0,
            List.of(new Write(Kind.DELETE, second, 6, key, NOTHING, 1, 1, 1))));
    hear("a", items(5, 0, false));
    hear("a", items(5, 0, false));
    assertNull(store.find(6, key));
  }

  @Test
  void request_ofWhoKnowsOfALaterEpoch_isPutOff() {
    hear("a", new Offer(STAMP, 5, bucket(A, FIRST), true, 0));
    hear("a", items(5, 0, true));
    hear("a", new Last(STAMP, 5, bucket(B, FIRST + 1, A), 0));
    for (Kind kind : Kind.values()) {
      hear("client", new Request(9, 1, 1, kind, BUCKET, FIRST + 2, 6, KEY, NOTHING));
      assertEquals(Outcome.RETRY, last(BucketMessage.Answer.class).outcome());
    }
    assertNull(store.find(6, KEY));
    hear("client", new Request(9, 1, 1, Kind.GET, BUCKET, FIRST + 1, 6, KEY, NOTHING));
    assertEquals(Outcome.ABSENT, last(BucketMessage.Answer.class).outcome());
  }

  @Test
  void claims_ofAnotherStartUnderTheSameView_areReportedAndNotAnswered() {
    hear("c", new Claims(STAMP, 0, true, List.of()));
    assertEquals(1, sent.size());
    hear("c", new Claims(STAMP, 1, true, List.of()));
    assertEquals(1, sent.size());
    assertEquals(List.of(new BucketEvent.Restarted("c")), events);
  }

  @Test
  void move_backupIsSilent_putsClientsOffForAWhileOnly() {
    hear("a", new Offer(STAMP, 5, bucket(A, FIRST), true, 0));
    hear("a", items(5, 0, true));
    hear("a", new Last(STAMP, 5, bucket(B, FIRST + 1, A), 0));
    hear("a", new Forwarded(STAMP, 0, BUCKET, FIRST + 1, 0));
    hear("client", new Request(9, 1, 1, Kind.PUT, BUCKET, 0, 6, KEY, KEY));
    BucketPlan.Move move = new BucketPlan.Move(BUCKET, B, C);
    node.carryOut(0, new BucketPlan(List.of(), List.of(move)));
    long transfer = last(Offer.class).transfer();
    hear("c", new Accept(STAMP, transfer, false));
    hear("c", new Taken(STAMP, transfer, last(Items.class).window() + 1));
    hear("client", new Request(9, 2, 1, Kind.PUT, BUCKET, 0, 6, KEY, KEY));
    assertEquals(Outcome.RETRY, last(BucketMessage.Answer.class).outcome());
    node.tick(BucketNodeOptions.defaults().drainMs());
    assertEquals(transfer, last(Cancel.class).transfer());
    sent.clear();
    hear("client", new Request(9, 2, 1, Kind.PUT, BUCKET, 0, 6, KEY, KEY));
    hear("a", new Forwarded(STAMP, 0, BUCKET, FIRST + 1, 2));
    assertEquals(Outcome.DONE, last(BucketMessage.Answer.class).outcome());
  }

  /** Makes b a backup of the bucket, together with c, after five writes. */
  private void becomeBackup() {
    hear("a", new Offer(STAMP, 5, bucket(A, FIRST, C), false, 0));
    hear("a", items(5, 0, true));
    List<Write> writes = List.of(write(1), write(2), write(3), write(4), write(5));
    hear("a", new Forward(STAMP, 5, BUCKET, FIRST, 0, writes));
    hear("a", new Configure(STAMP, 5, bucket(A, FIRST + 1, B, C), 5));
    hear("a", new Forward(STAMP, 0, BUCKET, FIRST + 1, 5, List.of()));
    assertEquals(Role.COPY, node.roleAt(6));
  }

  private Bucket heirWhenCHas(long sequence) {
    becomeBackup();
    ClusterView next = VIEW.next(List.of(B, C));
    Claim claim = new Claim(bucket(A, FIRST + 1, B, C), Role.COPY, sequence);
    node.view(0, next);
    hear("c", new Claims(ViewStamp.of(next), 0, false, List.of(claim)));
    return events.stream()
        .filter(BucketEvent.TakenOver.class::isInstance)
        .map(event -> ((BucketEvent.TakenOver) event).bucket())
        .filter(bucket -> bucket.mask().equals(BUCKET))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void takeOver_backupThatHasWhatIsCommitted_staysOne() {
    assertEquals(List.of(C), heirWhenCHas(5).backups());
  }

  @Test
  void takeOver_backupThatLacksWhatIsCommitted_isNoBackupAnyMore() {
    Bucket bucket = heirWhenCHas(4);
    assertEquals(B, bucket.primary());
    assertEquals(List.of(), bucket.backups());
  }

  @Test
  void write_untilTheBackupHasItAndKnowsWhoElseIsOne_isNotAnswered() {
    hear("a", new Offer(STAMP, 5, bucket(A, FIRST), true, 0));
    hear("a", items(5, 0, true));
    hear("a", new Last(STAMP, 5, bucket(B, FIRST + 1, A, C), 0));
    hear("a", new Forwarded(STAMP, 0, BUCKET, FIRST + 1, 0));
    hear("c", new Forwarded(STAMP, 0, BUCKET, FIRST + 1, 0));
    hear("client", new Request(9, 1, 1, Kind.PUT, BUCKET, 0, 6, KEY, KEY));
    hear("reader", new Request(10, 1, 1, Kind.GET, BUCKET, 0, 6, KEY, NOTHING));
    hear("c", new Forwarded(STAMP, 0, BUCKET, FIRST + 1, 1));
    ClusterView next = VIEW.next(List.of(B, C));
    ViewStamp view = ViewStamp.of(next);
    node.view(0, next); // without a, which has not got it
    assertTrue(sent.stream().noneMatch(BucketMessage.Answer.class::isInstance));
    hear("c", new Forwarded(view, 0, BUCKET, FIRST + 1, 1));
    assertTrue(sent.stream().noneMatch(BucketMessage.Answer.class::isInstance));
    hear("c", new Forwarded(view, 0, BUCKET, FIRST + 2, 1));
    assertEquals(
        List.of(Outcome.DONE, Outcome.FOUND), // who reads what is not everywhere yet waits for it
        sent.stream()
            .filter(BucketMessage.Answer.class::isInstance)
            .map(message -> ((BucketMessage.Answer) message).outcome())
            .toList());
    assertEquals(
        new ItemVersion(FIRST + 1, 1), Objects.requireNonNull(store.find(6, KEY)).version());
  }
}
