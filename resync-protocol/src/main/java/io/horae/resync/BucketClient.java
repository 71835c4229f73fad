package io.horae.resync;

import io.horae.placement.Bucket;
import io.horae.placement.BucketTable;
import io.horae.placement.Node;
import io.horae.resync.BucketMessage.Answer;
import io.horae.resync.BucketMessage.Kind;
import io.horae.resync.BucketMessage.Request;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A client's state machine: it asks the server that its table says, follows those that know better,
 * and tries until it has an answer or its time is over. The table may be as old as you like.
 *
 * <p>A write that is sent again keeps its number, by which servers tell that they have done it: in
 * the end it is done once. If it is {@linkplain BucketResult.Outcome#GIVEN_UP given up}, it has
 * been done once or not at all, and may yet be.
 *
 * <p>What a client sees of a key, of operations that it began one after the other has ended, never
 * goes back: it tells servers the epoch that it knows of, and none that is behind answers. What
 * holds between clients is said in {@link BucketNode}.
 *
 * <p>Like a node it holds no thread and reads no clock. Not safe for use by several threads.
 */
public final class BucketClient {

  private static final byte[] NOTHING = {};

  /** Something that was asked for, and is not answered yet. */
  private static final class Operation {
    private final long number;
    private final Kind kind;
    private final long hash;
    private final byte[] key;
    private final byte[] value;
    private final long giveUpAtMs;
    private String server = "";

    /** The epoch of the bucket that it was asked with. */
    private long epoch;

    private int hops;
    private int hopsInRow;
    private int silences;
    private int retries;
    private int detours;
    private boolean asked;
    private long actAtMs;

    Operation(long number, Kind kind, long hash, byte[] key, byte[] value, long giveUpAtMs) {
      this.number = number;
      this.kind = kind;
      this.hash = hash;
      this.key = key;
      this.value = value;
      this.giveUpAtMs = giveUpAtMs;
    }

    long dueMs() {
      return Math.min(actAtMs, giveUpAtMs);
    }
  }

  private final long id;
  private final BucketClientOutbox outbox;
  private final long timeoutMs;
  private final long giveUpMs;
  private final int hopsMax;
  private final Backoff backoff;
  private final TreeMap<Long, Operation> open = new TreeMap<>();
  private BucketTable table;
  private long nowMs = Long.MIN_VALUE;
  private long numbers;

  private BucketClient(Builder builder, BucketTable table, BucketClientOutbox outbox) {
    id = builder.id;
    this.table = table;
    this.outbox = outbox;
    timeoutMs = builder.timeoutMs;
    giveUpMs = builder.giveUpMs;
    hopsMax = builder.hopsMax;
    backoff = new Backoff(builder.retryMs, 8 * builder.retryMs, builder.id);
  }

  /**
   * A client to be set up.
   *
   * @param id a number that no other client has, nor this one after a restart
   * @return the builder
   */
  public static Builder builder(long id) {
    return new Builder(id);
  }

  /**
   * Asks for what is under a key.
   *
   * @param nowMs the time
   * @param key the key
   * @return the number of the operation
   */
  public long get(long nowMs, byte[] key) {
    return begin(nowMs, Kind.GET, key, NOTHING);
  }

  /**
   * Puts a value under a key.
   *
   * @param nowMs the time
   * @param key the key
   * @param value the value
   * @return the number of the operation
   */
  public long put(long nowMs, byte[] key, byte[] value) {
    return begin(nowMs, Kind.PUT, key, value);
  }

  /**
   * Removes what is under a key.
   *
   * @param nowMs the time
   * @param key the key
   * @return the number of the operation
   */
  public long delete(long nowMs, byte[] key) {
    return begin(nowMs, Kind.DELETE, key, NOTHING);
  }

  private long begin(long nowMs, Kind kind, byte[] key, byte[] value) {
    if (key == null || value == null) {
      throw new IllegalArgumentException((key == null ? "key" : "value") + " must not be null");
    }
    time(nowMs);
    long hash = table.keyHash().hash(key);
    Operation operation =
        new Operation(++numbers, kind, hash, key.clone(), value.clone(), this.nowMs + giveUpMs);
    open.put(operation.number, operation);
    ask(operation, primary(operation));
    return operation.number;
  }

  private void time(long nowMs) {
    this.nowMs = Math.max(this.nowMs, nowMs);
  }

  private String primary(Operation operation) {
    return table.bucketAt(operation.hash).primary().id();
  }

  private void ask(Operation operation, String server) {
    Bucket bucket = table.bucketAt(operation.hash);
    operation.server = server;
    operation.epoch = bucket.epoch();
    operation.asked = true;
    operation.actAtMs = nowMs + timeoutMs;
    outbox.send(
        server,
        new Request(
            id,
            operation.number,
            Math.min(operation.number, oldestWrite()),
            operation.kind,
            bucket.mask(),
            bucket.epoch(),
            operation.hash,
            operation.key,
            operation.value));
  }

  /** The lowest number of a write that is still wanted. */
  private long oldestWrite() {
    for (Operation operation : open.values()) {
      if (operation.kind != Kind.GET) {
        return operation.number;
      }
    }
    return Long.MAX_VALUE;
  }

  /**
   * Takes a message of a server: an answer, or news of the table. What is not wanted any more is
   * ignored.
   *
   * @param nowMs the time
   * @param server the server that sent it
   * @param message what it says
   */
  public void receive(long nowMs, String server, BucketMessage message) {
    time(nowMs);
    if (message instanceof BucketMessage.Publish publish) {
      learn(publish.entries());
    } else if (message instanceof Answer answer && answer.client() == id) {
      learn(answer.entries());
      Operation operation = open.get(answer.number());
      if (operation != null) {
        answered(operation, server, answer);
      }
    }
  }

  /**
   * Takes news of the table, however old.
   *
   * @param entries the entries
   */
  public void learn(Collection<Bucket> entries) {
    table = table.learn(entries);
  }

  private void answered(Operation operation, String server, Answer answer) {
    switch (answer.outcome()) {
      case FOUND -> end(operation, BucketResult.Outcome.FOUND, answer.value(), answer.version());
      case ABSENT -> end(operation, BucketResult.Outcome.ABSENT, NOTHING, answer.version());
      case DONE -> end(operation, BucketResult.Outcome.DONE, NOTHING, answer.version());
      case TOO_LARGE -> end(operation, BucketResult.Outcome.TOO_LARGE, NOTHING, answer.version());
      case RETRY -> {
        if (operation.asked && server.equals(operation.server)) {
          waitAndAsk(operation);
        }
      }
      case NOT_MINE -> {
        if (operation.asked && server.equals(operation.server)) {
          follow(operation, server);
        }
      }
    }
  }

  /**
   * Each hop leads to a later epoch, or the client waits: so it cannot be sent round in circles.
   */
  private void follow(Operation operation, String server) {
    Bucket bucket = table.bucketAt(operation.hash);
    String primary = bucket.primary().id();
    if (bucket.epoch() <= operation.epoch || primary.equals(server)) {
      waitAndAsk(operation); // that server knows no more than this client
      return;
    }
    operation.hops++;
    if (++operation.hopsInRow > hopsMax) {
      waitAndAsk(operation);
    } else {
      ask(operation, primary);
    }
  }

  private void waitAndAsk(Operation operation) {
    operation.asked = false;
    operation.hopsInRow = 0;
    operation.actAtMs = nowMs + backoff.waitMs(++operation.retries);
  }

  private void end(
      Operation operation, BucketResult.Outcome outcome, byte[] value, ItemVersion version) {
    open.remove(operation.number);
    outbox.done(new BucketResult(operation.number, outcome, value, version, operation.hops));
  }

  /**
   * Lets the client do what is due. To be called at {@link #nextTickMs} at the latest.
   *
   * @param nowMs the time
   */
  public void tick(long nowMs) {
    time(nowMs);
    for (Operation operation : List.copyOf(open.values())) {
      if (operation.giveUpAtMs <= this.nowMs) {
        end(operation, BucketResult.Outcome.GIVEN_UP, NOTHING, new ItemVersion(0, 0));
      } else if (operation.actAtMs <= this.nowMs) {
        if (operation.asked) {
          operation.silences++;
        }
        operation.hopsInRow = 0;
        ask(operation, isInVain(operation) ? another(operation) : primary(operation));
      }
    }
  }

  /**
   * Who is silent may be gone, and who says "not now" again and again may be out of the cluster.
   */
  private static boolean isInVain(Operation operation) {
    return operation.asked ? operation.silences % 2 == 1 : operation.retries % 4 == 3;
  }

  /** One server after the other. */
  private String another(Operation operation) {
    List<Node> nodes = table.nodes();
    int at = (int) ((operation.number + operation.detours++) % nodes.size());
    return nodes.get(at).id();
  }

  /**
   * When {@link #tick} will next have something to do.
   *
   * @return the time, which may have passed; {@link Long#MAX_VALUE} if never
   */
  public long nextTickMs() {
    long next = Long.MAX_VALUE;
    for (Operation operation : open.values()) {
      next = Math.min(next, operation.dueMs());
    }
    return next;
  }

  /**
   * How many operations have not ended.
   *
   * @return their number
   */
  public int open() {
    return open.size();
  }

  /**
   * The table as this client knows it.
   *
   * @return the table
   */
  public BucketTable table() {
    return table;
  }

  /** Sets up a {@link BucketClient}. */
  public static final class Builder {

    private final long id;
    private @Nullable BucketTable table;
    private @Nullable BucketClientOutbox outbox;
    private long timeoutMs = 1_000;
    private long giveUpMs = 60_000;
    private long retryMs = 50;
    private int hopsMax = 8;

    private Builder(long id) {
      this.id = id;
    }

    /**
     * What the client knows to begin with.
     *
     * @param table a table, be it only {@link BucketTable#initial} of a server; other servers that
     *     it lists are asked too if one is silent
     * @return this builder
     */
    public Builder table(BucketTable table) {
      this.table = table;
      return this;
    }

    /**
     * The client's effects.
     *
     * @param outbox the host
     * @return this builder
     */
    public Builder outbox(BucketClientOutbox outbox) {
      this.outbox = outbox;
      return this;
    }

    /**
     * How long to wait for an answer before a request is sent again.
     *
     * @param value 1_000 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is below 1
     */
    public Builder timeoutMs(long value) {
      timeoutMs = checked("timeoutMs", value);
      return this;
    }

    /**
     * How long to try at all: shorter than servers {@linkplain BucketNodeOptions#receiptMs
     * remember}.
     *
     * @param value 60_000 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is below 1
     */
    public Builder giveUpMs(long value) {
      giveUpMs = checked("giveUpMs", value);
      return this;
    }

    /**
     * How long to wait when a server says: not now; up to eight times as long if it goes on so.
     *
     * @param value 50 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is below 1
     */
    public Builder retryMs(long value) {
      retryMs = checked("retryMs", value);
      return this;
    }

    /**
     * How often to follow from one server to the next before taking a breath.
     *
     * @param value 8 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is below 1
     */
    public Builder hopsMax(int value) {
      hopsMax = (int) Math.min(Integer.MAX_VALUE, checked("hopsMax", value));
      return this;
    }

    private static long checked(String option, long value) {
      if (value < 1 || value > 1L << 40) {
        throw new IllegalArgumentException(option + " must be 1 to 2^40: " + value);
      }
      return value;
    }

    /**
     * Builds the client.
     *
     * @return the client
     * @throws IllegalArgumentException if there is no table or no outbox
     */
    public BucketClient build() {
      if (table == null || outbox == null) {
        throw new IllegalArgumentException("a client needs a table and an outbox");
      }
      return new BucketClient(this, table, outbox);
    }
  }
}
