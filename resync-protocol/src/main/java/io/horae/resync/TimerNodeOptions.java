package io.horae.resync;

/**
 * The limits and times of a {@link TimerNode}. Every limit is there because something could
 * otherwise grow without end; reaching one is {@linkplain Event.LimitReached reported}.
 */
public final class TimerNodeOptions {

  private final long skewMs;
  private final int pageTimersMax;
  private final int fetchesInFlightMax;
  private final int referencesPerMessageMax;
  private final int fetchTimersMax;
  private final int offerTimersMax;
  private final int operationsMax;
  private final int popsInFlightMax;
  private final long popTimeoutMs;
  private final int popAttemptsMax;
  private final long retryMs;
  private final long retryMsMax;
  private final int retriesMax;
  private final long tombstoneMs;
  private final int sweepTimersMax;
  private final int timersMax;
  private final int payloadBytesMax;
  private final long seed;

  private TimerNodeOptions(Builder builder) {
    skewMs = builder.skewMs;
    pageTimersMax = builder.pageTimersMax;
    fetchesInFlightMax = builder.fetchesInFlightMax;
    referencesPerMessageMax = builder.referencesPerMessageMax;
    fetchTimersMax = builder.fetchTimersMax;
    offerTimersMax = builder.offerTimersMax;
    operationsMax = builder.operationsMax;
    popsInFlightMax = builder.popsInFlightMax;
    popTimeoutMs = builder.popTimeoutMs;
    popAttemptsMax = builder.popAttemptsMax;
    retryMs = builder.retryMs;
    retryMsMax = builder.retryMsMax;
    retriesMax = builder.retriesMax;
    tombstoneMs = builder.tombstoneMs;
    sweepTimersMax = builder.sweepTimersMax;
    timersMax = builder.timersMax;
    payloadBytesMax = builder.payloadBytesMax;
    seed = builder.seed;
  }

  /**
   * The options as they are unless they are set.
   *
   * @return the defaults
   */
  public static TimerNodeOptions defaults() {
    return builder().build();
  }

  /**
   * Options to be set.
   *
   * @return a builder with the defaults
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * How much later each level pops than the one before it, at most; less where the interval is
   * short.
   *
   * @return the value
   */
  public long skewMs() {
    return skewMs;
  }

  /**
   * How many timers a node asks for at once in a resync.
   *
   * @return the value
   */
  public int pageTimersMax() {
    return pageTimersMax;
  }

  /**
   * How many nodes it asks at the same time.
   *
   * @return the value
   */
  public int fetchesInFlightMax() {
    return fetchesInFlightMax;
  }

  /**
   * How many references a message has at most; {@code pageTimersMax} is for pages.
   *
   * @return the value
   */
  public int referencesPerMessageMax() {
    return referencesPerMessageMax;
  }

  /**
   * How many timers it may have asked for by name, outside of pages, that have not come; the others
   * wait for their turn.
   *
   * @return the value
   */
  public int fetchTimersMax() {
    return fetchTimersMax;
  }

  /**
   * How many timers it may be offering to other nodes without an answer; the others wait for their
   * turn.
   *
   * @return the value
   */
  public int offerTimersMax() {
    return offerTimersMax;
  }

  /**
   * How many operations may wait for confirmation, clients' and pops' together.
   *
   * @return the value
   */
  public int operationsMax() {
    return operationsMax;
  }

  /**
   * How many pops may wait for the host's word.
   *
   * @return the value
   */
  public int popsInFlightMax() {
    return popsInFlightMax;
  }

  /**
   * How long a pop waits for the host's word before it counts as failed.
   *
   * @return the value
   */
  public long popTimeoutMs() {
    return popTimeoutMs;
  }

  /**
   * How often a node tries a pop before it gives it up.
   *
   * @return the value
   */
  public int popAttemptsMax() {
    return popAttemptsMax;
  }

  /**
   * After how long something is tried again; twice as long after each further try.
   *
   * @return the value
   */
  public long retryMs() {
    return retryMs;
  }

  /**
   * The longest wait between two tries.
   *
   * @return the value
   */
  public long retryMsMax() {
    return retryMsMax;
  }

  /**
   * How often an operation or a request is tried again.
   *
   * @return the value
   */
  public int retriesMax() {
    return retriesMax;
  }

  /**
   * For how long a tombstone is kept: longer than a message can be under way or a node away.
   *
   * @return the value
   */
  public long tombstoneMs() {
    return tombstoneMs;
  }

  /**
   * How many timers a tick goes through at most, in each of its duties.
   *
   * @return the value
   */
  public int sweepTimersMax() {
    return sweepTimersMax;
  }

  /**
   * How many timers a node takes from clients; it keeps what other nodes send beyond that.
   *
   * @return the value
   */
  public int timersMax() {
    return timersMax;
  }

  /**
   * How large a payload may be.
   *
   * @return the value
   */
  public int payloadBytesMax() {
    return payloadBytesMax;
  }

  /**
   * What the jitter of waits is drawn from.
   *
   * @return the value
   */
  public long seed() {
    return seed;
  }

  /** Sets up {@link TimerNodeOptions}. */
  public static final class Builder {

