package io.horae.placement;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a change of a continuum moves, measured on the ring itself: which arcs have another primary
 * than before, from whom to whom, and how much of the ring that is. It is exact, and needs no keys.
 *
 * <pre>{@code
 * ArcMovement movement = ArcMovement.between(three, four);
 * movement.fractionMoved();                // 0.25, give or take
 * movement.hashesMovedBetweenStaying();    // 0
 * movement.arcs();                         // what the node that joined must be sent
 * }</pre>
 *
 * <p>Nodes are matched by id. {@link Movement} measures backups too, on keys.
 */
public final class ArcMovement {

  private final List<Arc> arcs;
  private final long hashesMoved;
  private final long hashesMovedLeast;
  private final long hashesMovedBetweenStaying;

  private ArcMovement(KetamaContinuum before, KetamaContinuum after) {
    arcs = List.copyOf(changed(before, after));
    hashesMoved = arcs.stream().mapToLong(Arc::hashes).sum();
    hashesMovedLeast = least(before, after);
    Set<String> staying = ids(before);
    staying.retainAll(ids(after));
    hashesMovedBetweenStaying =
        arcs.stream()
            .filter(arc -> staying.contains(arc.from.id()) && staying.contains(arc.to.id()))
            .mapToLong(Arc::hashes)
            .sum();
  }

  /**
   * Measures the whole ring.
   *
   * @param before the continuum until now
   * @param after the continuum from now on
   * @return what moves
   * @throws IllegalArgumentException if either is null, or they hash keys differently, so that an
   *     arc of the one has nothing to do with an arc of the other
   */
  public static ArcMovement between(KetamaContinuum before, KetamaContinuum after) {
    KetamaHash hashBefore = Nodes.present(before, "continuum before").dialect().keyHash();
    KetamaHash hashAfter = Nodes.present(after, "continuum after").dialect().keyHash();
    if (!hashBefore.equals(hashAfter)) {
      throw new IllegalArgumentException(
          "continuums must hash keys alike: " + before.dialect() + " and " + after.dialect());
    }
    return new ArcMovement(before, after);
  }

  private static List<Arc> changed(KetamaContinuum before, KetamaContinuum after) {
    KetamaPoints pointsBefore = before.ring();
    KetamaPoints pointsAfter = after.ring();
    List<Arc> arcs = new ArrayList<>();
    int atBefore = 0;
    int atAfter = 0;
    for (long first = 0; first <= 0xffff_ffffL; ) {
      // Both rings end with an arc to 2³²−1, so neither search leaves its ring.
      while (pointsBefore.place(atBefore) < first) {
        atBefore++;
      }
      while (pointsAfter.place(atAfter) < first) {
        atAfter++;
      }
      long last = Math.min(pointsBefore.place(atBefore), pointsAfter.place(atAfter));
      Node from = before.nodes().get(pointsBefore.owner(atBefore));
      Node to = after.nodes().get(pointsAfter.owner(atAfter));
      if (!from.id().equals(to.id())) {
        add(arcs, new Arc(first, last, from, to));
      }
      first = last + 1;
    }
    return arcs;
  }

  /** Adds an arc, or lengthens the last one if that goes on. */
  private static void add(List<Arc> arcs, Arc arc) {
    Arc last = arcs.isEmpty() ? arc : arcs.get(arcs.size() - 1);
    if (last.last + 1 == arc.first && last.from.equals(arc.from) && last.to.equals(arc.to)) {
      arcs.set(arcs.size() - 1, new Arc(last.first, arc.last, arc.from, arc.to));
    } else {
      arcs.add(arc);
    }
  }

  private static long least(KetamaContinuum before, KetamaContinuum after) {
    Map<String, Long> had = new HashMap<>();
    before.ownership().forEach(share -> had.put(share.node().id(), share.hashes()));
    return after.ownership().stream()
        .mapToLong(share -> share.hashes() - had.getOrDefault(share.node().id(), 0L))
        .filter(gain -> gain > 0)
        .sum();
  }

  private static Set<String> ids(KetamaContinuum continuum) {
    return continuum.nodes().stream().map(Node::id).collect(Collectors.toCollection(HashSet::new));
  }

  /**
   * The arcs that have another primary than before.
   *
   * @return in ascending order, as long as can be; an arc across 0 is two; an unmodifiable list
   */
  public List<Arc> arcs() {
    return arcs;
  }

  /**
   * Hashes that have another primary than before.
   *
   * @return their number, of 2³²
   */
  public long hashesMoved() {
    return hashesMoved;
  }

  /**
   * The least number of hashes that had to move for each node to have as many as it has now.
   *
   * @return their number, of 2³²
   */
  public long hashesMovedLeast() {
    return hashesMovedLeast;
  }

  /**
   * Hashes that moved from one node that stays to another: none, unless a node's number of points
   * changed.
   *
   * @return their number, of 2³²
   */
  public long hashesMovedBetweenStaying() {
    return hashesMovedBetweenStaying;
  }

  /**
   * The part of the ring that has another primary than before.
   *
   * @return from 0 to 1, exactly
   */
  public double fractionMoved() {
    return hashesMoved / 0x1p32;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d arcs moved, %.2f %% of the ring (least %.2f %%), %.2f %% between staying nodes",
        arcs.size(),
        percent(hashesMoved),
        percent(hashesMovedLeast),
        percent(hashesMovedBetweenStaying));
  }

  private static double percent(long hashes) {
    return 100 * (hashes / 0x1p32);
  }

  /**
   * A stretch of the ring that changed hands as one.
   *
   * @param first its first hash
   * @param last its last hash, not below the first
   * @param from its primary before
   * @param to its primary after
   */
  public record Arc(long first, long last, Node from, Node to) {

    /**
     * Its length.
     *
     * @return the number of hashes, of 2³²
     */
    public long hashes() {
      return last - first + 1;
    }
  }
}
