package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/** Bad values are refused, by name, and the table that was asked stays as it was. */
class BucketBadInputTest {

  private static final Node A = Node.of("a");
  private static final Node B = Node.of("b");
  private static final Node STRANGER = Node.of("stranger");
  private static final HashMask FOUR = HashMask.parse("000F/0004");
  private static final HashMask PART = HashMask.parse("00FF/0014");
  private static final BucketTable TABLE = BucketTable.initial(A).join(B).table();
  private static final BucketTable ALONE = BucketTable.initial(A);
  private static final List<Bucket> BUCKETS = TABLE.buckets();

  @AfterAll
  static void table_isUntouched() {
    assertEquals(BUCKETS, TABLE.buckets());
    assertEquals(1, TABLE.version());
    assertEquals(List.of(A, B), TABLE.nodes());
  }

  @TestFactory
  Stream<DynamicTest> changes_bad() {
    BucketTable uneven = TABLE.split(FOUR).table().move(PART, B).table();
    return Stream.of(
        rejected("join twice", "\"a\"", () -> TABLE.join(A)),
        rejected("join null", "server", () -> TABLE.join(null)),
        rejected("move to a stranger", "\"stranger\"", () -> TABLE.move(FOUR, STRANGER)),
        rejected("move to null", "server", () -> TABLE.move(FOUR, null)),
        rejected("move null", "bucket", () -> TABLE.move(null, B)),
        rejected("move to its owner", "\"a\"", () -> TABLE.move(FOUR, A)),
        rejected("move a part", "00FF/0014", () -> TABLE.move(PART, B)),
        rejected("move a whole", "000F/0004", () -> uneven.move(FOUR, B)),
        rejected("split a part", "00FF/0014", () -> TABLE.split(PART)),
        rejected("split a whole", "000F/0004", () -> uneven.split(FOUR)),
        rejected("split null", "bucket", () -> TABLE.split(null)),
        rejected("merge what is whole", "000F/0004", () -> TABLE.merge(FOUR)),
        rejected("merge what two own", "\"b\"", () -> uneven.merge(FOUR)),
        rejected("merge the deepest", "FFFFFFFFFFFFFFFF", () -> TABLE.merge(HashMask.of(0, 16))),
        rejected("merge null", "mask", () -> TABLE.merge(null)),
        rejected("fail a stranger", "\"stranger\"", () -> TABLE.fail(STRANGER)),
        rejected("fail the last", "\"a\"", () -> ALONE.fail(A)),
        rejected("fail null", "server", () -> TABLE.fail(null)),
        rejected("leave a stranger", "\"stranger\"", () -> TABLE.leave(STRANGER)),
        rejected("leave the last", "\"a\"", () -> ALONE.leave(A)),
        rejected("empty the last", "\"a\"", () -> BucketBalancer.emptying(ALONE, A)));
  }

  @TestFactory
  Stream<DynamicTest> lookups_bad() {
    return Stream.of(
        rejected("no room", "0", () -> TABLE.replicas(1, new int[0])),
        rejected("no array", "array", () -> TABLE.replicas("k", null)),
        rejected("count 0", ": 0", () -> TABLE.replicas("k", 0)),
        rejected("null key", "key", () -> TABLE.primary(null)),
        rejected("null key's bucket", "key", () -> TABLE.bucketOf(null)),
        rejected("no such bucket", "00FF/0014", () -> TABLE.bucket(PART)),
        rejected("stranger's buckets", "\"stranger\"", () -> TABLE.bucketsOf(STRANGER)),
        rejected("stranger's count", "\"stranger\"", () -> TABLE.count(STRANGER)),
        rejected("hash elsewhere", "000F/0004", () -> TABLE.redirect(A, FOUR, 5)),
        rejected("null server", "server", () -> TABLE.redirect(null, FOUR, 4)),
        rejected("null entries", "entries", () -> TABLE.learn(null)),
        rejected("null delta", "delta", () -> TABLE.apply(null)),
        rejected("null table", "table", () -> TABLE.since(null)));
  }

  @TestFactory
  Stream<DynamicTest> settings_bad() {
    BucketTable.Builder builder = BucketTable.builder();
    BucketBalancer balancer = BucketBalancer.byCounts();
    return Stream.of(
        rejected("null server", "server", () -> BucketTable.initial(null)),
        rejected("no server", "server", () -> BucketTable.builder().build()),
        rejected("17 buckets", "17", () -> builder.buckets(17)),
        rejected("4096 buckets", "4096", () -> builder.buckets(4096)),
        rejected("backups -1", "-1", () -> builder.backups(-1)),
        rejected("backups 16", "16", () -> builder.backups(16)),
        rejected("null hash", "hash", () -> builder.hash(null)),
        rejected("epoch -1", "-1", () -> new Bucket(FOUR, A, List.of(), -1)),
        rejected("own backup", "\"a\"", () -> new Bucket(FOUR, A, List.of(A), 1)),
        rejected("backup twice", "\"b\"", () -> new Bucket(FOUR, A, List.of(B, B), 1)),
        rejected("delta backwards", "5 to 4", () -> new BucketDelta(5, 4, List.of(A), List.of())),
        rejected("delta before 0", "-1 to 4", () -> new BucketDelta(-1, 4, List.of(A), List.of())),
        rejected("times 0", "0.0", () -> balancer.splitAbove(0)),
        rejected("times NaN", "NaN", () -> balancer.splitAbove(Double.NaN)),
        rejected("digits 17", "17", () -> balancer.splitTo(17)),
        rejected("null loads", "loads", () -> BucketBalancer.byLoads(null)),
        rejected("null table", "table", () -> balancer.plan(null)),
        rejected("load -1", "-1", () -> BucketBalancer.byLoads(mask -> -1).plan(TABLE)),
        rejected(
            "loads too large",
            "too large",
            () -> BucketBalancer.byLoads(mask -> Long.MAX_VALUE / 2).plan(TABLE)));
  }

  private static DynamicTest rejected(String name, String part, Executable call) {
    return DynamicTest.dynamicTest(
        name,
        () -> {
          String message = assertThrows(IllegalArgumentException.class, call).getMessage();
          assertTrue(message.contains(part), () -> "\"" + part + "\" is not in: " + message);
        });
  }
}
