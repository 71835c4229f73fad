/** Where keys live: see {@link io.horae.placement}. */
module io.horae.placement {
  requires static transitive org.jspecify;

  exports io.horae.placement;
}
