package io.horae.examples.report;

import java.util.ArrayList;
import java.util.List;

/** Gives each node a colour that it keeps: a class of the style sheet. */
final class Colours {

  /** How many the style sheet has; a further node takes the first again. */
  static final int COUNT = 10;

  private final List<String> nodes = new ArrayList<>();

  Colours(List<Run.Life> lives) {
    lives.forEach(life -> nodes.add(life.node()));
  }

  String of(String node) {
    return "n" + Math.max(0, nodes.indexOf(node)) % COUNT;
  }
}
