package io.horae.examples.demo;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Keeps apart what a program has to say and what the library logs. */
final class Quiet {

  /** Held on to: loggers that nobody holds are forgotten, and their levels with them. */
  private static final Logger JGROUPS = Logger.getLogger("org.jgroups");

  private static final Logger HORAE = Logger.getLogger("io.horae");

  private Quiet() {}

  /** Connections that break are what the demonstration is about: JGroups need not warn of them. */
  static void jgroups() {
    JGROUPS.setLevel(Level.OFF);
    HORAE.setLevel(Level.WARNING);
  }
}
