package io.horae.examples.console;

import java.io.PrintStream;

/**
 * A bar for each phase of a program. On a terminal it grows in its line; elsewhere a phase is one
 * line, printed when it is over.
 */
public final class Progress {

  private static final int WIDTH = 28;

  private final PrintStream out;
  private final boolean terminal;
  private final int titleWidth;

  /**
   * For a program whose phases have titles of up to so many letters.
   *
   * @param terminal whether a line can be written anew
   */
  public Progress(PrintStream out, boolean terminal, int titleWidth) {
    this.out = out;
    this.terminal = terminal;
    this.titleWidth = titleWidth;
  }

  /** How far a phase is, from 0 to 1, and what there is to say about it. */
  public void update(String title, double done, String note) {
    if (terminal) {
      // Back to the beginning of the line, and away with what follows.
      out.print("\r" + line(title, done, note) + "\u001b[K");
      out.flush();
    }
  }

  /** A phase is over. */
  public void end(String title, String note) {
    out.println((terminal ? "\r" : "") + line(title, 1, note) + (terminal ? "\u001b[K" : ""));
  }

  private String line(String title, double done, String note) {
    int filled = (int) Math.round(WIDTH * Math.max(0, Math.min(1, done)));
    return "  "
        + title
        + " ".repeat(Math.max(0, titleWidth - title.length()))
        + "  "
        + "#".repeat(filled)
        + "-".repeat(WIDTH - filled)
        + "  "
        + note;
  }
}
