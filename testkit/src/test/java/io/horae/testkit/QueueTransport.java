package io.horae.testkit;

import io.horae.resync.Codec;
import io.horae.resync.Decoded;
import io.horae.resync.Message;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/** The simplest transport there is: a queue of bytes, worked off by whoever settles. */
class QueueTransport extends TransportContract {

  private record Letter(String from, String to, ByteBuffer bytes) {}

  final Map<String, Receiver> receivers = new HashMap<>();
  private final Queue<Letter> letters = new ArrayDeque<>();

  @Override
  protected void open(String node, Receiver receiver) {
    receivers.put(node, receiver);
  }

  @Override
  protected void close(String node) {
    receivers.remove(node);
  }

  @Override
  protected void send(String from, String to, Message message) {
    letters.add(new Letter(from, to, ByteBuffer.wrap(Codec.encode(message))));
  }

  @Override
  protected void settle() {
    for (Letter letter = letters.poll(); letter != null; letter = letters.poll()) {
      Receiver receiver = receivers.get(letter.to);
      if (receiver != null && Codec.decode(letter.bytes) instanceof Decoded.Understood decoded) {
        receiver.receive(letter.from, decoded.message());
      }
    }
  }
}
