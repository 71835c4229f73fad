package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** Plans at the edges that random tables seldom meet. */
class BucketBalancerTest {

  private static final BucketBalancer BY_COUNTS = BucketBalancer.byCounts();
  private static final HashMask FOUR = HashMask.parse("000F/0004");

  private static Node server(int number) {
    return Node.of("s" + number);
  }

  /** Sixteen buckets on the first of so many servers. */
  private static BucketTable servers(int count) {
    BucketTable table = BucketTable.initial(server(0));
    for (int i = 1; i < count; i++) {
      table = table.join(server(i)).table();
    }
    return table;
  }

  private static BucketTable move(BucketTable table, int bucket, int to) {
    return table.move(HashMask.of(bucket, 1), server(to)).table();
  }

  @Test
  void byCounts_splitsUntilThereAreAsManyBucketsAsServers() {
    assertEquals(0, BY_COUNTS.plan(servers(16)).splits().size());
    assertEquals(List.of(HashMask.of(0, 1)), BY_COUNTS.plan(servers(17)).splits());
    assertEquals(1, BY_COUNTS.plan(servers(31)).splits().size());
    assertEquals(2, BY_COUNTS.plan(servers(32)).splits().size());
  }

  @Test
  void byLoads_splitsTheHeaviestUntilThereAreAsManyBucketsAsServers() {
    ToLongFunction<HashMask> loads = mask -> mask.value() == 9 ? 2 : 1;
    BucketBalancer balancer = BucketBalancer.byLoads(loads).splitAbove(Double.POSITIVE_INFINITY);
    assertEquals(List.of(), balancer.plan(servers(16)).splits());
    assertEquals(List.of(HashMask.of(9, 1)), balancer.plan(servers(31)).splits());
    assertEquals(
        List.of(HashMask.of(9, 1), HashMask.of(0, 1)), balancer.plan(servers(32)).splits());
  }

  @Test
  void splitTo_isTheDeepestMask() {
    BucketTable many = servers(300);
    assertEquals(List.of(), BY_COUNTS.splitTo(1).plan(many).splits());
    assertEquals(16, BY_COUNTS.splitTo(2).plan(many).splits().size());
    // 16 splits make 256 buckets, and three more 301.
    assertEquals(19, BY_COUNTS.splitTo(3).plan(many).splits().size());
  }

  /** 30 on one server is twice the 15 that are left for the other, 31 is more. */
  @Test
  void splitAbove_isWhatABucketMustExceed() {
    BucketTable table = move(servers(2), 4, 1);
    assertEquals(List.of(), weighingFour(30).plan(table).splits());
    assertEquals(List.of(FOUR), weighingFour(31).plan(table).splits());
    assertEquals(List.of(), weighingFour(45).splitAbove(3).plan(table).splits());
    assertEquals(List.of(FOUR), weighingFour(46).splitAbove(3).plan(table).splits());
  }

  private static BucketBalancer weighingFour(long load) {
    return BucketBalancer.byLoads(mask -> mask.equals(FOUR) ? load : 1);
  }

  @Test
  void settings_keepEachOther() {
    BucketTable table = move(servers(2), 4, 1);
    BucketBalancer balancer = weighingFour(40);
    assertEquals(List.of(), balancer.splitAbove(3).splitTo(16).plan(table).splits());
    assertEquals(List.of(), balancer.splitTo(1).splitAbove(2).plan(table).splits());
    assertEquals(List.of(FOUR), balancer.splitTo(16).splitAbove(2).plan(table).splits());
  }

  @Test
  void byCounts_movesWhatTheReceiverHasACopyOf() {
    BucketTable table = servers(3);
    for (int bucket = 14; bucket < 16; bucket++) {
      table = move(move(table, bucket, 2), bucket, 0);
    }
    BucketPlan plan = BY_COUNTS.plan(table);
    assertEquals(10, plan.moves().size());
    for (int bucket = 14; bucket < 16; bucket++) {
      assertTrue(
          plan.moves().contains(new BucketPlan.Move(HashMask.of(bucket, 1), server(0), server(2))));
    }
  }

  /** Of 5, 2, 5 and 4 buckets, the second server has a copy of all that the first has. */
  @Test
  void byCounts_givesNoMoreThanTheSurplusToAServerWithCopies() {
    BucketTable table = servers(4);
    for (int bucket = 0; bucket < 5; bucket++) {
      table = move(move(table, bucket, 1), bucket, 0);
    }
    for (int bucket = 5; bucket < 16; bucket++) {
      table = move(table, bucket, bucket < 7 ? 1 : bucket < 12 ? 2 : 3);
    }
    BucketPlan plan = BY_COUNTS.plan(table);
    assertEquals(
        List.of("000F/0000 from s0 to s1", "000F/0007 from s2 to s1"),
        plan.moves().stream().map(BucketPlan.Move::toString).toList());
  }
}
