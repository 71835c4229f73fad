package io.horae.resync;

/**
 * What a client's call returns at once. {@link Confirmation}s with the same number follow.
 *
 * @param operation the number of the operation on this node
 * @param timer the handle of the timer, for later calls at any node
 */
public record Ticket(long operation, TimerId timer) {}
