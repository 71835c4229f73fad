package io.horae.resync;

import io.horae.resync.Message.Acknowledge;
import io.horae.resync.Message.Extent;
import io.horae.resync.Message.FetchPage;
import io.horae.resync.Message.FetchTimers;
import io.horae.resync.Message.Offer;
import io.horae.resync.Message.Page;
import io.horae.resync.Message.Processed;
import io.horae.resync.Message.Reason;
import io.horae.resync.Message.Refer;
import io.horae.resync.Message.Rejected;
import io.horae.resync.Message.Replicate;
import io.horae.resync.Message.Retire;
import io.horae.timer.Cursor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Messages as bytes, for hosts whose transport carries bytes. One frame is one message; where a
 * frame ends is for the transport to know.
 *
 * <p>{@link #decode} takes any bytes whatever: it never throws, and never allocates more than a
 * small multiple of what it was given. Within a version the layout never changes; a frame of
 * another version or type is {@link Decoded.Unknown}.
 *
 * <table>
 *   <caption>The layout</caption>
 *   <tr><th>what</th><th>bytes</th></tr>
 *   <tr><td>frame</td><td>0x48, version (1), type; then the message, and nothing behind it.
 *     All versions begin with these three bytes</td></tr>
 *   <tr><td>1 replicate</td><td>operation: varint; list of records</td></tr>
 *   <tr><td>2 acknowledge</td><td>operation: varint; empty: bool; list of
 *     references</td></tr>
 *   <tr><td>3 fetch page</td><td>request: varint; view; extent: 1 byte; from: cursor;
 *     limit: zigzag</td></tr>
 *   <tr><td>4 page</td><td>request: varint; view; list of records; list of references;
 *     whether there is more: bool; next, if there is: cursor</td></tr>
 *   <tr><td>5 fetch timers</td><td>list of ids, 8 bytes each</td></tr>
 *   <tr><td>6 offer, 7 refer, 8 retire, 9 processed</td><td>view; list of references</td></tr>
 *   <tr><td>10 rejected</td><td>request: varint; reason: 1 byte; view</td></tr>
 *   <tr><td>32 to 46</td><td>messages about buckets: see {@code BucketFrames}</td></tr>
 *   <tr><td>reference</td><td>id: 8 bytes; version: varint; origin: entry of 4 bytes;
 *     sequence × 2 + ended: varint</td></tr>
 *   <tr><td>record</td><td>reference; start: zigzag; interval: varint; repeat-for − interval:
 *     varint; replication factor: varint; assignment; payload: count, bytes</td></tr>
 *   <tr><td>assignment</td><td>entry of: view; list of nodes</td></tr>
 *   <tr><td>node</td><td>entry of: count, UTF-8</td></tr>
 *   <tr><td>view</td><td>entry of: epoch: varint; id: 8 bytes</td></tr>
 *   <tr><td>cursor</td><td>deadline: 8 bytes; id: 8 bytes</td></tr>
 *   <tr><td>list</td><td>count: varint; that many</td></tr>
 *   <tr><td>entry</td><td>index: varint; if it is the first unused one, the value, which has that
 *     index from there on to the end of the frame. Origins, assignments, nodes and views count
 *     apart</td></tr>
 *   <tr><td>varint</td><td>7 bits a byte, low ones first, the high bit set on all but the last;
 *     as few bytes as will do, at most 10</td></tr>
 *   <tr><td>zigzag</td><td>varint of 0, −1, 1, −2, … as 0, 1, 2, 3, …</td></tr>
 *   <tr><td>bool</td><td>1 byte, 0 or 1</td></tr>
 *   <tr><td>8 or 4 bytes</td><td>big-endian</td></tr>
 * </table>
 *
 * <p>So what repeats from record to record, the nodes and views above all, is in a message once.
 */
public final class Codec {

  private static final int MAGIC = 0x48;
  private static final int VERSION = 1;

  private static final int REPLICATE = 1;
  private static final int ACKNOWLEDGE = 2;
  private static final int FETCH_PAGE = 3;
  private static final int PAGE = 4;
  private static final int FETCH_TIMERS = 5;
  private static final int OFFER = 6;
  private static final int REFER = 7;
  private static final int RETIRE = 8;
  private static final int PROCESSED = 9;
  private static final int REJECTED = 10;

  /** Each at its number. */
  private static final List<Reason> REASONS =
      List.of(
          Reason.VIEW_BEHIND,
          Reason.VIEW_AHEAD,
          Reason.VIEW_DIFFERS,
          Reason.BUSY,
          Reason.MALFORMED);

  private static final List<Extent> EXTENTS =
      List.of(Extent.CHANGES, Extent.EVERYTHING, Extent.CHECK);

  // The least bytes of one, by which the counts of lists are bounded.
  private static final int ID_BYTES = 8;
  private static final int REFERENCE_BYTES_LEAST = ID_BYTES + 3;
  private static final int RECORD_BYTES_LEAST = REFERENCE_BYTES_LEAST + 6;

  private Codec() {}

  /**
   * Writes a message.
   *
   * @param message the message
   * @return its bytes
   * @throws IllegalArgumentException if it is null, does not fit into an array, or if a node's id
   *     has half a surrogate pair
   */
  public static byte[] encode(Message message) {
    if (message == null) {
      throw new IllegalArgumentException("message must not be null");
    }
    return new Encoder().frame(message);
  }

  /**
   * Reads a message.
   *
   * @param frame any bytes; not kept
   * @return the message, or why there is none
   */
  public static Decoded decode(byte[] frame) {
    return decode(ByteBuffer.wrap(frame));
  }

  /**
   * Reads a message.
   *
   * @param frame a buffer of which the remaining bytes are read, whatever its byte order; its
   *     position stays, and it is not kept
   * @return the message, or why there is none
   */
  public static Decoded decode(ByteBuffer frame) {
    try {
      return new Decoder(frame).frame();
    } catch (IllegalArgumentException e) { // from the reader or from a value's constructor
      return new Decoded.Malformed(String.valueOf(e.getMessage()));
    }
  }

  /** Writes one frame. */
  private static final class Encoder {

    private final ByteWriter out = new ByteWriter();
    private final Map<Integer, Integer> origins = new HashMap<>();
    private final Map<Assignment, Integer> assignments = new HashMap<>();
    private final Map<String, Integer> nodes = new HashMap<>();
    private final Map<ViewStamp, Integer> views = new HashMap<>();

    byte[] frame(Message message) {
      out.uint8(MAGIC);
      out.uint8(VERSION);
      if (message instanceof BucketMessage bucketMessage) {
        new BucketFrames.Encoder(out).message(bucketMessage);
      } else if (message instanceof Replicate replicate) {
        out.uint8(REPLICATE);
        out.varint(replicate.operation());
        list(replicate.records(), this::record);
      } else if (message instanceof Acknowledge acknowledge) {
        out.uint8(ACKNOWLEDGE);
        out.varint(acknowledge.operation());
        out.uint8(acknowledge.empty() ? 1 : 0);
        list(acknowledge.known(), this::reference);
      } else if (message instanceof FetchPage fetch) {
        out.uint8(FETCH_PAGE);
        out.varint(fetch.request());
        view(fetch.view());
        out.uint8(EXTENTS.indexOf(fetch.extent()));
        cursor(fetch.from());
        out.zigzag(fetch.limit());
      } else if (message instanceof Page page) {
        page(page);
      } else if (message instanceof FetchTimers fetch) {
        out.uint8(FETCH_TIMERS);
        list(fetch.ids(), out::fixed64);
      } else if (message instanceof Offer offer) {
        references(OFFER, offer.view(), offer.references());
      } else if (message instanceof Refer refer) {
        references(REFER, refer.view(), refer.references());
      } else if (message instanceof Retire retire) {
        references(RETIRE, retire.view(), retire.references());
      } else if (message instanceof Processed processed) {
        references(PROCESSED, processed.view(), processed.references());
      } else if (message instanceof Rejected rejected) {
        out.uint8(REJECTED);
        out.varint(rejected.request());
        out.uint8(REASONS.indexOf(rejected.reason()));
        view(rejected.view());
      } else {
        throw new AssertionError("a message without a type: " + message);
      }
      return out.toByteArray();
    }

    private void page(Page page) {
      out.uint8(PAGE);
      out.varint(page.request());
      view(page.view());
      list(page.records(), this::record);
      list(page.references(), this::reference);
      Cursor next = page.next();
      out.uint8(next == null ? 0 : 1);
      if (next != null) {
        cursor(next);
      }
    }

    private void references(int type, ViewStamp view, List<Reference> references) {
      out.uint8(type);
      view(view);
      list(references, this::reference);
    }

    private void record(TimerRecord record) {
      reference(record.id(), record.stamp(), record.sequence(), record.ended());
      out.zigzag(record.startMs());
      out.varint(record.intervalMs());
      out.varint(record.repeatForMs() - record.intervalMs()); // 0 if it pops once
      out.varint(record.replicationFactor());
      assignment(record.assignment());
      out.bytes(record.payload());
    }

    private void reference(Reference reference) {
      reference(reference.id(), reference.stamp(), reference.sequence(), reference.ended());
    }

    private void reference(long id, Stamp stamp, int sequence, boolean ended) {
      out.fixed64(id);
      out.varint(stamp.version());
      if (isNew(origins, stamp.origin())) {
        out.fixed32(stamp.origin());
      }
      out.varint(2L * sequence + (ended ? 1 : 0));
    }

    private void assignment(Assignment assignment) {
      if (isNew(assignments, assignment)) {
        view(assignment.view());
        list(assignment.replicas(), this::node);
      }
    }

    private void node(String id) {
      if (isNew(nodes, id)) {
        out.text(id);
      }
    }

    private void view(ViewStamp view) {
      if (isNew(views, view)) {
        out.varint(view.epoch());
        out.fixed64(view.id());
      }
    }

    private void cursor(Cursor cursor) {
      out.fixed64(cursor.deadline());
      out.fixed64(cursor.id());
    }

    private <T> void list(List<T> values, Consumer<? super T> write) {
      out.varint(values.size());
      values.forEach(write);
    }

    /** Writes the index of a value; if it is new, the value is to follow. */
    private <T> boolean isNew(Map<T, Integer> table, T value) {
      int unused = table.size();
      Integer index = table.putIfAbsent(value, unused);
      out.varint(index == null ? unused : index);
      return index == null;
    }
  }

  /** Reads one frame; {@link IllegalArgumentException} if it is none. */
  private static final class Decoder {

    private final ByteReader in;
    private final List<Integer> origins = new ArrayList<>();
    private final List<Assignment> assignments = new ArrayList<>();
    private final List<String> nodes = new ArrayList<>();
    private final List<ViewStamp> views = new ArrayList<>();

    Decoder(ByteBuffer frame) {
      in = new ByteReader(frame);
    }

    Decoded frame() {
      int magic = in.uint8();
      int version = in.uint8();
      int type = in.uint8();
      if (magic != MAGIC || version == 0) {
        throw new IllegalArgumentException("not a frame: begins with " + magic + ", " + version);
      }
      boolean isAboutBuckets = type >= BucketFrames.FIRST && type <= BucketFrames.LAST;
      if (version > VERSION || type < REPLICATE || (type > REJECTED && !isAboutBuckets)) {
        return new Decoded.Unknown(version, type);
      }
      Message message = isAboutBuckets ? new BucketFrames.Decoder(in).message(type) : message(type);
      if (in.remaining() > 0) {
        throw new IllegalArgumentException("trailing bytes: " + in.remaining());
      }
      return new Decoded.Understood(message);
    }

    private Message message(int type) {
      return switch (type) {
        case REPLICATE -> new Replicate(in.varint(), records());
        case ACKNOWLEDGE -> new Acknowledge(in.varint(), in.bool(), references());
        case FETCH_PAGE -> new FetchPage(in.varint(), view(), extent(), cursor(), limit());
        case PAGE ->
            new Page(in.varint(), view(), records(), references(), in.bool() ? cursor() : null);
        case FETCH_TIMERS -> new FetchTimers(list(ID_BYTES, in::fixed64));
        case OFFER -> new Offer(view(), references());
        case REFER -> new Refer(view(), references());
        case RETIRE -> new Retire(view(), references());
        case PROCESSED -> new Processed(view(), references());
        case REJECTED -> new Rejected(in.varint(), reason(), view());
        default -> throw new AssertionError("a type without a message: " + type);
      };
    }

    private List<TimerRecord> records() {
      return list(RECORD_BYTES_LEAST, this::record);
    }

    private List<Reference> references() {
      return list(REFERENCE_BYTES_LEAST, this::reference);
    }

    private TimerRecord record() {
      long id = in.fixed64();
      Stamp stamp = stamp();
      long sequence = sequence();
      long startMs = in.zigzag();
      long intervalMs = in.varint();
      // Should the sum overflow, it is below the interval, and refused.
      long repeatForMs = intervalMs + in.varint();
      int replicationFactor = in.varint(Integer.MAX_VALUE);
      Assignment assignment = entry(assignments, this::assignment);
      byte[] payload = in.bytes();
      return new TimerRecord(
          id,
          stamp,
          startMs,
          intervalMs,
          repeatForMs,
          (int) (sequence >> 1),
          replicationFactor,
          assignment,
          payload,
          (sequence & 1) == 1);
    }

    private Reference reference() {
      long id = in.fixed64();
      Stamp stamp = stamp();
      long sequence = sequence();
      return new Reference(id, stamp, (int) (sequence >> 1), (sequence & 1) == 1);
    }

    private Stamp stamp() {
      return new Stamp(in.varint(), entry(origins, in::fixed32));
    }

    /** Twice the sequence, and 1 if the timer has ended. */
    private long sequence() {
      long value = in.varint();
      if (value >>> 1 > Integer.MAX_VALUE) {
        throw new IllegalArgumentException("sequence too large: " + (value >>> 1));
      }
      return value;
    }

    private Assignment assignment() {
      return new Assignment(view(), list(1, this::node));
    }

    private String node() {
      return entry(nodes, in::text);
    }

    private ViewStamp view() {
      return entry(views, () -> new ViewStamp(in.varint(), in.fixed64()));
    }

    private Cursor cursor() {
      return new Cursor(in.fixed64(), in.fixed64());
    }

    private int limit() {
      long limit = in.zigzag();
      if (limit != (int) limit) {
        throw new IllegalArgumentException("limit too large: " + limit);
      }
      return (int) limit;
    }

    private Extent extent() {
      int number = in.uint8();
      if (number >= EXTENTS.size()) {
        throw new IllegalArgumentException("no such extent: " + number);
      }
      return EXTENTS.get(number);
    }

    private Reason reason() {
      int number = in.uint8();
      if (number >= REASONS.size()) {
        throw new IllegalArgumentException("no such reason: " + number);
      }
      return REASONS.get(number);
    }

    private <T> List<T> list(int bytesLeast, Supplier<T> read) {
      int count = in.count(bytesLeast);
      List<T> values = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        values.add(read.get());
      }
      return values;
    }

    /** The value at an index, or else the next value of the frame. */
    private <T> T entry(List<T> table, Supplier<T> read) {
      int index = in.varint(table.size());
      if (index < table.size()) {
        return table.get(index);
      }
      T value = read.get();
      table.add(value);
      return value;
    }
  }
}
