package io.horae.metrics;

import io.horae.resync.Confirmation;
import io.horae.resync.Event;
import io.horae.resync.Message;
import io.horae.resync.Outbox;
import io.horae.resync.Pop;
import java.util.function.LongSupplier;

/**
 * An outbox that records for JDK Flight Recorder what passes through it, and hands everything on.
 *
 * <table>
 *   <caption>The events</caption>
 *   <tr><th>name</th><th>when</th></tr>
 *   <tr><td>{@code io.horae.ResyncPage}</td><td>a page is sent to a node that asked</td></tr>
 *   <tr><td>{@code io.horae.ResyncProgress}</td>
 *     <td>this node's own resync starts, receives a page, gives a node up or ends</td></tr>
 *   <tr><td>{@code io.horae.LatePop}</td>
 *     <td>a pop is handed to the host later than a limit after its deadline. A backup pops later
 *     than a primary by design, so with a limit below the skew these events also tell which pops
 *     the primary did not make</td></tr>
 * </table>
 *
 * <p>A recording has all of them unless it is told otherwise. While none wants an event it costs
 * the question whether one does, and no object.
 */
public final class RecordedOutbox implements Outbox {

  // To ask whether events are wanted, without making one.
  private static final PageEvent PAGE = new PageEvent();
  private static final LatePopEvent LATE_POP = new LatePopEvent();
  private static final ProgressEvent PROGRESS = new ProgressEvent();

  private final String node;
  private final Outbox outbox;
  private final LongSupplier clockMs;
  private final long lateMs;

  /**
   * An outbox in front of the host's.
   *
   * @param node the id of the node, as the events are to have it
   * @param outbox the host's
   * @param clockMs the clock that the node is told the time by
   * @param lateMs a pop this much after its deadline, or more, is late; at least 0
   * @throws IllegalArgumentException if anything is null or {@code lateMs} negative
   */
  public RecordedOutbox(String node, Outbox outbox, LongSupplier clockMs, long lateMs) {
    if (node == null || outbox == null || clockMs == null) {
      throw new IllegalArgumentException(
          (node == null ? "node" : outbox == null ? "outbox" : "clock") + " must not be null");
    }
    if (lateMs < 0) {
      throw new IllegalArgumentException("lateMs must not be negative: " + lateMs);
    }
    this.node = node;
    this.outbox = outbox;
    this.clockMs = clockMs;
    this.lateMs = lateMs;
  }

  @Override
  public void send(String to, Message message) {
    if (PAGE.isEnabled() && message instanceof Message.Page page) {
      PageEvent event = new PageEvent();
      event.node = node;
      event.to = to;
      event.epoch = page.view().epoch();
      event.records = page.records().size();
      event.references = page.references().size();
      event.isLast = page.next() == null;
      event.commit();
    }
    outbox.send(to, message);
  }

  @Override
  public void pop(Pop pop) {
    if (LATE_POP.isEnabled()) {
      long lateBy = clockMs.getAsLong() - pop.dueMs();
      if (lateBy >= lateMs) {
        LatePopEvent event = new LatePopEvent();
        event.node = node;
        event.timer = pop.timer().id();
        event.sequence = pop.sequence();
        event.lateBy = lateBy;
        event.commit();
      }
    }
    outbox.pop(pop);
  }

  @Override
  public void confirmed(Confirmation confirmation) {
    outbox.confirmed(confirmation);
  }

  @Override
  public void report(Event report) {
    if (PROGRESS.isEnabled() && report instanceof Event.ResyncProgress progress) {
      ProgressEvent event = new ProgressEvent();
      event.node = node;
      event.epoch = progress.view().epoch();
      event.nodesDone = progress.nodesDone();
      event.nodesLeft = progress.nodesLeft();
      event.nodesGivenUp = progress.nodesGivenUp();
      event.pages = progress.pages();
      event.timers = progress.timers();
      event.timersLeft = progress.timersLeft();
      event.hasEnded = progress.ended();
      event.commit();
    }
    outbox.report(report);
  }
}
