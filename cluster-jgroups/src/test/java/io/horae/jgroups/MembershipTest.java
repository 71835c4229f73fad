package io.horae.jgroups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.placement.ClusterView;
import io.horae.placement.Node;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jgroups.Address;
import org.jgroups.View;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Test;

/** Members without channels: the test says which JGroups views they get, and what arrives. */
class MembershipTest {

  private final Map<String, Peer> peers = new LinkedHashMap<>();
  private final Deque<Runnable> network = new ArrayDeque<>();
  private long nowMs;
  private long addresses;

  /** A member, and what it was told. */
  private final class Peer implements Membership.Effects {
    final Address address = new UUID(1, ++addresses);
    final Membership membership;
    final List<ClusterView> views = new ArrayList<>();
    int refused;
    int taken;
    boolean mute;

    Peer(String nodeId, long epochBefore) {
      membership = new Membership(Node.of(nodeId), epochBefore, this);
    }

    @Override
    public void send(Address to, byte[] frame) {
      if (mute) {
        return;
      }
      network.add(
          () -> {
            for (Peer peer : peers.values()) {
              if (peer.address.equals(to)) {
                peer.receive(address, Frames.decode(ByteBuffer.wrap(frame)));
              }
            }
          });
    }

    private void receive(Address from, Frames.Frame frame) {
      if (frame instanceof Frames.Frame.Reported reported) {
        membership.reported(from, reported.report());
      } else if (frame instanceof Frames.Frame.Decided decided) {
        membership.decided(from, decided.decision());
      }
    }

    @Override
    public void install(ClusterView view, Map<String, Address> addresses) {
      assertTrue(views.isEmpty() || view.epoch() > last().epoch(), () -> views + ", " + view);
      views.add(view);
    }

    @Override
    public void leaveRefused() {
      refused++;
    }

    @Override
    public void idTaken() {
      taken++;
    }

    ClusterView last() {
      return views.get(views.size() - 1);
    }

    void leave() {
      membership.leave(nowMs);
    }
  }

  private void add(String... names) {
    for (String name : names) {
      peers.put(name, new Peer(name, 0));
    }
  }

  /** Gives members a JGroups view of themselves. */
  private void jgroups(long number, String... names) {
    tell(view(number, names), names);
  }

  private View view(long number, String... names) {
    List<Address> members = new ArrayList<>();
    for (String name : names) {
      members.add(peers.get(name).address);
    }
    return View.create(members.get(0), number, members);
  }

  private void tell(View view, String... names) {
    for (String name : names) {
      peers.get(name).membership.viewAccepted(nowMs, view, peers.get(name).address);
    }
  }

  private void deliver() {
    while (!network.isEmpty()) {
      network.remove().run();
    }
  }

  private void pass(long ms) {
    nowMs += ms;
    peers.values().forEach(peer -> peer.membership.tick(nowMs));
    deliver();
  }

  private void assertView(String expected, String... names) {
    for (String name : names) {
      ClusterView view = peers.get(name).last();
      String text =
          view.epoch()
              + " staying "
              + ids(view.staying())
              + " joining "
              + ids(view.joining())
              + " leaving "
              + ids(view.leaving());
      assertEquals(expected, text, name);
    }
  }

  private static List<String> ids(List<Node> nodes) {
    return nodes.stream().map(Node::id).toList();
  }

  @Test
  void viewAccepted_newMembers_join() {
    add("a", "b", "c");
    jgroups(0, "a");
    assertView("1 staying [] joining [a] leaving []", "a");
    jgroups(1, "a", "b");
    deliver();
    assertView("2 staying [a] joining [b] leaving []", "a", "b");
    jgroups(2, "a", "b", "c");
    deliver();
    assertView("3 staying [a, b] joining [c] leaving []", "a", "b", "c");
  }

  @Test
  void viewAccepted_crash_removes() {
    add("a", "b", "c");
    jgroups(0, "a", "b", "c");
    deliver();
    jgroups(1, "a", "c");
    deliver();
    assertView("2 staying [a, c] joining [] leaving []", "a", "c");
  }

