package io.horae.placement;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The low half of an MD5; a thread's digest and buffer serve all its calls. */
enum Md5KeyHash implements KeyHash {
  INSTANCE;

  private static final VarHandle LONG_BE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG_LE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final ThreadLocal<Space> SPACE = ThreadLocal.withInitial(Space::new);

  @Override
  public long hash(byte[] key) {
    return SPACE.get().hash(key, key.length);
  }

  @Override
  public long hash(long key) {
    Space space = SPACE.get();
    LONG_LE.set(space.bytes, 0, key);
    return space.hash(space.bytes, Long.BYTES);
  }

  private static final class Space {

    private static final int DIGEST_BYTES = 16;

    private final MessageDigest md5;

    /** First a number to be hashed, then the digest. */
    private final byte[] bytes = new byte[DIGEST_BYTES];

    Space() {
      try {
        md5 = MessageDigest.getInstance("MD5");
      } catch (NoSuchAlgorithmException e) {
        throw new AssertionError("every Java platform has MD5", e);
      }
    }

    long hash(byte[] key, int length) {
      md5.update(key, 0, length);
      try {
        md5.digest(bytes, 0, DIGEST_BYTES);
      } catch (DigestException e) {
        throw new AssertionError("an MD5 has 16 bytes", e);
      }
      return (long) LONG_BE.get(bytes, Long.BYTES);
    }
  }
}
