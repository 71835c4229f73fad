/** Breaks clusters on purpose: see {@link io.horae.testkit}. */
module io.horae.testkit {
  requires static transitive org.jspecify;
  requires transitive io.horae.resync;
  requires transitive org.junit.jupiter.api;

  exports io.horae.testkit;
}
