/** When timers are due: see {@link io.horae.timer}. */
module io.horae.timer {
  requires static transitive org.jspecify;

  exports io.horae.timer;
}
