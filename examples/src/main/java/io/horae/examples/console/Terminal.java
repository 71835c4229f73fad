package io.horae.examples.console;

import java.io.Console;

/** Whether what is printed is read on a terminal. */
public final class Terminal {

  private Terminal() {}

  @SuppressWarnings("SystemConsoleNull") // it does on Java 17, and what comes later is asked
  private static boolean isConsole() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      // Since Java 22 there can be a console without a terminal, and a method to ask.
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }

  /** Whether both ends of the console are a terminal that understands to clear a line. */
  public static boolean isPresent() {
    String kind = System.getenv("TERM");
    return kind != null && !kind.equals("dumb") && isConsole();
  }
}
