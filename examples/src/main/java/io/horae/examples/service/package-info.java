/**
 * A timer service to copy from: {@link io.horae.examples.service.TimerService} puts HTTP in front
 * of a node in a JGroups cluster.
 */
@NullMarked
package io.horae.examples.service;

import org.jspecify.annotations.NullMarked;
