package io.horae.resync;

/**
 * The limits and times of a {@link BucketNode}. Every limit is there because something could
 * otherwise grow without end.
 */
public final class BucketNodeOptions {

  private final int transfersMax;
  private final int transfersInMax;
  private final int windowItemsMax;
  private final int windowBytesMax;
  private final int windowsInFlightMax;
  private final int itemsPerSecondMax;
  private final long bytesPerSecondMax;
  private final int writesOpenMax;
  private final int receiptsClientsMax;
  private final int receiptsPerClientMax;
  private final long receiptMs;
  private final int keyBytesMax;
  private final int valueBytesMax;
  private final long drainMs;
  private final long transferIdleMs;
  private final long planMs;
  private final long retryMs;
  private final long retryMsMax;
  private final int entriesPerMessageMax;
  private final int backupsMax;
  private final int bucketsInitial;
  private final boolean readsConfirmed;
  private final long seed;

  private BucketNodeOptions(Builder builder) {
    transfersMax = builder.transfersMax;
    transfersInMax = builder.transfersInMax;
    windowItemsMax = builder.windowItemsMax;
    windowBytesMax = builder.windowBytesMax;
    windowsInFlightMax = builder.windowsInFlightMax;
    itemsPerSecondMax = builder.itemsPerSecondMax;
    bytesPerSecondMax = builder.bytesPerSecondMax;
    writesOpenMax = builder.writesOpenMax;
    receiptsClientsMax = builder.receiptsClientsMax;
    receiptsPerClientMax = builder.receiptsPerClientMax;
    receiptMs = builder.receiptMs;
    keyBytesMax = builder.keyBytesMax;
    valueBytesMax = builder.valueBytesMax;
    drainMs = builder.drainMs;
    transferIdleMs = builder.transferIdleMs;
    planMs = builder.planMs;
    retryMs = builder.retryMs;
    retryMsMax = builder.retryMsMax;
    entriesPerMessageMax = builder.entriesPerMessageMax;
    backupsMax = builder.backupsMax;
    bucketsInitial = builder.bucketsInitial;
    readsConfirmed = builder.readsConfirmed;
    seed = builder.seed;
  }

