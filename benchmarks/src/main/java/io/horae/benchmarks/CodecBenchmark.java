package io.horae.benchmarks;

import io.horae.placement.ClusterView;
import io.horae.resync.Assignment;
import io.horae.resync.Codec;
import io.horae.resync.Decoded;
import io.horae.resync.Message;
import io.horae.resync.Stamp;
import io.horae.resync.TimerRecord;
import io.horae.resync.ViewStamp;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to write records of timers as bytes, and to read them?
 *
 * <p>The twin is what one would write by hand for this one kind of message: every field in its full
 * width, one after the other, in a {@link ByteBuffer}, and the ids of the replicas with each
 * record. It checks nothing that it reads. Its frames are larger, as the set-up makes sure; results
 * are for all records of a message together.
 *
 * <pre>
 * ./gradlew :benchmarks:run --args="CodecBenchmark -prof gc"
 * mvn -q compile -Pbenchmarks -Dexec.args="CodecBenchmark -prof gc"
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CodecBenchmark {

  private static final byte[] PAYLOAD = new byte[100];
  private static final int FRAME_BYTES_MAX = 1 << 16;

  @Param({"1", "10", "100"})
  private int records;

  private Message.Replicate message;
  private byte[] frame;
  private byte[] twinFrame;
  private final ByteBuffer space = ByteBuffer.allocate(FRAME_BYTES_MAX);

  @Setup
  public void setUp() {
    ClusterView view = ClusterView.of(1, Members.of(10));
    message = new Message.Replicate(1, TimerCluster.records(view, records, 2, PAYLOAD));
    frame = encode();
    twinFrame = encodeTwin();
    Wheel.expect(decode().equals(new Decoded.Understood(message)), "read another message");
    Wheel.expect(decodeTwin().equals(message), "the twin read another message");
    Wheel.expect(frame.length < twinFrame.length, "larger than the twin: " + frame.length);
  }

  @Benchmark
  public byte[] encode() {
    return Codec.encode(message);
  }

  @Benchmark
  public Decoded decode() {
    return Codec.decode(frame);
  }

  @Benchmark
  public byte[] encodeTwin() {
    ByteBuffer out = space.clear();
    out.putLong(message.operation()).putInt(message.records().size());
    for (TimerRecord record : message.records()) {
      out.putLong(record.id());
      out.putLong(record.stamp().version()).putInt(record.stamp().origin());
      out.putLong(record.startMs()).putLong(record.intervalMs()).putLong(record.repeatForMs());
      out.putInt(record.sequence()).putInt(record.replicationFactor());
      out.put((byte) (record.ended() ? 1 : 0));
      Assignment assignment = record.assignment();
      out.putLong(assignment.view().epoch()).putLong(assignment.view().id());
      out.putInt(assignment.replicas().size());
      for (String node : assignment.replicas()) {
        put(out, node.getBytes(StandardCharsets.UTF_8));
      }
      put(out, record.payload());
    }
    byte[] frame = new byte[out.position()];
    out.flip().get(frame);
    return frame;
  }

  private static void put(ByteBuffer out, byte[] bytes) {
    out.putInt(bytes.length).put(bytes);
  }

  @Benchmark
  public Message.Replicate decodeTwin() {
    ByteBuffer in = ByteBuffer.wrap(twinFrame);
    long operation = in.getLong();
    int count = in.getInt();
    List<TimerRecord> read = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long id = in.getLong();
      Stamp stamp = new Stamp(in.getLong(), in.getInt());
      long startMs = in.getLong();
      long intervalMs = in.getLong();
      long repeatForMs = in.getLong();
      int sequence = in.getInt();
      int replicationFactor = in.getInt();
      boolean ended = in.get() != 0;
      ViewStamp view = new ViewStamp(in.getLong(), in.getLong());
      List<String> nodes = new ArrayList<>();
      for (int left = in.getInt(); left > 0; left--) {
        nodes.add(new String(bytes(in), StandardCharsets.UTF_8));
      }
      read.add(
          new TimerRecord(
              id,
              stamp,
              startMs,
              intervalMs,
              repeatForMs,
              sequence,
              replicationFactor,
              new Assignment(view, nodes),
              bytes(in),
              ended));
    }
    return new Message.Replicate(operation, read);
  }

  private static byte[] bytes(ByteBuffer in) {
    byte[] bytes = new byte[in.getInt()];
    in.get(bytes);
    return bytes;
  }
}
