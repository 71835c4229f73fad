package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterViewTest {

  private static final Node A = Node.of("A");
  private static final Node B = Node.of("B");
  private static final Node C = Node.of("C");
  private static final Node D = Node.of("D");
  private static final List<Node> NONE = List.of();

  @Test
  void of_settled() {
    ClusterView view = ClusterView.of(7, List.of(B, A, C));
    assertEquals(7, view.epoch());
    assertEquals(List.of(B, A, C), view.staying());
    assertEquals(NONE, view.joining());
    assertEquals(NONE, view.leaving());
    assertEquals(List.of(B, A, C), view.before());
    assertEquals(List.of(B, A, C), view.after());
  }

  @Test
  void of_changing() {
    ClusterView view = ClusterView.of(7, List.of(B, A), List.of(D), List.of(C));
    assertEquals(List.of(B, A), view.staying());
    assertEquals(List.of(D), view.joining());
    assertEquals(List.of(C), view.leaving());
    assertEquals(List.of(B, A, C), view.before(), "staying, then leaving");
    assertEquals(List.of(B, A, D), view.after(), "staying, then joining");
  }

  @Test
  void of_everyMemberIsNew() {
    ClusterView view = ClusterView.of(0, NONE, List.of(A), NONE);
    assertEquals(NONE, view.before());
    assertEquals(List.of(A), view.after());
  }

  @Test
  void of_everyMemberIsReplaced() {
    ClusterView view = ClusterView.of(0, NONE, List.of(A), List.of(B));
    assertEquals(List.of(B), view.before());
    assertEquals(List.of(A), view.after());
  }

  @Test
  void next_staysJoinsAndLeavesById() {
    ClusterView view = ClusterView.of(1, List.of(A, B, C)).next(List.of(D, B, A));
    assertEquals(2, view.epoch());
    assertEquals(List.of(B, A), view.staying(), "in the order given");
    assertEquals(List.of(D), view.joining());
    assertEquals(List.of(C), view.leaving());
    assertEquals(List.of(A, B, C), view.before());
    assertEquals(List.of(D, B, A), view.after());
  }

  @Test
  void next_startsFromTheMembersAfter() {
    ClusterView changing = ClusterView.of(1, List.of(A, B), List.of(C), List.of(D));
    ClusterView view = changing.next(List.of(A, B, D));
    assertEquals(List.of(A, B), view.staying());
    assertEquals(List.of(D), view.joining(), "it had left");
    assertEquals(List.of(C), view.leaving(), "it had joined");
  }

  @Test
  void next_sameMembersSettles() {
    ClusterView changing = ClusterView.of(1, List.of(A), List.of(B), List.of(C));
    ClusterView settled = changing.next(changing.after());
    assertEquals(ClusterView.of(2, List.of(A, B)), settled);
    assertEquals(changing.id(), settled.id(), "the members are the same");
  }

  @Test
  void next_wholeClusterReplaced() {
    ClusterView view = ClusterView.of(1, List.of(A, B)).next(List.of(C));
    assertEquals(NONE, view.staying());
    assertEquals(List.of(A, B), view.before());
    assertEquals(List.of(C), view.after());
  }

  @Test
  void next_whoeverLeaves_beforeIsWhatAfterWas() {
    for (List<Node> members : List.of(List.of(A, B, C), List.of(C, A, B), List.of(B, C, A))) {
      ClusterView joined = ClusterView.of(1, List.of(D)).next(members);
      for (Node leaving : members) {
        List<Node> rest = members.stream().filter(node -> !node.equals(leaving)).toList();
        ClusterView view = joined.next(rest);
        assertEquals(joined.after(), view.before());
        assertEquals(members, view.before());
        assertEquals(List.of(leaving), view.leaving());
        assertEquals(rest, view.staying());
        assertEquals(rest, view.after());
        assertEquals(rest, view.next(members).before());
      }
    }
  }

  @Test
  void next_anyOrder_afterIsTheListGiven() {
    ClusterView view = ClusterView.of(1, List.of(A, B, C));
    for (List<Node> nodes :
        List.of(List.of(C, B, A), List.of(D, C, A), List.of(B, D, A, C), List.of(D))) {
      assertEquals(nodes, view.next(nodes).after());
      assertEquals(List.of(A, B, C), view.next(nodes).before());
      // Order decides colliding hashes, so the next view must start from the very same list.
      assertEquals(nodes, view.next(nodes).next(List.of(A, B)).before());
    }
  }

  @Test
  void next_reweightedNodeStays() {
    ClusterView one = ClusterView.of(1, List.of(A, B));
    Node heavier = A.withWeight(3);
    ClusterView two = one.next(List.of(heavier, B));
    assertEquals(List.of(heavier, B), two.staying(), "as it is afterwards");
    assertEquals(NONE, two.joining());
    assertEquals(NONE, two.leaving());
    assertEquals(List.of(A, B), two.before(), "as it was");
    assertEquals(List.of(heavier, B), two.after());
    assertNotEquals(one.id(), two.id());
    assertNotEquals(
        ClusterView.of(2, List.of(heavier, B)), two, "in one of them the weight has not changed");
  }

  @Test
  void next_nodeInAnotherZoneStays() {
    Node moved = A.withZone("z");
    ClusterView view = ClusterView.of(1, List.of(A)).next(List.of(moved));
    assertEquals(List.of(moved), view.staying());
    assertEquals(List.of(A), view.before());
    assertEquals(List.of(moved), view.after());
  }

  @Test
  void next_leavesTheViewAlone() {
    ClusterView view = ClusterView.of(1, List.of(A, B));
    ClusterView next = view.next(List.of(C));
    assertEquals(ClusterView.of(1, List.of(A, B)), view);
    assertNotEquals(view, next);
  }

  @Test
  void next_lastEpoch() {
    ClusterView last = ClusterView.of(Long.MAX_VALUE - 1, List.of(A)).next(List.of(A));
    assertEquals(Long.MAX_VALUE, last.epoch());
    // An epoch that wrapped round would be older than every other.
    assertThrows(ArithmeticException.class, () -> last.next(List.of(A)));
  }

  /** Computed apart, from the description: members must agree on it across processes. */
  @Test
  void id_isTheDigestOfTheMembers() {
    List<Node> nodes =
        List.of(
            Node.of("10.0.0.1:7253"),
            Node.of("10.0.0.2:7253").withWeight(2.5).withZone("eu-1a"),
            Node.of("\u7bc0\u70b9").withZone("z"));
    assertEquals(0xbed9b61c86d428a3L, ClusterView.of(1, nodes).id());
  }

  @Test
  void id_doesNotDependOnOrder() {
    long id = ClusterView.of(1, List.of(A, B, C)).id();
    assertEquals(id, ClusterView.of(1, List.of(C, A, B)).id());
    assertEquals(id, ClusterView.of(1, List.of(B), List.of(C, A), NONE).id());
  }

  @Test
  void id_doesNotDependOnEpochOrOnWhoLeft() {
    long id = ClusterView.of(1, List.of(A, B)).id();
    assertEquals(id, ClusterView.of(2, List.of(A, B)).id());
    assertEquals(id, ClusterView.of(1, List.of(A, B), NONE, List.of(C)).id());
  }

  @Test
  void id_differsWithEveryMemberWeightAndZone() {
    List<List<Node>> clusters =
        List.of(
            List.of(A),
            List.of(B),
            List.of(A, B),
            List.of(A, C),
            List.of(A, B, C),
            List.of(A.withWeight(2)),
            List.of(A.withWeight(Math.nextUp(1.0))),
            List.of(A.withZone("z")),
            List.of(A.withZone("y")),
            List.of(A.withZone("null")),
            List.of(A.withWeight(2).withZone("z")),
            List.of(A.withWeight(2), B),
            List.of(A, B.withWeight(2)),
            List.of(A.withZone("z"), B),
            List.of(A, B.withZone("z")),
            // Written without their lengths, these two would read the same.
            List.of(A.withZone("xB"), C),
            List.of(A.withZone("x"), Node.of("BC")));
    Set<Long> ids = new HashSet<>();
    for (List<Node> nodes : clusters) {
      assertTrue(ids.add(ClusterView.of(1, nodes).id()), nodes::toString);
    }
  }

  @Test
  void equals_comparesEpochAndLists() {
    ClusterView view = ClusterView.of(1, List.of(A), List.of(B), List.of(C));
    ClusterView same = ClusterView.of(1, List.of(A), List.of(B), List.of(C));
    assertEquals(view, same);
    assertEquals(view.hashCode(), same.hashCode());
    for (ClusterView other :
        List.of(
            ClusterView.of(2, List.of(A), List.of(B), List.of(C)),
            ClusterView.of(1, List.of(A), List.of(B), NONE),
            ClusterView.of(1, List.of(A), NONE, List.of(C)),
            ClusterView.of(1, List.of(A, B), NONE, List.of(C)),
            ClusterView.of(1, NONE, List.of(A, B), List.of(C)),
            ClusterView.of(1, List.of(A.withWeight(2)), List.of(B), List.of(C)),
            ClusterView.of(1, List.of(A), List.of(B), List.of(C.withZone("z"))))) {
      assertNotEquals(view, other);
    }
    assertNotEquals(ClusterView.of(1, List.of(A, B)), ClusterView.of(1, List.of(B, A)));
    assertNotEquals(view, null);
    assertNotEquals(view, (Object) "view");
  }

  @Test
  void equals_nextIsTheViewMadeByHand() {
    ClusterView next = ClusterView.of(1, List.of(A, C)).next(List.of(A, B));
    ClusterView byHand = ClusterView.of(2, List.of(A), List.of(B), List.of(C));
    assertEquals(byHand, next);
    assertEquals(byHand.hashCode(), next.hashCode());
    assertEquals(byHand.id(), next.id());
  }

  @Test
  void toString_namesEpochIdAndNodes() {
    ClusterView view = ClusterView.of(12, List.of(A, B), List.of(C), List.of(D));
    assertEquals(
        String.format("view 12/%016x: staying [A, B], joining [C], leaving [D]", view.id()),
        view.toString());
  }

  @Test
  void toString_localeWithOtherDigits_isTheSame() {
    ClusterView view = ClusterView.of(12, List.of(A, B), List.of(C), List.of(D));
    String text = view.toString();
    Locale locale = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertNotEquals("12", String.format("%d", 12), "else the locale shows nothing");
      assertEquals(text, view.toString());
    } finally {
      Locale.setDefault(locale);
    }
  }
}
