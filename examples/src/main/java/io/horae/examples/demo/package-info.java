/**
 * The demonstration: a cluster of timer nodes in one process that grows, shrinks and loses a node
 * while its timers pop. {@link io.horae.examples.demo.ClusterDemo} is the program, {@link
 * io.horae.examples.demo.Ledger} the record it is judged by.
 */
@NullMarked
package io.horae.examples.demo;

import org.jspecify.annotations.NullMarked;
