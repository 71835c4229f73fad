/** What Horae does, to be seen: see {@link io.horae.metrics}. */
// Micrometer has a name in its manifest, but no descriptor.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module io.horae.metrics {
  requires static transitive org.jspecify;
  requires transitive io.horae.resync;
  requires static transitive micrometer.core;
  requires jdk.jfr;

  exports io.horae.metrics;
}
