package io.horae.examples;

import io.horae.examples.console.CommandLine;
import io.horae.placement.ClusterView;
import io.horae.placement.Collisions;
import io.horae.placement.Node;
import io.horae.placement.Placement;
import io.horae.placement.RendezvousPlacement;
import java.util.ArrayList;
import java.util.List;

/** The command line, read and checked. */
record TourArguments(
    ClusterView view, long keys, int replicas, Collisions collisions, List<String> textKeys) {

  private static final List<String> DEFAULT_NODES = List.of("a", "b", "c", "+d");
  private static final long KEYS_MAX = 1_000_000_000_000L;

  Placement placement(List<Node> nodes) {
    return RendezvousPlacement.builder().nodes(nodes).collisions(collisions).build();
  }

  /**
   * Reads the command line.
   *
   * @throws IllegalArgumentException if it is wrong, with a line that says how to write it
   */
  static TourArguments parse(String... args) {
    List<String> words = new ArrayList<>();
    long keys = 100_000;
    int replicas = 2;
    Collisions collisions = Collisions.INCREMENT;
    List<String> textKeys = new ArrayList<>();

    CommandLine rest = new CommandLine(args);
    while (rest.hasNext()) {
      String word = rest.next();
      switch (word) {
        case "--keys" -> keys = rest.number(word, 1, KEYS_MAX);
        case "--replicas" -> replicas = (int) rest.number(word, 1, Integer.MAX_VALUE);
        case "--collisions" ->
            collisions =
                rest.oneOf(word, Collisions.class, "rule", "INCREMENT, DECREMENT or STABLE");
        case "--key" -> textKeys.add(rest.value(word));
        default -> {
          if (word.startsWith("--")) {
            throw new IllegalArgumentException(
                "there is no option \""
                    + word
                    + "\": write --keys, --replicas, --collisions or --key, a space, the value");
          }
          words.add(word);
        }
      }
    }
    ClusterView view = view(words.isEmpty() ? DEFAULT_NODES : words);
    return new TourArguments(view, keys, replicas, collisions, List.copyOf(textKeys));
  }

  private static ClusterView view(List<String> words) {
    List<Node> staying = new ArrayList<>();
    List<Node> joining = new ArrayList<>();
    List<Node> leaving = new ArrayList<>();
    for (String word : words) {
      if (word.startsWith("+")) {
        joining.add(node(word, word.substring(1)));
      } else if (word.startsWith("-")) {
        leaving.add(node(word, word.substring(1)));
      } else {
        staying.add(node(word, word));
      }
    }
    if (staying.isEmpty() && joining.isEmpty()) {
      throw new IllegalArgumentException(
          "every node leaves: write at least one without \"-\" in front");
    }
    if (staying.isEmpty() && leaving.isEmpty()) {
      throw new IllegalArgumentException(
          "every node joins: write at least one without \"+\" in front");
    }
    try {
      return ClusterView.of(1, staying, joining, leaving);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          e.getMessage() + "; write each node once: as id if it stays, +id or -id", e);
    }
  }

  /**
   * Reads {@code id*weight@zone}; the id may itself contain both marks, the last of each counts.
   */
  private static Node node(String word, String text) {
    int at = text.lastIndexOf('@');
    String named = at < 0 ? text : text.substring(0, at);
    int star = named.lastIndexOf('*');
    try {
      Node node = Node.of(star < 0 ? named : named.substring(0, star));
      if (star >= 0) {
        node = node.withWeight(weight(named.substring(star + 1)));
      }
      if (at >= 0) {
        node = node.withZone(zone(text.substring(at + 1)));
      }
      return node;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "node \"" + word + "\": " + e.getMessage() + "; write id, id*2.5, id@zone or id*2.5@zone",
          e);
    }
  }

  private static double weight(String text) {
    // Double.parseDouble would take "0x1p3", "2d" and " 2" as well.
    if (!text.matches("-?[0-9]+(\\.[0-9]+)?")) {
      throw new IllegalArgumentException("weight \"" + text + "\" is no number");
    }
    return Double.parseDouble(text);
  }

  private static String zone(String text) {
    // "a@east*2" would otherwise quietly be a zone of that name.
    if (text.contains("*")) {
      throw new IllegalArgumentException("the weight goes before the zone \"" + text + "\"");
    }
    return text;
  }
}
