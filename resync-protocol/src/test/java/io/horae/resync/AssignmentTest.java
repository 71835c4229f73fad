package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AssignmentTest {

  private static final ViewStamp VIEW = new ViewStamp(7, 0xabc);

  @Test
  void level_isThePlaceInTheList() {
    Assignment assignment = new Assignment(VIEW, List.of("c", "a", "b"));
    assertEquals(0, assignment.level("c"));
    assertEquals(2, assignment.level("b"));
    assertEquals(-1, assignment.level("d"));
    assertTrue(assignment.contains("a"));
    assertFalse(assignment.contains("d"));
  }

  @Test
  void replicas_listThatIsChangedAfterwards_stayAsTheyWere() {
    List<String> nodes = new ArrayList<>(List.of("a", "b"));
    Assignment assignment = new Assignment(VIEW, nodes);
    nodes.set(0, "z");
    assertEquals(List.of("a", "b"), assignment.replicas());
    assertThrows(UnsupportedOperationException.class, () -> assignment.replicas().remove("a"));
  }

  @Test
  void new_fromOneToSixteenReplicas_isTaken() {
    assertEquals(1, new Assignment(VIEW, nodes(1)).replicas().size());
    assertEquals(16, new Assignment(VIEW, nodes(16)).replicas().size());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 17, 1_000})
  void new_tooFewOrTooManyReplicas_isRefused(int count) {
    assertRefused(nodes(count), "a timer has 1 to 16 replicas: " + count);
  }

  @Test
  void new_nodeTwice_isRefusedByItsName() {
    String message = "replicas must be distinct: twice \"a\"";
    assertRefused(List.of("a", "a"), message);
    assertRefused(List.of("b", "a", "c", "a"), message);
    assertRefused(List.of("a", "b", "c", new String(new char[] {'a'})), message);
  }

  @Test
  void equals_orderOrViewDiffers_isFalse() {
    Assignment assignment = new Assignment(VIEW, List.of("a", "b"));
    assertEquals(assignment, new Assignment(new ViewStamp(7, 0xabc), List.of("a", "b")));
    assertFalse(assignment.equals(new Assignment(VIEW, List.of("b", "a"))));
    assertFalse(assignment.equals(new Assignment(new ViewStamp(8, 0xabc), List.of("a", "b"))));
  }

  @Test
  void toString_hasNodesAndView() {
    assertEquals("[a, b] of 7/abc", new Assignment(VIEW, List.of("a", "b")).toString());
  }

  private static void assertRefused(List<String> replicas, String message) {
    var refusal =
        assertThrows(IllegalArgumentException.class, () -> new Assignment(VIEW, replicas));
    assertEquals(message, refusal.getMessage());
  }

  private static List<String> nodes(int count) {
    return IntStream.range(0, count).mapToObj(i -> "node-" + i).toList();
  }
}
