package io.horae.examples.console;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/** The words of a command line, one after the other, and the values that options take from it. */
public final class CommandLine {

  private final Iterator<String> rest;

  /** All words, from the first. */
  public CommandLine(String... args) {
    rest = List.of(args).iterator();
  }

  public boolean hasNext() {
    return rest.hasNext();
  }

  public String next() {
    return rest.next();
  }

  /**
   * The word after an option.
   *
   * @throws IllegalArgumentException if there is none
   */
  public String value(String option) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(
          option + " lacks its value: write it as the next word, after a space");
    }
    return rest.next();
  }

  /**
   * The word after an option, as a number.
   *
   * @throws IllegalArgumentException if it is none from {@code min} to {@code max}
   */
  public long number(String option, long min, long max) {
    String value = value(option);
    String problem =
        String.format(
            Locale.ROOT,
            "%s \"%s\" is out of order: write a whole number from %d to %d",
            option,
            value,
            min,
            max);
    try {
      long number = Long.parseLong(value);
      if (number >= min && number <= max) {
        return number;
      }
      throw new IllegalArgumentException(problem);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(problem, e);
    }
  }

  /**
   * The word after an option, as one of a few that are allowed, in whatever case it is written.
   *
   * @param noun what the word is, for the message
   * @throws IllegalArgumentException if it is none of them
   */
  public <E extends Enum<E>> E oneOf(String option, Class<E> type, String noun, String allowed) {
    String value = value(option);
    try {
      return Enum.valueOf(type, value.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          option + " \"" + value + "\" is no " + noun + ": write " + allowed, e);
    }
  }
}
