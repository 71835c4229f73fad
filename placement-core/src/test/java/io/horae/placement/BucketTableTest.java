package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What random histories come to too rarely. */
class BucketTableTest {

  private static final Node A = Node.of("a");
  private static final Node B = Node.of("b");
  private static final Node C = Node.of("c");
  private static final HashMask FOUR = HashMask.parse("000F/0004");

  @Test
  void equals_settingsAndServersCount() {
    BucketTable table = BucketTable.initial(A);
    assertEquals(table, BucketTable.builder().server(A).build());
    assertNotEquals(table, BucketTable.builder().server(A).backups(2).build());
    assertNotEquals(table, BucketTable.builder().server(A).hash(KeyHash.fnv1a()).build());
    assertNotEquals(table, BucketTable.builder().server(A.withWeight(2)).build());
    assertNotEquals(table, BucketTable.builder().server(A).buckets(256).build());
    assertNotEquals(table.join(B).table(), table.join(C).table());
    BucketTable three = table.join(B).table().join(C).table();
    assertNotEquals(three.move(FOUR, B).table(), three.move(FOUR, C).table());
  }

  @Test
  void move_withoutBackups_previousOwnerForgets() {
    BucketTable table = BucketTable.builder().server(A).backups(0).build().join(B).table();
    BucketChange change = table.move(FOUR, B);
    assertEquals(
        List.of(
            "a: send 000F/0004 to b",
            "b: become primary of 000F/0004",
            "a: forget 000F/0004",
            "a: publish 000F/0004",
            "b: publish 000F/0004"),
        change.duties().stream().map(BucketDuty::toString).toList());
    assertEquals("000F/0004 b @1", change.table().bucket(FOUR).toString());
  }

  @Test
  void merge_leavesThePagesThatWereThereBefore() {
    BucketTable table = BucketTable.initial(A);
    BucketTable split = table.split(FOUR).table();
    assertEquals(BucketPage.WIDE, split.root.primaries.length);
    assertEquals(BucketPage.NARROW, split.merge(FOUR).table().root.primaries.length);
  }

  /** One of the sixteen has been on b and back, another on c and back. */
  @Test
  void merge_keepsTheBackupsThatAllPartsHave() {
    BucketTable table =
        BucketTable.builder().server(A).backups(2).build().join(B).table().join(C).table();
    table = table.move(FOUR, B).table().move(FOUR, A).table().split(FOUR).table();
    HashMask first = FOUR.split().get(0);
    HashMask last = FOUR.split().get(15);
    table = table.move(first, C).table().move(first, A).table();
    assertEquals("00FF/0004 a<c<b @5", table.bucket(first).toString());
    assertEquals("00FF/00F4 a<b @3", table.bucket(last).toString());
    BucketChange merged = table.merge(FOUR);
    assertEquals("000F/0004 a<b @6", merged.table().bucket(FOUR).toString());
    assertEquals(
        List.of(
            "a: merge 000F/0004",
            "b: merge 000F/0004",
            "c: forget 00FF/0004",
            "a: publish 000F/0004"),
        merged.duties().stream().map(BucketDuty::toString).toList());
  }

  /** B and c have none; b comes first, c has a copy and need not be sent one. */
  @Test
  void leave_ofServersWithTheFewest_oneWithACopyTakesOver() {
    Node d = Node.of("d");
    BucketTable table = BucketTable.initial(A).join(B).table().join(C).table().join(d).table();
    for (Bucket bucket : table.buckets()) {
      table = table.move(bucket.mask(), bucket.mask().equals(FOUR) ? C : d).table();
    }
    table = table.move(FOUR, A).table();
    BucketChange change = table.leave(A);
    assertEquals("000F/0004 c @3", change.table().bucket(FOUR).toString());
    assertEquals(C, BucketBalancer.emptying(table, A).moves().get(0).to());
  }

  @Test
  void learn_sameEpoch_isNotNewer() {
    BucketTable table = BucketTable.initial(A).join(B).table().join(C).table().split(FOUR).table();
    assertSame(table, table.learn(List.of(new Bucket(FOUR, B, List.of(), 1))));
    HashMask part = FOUR.split().get(3);
    assertSame(table, table.learn(List.of(new Bucket(part, B, List.of(), 1))));
    BucketTable moved = table.move(part, C).table();
    BucketTable learned = moved.learn(List.of(new Bucket(FOUR, B, List.of(), 2)));
    assertEquals(C, learned.bucket(part).primary());
    assertEquals(15, learned.count(B));
  }
}
