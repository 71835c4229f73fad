/**
 * Programs to run and read: {@link io.horae.examples.PlacementTour} shows where the keys of a
 * cluster live and what a change of the cluster moves.
 */
@NullMarked
package io.horae.examples;

import org.jspecify.annotations.NullMarked;