  @Test
  void viewAccepted_coordinatorCrashes_nextGoesOnAbove() {
    add("a", "b", "c");
    jgroups(0, "a", "b", "c");
    deliver();
    jgroups(1, "b", "c");
    deliver();
    assertView("2 staying [b, c] joining [] leaving []", "b", "c");
  }

  @Test
  void viewAccepted_coordinatorCrashesAfterTellingOne_nextIsAbove() {
    add("a", "b", "c", "d");
    jgroups(0, "a", "b", "c");
    deliver();
    View four = view(1, "a", "b", "c", "d");
    tell(four, "a", "b", "c", "d");
    network.remove().run(); // the reports
    network.remove().run();
    network.remove().run();
    network.remove().run(); // the decision, to b
    network.clear();
    assertView("2 staying [a, b, c] joining [d] leaving []", "a", "b");
    assertView("1 staying [] joining [a, b, c] leaving []", "c");
    jgroups(2, "c", "b", "d");
    deliver();
    // b and c had different views: everybody is to check all, so an epoch is left out.
    assertView("4 staying [b, c] joining [d] leaving []", "b", "c", "d");
  }

  @Test
  void decided_inAnEarlierTerm_isVoid() {
    add("a", "b", "c");
    jgroups(0, "a", "b");
    deliver();
    tell(view(1, "a", "b", "c"), "a", "b", "c");
    network.remove().run(); // the reports
    network.remove().run();
    List<Runnable> decisions = new ArrayList<>(network);
    network.clear();
    jgroups(2, "b", "c"); // a has gone
    decisions.forEach(Runnable::run);
    assertView("1 staying [] joining [a, b] leaving []", "b");
    assertTrue(peers.get("c").views.isEmpty());
    deliver();
    assertView("2 staying [b] joining [c] leaving []", "b", "c");
  }

  @Test
  void reported_beforeTheCoordinatorHasTheView_counts() {
    add("a", "b");
    jgroups(0, "a");
    View two = view(1, "a", "b");
    tell(two, "b");
    deliver();
    tell(two, "a");
    deliver();
    assertView("2 staying [a] joining [b] leaving []", "a", "b");
  }

  @Test
  void merge_isAboveBothSides_andLeavesOneOut() {
    add("a", "b", "c", "d", "e");
    jgroups(0, "a", "b", "c", "d", "e");
    deliver();
    jgroups(1, "a", "b");
    jgroups(1, "c", "d", "e");
    deliver();
    jgroups(2, "c", "d");
    deliver();
    assertView("2 staying [a, b] joining [] leaving []", "a", "b");
    assertView("3 staying [c, d] joining [] leaving []", "c", "d");
    jgroups(3, "b", "a", "c", "d");
    deliver();
    assertView("5 staying [a, b, c, d] joining [] leaving []", "a", "b", "c", "d");
  }

  @Test
  void merge_sidesWithOneEpoch_leavesOneOut() {
    add("a", "b");
    jgroups(0, "a", "b");
    deliver();
    jgroups(1, "a");
    jgroups(1, "b");
    assertView("2 staying [a] joining [] leaving []", "a");
    assertView("2 staying [b] joining [] leaving []", "b");
    jgroups(2, "b", "a");
    deliver();
    assertView("4 staying [a, b] joining [] leaving []", "a", "b");
  }

  @Test
  void leave_isLeavingUntilItGoes() {
    add("a", "b", "c");
    jgroups(0, "a", "b", "c");
    deliver();
    peers.get("b").leave();
    deliver();
    assertView("2 staying [a, c] joining [] leaving [b]", "a", "b", "c");
    add("d");
    jgroups(1, "a", "b", "c", "d");
    deliver();
    assertView("3 staying [a, c] joining [d] leaving [b]", "a", "b", "c", "d");
    jgroups(2, "b", "c", "d"); // the coordinator dies, b takes over and is leaving still
    deliver();
    assertView("4 staying [c, d] joining [] leaving [b]", "b", "c", "d");
    jgroups(3, "c", "d");
    deliver();
    assertView("5 staying [c, d] joining [] leaving []", "c", "d");
  }

  @Test
  void leave_coordinator_isLeavingToo() {
    add("a", "b");
    jgroups(0, "a", "b");
    deliver();
    peers.get("a").leave();
    deliver();
    assertView("2 staying [b] joining [] leaving [a]", "a", "b");
    assertEquals(0, peers.get("a").refused);
  }

