/** Horae beside its peers, one class for each question; see the module's README for the answers. */
package io.horae.benchmarks;
