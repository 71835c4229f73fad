package io.horae.resync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.horae.placement.SeededHash;

/**
 * Makes the ids of a node's timers: 64 bits, unique without asking anybody.
 *
 * <pre>
 *   63                                      24 23                     0
 *  | count: the time in ms, or one more       | instance: which node,  |
 *  | than the last, whichever is later        | and which of its lives |
 * </pre>
 *
 * <p>The count goes up with every id, whether the clock stands still, steps back or is overtaken by
 * more than one id a millisecond. So a node's ids are distinct and, as unsigned numbers, in the
 * order they were made in, until the 40 bits run over: that is once in 34 years, and an id comes
 * again only if the clock has moved on by all of that. Two nodes make the same id only if both the
 * 24 bits of their instances and their counts are the same.
 *
 * <p>The count is in the high bits so that timers of one deadline are scanned in about the order
 * they were made in, whichever nodes made them. Where timers live does not depend on it: placement
 * hashes the id.
 *
 * <p>Not thread-safe.
 */
final class TimerIds {

  private static final int INSTANCE_BITS = 24;
  private static final int INSTANCE_MASK = (1 << INSTANCE_BITS) - 1;

  private final int instance;
  private boolean started;

  /** The last count, of which an id has the low 40 bits. */
  private long last;

  /** Takes the low 24 bits of an {@linkplain #instance instance}. */
  TimerIds(int instance) {
    this.instance = instance & INSTANCE_MASK;
  }

  /**
   * One life of one node, as a number. The lives of a node whose incarnations are in the same block
   * of 2^32 differ for sure, others in all likelihood.
   */
  static int instance(String nodeId, long incarnation) {
    SeededHash hash = SeededHash.murmur3();
    return hash.hash(nodeId.getBytes(UTF_8), hash.hash(incarnation, 0));
  }

  /** The next id. */
  long next(long nowMs) {
    long next = last + 1;
    // By their difference, so that a clock may run over the end of its range.
    last = !started || nowMs - next > 0 ? nowMs : next;
    started = true;
    return last << INSTANCE_BITS | instance;
  }
}
