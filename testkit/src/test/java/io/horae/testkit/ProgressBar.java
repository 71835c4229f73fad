package io.horae.testkit;

import java.util.Locale;

/** A bar on the error stream, with the rate. */
final class ProgressBar {

  private static final int WIDTH = 40;

  private final long total;
  private final boolean shown;
  private final long startNs = System.nanoTime();
  private long shownNs = startNs;

  ProgressBar(long total, boolean shown) {
    this.total = total;
    this.shown = shown;
  }

  synchronized void show(long done) {
    long nowNs = System.nanoTime();
    if (!shown || (nowNs - shownNs < 1_000_000_000L && done < total)) {
      return;
    }
    shownNs = nowNs;
    int filled = (int) (WIDTH * done / total);
    System.err.printf(
        Locale.ROOT,
        "\r[%s%s] %d of %d seeds, %.1f a second%s",
        "#".repeat(filled),
        ".".repeat(WIDTH - filled),
        done,
        total,
        done * 1e9 / (nowNs - startNs),
        done == total ? "\n" : "");
  }
}
