package io.horae.resync;

/**
 * How a client's operation stands.
 *
 * @param operation its number, as the call returned it
 * @param timer the handle, for the client to keep instead of the one it had
 * @param confirmed how many of the replicas have confirmed it
 * @param replicas how many there are
 * @param ended whether it is the last word: all have confirmed it, or the node has given up asking
 */
public record Confirmation(
    long operation, TimerId timer, int confirmed, int replicas, boolean ended) {}