    private long skewMs = 2_000;
    private int pageTimersMax = 100;
    private int fetchesInFlightMax = 4;
    private int referencesPerMessageMax = 1_000;
    private int fetchTimersMax = 10_000;
    private int offerTimersMax = 10_000;
    private int operationsMax = 10_000;
    private int popsInFlightMax = 1_000;
    private long popTimeoutMs = 10_000;
    private int popAttemptsMax = 20;
    private long retryMs = 500;
    private long retryMsMax = 30_000;
    private int retriesMax = 6;
    private long tombstoneMs = 600_000;
    private int sweepTimersMax = 10_000;
    private int timersMax = 10_000_000;
    private int payloadBytesMax = 65_536;
    private long seed;

    private Builder() {}

    /**
     * How much later each level pops than the one before it, at most; less where the interval is
     * short.
     *
     * @param value 2_000 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder skewMs(long value) {
      skewMs = checked("skewMs", value, 0, 1L << 40);
      return this;
    }

    /**
     * How many timers a node asks for at once in a resync.
     *
     * @param value 100 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder pageTimersMax(int value) {
      pageTimersMax = (int) checked("pageTimersMax", value, 1, 10_000);
      return this;
    }

    /**
     * How many nodes it asks at the same time.
     *
     * @param value 4 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder fetchesInFlightMax(int value) {
      fetchesInFlightMax = (int) checked("fetchesInFlightMax", value, 1, 1_000);
      return this;
    }

    /**
     * How many references a message has at most; {@code pageTimersMax} is for pages.
     *
     * @param value 1_000 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder referencesPerMessageMax(int value) {
      referencesPerMessageMax = (int) checked("referencesPerMessageMax", value, 1, 100_000);
      return this;
    }

    /**
     * How many timers it may have asked for by name, outside of pages, that have not come; the
     * others wait for their turn.
     *
     * @param value 10_000 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder fetchTimersMax(int value) {
      fetchTimersMax = (int) checked("fetchTimersMax", value, 1, 10_000_000);
      return this;
    }

    /**
     * How many timers it may be offering to other nodes without an answer; the others wait for
     * their turn.
     *
     * @param value 10_000 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder offerTimersMax(int value) {
      offerTimersMax = (int) checked("offerTimersMax", value, 1, 10_000_000);
      return this;
    }

    /**
     * How many operations may wait for confirmation, clients' and pops' together.
     *
     * @param value 10_000 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder operationsMax(int value) {
      operationsMax = (int) checked("operationsMax", value, 1, 10_000_000);
      return this;
    }

    /**
     * How many pops may wait for the host's word.
     *
     * @param value 1_000 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder popsInFlightMax(int value) {
      popsInFlightMax = (int) checked("popsInFlightMax", value, 1, 10_000_000);
      return this;
    }

    /**
     * How long a pop waits for the host's word before it counts as failed.
     *
     * @param value 10_000 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder popTimeoutMs(long value) {
      popTimeoutMs = checked("popTimeoutMs", value, 1, 1L << 40);
      return this;
    }

    /**
     * How often a node tries a pop before it gives it up.
     *
     * @param value 20 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder popAttemptsMax(int value) {
      popAttemptsMax = (int) checked("popAttemptsMax", value, 1, 1_000_000);
      return this;
    }

    /**
     * After how long something is tried again; twice as long after each further try.
     *
     * @param value 500 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder retryMs(long value) {
      retryMs = checked("retryMs", value, 1, 1L << 40);
      return this;
    }

    /**
     * The longest wait between two tries.
     *
     * @param value 30_000 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder retryMsMax(long value) {
      retryMsMax = checked("retryMsMax", value, 1, 1L << 40);
      return this;
    }

    /**
     * How often an operation or a request is tried again.
     *
     * @param value 6 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder retriesMax(int value) {
      retriesMax = (int) checked("retriesMax", value, 0, 1_000);
      return this;
    }

    /**
     * For how long a tombstone is kept: longer than a message can be under way or a node away.
     *
     * @param value 600_000 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder tombstoneMs(long value) {
      tombstoneMs = checked("tombstoneMs", value, 1, 1L << 40);
      return this;
    }

    /**
     * How many timers a tick goes through at most, in each of its duties.
     *
     * @param value 10_000 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder sweepTimersMax(int value) {
      sweepTimersMax = (int) checked("sweepTimersMax", value, 1, 100_000_000);
      return this;
    }

    /**
     * How many timers a node takes from clients; it keeps what other nodes send beyond that.
     *
     * @param value 10_000_000 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder timersMax(int value) {
      timersMax = (int) checked("timersMax", value, 1, 500_000_000);
      return this;
    }

    /**
     * How large a payload may be.
     *
     * @param value 65_536 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder payloadBytesMax(int value) {
      payloadBytesMax = (int) checked("payloadBytesMax", value, 0, 1 << 30);
      return this;
    }

    /**
     * What the jitter of waits is drawn from: different on each node, so that they do not all try
     * again at once.
     *
     * @param value 0 unless it is set
     * @return this builder
     */
    public Builder seed(long value) {
      seed = value;
      return this;
    }

    private static long checked(String option, long value, long least, long most) {
      if (value < least || value > most) {
        throw new IllegalArgumentException(
            option + " must be " + least + " to " + most + ": " + value);
      }
      return value;
    }

    /**
     * Builds the options.
     *
     * @return the options
     */
    public TimerNodeOptions build() {
      return new TimerNodeOptions(this);
    }
  }
}
