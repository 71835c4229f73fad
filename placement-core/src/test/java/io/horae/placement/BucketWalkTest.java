package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The story that the document on splitting buckets tells, step by step. */
class BucketWalkTest {

  private static final Node ONE = Node.of("#1");
  private static final Node TWO = Node.of("#2");
  private static final Node FOUR = Node.of("#4");
  private static final Node TWELVE = Node.of("#12");

  /** The document's item that falls in 000F/0004: 06f92937ee3a664bafabf5a4b0e90834. */
  private static final long HASH = 0xafabf5a4b0e90834L;

  @Test
  void oneServer_hasSixteenBuckets() {
    BucketTable table = BucketTable.initial(ONE);
    assertEquals(16, table.size());
    assertEquals("000F/0000", table.buckets().get(0).mask().toString());
    assertEquals("000F/000F", table.buckets().get(15).mask().toString());
    assertTrue(table.buckets().stream().allMatch(bucket -> bucket.primary().equals(ONE)));
    assertEquals(256, BucketTable.builder().server(ONE).buckets(256).build().size());
  }

  @Test
  void secondServer_takesSixFirst() {
    BucketTable both = BucketTable.initial(ONE).join(TWO).table();
    BucketChange change = both.move(HashMask.parse("000F/0006"), TWO);
    assertEquals(
        List.of(
            "#1: send 000F/0006 to #2",
            "#2: become primary of 000F/0006",
            "#1: become backup of 000F/0006",
            "#1: publish 000F/0006",
            "#2: publish 000F/0006"),
        texts(change));
    assertEquals("000F/0006 #2<#1 @1", change.table().bucketAt(0x53f5dbbc07c2c976L).toString());
  }

  @Test
  void secondServer_tradesUntilEightAndEight() {
    BucketTable both = BucketTable.initial(ONE).join(TWO).table();
    BucketPlan plan = BucketBalancer.byCounts().plan(both);
    assertEquals(8, plan.moves().size());
    assertEquals(List.of(), plan.splits());
    BucketTable even = both;
    for (BucketPlan.Move move : plan.moves()) {
      assertEquals(ONE, move.from());
      even = even.move(move.bucket(), move.to()).table();
    }
    assertEquals(8, even.count(ONE));
    assertEquals(8, even.count(TWO));
    assertEquals(even, plan.applyTo(both).table());
    assertTrue(BucketBalancer.byCounts().plan(even).isEmpty());
  }

  @Test
  void placement_movesNoKeyInVain() {
    BucketTable alone = BucketTable.initial(ONE);
    BucketTable both = alone.join(TWO).table();
    BucketTable even = BucketBalancer.byCounts().plan(both).applyTo(both).table();
    Movement movement = Movement.between(alone, even, LongStream.range(0, 10_000), 1);
    assertEquals(movement.primariesMovedLeast(), movement.primariesMoved());
    assertTrue(movement.primariesMoved() > 4_700 && movement.primariesMoved() < 5_300);
  }

  @Test
  void bucketFive_goesOnAndTheFirstOwnerForgets() {
    HashMask five = HashMask.parse("000F/0005");
    BucketTable table = BucketTable.initial(ONE).join(TWO).table().join(FOUR).table();
    BucketTable onTwo = table.move(five, TWO).table();
    assertEquals("000F/0005 #2<#1 @1", onTwo.bucket(five).toString());
    BucketChange change = onTwo.move(five, FOUR);
    assertEquals("000F/0005 #4<#2 @2", change.table().bucket(five).toString());
    assertEquals(
        List.of(
            "#2: send 000F/0005 to #4",
            "#4: become primary of 000F/0005",
            "#2: become backup of 000F/0005",
            "#1: forget 000F/0005",
            "#2: publish 000F/0005",
            "#4: publish 000F/0005"),
        texts(change));
    assertEquals(
        List.of("#1: forget 000F/0005"),
        change.dutiesOf(ONE).stream().map(BucketDuty::toString).toList());
  }

  @Test
  void backToABackup_needsNoSending() {
    HashMask five = HashMask.parse("000F/0005");
    BucketTable onTwo = BucketTable.initial(ONE).join(TWO).table().move(five, TWO).table();
    assertEquals(
        List.of(
            "#1: become primary of 000F/0005",
            "#2: become backup of 000F/0005",
            "#2: publish 000F/0005",
            "#1: publish 000F/0005"),
        texts(onTwo.move(five, ONE)));
  }

