/**
 * Programs to run and read, by the first word of {@link io.horae.examples.Examples}: a cluster of
 * timer nodes that changes while its timers pop, a timer service to copy from, and {@link
 * io.horae.examples.PlacementTour}, which shows where the keys of a cluster live and what a change
 * of the cluster moves.
 */
@NullMarked
package io.horae.examples;

import org.jspecify.annotations.NullMarked;
