package io.horae.examples.service;

import io.horae.examples.console.CommandLine;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The command line, read and checked.
 *
 * @param id the node's id
 * @param address where to listen
 * @param port the port, 0 for any
 * @param directory where members on this machine find each other
 * @param jgroups a JGroups configuration to use instead; null if there is none
 */
record ServiceArguments(
    String id, String address, int port, Path directory, @Nullable String jgroups) {

  /**
   * Reads the command line.
   *
   * @throws IllegalArgumentException if it is wrong, with a line that says how to write it
   */
  static ServiceArguments parse(String... args) {
    String id = "";
    String address = "127.0.0.1";
    int port = 0;
    Path directory = Path.of(System.getProperty("java.io.tmpdir"), "horae-timers", "members");
    String jgroups = null;
    CommandLine rest = new CommandLine(args);
    while (rest.hasNext()) {
      String word = rest.next();
      switch (word) {
        case "--id" -> id = rest.value(word);
        case "--address" -> address = rest.value(word);
        case "--port" -> port = (int) rest.number(word, 0, 65_535);
        case "--directory" -> directory = Path.of(rest.value(word));
        case "--jgroups" -> jgroups = rest.value(word);
        default ->
            throw new IllegalArgumentException(
                "there is no option \""
                    + word
                    + "\": write --id, --address, --port, --directory or --jgroups, a space, the"
                    + " value");
      }
    }
    if (id.isBlank()) {
      throw new IllegalArgumentException("--id is missing: write --id, a space, a name");
    }
    return new ServiceArguments(id, address, port, directory, jgroups);
  }

  InetSocketAddress socketAddress() {
    return new InetSocketAddress(address, port);
  }
}