  @Test
  void serverTwelve_splitsItsOnlyBucketAndGivesSomeAway() {
    HashMask four = HashMask.parse("000F/0004");
    BucketTable before = BucketTable.initial(ONE).join(TWELVE).table().move(four, TWELVE).table();
    BucketTable oldClient = before;

    BucketChange split = before.split(four);
    assertEquals(
        List.of("#12: split 000F/0004", "#1: split 000F/0004", "#12: publish 000F/0004"),
        texts(split));
    BucketTable table = split.table();
    assertEquals(31, table.size());
    assertEquals(four.split(), table.bucketsOf(TWELVE).stream().map(Bucket::mask).toList());
    assertEquals("00FF/0034 #12<#1 @2", table.bucketAt(HASH).toString());
    // All that old clients know is still right.
    for (long hash = 0; hash < 256; hash++) {
      assertEquals(oldClient.bucketAt(hash).primary(), table.bucketAt(hash).primary());
    }

    table = table.join(TWO).table();
    for (String some : List.of("00FF/0034", "00FF/0014", "00FF/00F4")) {
      table = table.move(HashMask.parse(some), TWO).table();
    }
    assertEquals(13, table.count(TWELVE));
    assertEquals("00FF/0034 #2<#12 @3", table.bucketAt(HASH).toString());
    int asked = 0;
    for (long hash = 0; hash < 256; hash++) {
      Node guess = oldClient.bucketAt(hash).primary();
      List<Bucket> answer = table.redirect(guess, oldClient.bucketAt(hash).mask(), hash);
      assertEquals(guess.equals(table.bucketAt(hash).primary()), answer.isEmpty());
      if (!answer.isEmpty()) {
        assertEquals(3, answer.size(), "the one that was asked for, and its moved siblings");
        oldClient = oldClient.learn(answer);
        asked++;
      }
      assertEquals(table.bucketAt(hash).primary(), oldClient.bucketAt(hash).primary());
    }
    assertEquals(1, asked, "one answer tells of all three");
  }

  @Test
  void furtherSplits_leadToThreeDigitsBesideOne() {
    BucketTable table = BucketTable.initial(TWELVE);
    List<String> depths = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      depths.add(table.bucketAt(HASH).mask().toString());
      table = table.split(table.bucketAt(HASH).mask()).table();
    }
    assertEquals(List.of("000F/0004", "00FF/0034", "0FFF/0834"), depths);
    assertEquals("FFFF/0834", table.bucketAt(HASH).mask().toString());
    assertEquals("000F/0005", table.bucketAt(5).mask().toString());
    assertEquals(16 + 3 * 15, table.size());
    while (table.bucketAt(HASH).mask().digits() < 16) {
      table = table.split(table.bucketAt(HASH).mask()).table();
    }
    assertEquals("FFFFFFFFFFFFFFFF/AFABF5A4B0E90834", table.bucketAt(HASH).mask().toString());
    BucketTable deepest = table;
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> deepest.split(deepest.bucketAt(HASH).mask()))
            .getMessage();
    assertTrue(message.contains("AFABF5A4B0E90834"), message);
    for (int digits = 15; digits >= 1; digits--) {
      table = table.merge(HashMask.of(HASH, digits)).table();
    }
    assertEquals(16, table.size());
    assertEquals(
        BucketTable.initial(TWELVE).buckets().stream().map(Bucket::mask).toList(),
        table.buckets().stream().map(Bucket::mask).toList());
  }

  @Test
  void failure_backupsTakeOverAndTheRestIsReported() {
    HashMask six = HashMask.parse("000F/0006");
    BucketTable table =
        BucketTable.initial(ONE).join(TWO).table().join(FOUR).table().move(six, TWO).table();
    BucketChange two = table.fail(TWO);
    assertEquals("000F/0006 #1 @2", two.table().bucket(six).toString());
    assertEquals(List.of(), two.lost());
    assertEquals(List.of("#1: become primary of 000F/0006", "#1: publish 000F/0006"), texts(two));

    BucketChange one = table.fail(ONE);
    assertEquals(15, one.lost().size());
    assertTrue(!one.lost().contains(six));
    assertEquals("000F/0006 #2 @2", one.table().bucket(six).toString());
    assertEquals(16, one.table().count(TWO) + one.table().count(FOUR));
    assertEquals(8, one.table().count(FOUR));
    assertEquals(List.of(FOUR, TWO), one.table().nodes());
    assertThrows(IllegalArgumentException.class, () -> BucketTable.initial(ONE).fail(ONE));
    assertThrows(IllegalArgumentException.class, () -> BucketTable.initial(ONE).leave(ONE));
  }

  @Test
  void leaving_movesEverythingAwayFirst() {
    BucketTable table = BucketTable.initial(ONE).join(TWO).table().join(FOUR).table();
    table = BucketBalancer.byCounts().plan(table).applyTo(table).table();
    BucketChange change = table.leave(ONE);
    assertEquals(8, change.table().count(TWO));
    assertEquals(8, change.table().count(FOUR));
    assertEquals(List.of(), change.lost());
    BucketPlan plan = BucketBalancer.emptying(table, ONE);
    assertEquals(table.count(ONE), plan.moves().size());
    BucketTable emptied = plan.applyTo(table).table();
    assertEquals(0, emptied.count(ONE));
    for (Bucket bucket : emptied.buckets()) {
      assertEquals(bucket.primary(), change.table().bucket(bucket.mask()).primary());
    }
    assertEquals(
        0,
        emptied.leave(ONE).duties().stream().filter(d -> d.kind() == BucketDuty.Kind.SEND).count());
  }

  private static List<String> texts(BucketChange change) {
    return change.duties().stream().map(BucketDuty::toString).toList();
  }
}
