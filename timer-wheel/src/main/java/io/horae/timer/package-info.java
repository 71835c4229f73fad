/**
 * When is this timer due? Timers that a host schedules, cancels and has handed back to it in time,
 * by the million, at a few tens of bytes each.
 *
 * <h2>The model</h2>
 *
 * <p>A {@linkplain io.horae.timer.TimerWheel timer wheel} is passive: it holds timers, each with an
 * id, a deadline and a payload, and whenever the host {@linkplain
 * io.horae.timer.TimerWheel#advance(long, int, io.horae.timer.ExpiryHandler) tells it the time}, it
 * hands over those that are due. It reads no clock and starts no thread, so a test can take it
 * through a century in a millisecond.
 *
 * <pre>{@code
 * TimerWheel<Session> wheel = TimerWheel.startingAt(clock.millis());
 * wheel.schedule(session.id(), clock.millis() + 30_000, session);   // or later, to move it
 * wheel.cancel(session.id());
 *
 * while (running) {
 *   wheel.advance(clock.millis(), 1_000, (id, deadline, expired) -> {
 *     expired.close();
 *     return true;
 *   });
 *   sleepUntil(wheel.nextDeadline());
 * }
 * }</pre>
 *
 * <h2>When to use what</h2>
 *
 * <ul>
 *   <li>{@link io.horae.timer.TimerWheel} where one thread has the timers: an event loop, an actor,
 *       a state machine. It can be {@linkplain io.horae.timer.TimerWheel#scan read in pages}, in
 *       the order of deadlines, while it changes.
 *   <li>{@link io.horae.timer.HandleTimerWheel} where that thread has no ids to give, but a field
 *       for what {@code schedule} returns: then no timer is searched for.
 *   <li>{@link io.horae.timer.ConcurrentTimerWheel} where many threads schedule tasks and an {@link
 *       java.util.concurrent.Executor} runs them; with a {@link io.horae.timer.TimerDriver} in a
 *       thread of the host's, or a {@link io.horae.timer.VirtualTimeDriver} in its tests.
 * </ul>
 */
@NullMarked
package io.horae.timer;

import org.jspecify.annotations.NullMarked;
