package io.horae.placement;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who is in the cluster, and what is about to change: the nodes that stay, those that join and
 * those that leave. The cluster {@link #before()} is staying and leaving, the cluster {@link
 * #after()} is staying and joining.
 *
 * <pre>{@code
 * ClusterView one = ClusterView.of(1, List.of(a, b, c));   // settled: all three stay
 * ClusterView two = one.next(List.of(a, b, d));            // epoch 2: a, b stay, d joins, c leaves
 * ClusterView three = two.next(two.after());               // epoch 3: settled again
 * }</pre>
 *
 * <p>A view is an immutable value. It is told from others by its epoch, which whoever decides on
 * membership raises with every change, and by its {@link #id()}, a digest of the membership: two
 * members that were told different things under one epoch find out by it. The order of the lists is
 * not in the id; it matters to {@link Collisions#INCREMENT} and {@link Collisions#DECREMENT} alone.
 */
public final class ClusterView {

  private final long epoch;
  private final List<Node> staying;
  private final List<Node> joining;
  private final List<Node> leaving;
  private final List<Node> before;
  private final List<Node> after;
  private final long id;

  private ClusterView(long epoch, List<Node> before, List<Node> after) {
    if (epoch < 0) {
      throw new IllegalArgumentException("epoch must not be negative: " + epoch);
    }
    this.epoch = epoch;
    this.before = before;
    this.after = after;
    Set<String> idsBefore = idSet(before);
    Set<String> idsAfter = idSet(after);
    staying = after.stream().filter(node -> idsBefore.contains(node.id())).toList();
    joining = after.stream().filter(node -> !idsBefore.contains(node.id())).toList();
    leaving = before.stream().filter(node -> !idsAfter.contains(node.id())).toList();
    id = digest(after);
  }

  /**
   * A settled cluster: every node stays.
   *
   * @param epoch the number of the view, not negative
   * @param nodes the members; at least one, ids unique
   * @return the view
   * @throws IllegalArgumentException if the epoch is negative, there are no nodes, one is null or
   *     two have the same id
   */
  public static ClusterView of(long epoch, Collection<Node> nodes) {
    return of(epoch, nodes, List.of(), List.of());
  }

  /**
   * A cluster that changes.
   *
   * @param epoch the number of the view, not negative
   * @param staying the nodes that are in the cluster before and after
   * @param joining the nodes that are in it only afterwards
   * @param leaving the nodes that are in it only before
   * @return the view
   * @throws IllegalArgumentException if the epoch is negative, nobody stays or joins, one is null
   *     or two have the same id
   */
  public static ClusterView of(
      long epoch, Collection<Node> staying, Collection<Node> joining, Collection<Node> leaving) {
    List<Node> before = new ArrayList<>(Nodes.present(staying, "staying nodes"));
    List<Node> after = new ArrayList<>(before);
    before.addAll(Nodes.present(leaving, "leaving nodes"));
    after.addAll(Nodes.present(joining, "joining nodes"));
    // Checked as a whole, so that no node is in two of the lists.
    List<Node> everyone = new ArrayList<>(before);
    everyone.addAll(joining);
    Nodes.checked(everyone);
    if (after.isEmpty()) {
      throw new IllegalArgumentException(
          "a cluster needs at least one node, but all leave: "
              + Node.quoted(everyone.get(0).id())
              + (everyone.size() > 1 ? " and " + (everyone.size() - 1) + " more" : ""));
    }
    return new ClusterView(epoch, List.copyOf(before), List.copyOf(after));
  }

  /**
   * The view that leads from this one's {@link #after()} to other members, with the next epoch. A
   * node stays if its id does; if its weight or zone changes, {@link #before()} has the old and
   * {@link #after()} the new.
   *
   * @param nodes the members afterwards; at least one, ids unique
   * @return the view
   * @throws IllegalArgumentException if there are no nodes, one is null or two have the same id
   * @throws ArithmeticException if this view has the last epoch there is
   */
  public ClusterView next(Collection<Node> nodes) {
    List<Node> next = Nodes.checked(Nodes.present(nodes, "nodes"));
    return new ClusterView(Math.addExact(epoch, 1), after, next);
  }

  /**
   * The number of the view.
   *
   * @return the epoch, not negative
   */
  public long epoch() {
    return epoch;
  }

  /**
   * A digest of the membership {@link #after()}: ids, weights and zones, in whatever order they
   * were listed. It is the first eight bytes of a SHA-256.
   *
   * @return the digest; the same in every process
   */
  public long id() {
    return id;
  }

  /**
   * The nodes that are in the cluster before and after.
   *
   * @return the nodes as they are afterwards; an unmodifiable list
   */
  public List<Node> staying() {
    return staying;
  }

  /**
   * The nodes that are new.
   *
   * @return an unmodifiable list
   */
  public List<Node> joining() {
    return joining;
  }

  /**
   * The nodes that go.
   *
   * @return an unmodifiable list
   */
  public List<Node> leaving() {
    return leaving;
  }

  /**
   * The cluster until now. After {@link #next} it is the {@link #after()} of the view before, else
   * the staying nodes and then the leaving.
   *
   * @return an unmodifiable list; empty if every member is new
   */
  public List<Node> before() {
    return before;
  }

  /**
   * The cluster from now on, in the order it was given in; the staying nodes and then the joining
   * if they were given apart.
   *
   * @return an unmodifiable list, not empty
   */
  public List<Node> after() {
    return after;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ClusterView view
        && epoch == view.epoch
        && before.equals(view.before)
        && after.equals(view.after);
  }

  @Override
  public int hashCode() {
    return Objects.hash(epoch, before, after);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "view %d/%016x: staying %s, joining %s, leaving %s",
        epoch,
        id,
        ids(staying),
        ids(joining),
        ids(leaving));
  }

  private static List<String> ids(List<Node> nodes) {
    return nodes.stream().map(Node::id).toList();
  }

  private static Set<String> idSet(List<Node> nodes) {
    return new HashSet<>(ids(nodes));
  }

  /** Each field goes in behind its length, so that no two memberships read the same. */
  private static long digest(List<Node> nodes) {
    MessageDigest sha256;
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
    nodes.stream()
        .sorted(Comparator.comparing(Node::id))
        .flatMap(node -> Stream.of(field(node.id()), weight(node), field(node.zone())))
        .forEach(sha256::update);
    return ByteBuffer.wrap(sha256.digest()).getLong();
  }

  private static ByteBuffer field(@Nullable String text) {
    if (text == null) {
      return ByteBuffer.allocate(4).putInt(-1).flip();
    }
    ByteBuffer field = ByteBuffer.allocate(4 + 2 * text.length()).putInt(text.length());
    text.chars().forEach(unit -> field.putChar((char) unit));
    return field.flip();
  }

  private static ByteBuffer weight(Node node) {
    return ByteBuffer.allocate(8).putDouble(node.weight()).flip();
  }
}
