package io.horae.jgroups;

import io.horae.resync.Codec;
import io.horae.resync.Decoded;
import io.horae.resync.Message;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message.Flag;
import org.jgroups.Message.TransientFlag;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries messages and frames over a channel, and tells nodes from addresses. What comes is handed
 * to a sink, by JGroups' threads.
 *
 * <p>Messages of nodes go without JGroups' flow control and retransmission: nodes say again what
 * matters, and bound what they send. Flow control would block the sender, and with it all its
 * timers, for the sake of one slow receiver; retransmission would hold back all that comes behind a
 * lost message. Over TCP, little is lost. Reports and decisions go with both.
 */
final class Transport implements Receiver {

  private static final Logger LOG = LoggerFactory.getLogger(Transport.class);

  /** Takes what comes. */
  interface Sink {
    /**
     * A message of a node.
     *
     * @return whether it was taken
     */
    boolean message(String from, Message message);

    void report(Address from, Report report);

    void decision(Address from, Decision decision);

    void view(View view);
  }

  private final JChannel channel;
  private final Sink sink;

  private volatile Map<String, Address> addresses = Map.of();
  private volatile Map<Address, String> nodes = Map.of();

  final LongAdder sent = new LongAdder();
  final LongAdder bytesSent = new LongAdder();
  final LongAdder unsendable = new LongAdder();
  final LongAdder received = new LongAdder();
  final LongAdder dropped = new LongAdder();
  final LongAdder malformed = new LongAdder();
  final LongAdder unknown = new LongAdder();
  final LongAdder strangers = new LongAdder();

  Transport(JChannel channel, Sink sink) {
    this.channel = channel;
    this.sink = sink;
  }

  /** From now on these are the nodes. */
  void nodes(Map<String, Address> addresses) {
    Map<Address, String> nodes = new HashMap<>();
    addresses.forEach((node, address) -> nodes.put(address, node));
    this.addresses = Map.copyOf(addresses);
    this.nodes = Map.copyOf(nodes);
  }

  /** Sends a message to a node, if possible. */
  void send(String to, Message message) {
    Address address = addresses.get(to);
    if (address == null) {
      unsendable.increment();
      return;
    }
    byte[] bytes = Codec.encode(message);
    org.jgroups.Message frame =
        new BytesMessage(address, bytes)
            .setFlag(Flag.NO_FC, Flag.NO_RELIABILITY)
            .setFlag(TransientFlag.DONT_BLOCK);
    if (send(frame)) {
      sent.increment();
      bytesSent.add(bytes.length);
    } else {
      unsendable.increment();
    }
  }

  /** Sends a frame to a member. */
  void send(Address to, byte[] frame) {
    if (!send(new BytesMessage(to, frame))) {
      unsendable.increment();
    }
  }

  private boolean send(org.jgroups.Message message) {
    try {
      channel.send(message);
      return true;
    } catch (Exception e) { // the channel is closing, or the member has gone
      LOG.debug("cannot send to {}", message.getDest(), e);
      return false;
    }
  }

  @Override
  public void receive(org.jgroups.Message message) {
    byte[] bytes = message.hasArray() ? message.getArray() : null;
    if (bytes == null || message.getLength() == 0) {
      malformed.increment();
      return;
    }
    ByteBuffer frame = ByteBuffer.wrap(bytes, message.getOffset(), message.getLength());
    if (frame.get(frame.position()) == Frames.MAGIC) {
      frame(message.getSrc(), frame);
    } else {
      message(message.getSrc(), frame);
    }
  }

  private void frame(Address from, ByteBuffer bytes) {
    Frames.Frame frame = Frames.decode(bytes);
    if (frame instanceof Frames.Frame.Reported reported) {
      sink.report(from, reported.report());
    } else if (frame instanceof Frames.Frame.Decided decided) {
      sink.decision(from, decided.decision());
    } else {
      (frame instanceof Frames.Frame.Unknown ? unknown : malformed).increment();
      LOG.debug("{} sends a frame that is not understood: {}", from, frame);
    }
  }

  private void message(Address from, ByteBuffer bytes) {
    String node = nodes.get(from);
    if (node == null) {
      strangers.increment();
      LOG.debug("{} is not in the view, but sends a message", from);
      return;
    }
    Decoded decoded = Codec.decode(bytes);
    if (decoded instanceof Decoded.Understood understood) {
      (sink.message(node, understood.message()) ? received : dropped).increment();
    } else {
      (decoded instanceof Decoded.Unknown ? unknown : malformed).increment();
      LOG.debug("{} sends a message that is not understood: {}", node, decoded);
    }
  }

  @Override
  public void viewAccepted(View view) {
    sink.view(view);
  }
}
