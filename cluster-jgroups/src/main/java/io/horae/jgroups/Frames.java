package io.horae.jgroups;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.horae.placement.Node;
import io.horae.resync.ViewStamp;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reports and decisions as bytes. {@code decode} takes any bytes whatever, and never throws.
 *
 * <table>
 *   <caption>The layout; numbers are big-endian</caption>
 *   <tr><th>what</th><th>bytes</th></tr>
 *   <tr><td>frame</td><td>0x4d, version (1), type; then one of the two, and nothing behind it.
 *     All versions begin with these three bytes; messages of nodes begin with 0x48</td></tr>
 *   <tr><td>1 report</td><td>term; serial: 8; node; epoch: 8; id of the view: 8; standing: 1</td></tr>
 *   <tr><td>2 decision</td><td>term; epoch: 8; count of seats: 4; seats</td></tr>
 *   <tr><td>seat</td><td>place in the JGroups view: 4; serial: 8; node; role: 1</td></tr>
 *   <tr><td>term</td><td>number: 8; the maker's address: 16</td></tr>
 *   <tr><td>node</td><td>id; weight: 8, a double; zone, empty if it has none</td></tr>
 *   <tr><td>id, zone</td><td>count of bytes: 2; UTF-8</td></tr>
 * </table>
 */
final class Frames {

  static final int MAGIC = 0x4d;
  private static final int VERSION = 1;
  private static final int REPORT = 1;
  private static final int DECISION = 2;

  /** By their numbers. */
  private static final List<Report.Standing> STANDINGS =
      List.of(
          Report.Standing.FRESH,
          Report.Standing.MEMBER,
          Report.Standing.WISHES_TO_LEAVE,
          Report.Standing.LEAVING);

  private static final List<Decision.Role> ROLES =
      List.of(Decision.Role.JOINING, Decision.Role.STAYING, Decision.Role.LEAVING);

  private static final int SEAT_BYTES_LEAST = 4 + 8 + 2 + 1 + 8 + 2 + 1;

  private Frames() {}

  /** What some bytes are. */
  sealed interface Frame permits Frame.Reported, Frame.Decided, Frame.Unknown, Frame.Malformed {
    record Reported(Report report) implements Frame {}

    record Decided(Decision decision) implements Frame {}

    /** A later release wrote it: to be skipped. */
    record Unknown() implements Frame {}

    /** No frame at all. */
    record Malformed() implements Frame {}
  }

  static byte[] encode(Report report) {
    return frame(
        REPORT,
        out -> {
          write(out, report.term());
          out.writeLong(report.serial());
          write(out, report.node());
          out.writeLong(report.last().epoch());
          out.writeLong(report.last().id());
          out.writeByte(STANDINGS.indexOf(report.standing()));
        });
  }

  static byte[] encode(Decision decision) {
    return frame(
        DECISION,
        out -> {
          write(out, decision.term());
          out.writeLong(decision.epoch());
          out.writeInt(decision.seats().size());
          for (Decision.Seat seat : decision.seats()) {
            out.writeInt(seat.member());
            out.writeLong(seat.serial());
            write(out, seat.node());
            out.writeByte(ROLES.indexOf(seat.role()));
          }
        });
  }

  private interface Writer {
    void write(DataOutputStream out) throws IOException;
  }

  private static byte[] frame(int type, Writer content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(MAGIC);
      out.writeByte(VERSION);
      out.writeByte(type);
      content.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // not from memory
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, Term term) throws IOException {
    out.writeLong(term.number());
    out.writeLong(term.most());
    out.writeLong(term.least());
  }

  private static void write(DataOutputStream out, Node node) throws IOException {
    write(out, node.id());
    out.writeDouble(node.weight());
    write(out, node.zone() == null ? "" : node.zone());
  }

  private static void write(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    out.writeShort(bytes.length);
    out.write(bytes);
  }

  /** Whether a node can be told of: its texts must fit, and come out as they went in. */
  static boolean fits(Node node) {
    return fits(node.id()) && (node.zone() == null || fits(node.zone()));
  }

  private static boolean fits(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    return bytes.length <= 0xffff && new String(bytes, UTF_8).equals(text);
  }

  static Frame decode(ByteBuffer bytes) {
    ByteBuffer in = bytes.slice();
    try {
      if (in.get() != MAGIC) {
        return new Frame.Malformed();
      }
      int version = in.get();
      int type = in.get();
      if (version != VERSION || (type != REPORT && type != DECISION)) {
        return new Frame.Unknown();
      }
      Frame frame =
          type == REPORT ? new Frame.Reported(report(in)) : new Frame.Decided(decision(in));
      return in.hasRemaining() ? new Frame.Malformed() : frame;
    } catch (BufferUnderflowException
        | IllegalArgumentException
        | IndexOutOfBoundsException
        | CharacterCodingException e) {
      return new Frame.Malformed();
    }
  }

  private static Report report(ByteBuffer in) throws CharacterCodingException {
    Term term = term(in);
    long serial = in.getLong();
    Node node = node(in);
    ViewStamp last = new ViewStamp(in.getLong(), in.getLong());
    return new Report(term, serial, node, last, STANDINGS.get(in.get()));
  }

  private static Decision decision(ByteBuffer in) throws CharacterCodingException {
    Term term = term(in);
    long epoch = in.getLong();
    int count = in.getInt();
    if (count < 0 || count > in.remaining() / SEAT_BYTES_LEAST) {
      throw new IllegalArgumentException("no room for so many seats: " + count);
    }
    List<Decision.Seat> seats = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      seats.add(new Decision.Seat(in.getInt(), in.getLong(), node(in), ROLES.get(in.get())));
    }
    return new Decision(term, epoch, seats);
  }

  private static Term term(ByteBuffer in) {
    return new Term(in.getLong(), in.getLong(), in.getLong());
  }

  private static Node node(ByteBuffer in) throws CharacterCodingException {
    String id = text(in);
    double weight = in.getDouble();
    String zone = text(in);
    @Nullable String zoneOrNone = zone.isEmpty() ? null : zone;
    return new Node(id, weight, zoneOrNone);
  }

  private static String text(ByteBuffer in) throws CharacterCodingException {
    int count = Short.toUnsignedInt(in.getShort());
    ByteBuffer text = in.slice(in.position(), count);
    in.position(in.position() + count);
    return UTF_8.newDecoder().decode(text).toString();
  }
}
