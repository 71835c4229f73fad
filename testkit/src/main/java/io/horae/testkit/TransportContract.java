package io.horae.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.resync.Assignment;
import io.horae.resync.Message;
import io.horae.resync.Reference;
import io.horae.resync.Stamp;
import io.horae.resync.TimerRecord;
import io.horae.resync.ViewStamp;
import io.horae.timer.Cursor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a host must do to carry messages between nodes. Messages may be lost, come late, twice and
 * out of order; but what arrives is what was sent, where it was sent to, and not while the sender
 * is still sending. Extend it for your own:
 *
 * <pre>{@code
 * class MyTransportTest extends TransportContract {
 *   protected void open(String node, Receiver receiver) { ... }
 *   protected void close(String node) { ... }
 *   protected void send(String from, String to, Message message) { ... }
 *   protected void settle() { ... }
 * }
 * }</pre>
 */
public abstract class TransportContract {

  /** As often as a message is sent before it must have arrived once. */
  private static final int TRIES_MAX = 50;

  private static final ViewStamp VIEW = new ViewStamp(3, -77);
  private static final Reference REFERENCE = new Reference(-1L, new Stamp(9, -4), 3, true);

  private final List<String> opened = new ArrayList<>();

  /** For subclasses. */
  protected TransportContract() {}

  /** Takes what reaches a node. */
  public interface Receiver {
    /**
     * A message has arrived.
     *
     * @param from the id of the node that sent it
     * @param message the message
     */
    void receive(String from, Message message);
  }

  /**
   * Connects a node.
   *
   * @param node its id
   * @param receiver takes what is sent to it
   */
  protected abstract void open(String node, Receiver receiver);

  /**
   * Disconnects a node.
   *
   * @param node its id
   */
  protected abstract void close(String node);

  /**
   * Sends a message, as the {@link io.horae.resync.Outbox} of a node would.
   *
   * @param from the id of the sender, which is connected
   * @param to the id of the receiver
   * @param message the message
   */
  protected abstract void send(String from, String to, Message message);

  /** Returns when all that was sent has arrived, or never will. */
  protected abstract void settle();

  /** Disconnects the nodes of a test. */
  @AfterEach
  public void closeAll() {
    opened.forEach(this::close);
    opened.clear();
  }

  private void connect(String node, Receiver receiver) {
    opened.add(node);
    open(node, receiver);
  }

  /** Every kind of message arrives as it was sent, and says from whom. */
  @Test
  public void send_everyKind_arrives() {
    List<Message> arrived = Collections.synchronizedList(new ArrayList<>());
    List<String> senders = Collections.synchronizedList(new ArrayList<>());
    connect("a", (from, message) -> {});
    connect(
        "b",
        (from, message) -> {
          senders.add(from);
          arrived.add(message);
        });
    for (Message message : messages()) {
      arrived.clear();
      sendUntilArrived("a", "b", message, arrived);
      assertTrue(arrived.stream().allMatch(message::equals), () -> message + " as " + arrived);
      assertTrue(senders.stream().allMatch("a"::equals), () -> "senders: " + senders);
    }
  }