  @Test
  void leave_lastOne_isRefused() {
    add("a", "b");
    jgroups(0, "a", "b");
    deliver();
    peers.get("a").leave();
    peers.get("b").leave();
    deliver();
    assertView("3 staying [b] joining [] leaving [a]", "a", "b");
    assertEquals(0, peers.get("a").refused);
    assertEquals(1, peers.get("b").refused);
  }

  @Test
  void leave_othersCrash_comesBack() {
    add("a", "b");
    jgroups(0, "a", "b");
    deliver();
    peers.get("a").leave();
    deliver();
    jgroups(1, "a");
    assertView("3 staying [a] joining [] leaving []", "a");
    assertEquals(1, peers.get("a").refused);
  }

  @Test
  void tick_silentMember_isLeftOutUntilItReports() {
    add("a", "b", "c");
    jgroups(0, "a", "b");
    deliver();
    peers.get("b").mute = true;
    jgroups(1, "a", "b", "c");
    deliver();
    assertView("1 staying [] joining [a, b] leaving []", "a", "b");
    pass(Membership.REPORTS_WITHIN_MS);
    assertView("2 staying [a] joining [c] leaving []", "a", "c");
    peers.get("b").mute = false;
    pass(Membership.REPORT_AGAIN_MS);
    // b does not have the view that a and c have: all are to check.
    assertView("4 staying [a, b, c] joining [] leaving []", "a", "b", "c");
  }

  @Test
  void tick_lostDecision_isSentAgain() {
    add("a", "b");
    jgroups(0, "a", "b");
    network.remove().run(); // b's report
    network.clear(); // the decision is lost
    assertTrue(peers.get("b").views.isEmpty());
    pass(Membership.REPORT_AGAIN_MS);
    assertView("1 staying [] joining [a, b] leaving []", "a", "b");
    assertEquals(1, peers.get("a").views.size());
  }

  @Test
  void nextTickMs_settled_isNever() {
    add("a", "b");
    jgroups(0, "a", "b");
    deliver();
    assertEquals(Long.MAX_VALUE, peers.get("a").membership.nextTickMs());
    assertEquals(Long.MAX_VALUE, peers.get("b").membership.nextTickMs());
  }

  @Test
  void idTwice_theOneThatIsInCounts() {
    add("a", "b");
    peers.put("b again", new Peer("b", 0));
    jgroups(0, "a", "b");
    deliver();
    jgroups(1, "a", "b again", "b");
    deliver();
    assertView("2 staying [a, b] joining [] leaving []", "a", "b");
    assertTrue(peers.get("b again").views.isEmpty());
    assertEquals(1, peers.get("b again").taken);
    jgroups(2, "a", "b again"); // the first one has gone: it was its earlier life
    deliver();
    assertView("3 staying [a] joining [b] leaving []", "a", "b again");
  }

  @Test
  void epochBefore_isExceeded() {
    add("a");
    peers.put("b", new Peer("b", 41));
    jgroups(0, "a", "b");
    deliver();
    assertView("42 staying [] joining [a, b] leaving []", "a", "b");
  }

  @Test
  void decided_withoutSense_isSkipped() {
    add("a", "b");
    jgroups(0, "a", "b");
    deliver();
    Peer b = peers.get("b");
    Term term = Term.of(view(0, "a", "b"));
    Node node = Node.of("b");
    Decision.Seat own = new Decision.Seat(1, 9, node, Decision.Role.STAYING);
    Decision.Seat nowhere = new Decision.Seat(7, 9, Node.of("x"), Decision.Role.STAYING);
    Decision.Seat leaving = new Decision.Seat(1, 9, node, Decision.Role.LEAVING);
    Address coordinator = peers.get("a").address;
    b.membership.decided(coordinator, new Decision(term, 9, List.of(own, nowhere)));
    b.membership.decided(coordinator, new Decision(term, 9, List.of(own, own)));
    b.membership.decided(coordinator, new Decision(term, 9, List.of(leaving)));
    b.membership.decided(b.address, new Decision(term, 9, List.of(own)));
    assertFalse(b.last().epoch() > 1, () -> b.views.toString());
  }
}
