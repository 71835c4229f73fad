/** Timer nodes as a JGroups cluster: see {@link io.horae.jgroups}. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // JGroups is no module
module io.horae.jgroups {
  requires static transitive org.jspecify;
  requires transitive io.horae.resync;
  requires transitive org.jgroups;
  requires org.slf4j;

  exports io.horae.jgroups;
}
