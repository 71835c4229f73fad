package io.horae.resync;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A transcript: commands, each on a line that begins with "&gt; ", what came of them on the lines
 * below, and comments that begin with "# ".
 */
final class Script {

  private Script() {}

  /** The transcript with what comes of its commands now. */
  static List<String> replayed(List<String> transcript) {
    return replayed(transcript, new Stage()::play);
  }

  /** The same on any stage. */
  static List<String> replayed(List<String> transcript, Function<String, List<String>> stage) {
    List<String> replayed = new ArrayList<>();
    for (String line : transcript) {
      if (line.startsWith("> ")) {
        replayed.add(line);
        try {
          replayed.addAll(stage.apply(line.substring(2)));
        } catch (RuntimeException | AssertionError e) {
          throw new AssertionError("in line " + replayed.size() + ", " + line, e);
        }
      } else if (line.isBlank() || line.startsWith("# ")) {
        replayed.add(line);
      }
    }
    return replayed;
  }

  /** The lines of both, those of the one marked with "-" and those of the other with "+". */
  static String difference(List<String> one, List<String> other) {
    int[][] common = new int[one.size() + 1][other.size() + 1];
    for (int i = one.size() - 1; i >= 0; i--) {
      for (int j = other.size() - 1; j >= 0; j--) {
        common[i][j] =
            one.get(i).equals(other.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    StringBuilder text = new StringBuilder();
    int i = 0;
    int j = 0;
    while (i < one.size() || j < other.size()) {
      if (i < one.size() && j < other.size() && one.get(i).equals(other.get(j))) {
        text.append("  ").append(one.get(i++)).append('\n');
        j++;
      } else if (i < one.size() && (j == other.size() || common[i + 1][j] >= common[i][j + 1])) {
        text.append("- ").append(one.get(i++)).append('\n');
      } else {
        text.append("+ ").append(other.get(j++)).append('\n');
      }
    }
    return text.toString();
  }
}
