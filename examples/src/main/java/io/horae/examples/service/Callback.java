package io.horae.examples.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * What a timer is for: where to POST what. It travels as the timer's payload.
 *
 * @param uri where
 * @param body what
 */
record Callback(URI uri, String body) {

  /**
   * Reads what a client sent.
   *
   * @throws IllegalArgumentException if it is not an address of HTTP
   */
  static Callback of(String uri, String body) {
    String problem = "callback \"" + uri + "\" must be an address as in http://127.0.0.1:9000/pops";
    try {
      URI parsed = new URI(uri);
      String scheme = String.valueOf(parsed.getScheme()).toLowerCase(Locale.ROOT);
      if (parsed.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
        throw new IllegalArgumentException(problem);
      }
      return new Callback(parsed, body);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(problem, e);
    }
  }

  byte[] toPayload() {
    byte[] address = uri.toString().getBytes(UTF_8);
    byte[] text = body.getBytes(UTF_8);
    return ByteBuffer.allocate(Integer.BYTES + address.length + text.length)
        .putInt(address.length)
        .put(address)
        .put(text)
        .array();
  }

  /**
   * Reads a payload.
   *
   * @throws IllegalArgumentException if it is none of this service's
   */
  static Callback ofPayload(byte[] payload) {
    try {
      ByteBuffer buffer = ByteBuffer.wrap(payload);
      int length = buffer.getInt();
      if (length < 0 || length > buffer.remaining()) {
        throw new IllegalArgumentException("not a callback: " + payload.length + " bytes");
      }
      byte[] address = new byte[length];
      buffer.get(address);
      byte[] text = new byte[buffer.remaining()];
      buffer.get(text);
      return of(new String(address, UTF_8), new String(text, UTF_8));
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("not a callback: " + payload.length + " bytes", e);
    }
  }
}
