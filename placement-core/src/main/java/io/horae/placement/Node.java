package io.horae.placement;

import org.jspecify.annotations.Nullable;

/**
 * A member of the cluster, as placement sees it: a name, a weight and, if it has one, a zone.
 *
 * <pre>{@code
 * Node.of("10.0.0.1:7253")
 * Node.of("10.0.0.2:7253").withWeight(2.0).withZone("eu-1a")
 * }</pre>
 *
 * <p>The id is what placement hashes, as UTF-8, so it must be the same text on every member; it may
 * be any text but a blank one. Within a cluster ids are unique. Two nodes are {@code equal} when
 * id, weight and zone are; whether a node <em>stays</em> in a changing cluster is decided by its id
 * alone.
 *
 * @param id the name, not blank
 * @param weight the share of keys it takes, relative to the other nodes'; finite and above 0, and
 *     exact between 1e-300 and 1e300
 * @param zone the failure domain it stands in, not blank; {@code null} for a domain of its own
 */
public record Node(String id, double weight, @Nullable String zone) {

  /**
   * Checks the values.
   *
   * @param id the name, not blank
   * @param weight finite and above 0
   * @param zone the failure domain, not blank; {@code null} for a domain of its own
   * @throws IllegalArgumentException if the id is null or blank, the weight is not a finite number
   *     above 0, or the zone is blank
   */
  public Node {
    if (id == null || id.isBlank()) {
      throw new IllegalArgumentException("node id must not be null or blank: " + quoted(id));
    }
    if (!(weight > 0) || weight == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "weight of node " + quoted(id) + " must be finite and above 0: " + weight);
    }
    if (zone != null && zone.isBlank()) {
      throw new IllegalArgumentException(
          "zone of node " + quoted(id) + " must not be blank: " + quoted(zone));
    }
  }

  /**
   * A node of weight 1 in no named zone.
   *
   * @param id the name, not blank
   * @return the node
   * @throws IllegalArgumentException if the id is null or blank
   */
  public static Node of(String id) {
    return new Node(id, 1.0, null);
  }

  /**
   * This node with another weight.
   *
   * @param weight finite and above 0
   * @return the node
   * @throws IllegalArgumentException if the weight is not a finite number above 0
   */
  public Node withWeight(double weight) {
    return new Node(id, weight, zone);
  }

  /**
   * This node in a zone.
   *
   * @param zone the failure domain, not blank; {@code null} for a domain of its own
   * @return the node
   * @throws IllegalArgumentException if the zone is blank
   */
  public Node withZone(@Nullable String zone) {
    return new Node(id, weight, zone);
  }

  /**
   * The id, with the weight and the zone if they are not the default.
   *
   * @return {@code a}, {@code a*2.0} or {@code a*2.0@eu-1a}
   */
  @Override
  public String toString() {
    return id + (weight == 1 ? "" : "*" + weight) + (zone == null ? "" : "@" + zone);
  }

  /** The text in quotes, for messages; shortened, since an id may be of any length. */
  static String quoted(@Nullable String text) {
    if (text == null) {
      return "null";
    }
    return text.length() <= 80 ? '"' + text + '"' : '"' + text.substring(0, 77) + "...\"";
  }
}