  /**
   * The options as they are unless they are set.
   *
   * @return the defaults
   */
  public static BucketNodeOptions defaults() {
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
   * How many buckets a server sends at the same time.
   *
   * @return the value
   */
  public int transfersMax() {
    return transfersMax;
  }

  /**
   * How many buckets it takes at the same time; to further offers it says that it is busy.
   *
   * @return the value
   */
  public int transfersInMax() {
    return transfersInMax;
  }

  /**
   * How many items a message of a transfer has at most.
   *
   * @return the value
   */
  public int windowItemsMax() {
    return windowItemsMax;
  }

  /**
   * How many bytes of keys and values it has at most; a larger item goes alone. So too for
   * forwarded writes.
   *
   * @return the value
   */
  public int windowBytesMax() {
    return windowBytesMax;
  }

  /**
   * How many such messages of a transfer may wait for acknowledgement.
   *
   * @return the value
   */
  public int windowsInFlightMax() {
    return windowsInFlightMax;
  }

  /**
   * How many items a server sends in a second, all transfers together.
   *
   * @return the value
   */
  public int itemsPerSecondMax() {
    return itemsPerSecondMax;
  }

  /**
   * How many bytes of items it sends in a second, all transfers together.
   *
   * @return the value
   */
  public long bytesPerSecondMax() {
    return bytesPerSecondMax;
  }

  /**
   * How many writes of a bucket may wait for its backups; to further ones it says: not now.
   *
   * @return the value
   */
  public int writesOpenMax() {
    return writesOpenMax;
  }

  /**
   * How many clients a bucket remembers the last writes of; to a further one it says: not now.
   *
   * @return the value
   */
  public int receiptsClientsMax() {
    return receiptsClientsMax;
  }

  /**
   * How many writes of one client a bucket remembers: those from the first on that the client still
   * wants an answer to, in whatever bucket that is. To further ones it says: not now.
   *
   * @return the number
   */
  public int receiptsPerClientMax() {
    return receiptsPerClientMax;
  }

  /**
   * For how long it remembers them: longer than a client tries, and than a message is under way.
   *
   * @return the value
   */
  public long receiptMs() {
    return receiptMs;
  }

  /**
   * How long a key may be.
   *
   * @return the value
   */
  public int keyBytesMax() {
    return keyBytesMax;
  }

  /**
   * How long a value may be.
   *
   * @return the value
   */
  public int valueBytesMax() {
    return valueBytesMax;
  }

  /**
   * For how long at most clients are put off before a bucket changes hands, or is split; else it is
   * tried again later.
   *
   * @return the value
   */
  public long drainMs() {
    return drainMs;
  }

  /**
   * For how long one side of a transfer is silent before the other gives it up.
   *
   * @return the value
   */
  public long transferIdleMs() {
    return transferIdleMs;
  }

  /**
   * How long a server waits after a change of the table before it plans anew.
   *
   * @return the value
   */
  public long planMs() {
    return planMs;
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
   * How many changed entries of the table a message has at most.
   *
   * @return the value
   */
  public int entriesPerMessageMax() {
    return entriesPerMessageMax;
  }

  /**
   * How many backups a bucket has, while there are servers enough. The same on all servers.
   *
   * @return the value
   */
  public int backupsMax() {
    return backupsMax;
  }

  /**
   * How many buckets a cluster begins with. The same on all servers.
   *
   * @return the value
   */
  public int bucketsInitial() {
    return bucketsInitial;
  }

  /**
   * Whether a read waits until the backups confirm that its server is the primary still: then reads
   * and writes of all clients are linearizable for each key.
   *
   * @return the value
   */
  public boolean readsConfirmed() {
    return readsConfirmed;
  }

  /**
   * What the jitter of waits is drawn from.
   *
   * @return the value
   */
  public long seed() {
    return seed;
  }

  /** Sets up {@link BucketNodeOptions}. */
  public static final class Builder {

    private int transfersMax = 2;
    private int transfersInMax = 4;
    private int windowItemsMax = 500;
    private int windowBytesMax = 262_144;
    private int windowsInFlightMax = 4;
    private int itemsPerSecondMax = 1_000_000;
    private long bytesPerSecondMax = 1_073_741_824;
    private int writesOpenMax = 1_000;
    private int receiptsClientsMax = 100_000;
    private int receiptsPerClientMax = 10_000;
    private long receiptMs = 600_000;
    private int keyBytesMax = 1_024;
    private int valueBytesMax = 1_048_576;
    private long drainMs = 500;
    private long transferIdleMs = 30_000;
    private long planMs = 200;
    private long retryMs = 200;
    private long retryMsMax = 10_000;
    private int entriesPerMessageMax = 1_000;
    private int backupsMax = 1;
    private int bucketsInitial = 16;
    private boolean readsConfirmed;
    private long seed;

    private Builder() {}

    /**
     * How many buckets a server sends at the same time.
     *
     * @param value 2 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder transfersMax(int value) {
      transfersMax = (int) checked("transfersMax", value, 1, 10_000);
      return this;
    }

    /**
     * How many buckets it takes at the same time; to further offers it says that it is busy.
     *
     * @param value 4 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder transfersInMax(int value) {
      transfersInMax = (int) checked("transfersInMax", value, 1, 10_000);
      return this;
    }

    /**
     * How many items a message of a transfer has at most.
     *
     * @param value 500 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder windowItemsMax(int value) {
      windowItemsMax = (int) checked("windowItemsMax", value, 1, 100_000);
      return this;
    }

    /**
     * How many bytes of keys and values it has at most; a larger item goes alone. So too for
     * forwarded writes.
     *
     * @param value 262_144 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder windowBytesMax(int value) {
      windowBytesMax = (int) checked("windowBytesMax", value, 1, 1_073_741_824);
      return this;
    }

    /**
     * How many such messages of a transfer may wait for acknowledgement.
     *
     * @param value 4 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder windowsInFlightMax(int value) {
      windowsInFlightMax = (int) checked("windowsInFlightMax", value, 1, 1_000);
      return this;
    }

    /**
     * How many items a server sends in a second, all transfers together.
     *
     * @param value 1_000_000 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder itemsPerSecondMax(int value) {
      itemsPerSecondMax = (int) checked("itemsPerSecondMax", value, 1, 1_000_000_000);
      return this;
    }

    /**
     * How many bytes of items it sends in a second, all transfers together.
     *
     * @param value 1_073_741_824 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder bytesPerSecondMax(long value) {
      bytesPerSecondMax = checked("bytesPerSecondMax", value, 1, 1_099_511_627_776L);
      return this;
    }

    /**
     * How many writes of a bucket may wait for its backups; to further ones it says: not now.
     *
     * @param value 1_000 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder writesOpenMax(int value) {
      writesOpenMax = (int) checked("writesOpenMax", value, 1, 1_000_000);
      return this;
    }

    /**
     * How many clients a bucket remembers the last writes of; to a further one it says: not now.
     *
     * @param value 100_000 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder receiptsClientsMax(int value) {
      receiptsClientsMax = (int) checked("receiptsClientsMax", value, 1, 100_000_000);
      return this;
    }

    /**
     * How many writes of one client a bucket remembers: those from the first on that the client
     * still wants an answer to, in whatever bucket that is. To further ones it says: not now.
     *
     * @param value 10_000 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder receiptsPerClientMax(int value) {
      receiptsPerClientMax = (int) checked("receiptsPerClientMax", value, 1, 100_000_000);
      return this;
    }

    /**
     * For how long it remembers them: longer than a client tries, and than a message is under way.
     *
     * @param value 600_000 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder receiptMs(long value) {
      receiptMs = checked("receiptMs", value, 1, 1_099_511_627_776L);
      return this;
    }

    /**
     * How long a key may be.
     *
     * @param value 1_024 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder keyBytesMax(int value) {
      keyBytesMax = (int) checked("keyBytesMax", value, 1, 1_048_576);
      return this;
    }

    /**
     * How long a value may be.
     *
     * @param value 1_048_576 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder valueBytesMax(int value) {
      valueBytesMax = (int) checked("valueBytesMax", value, 0, 268_435_456);
      return this;
    }

    /**
     * For how long at most clients are put off before a bucket changes hands, or is split; else it
     * is tried again later.
     *
     * @param value 500 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder drainMs(long value) {
      drainMs = checked("drainMs", value, 1, 1_099_511_627_776L);
      return this;
    }

    /**
     * For how long one side of a transfer is silent before the other gives it up.
     *
     * @param value 30_000 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder transferIdleMs(long value) {
      transferIdleMs = checked("transferIdleMs", value, 1, 1_099_511_627_776L);
      return this;
    }

    /**
     * How long a server waits after a change of the table before it plans anew.
     *
     * @param value 200 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder planMs(long value) {
      planMs = checked("planMs", value, 0, 1_099_511_627_776L);
      return this;
    }

    /**
     * After how long something is tried again; twice as long after each further try.
     *
     * @param value 200 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder retryMs(long value) {
      retryMs = checked("retryMs", value, 1, 1_099_511_627_776L);
      return this;
    }

    /**
     * The longest wait between two tries.
     *
     * @param value 10_000 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder retryMsMax(long value) {
      retryMsMax = checked("retryMsMax", value, 1, 1_099_511_627_776L);
      return this;
    }

    /**
     * How many changed entries of the table a message has at most.
     *
     * @param value 1_000 unless it is set
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder entriesPerMessageMax(int value) {
      entriesPerMessageMax = (int) checked("entriesPerMessageMax", value, 1, 100_000);
      return this;
    }

    /**
     * How many backups a bucket has, while there are servers enough. The same on all servers.
     *
     * @param value 1 unless it is set; 0 to 15
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public Builder backupsMax(int value) {
      backupsMax = (int) checked("backupsMax", value, 0, 15);
      return this;
    }

    /**
     * How many buckets a cluster begins with. The same on all servers.
     *
     * @param value 16 unless it is set; or 256
     * @return this builder
     * @throws IllegalArgumentException if it is another number
     */
    public Builder bucketsInitial(int value) {
      if (value != 16 && value != 256) {
        throw new IllegalArgumentException("bucketsInitial must be 16 or 256: " + value);
      }
      bucketsInitial = value;
      return this;
    }

    /**
     * Whether a read waits until the backups confirm that its server is the primary still: then
     * reads and writes of all clients are linearizable for each key. Else a server that has been
     * removed from the cluster may answer reads with what was, until it hears of that.
     *
     * @param value false unless it is set
     * @return this builder
     */
    public Builder readsConfirmed(boolean value) {
      readsConfirmed = value;
      return this;
    }

    /**
     * What the jitter of waits is drawn from: different on each server, so that they do not all try
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
    public BucketNodeOptions build() {
      return new BucketNodeOptions(this);
    }
  }
}
