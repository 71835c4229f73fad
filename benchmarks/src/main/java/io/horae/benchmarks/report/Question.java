package io.horae.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/**
 * One question, and who answers it.
 *
 * @param id names its files
 * @param section the heading that it belongs under
 * @param title a short phrase
 * @param text what is compared, and where it differs
 * @param sizeName what its sizes count
 * @param unit what its figures are counted in
 * @param subjects in the order of the table
 */
public record Question(
    String id,
    String section,
    String title,
    String text,
    String sizeName,
    String unit,
    List<Subject> subjects) {

  /** What a subject is to Horae. */
  public enum Role {
    /** Horae; the first of them is compared with the best peer. */
    HORAE,
    /** Somebody else's way to do the same. */
    PEER,
    /** The work itself, without a library around it: no peer, but a bound. */
    WORK
  }

  /**
   * Who answers.
   *
   * @param id as in the figures
   * @param label as in the table
   * @param role what it is to Horae
   */
  public record Subject(String id, String label, Role role) {}

  /** A question without subjects as yet. */
  public static Question of(String id, String section, String title, String sizeName, String unit) {
    return new Question(id, section, title, "", sizeName, unit, List.of());
  }

  public Question text(String text) {
    return new Question(id, section, title, text, sizeName, unit, subjects);
  }

  public Question horae(String id, String label) {
    return with(new Subject(id, label, Role.HORAE));
  }

  public Question peer(String id, String label) {
    return with(new Subject(id, label, Role.PEER));
  }

  public Question work(String id, String label) {
    return with(new Subject(id, label, Role.WORK));
  }

  private Question with(Subject subject) {
    List<Subject> more = new ArrayList<>(subjects);
    more.add(subject);
    return new Question(id, section, title, text, sizeName, unit, List.copyOf(more));
  }
}
