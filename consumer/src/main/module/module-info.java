/** A service that uses Horae as any other does: by its published artifacts. */
module com.example.reminders {
  requires io.horae.jgroups;
  requires io.horae.metrics;
  requires micrometer.core;
}
