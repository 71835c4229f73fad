package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * {@link Movement} against a model, over placements that follow no rule at all: any list of
 * distinct nodes for every key, before and after.
 */
class MovementProperties {

  private static final int NODES_MAX = 7;
  private static final int KEYS = 30;

  /** How the cluster changes. */
  enum Kind {
    GROWS,
    SHRINKS,
    KEEPS_ITS_NODES,
    CHANGES_ANYHOW
  }

  @Property(tries = 2_000)
  void everyCountIsTheModels(
      @ForAll Kind kind,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = NODES_MAX) int size,
      @ForAll @IntRange(min = 1, max = NODES_MAX) int other,
      @ForAll @IntRange(min = 1, max = 4) int count) {
    Tables tables = Tables.random(kind, new SplittableRandom(seed), size, other);
    Movement movement =
        Movement.between(tables.before(), tables.after(), LongStream.range(0, KEYS), count);
    Movement ofTexts =
        Movement.between(
            tables.before(),
            tables.after(),
            LongStream.range(0, KEYS).mapToObj(Long::toString),
            count);
    Model model = Model.of(tables, count);
    assertEquals(KEYS, movement.keys());
    assertEquals(model.changes(), movement.changes());
    assertEquals(model.changes(), ofTexts.changes());
    assertEquals(model.primariesMoved(), movement.primariesMoved());
    assertEquals(model.primariesMovedLeast(), movement.primariesMovedLeast());
    assertEquals(model.backupsMoved(), movement.backupsMoved());
    assertEquals(model.copiesMoved(), movement.copiesMoved());
    assertEquals(model.copiesMovedLeast(), movement.copiesMovedLeast());
    assertEquals(model.movedBetweenStaying(), movement.movedBetweenStaying());
    assertEquals(movement.toString(), ofTexts.toString());
  }

  @Property(tries = 2_000)
  void neverLessThanTheLeastMoves(
      @ForAll Kind kind,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = NODES_MAX) int size,
      @ForAll @IntRange(min = 1, max = NODES_MAX) int other,
      @ForAll @IntRange(min = 1, max = 4) int count) {
    Tables tables = Tables.random(kind, new SplittableRandom(seed), size, other);
    Movement movement =
        Movement.between(tables.before(), tables.after(), LongStream.range(0, KEYS), count);
    assertTrue(movement.primariesMovedLeast() >= 0, movement::toString);
    assertTrue(movement.copiesMovedLeast() >= 0, movement::toString);
    assertTrue(movement.primariesMoved() >= movement.primariesMovedLeast(), movement::toString);
    assertTrue(movement.copiesMoved() >= movement.copiesMovedLeast(), movement::toString);
  }

  /** A placement by hand: for every key, the whole cluster in some order. */
  private record Table(List<Node> nodes, List<List<Node>> rows) implements Placement {

    @Override
    public int replicas(long key, int[] into) {
      int count = Math.min(into.length, nodes.size());
      for (int level = 0; level < count; level++) {
        into[level] = nodes.indexOf(rows.get((int) key).get(level));
      }
      return count;
    }

    @Override
    public int replicas(String key, int[] into) {
      return replicas(Long.parseLong(key), into);
    }

    /** The same replicas, without going by way of numbers. */
    List<String> ids(int key, int count) {
      return rows.get(key).stream().limit(count).map(Node::id).toList();
    }
  }

  private record Tables(Table before, Table after) {

    static Tables random(Kind kind, SplittableRandom random, int size, int other) {
      List<Node> pool = Clusters.random(random, NODES_MAX);
      List<Node> large = pool.subList(0, Math.max(size, other));
      List<Node> small = large.subList(0, Math.min(size, other));
      List<Node> nodesBefore = kind == Kind.GROWS ? small : large;
      List<Node> nodesAfter =
          switch (kind) {
            case GROWS, KEEPS_ITS_NODES -> large;
            case SHRINKS -> small;
            case CHANGES_ANYHOW -> Clusters.shuffled(random, pool).subList(0, other);
          };
      // Nodes are matched by id, so one that is changed otherwise stays.
      nodesAfter =
          nodesAfter.stream().map(n -> random.nextBoolean() ? n : n.withWeight(2)).toList();
      Table before = table(random, Clusters.shuffled(random, nodesBefore));
      Table after = table(random, Clusters.shuffled(random, nodesAfter));
      for (int key = 0; key < KEYS; key++) {
        // Mostly a key moves a little, and sometimes anywhere.
        if (random.nextInt(4) > 0) {
          List<String> ids = before.ids(key, NODES_MAX);
          after.rows().get(key).sort((a, b) -> order(ids, a) - order(ids, b));
        }
      }
      return new Tables(before, after);
    }

    private static Table table(SplittableRandom random, List<Node> nodes) {
      List<List<Node>> rows = new ArrayList<>();
      for (int key = 0; key < KEYS; key++) {
        rows.add(Clusters.shuffled(random, nodes));
      }
      return new Table(nodes, rows);
    }

    /** Its place among the ids; a node that joins comes first, last or between, by its id. */
    private static int order(List<String> ids, Node node) {
      int place = ids.indexOf(node.id());
      return place >= 0 ? place : Math.floorMod(node.id().hashCode(), NODES_MAX);
    }
  }

  /** One key's replicas as ids, primary first. */
  private record Key(List<String> was, List<String> is) {

    boolean wasBackup(String id) {
      return was.indexOf(id) > 0;
    }

    boolean isBackup(String id) {
      return is.indexOf(id) > 0;
    }

    boolean wasPrimary(String id) {
      return was.get(0).equals(id);
    }

    boolean isPrimary(String id) {
      return is.get(0).equals(id);
    }

    /**
     * Whether a replica moved from one node that stays to another, however those that were lost are
     * paired with those that were gained, or the office of primary did.
     */
    boolean movedBetween(Set<String> staying) {
      String primaryBefore = was.get(0);
      String primaryAfter = is.get(0);
      if (!primaryBefore.equals(primaryAfter)
          && staying.contains(primaryBefore)
          && staying.contains(primaryAfter)) {
        return true;
      }
      return !canPair(without(was, is), without(is, was), staying);
    }

    /** Whether replicas can be paired, as many as possible, but none of two nodes that stay. */
    private static boolean canPair(List<String> lost, List<String> gained, Set<String> staying) {
      if (lost.isEmpty() || gained.isEmpty()) {
        return true;
      }
      List<String> others = lost.subList(1, lost.size());
      if (lost.size() > gained.size() && canPair(others, gained, staying)) {
        return true;
      }
      return gained.stream()
          .filter(to -> !staying.contains(lost.get(0)) || !staying.contains(to))
          .anyMatch(to -> canPair(others, without(gained, List.of(to)), staying));
    }

    private static List<String> without(List<String> ids, List<String> those) {
      return ids.stream().filter(id -> !those.contains(id)).toList();
    }
  }

  /** What the documentation of {@link Movement} says, sentence by sentence. */
  private record Model(Map<String, Node> nodes, Set<String> staying, List<Key> keys) {

    static Model of(Tables tables, int count) {
      // First the nodes before, then those that join; each as it is afterwards if it stays.
      Map<String, Node> nodes = new LinkedHashMap<>();
      tables.before().nodes().forEach(node -> nodes.put(node.id(), node));
      tables.after().nodes().forEach(node -> nodes.put(node.id(), node));
      Set<String> staying =
          tables.before().nodes().stream().map(Node::id).collect(Collectors.toSet());
      staying.retainAll(tables.after().nodes().stream().map(Node::id).toList());
      List<Key> keys = new ArrayList<>();
      for (int key = 0; key < KEYS; key++) {
        keys.add(new Key(tables.before().ids(key, count), tables.after().ids(key, count)));
      }
      return new Model(nodes, staying, keys);
    }

    List<Movement.Change> changes() {
      List<Movement.Change> changes = new ArrayList<>();
      nodes.forEach(
          (id, node) ->
              changes.add(
                  new Movement.Change(
                      node,
                      count(key -> key.wasPrimary(id)),
                      count(key -> key.isPrimary(id) && !key.wasPrimary(id)),
                      count(key -> key.wasPrimary(id) && !key.isPrimary(id)),
                      count(key -> key.wasBackup(id)),
                      count(key -> key.isBackup(id) && !key.wasBackup(id)),
                      count(key -> key.wasBackup(id) && !key.isBackup(id)),
                      count(key -> key.is().contains(id) && !key.was().contains(id)),
                      count(key -> key.was().contains(id) && !key.is().contains(id)))));
      return changes;
    }

    long primariesMoved() {
      return count(key -> !key.isPrimary(key.was().get(0)));
    }

    long backupsMoved() {
      return keys.stream()
          .flatMap(key -> key.is().stream().filter(key::isBackup).filter(id -> !key.wasBackup(id)))
          .count();
    }

    long copiesMoved() {
      return keys.stream()
          .flatMap(key -> key.is().stream().filter(id -> !key.was().contains(id)))
          .count();
    }

    /** What the nodes that end up with more than before have to gain, all together. */
    long primariesMovedLeast() {
      return nodes.keySet().stream()
          .mapToLong(id -> count(key -> key.isPrimary(id)) - count(key -> key.wasPrimary(id)))
          .filter(more -> more > 0)
          .sum();
    }

    long copiesMovedLeast() {
      return nodes.keySet().stream()
          .mapToLong(
              id -> count(key -> key.is().contains(id)) - count(key -> key.was().contains(id)))
          .filter(more -> more > 0)
          .sum();
    }

    long movedBetweenStaying() {
      return count(key -> key.movedBetween(staying));
    }

    private long count(Predicate<Key> condition) {
      return keys.stream().filter(condition).count();
    }
  }
}