  /** A message as large as the default limits allow arrives. */
  @Test
  public void send_aLargeMessage_arrives() {
    List<Message> arrived = Collections.synchronizedList(new ArrayList<>());
    connect("a", (from, message) -> {});
    connect("b", (from, message) -> arrived.add(message));
    List<TimerRecord> records = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      records.add(record(i, new byte[10_000]));
    }
    Message large = new Message.Page(1, VIEW, records, List.of(), new Cursor(5, 6));
    sendUntilArrived("a", "b", large, arrived);
    assertEquals(large, arrived.get(0));
  }

  /** Nobody gets what is meant for another. */
  @Test
  public void send_reachesTheAddresseeOnly() {
    AtomicInteger others = new AtomicInteger();
    List<Message> arrived = Collections.synchronizedList(new ArrayList<>());
    connect("a", (from, message) -> others.incrementAndGet());
    connect("b", (from, message) -> arrived.add(message));
    connect("c", (from, message) -> others.incrementAndGet());
    sendUntilArrived("a", "b", new Message.FetchTimers(List.of(1L)), arrived);
    settle();
    assertEquals(0, others.get());
  }

  /** A node is not called while it is sending: its outbox must not lead back to it. */
  @Test
  public void send_returnsBeforeAnAnswerArrives() {
    AtomicBoolean sending = new AtomicBoolean();
    AtomicBoolean calledWithin = new AtomicBoolean();
    List<Message> answers = Collections.synchronizedList(new ArrayList<>());
    Thread sender = Thread.currentThread();
    connect(
        "a",
        (from, message) -> {
          answers.add(message);
          if (sending.get() && Thread.currentThread() == sender) {
            calledWithin.set(true);
          }
        });
    connect(
        "b",
        (from, message) -> {
          if (message instanceof Message.FetchTimers) {
            send("b", "a", new Message.Processed(VIEW, List.of(REFERENCE)));
          }
        });
    for (int i = 0; i < TRIES_MAX && answers.isEmpty(); i++) {
      sending.set(true);
      send("a", "b", new Message.FetchTimers(List.of(1L)));
      sending.set(false);
      settle();
    }
    assertFalse(answers.isEmpty(), "no answer arrived");
    assertFalse(calledWithin.get(), "the answer came within the call that sent the question");
  }

  /** A node is called by one thread at a time. */
  @Test
  public void receive_oneAtATime() {
    AtomicInteger within = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Message> arrived = Collections.synchronizedList(new ArrayList<>());
    for (String node : List.of("a", "b", "c")) {
      connect(node, (from, message) -> {});
    }
    connect(
        "d",
        (from, message) -> {
          most.accumulateAndGet(within.incrementAndGet(), Math::max);
          for (int i = 0; i < 1_000; i++) {
            Thread.onSpinWait(); // time for another thread to come in
          }
          arrived.add(message);
          within.decrementAndGet();
        });
    for (long i = 0; i < 100; i++) {
      for (String node : List.of("a", "b", "c")) {
        send(node, "d", new Message.FetchTimers(List.of(i)));
      }
    }
    settle();
    assertFalse(arrived.isEmpty(), "of 300 messages, none arrived");
    assertEquals(1, most.get());
  }

  /** Sending to nobody harms nobody. */
  @Test
  public void send_toUnknownOrClosedNode_isHarmless() {
    List<Message> arrived = Collections.synchronizedList(new ArrayList<>());
    connect("a", (from, message) -> {});
    connect("b", (from, message) -> arrived.add(message));
    connect("c", (from, message) -> {});
    close("c");
    opened.remove("c");
    send("a", "nobody", new Message.FetchTimers(List.of(1L)));
    send("a", "c", new Message.FetchTimers(List.of(1L)));
    sendUntilArrived("a", "b", new Message.FetchTimers(List.of(2L)), arrived);
  }

  private void sendUntilArrived(String from, String to, Message message, List<Message> arrived) {
    for (int i = 0; i < TRIES_MAX && arrived.isEmpty(); i++) {
      send(from, to, message);
      settle();
    }
    assertFalse(arrived.isEmpty(), () -> "sent " + TRIES_MAX + " times, never arrived: " + message);
  }

  private static TimerRecord record(long id, byte[] payload) {
    return new TimerRecord(
        id,
        new Stamp(7, -3),
        -123_456,
        1_000,
        60_000,
        5,
        3,
        new Assignment(VIEW, List.of("a", "Köln:7253", "c")),
        payload,
        false);
  }

  private static List<Message> messages() {
    List<Reference> references = List.of(REFERENCE, new Reference(5, new Stamp(1, 1), 0, false));
    List<TimerRecord> records = List.of(record(1, new byte[] {1, -1}), record(-2, new byte[0]));
    return List.of(
        new Message.Replicate(12, records),
        new Message.Acknowledge(Long.MAX_VALUE, false, references),
        new Message.FetchPage(1, VIEW, Message.Extent.EVERYTHING, Cursor.START, 100),
        new Message.Page(2, VIEW, records, references, new Cursor(-9, 9)),
        new Message.Page(2, VIEW, List.of(), List.of(), null),
        new Message.FetchTimers(List.of(1L, -1L)),
        new Message.Offer(VIEW, references),
        new Message.Refer(VIEW, references),
        new Message.Retire(VIEW, references),
        new Message.Processed(VIEW, references),
        new Message.Rejected(4, Message.Reason.BUSY, VIEW));
  }
}
