package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Plans beside the recorded decisions of opencluster's balancer.
 *
 * <p>A recorded decision is one server's, about one peer, and one action. What can be compared is
 * how many buckets each of the two is primary of afterwards: a switch makes that one less and one
 * more, the copying of a bucket changes nothing. A plan is compared as a whole, and by its first
 * move alone, action against action. Where opencluster needs a split, it ends in an assertion.
 *
 * <p>In backups opencluster is ahead: it copies every bucket that has none to another server before
 * all else. Here a backup is a previous owner, so what never moved has none.
 */
class BucketBalancerGoldenTest {

  private static final Golden VECTORS = Golden.load("hashmask-balance.json");
  private static final Node OWN = Node.of("own");
  private static final Node PEER = Node.of("peer");

  @Test
  void plan_leavesNoLargerSpreadThanAnyDecision() {
    Map<String, Integer> compared = new TreeMap<>();
    for (Golden row : VECTORS.field("decisions").items()) {
      int own = 0;
      for (char role : row.field("buckets").text().toCharArray()) {
        own += role == 'P' ? 1 : 0;
      }
      int peer = row.field("peer").item(0).index();
      String action = row.field("expect").field("action").text();
      int theirs =
          action.equals("switch") ? Math.abs((own - 1) - (peer + 1)) : Math.abs(own - peer);

      // The buckets of the two weigh 1 each; what else there is, nothing.
      BucketTable table = BucketTable.builder().server(OWN).buckets(256).build().join(PEER).table();
      for (Bucket bucket : table.buckets().subList(0, peer)) {
        table = table.move(bucket.mask(), PEER).table();
      }
      int weighty = own + peer;
      BucketBalancer balancer = BucketBalancer.byLoads(mask -> mask.value() < weighty ? 1 : 0);
      BucketPlan plan = balancer.plan(table);
      int given = 0;
      for (BucketPlan.Move move : plan.moves()) {
        given += move.from().equals(OWN) ? 1 : -1;
      }
      int ours = Math.abs((own - given) - (peer + given));
      int firstGiven = plan.moves().isEmpty() ? 0 : Integer.signum(given);
      int oursAtOnce = Math.abs((own - firstGiven) - (peer + firstGiven));
      assertTrue(oursAtOnce <= theirs, () -> row.value() + ": at once " + oursAtOnce);
      assertTrue(ours <= theirs, () -> row.value() + ": " + ours + " > " + theirs);
      assertEquals(Math.abs(own - peer) / 2, plan.moves().size(), () -> "moves: " + row.value());
      String outcome = ours < theirs ? "closer" : "as close";
      compared.merge(action + ": " + outcome, 1, Integer::sum);
    }
    assertEquals(
        VECTORS.field("decisions").items().size(),
        compared.values().stream().mapToInt(Integer::intValue).sum());
    assertEquals(
        "{none: as close=4, none: closer=12, send: as close=2, send: closer=30,"
            + " split_needed: as close=3, split_needed: closer=11, switch: closer=8}",
        compared.toString());
  }

  @Test
  void plan_evensTwoServersInFewerActions() {
    List<String> comparison = new ArrayList<>();
    for (Golden row : VECTORS.field("two_node").items()) {
      if (row.field("mask").number() != 15) {
        continue;
      }
      List<String> actions = row.field("actions").texts();
      long copies = actions.stream().filter(action -> action.contains(":backup:")).count();
      long switches = actions.stream().filter(action -> action.contains(":switch:")).count();
      BucketTable table = BucketTable.initial(OWN).join(PEER).table();
      BucketChange change = BucketBalancer.byCounts().plan(table).applyTo(table);
      long sends = change.duties().stream().filter(d -> d.kind() == BucketDuty.Kind.SEND).count();
      assertEquals(8, change.table().count(OWN));
      assertEquals(8, change.table().count(PEER));
      assertEquals("A=8+8 B=8+8", row.field("result").text());
      assertTrue(sends <= switches && sends < copies);
      long backedUp = change.table().buckets().stream().filter(b -> !b.backups().isEmpty()).count();
      comparison.add(
          String.format(
              Locale.ROOT,
              "%d copied, %d switched, all with a backup; %d moved, %d with a backup",
              copies,
              switches,
              sends,
              backedUp));
    }
    assertEquals(
        List.of("16 copied, 8 switched, all with a backup; 8 moved, 8 with a backup"), comparison);
  }
}
