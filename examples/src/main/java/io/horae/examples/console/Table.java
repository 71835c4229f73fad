package io.horae.examples.console;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Rows of text in columns, each as wide as its widest cell. */
public final class Table {

  private static final String INDENT = "  ";
  private static final String GAP = "  ";

  private final String alignment;
  private final List<String[]> rows = new ArrayList<>();

  /**
   * An empty table.
   *
   * @param alignment a letter for each column: {@code l} for left, {@code r} for right
   */
  public Table(String alignment) {
    this.alignment = alignment;
  }

  /** Adds a row. */
  public Table row(String... cells) {
    if (cells.length != alignment.length()) {
      throw new IllegalArgumentException(
          "a row has " + alignment.length() + " cells, not " + cells.length);
    }
    rows.add(cells.clone());
    return this;
  }

  /** Prints the rows, indented. */
  public void print(PrintStream out) {
    int[] widths = new int[alignment.length()];
    for (String[] row : rows) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], row[column].length());
      }
    }
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder(INDENT);
      for (int column = 0; column < widths.length; column++) {
        String padding = " ".repeat(widths[column] - row[column].length());
        boolean right = alignment.charAt(column) == 'r';
        line.append(right ? padding : "").append(row[column]).append(right ? "" : padding);
        line.append(GAP);
      }
      out.println(line.toString().stripTrailing());
    }
  }
}
