package io.horae.placement;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Twemproxy's default hash: FNV-1a with the 64-bit constants cut to 32 bits, bytes signed. */
final class TwemproxyFnv1a64 implements KetamaHash {

  static final KetamaHash HASH = new TwemproxyFnv1a64();

  private static final int START = 0x84222325;
  private static final int PRIME = 0x1b3;

  private TwemproxyFnv1a64() {}

  @Override
  public int hash(byte[] key) {
    int hash = START;
    for (byte b : key) {
      hash = (hash ^ b) * PRIME;
    }
    return hash;
  }

  @Override
  public int hash(String key) {
    int hash = START;
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      if (c >= 0x80) {
        return hash(key.getBytes(UTF_8));
      }
      hash = (hash ^ c) * PRIME;
    }
    return hash;
  }
}
