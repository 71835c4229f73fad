package io.horae.placement;

/** 64-bit FNV-1a, with and without the slip that opencluster's keys are hashed with. */
enum FnvKeyHash implements KeyHash {
  PUBLISHED(0xff),
  /** A signed byte, widened to an unsigned int: the sign fills bits 8 to 31. */
  OPENCLUSTER(0xffff_ffffL);

  private static final long BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private final long kept;

  FnvKeyHash(long kept) {
    this.kept = kept;
  }

  @Override
  public long hash(byte[] key) {
    long hash = BASIS;
    for (byte b : key) {
      hash = (hash ^ (b & kept)) * PRIME;
    }
    return hash;
  }

  @Override
  public long hash(long key) {
    long hash = BASIS;
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      hash = (hash ^ ((byte) (key >>> shift) & kept)) * PRIME;
    }
    return hash;
  }
}
