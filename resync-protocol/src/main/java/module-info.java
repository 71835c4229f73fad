/** How timers get to their new home: see {@link io.horae.resync}. */
module io.horae.resync {
  requires static transitive org.jspecify;
  requires transitive io.horae.placement;
  requires transitive io.horae.timer;
  requires org.slf4j;

  exports io.horae.resync;
}
