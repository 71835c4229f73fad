package io.horae.placement;

import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * A part of all hashes: those whose low hex digits are the value's. {@code 000F/0009} is every hash
 * that ends in 9, {@code 00FF/0049} every one that ends in 49.
 *
 * <p>A mask covers whole hex digits from the low end, 1 to 16 of them. Hashes may be longer than
 * the 64 bits that a mask reaches: no more than their low 64 bits are ever looked at.
 *
 * <p>Hashmasks are ordered by mask, and under one mask by value.
 *
 * @param mask ones where hashes are compared, {@code F}, {@code FF}, {@code FFF} and so on
 * @param value the digits they have there
 */
public record HashMask(long mask, long value) implements Comparable<HashMask> {

  /** The most digits a mask has. */
  static final int DIGITS_MAX = 16;

  /** How many parts a split makes: one for each digit. */
  static final int PARTS = 16;

  private static final int DIGITS_PRINTED_LEAST = 4;
  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final Pattern TEXT = Pattern.compile("([0-9A-Fa-f]{1,16})/([0-9A-Fa-f]{1,16})");

  /**
   * Checks the values.
   *
   * @param mask ones where hashes are compared, {@code F}, {@code FF}, {@code FFF} and so on
   * @param value the digits they have there
   * @throws IllegalArgumentException if the mask is not made of 1 to 16 whole digits from the low
   *     end, or the value has a bit outside of it
   */
  public HashMask {
    if (mask == 0 || mask != mask(digits(mask))) {
      throw new IllegalArgumentException(
          "a mask is 1 to 16 digits F from the low end: " + hex(mask, DIGITS_PRINTED_LEAST));
    }
    if ((value & ~mask) != 0) {
      throw new IllegalArgumentException("value outside its mask: " + text(mask, value));
    }
  }

  /**
   * The hashmask of so many digits that a hash falls in.
   *
   * @param hash the hash, or its low 64 bits
   * @param digits how many digits the mask has, 1 to 16
   * @return the hashmask
   * @throws IllegalArgumentException if there are too few or too many digits
   */
  public static HashMask of(long hash, int digits) {
    if (digits < 1 || digits > DIGITS_MAX) {
      throw new IllegalArgumentException("a mask has 1 to 16 digits: " + digits);
    }
    return new HashMask(mask(digits), hash & mask(digits));
  }

  /**
   * Reads what {@link #toString()} writes. Zeros in front are optional.
   *
   * @param text a mask and a value in hex digits, such as {@code 000F/0009}
   * @return the hashmask
   * @throws IllegalArgumentException if the text is null or is not a hashmask
   */
  public static HashMask parse(String text) {
    Matcher parts = TEXT.matcher(Nodes.present(text, "hashmask"));
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "a hashmask is written like 000F/0009: " + Node.quoted(text));
    }
    return new HashMask(
        Long.parseUnsignedLong(parts.group(1), 16), Long.parseUnsignedLong(parts.group(2), 16));
  }

  /**
   * How deep this is.
   *
   * @return the number of digits compared, 1 to 16
   */
  public int digits() {
    return digits(mask);
  }

  /**
   * Whether a hash falls in here.
   *
   * @param hash the hash, or its low 64 bits
   * @return {@code true} if its masked digits are the value's
   */
  public boolean contains(long hash) {
    return (hash & mask) == value;
  }

  /**
   * Whether all of another hashmask's hashes fall in here.
   *
   * @param other the other
   * @return {@code true} if it is this one or a part of it
   */
  public boolean contains(HashMask other) {
    return digits() <= other.digits() && contains(other.value);
  }

  /**
   * The sixteen parts that one more digit makes of this: {@code 000F/0004} becomes {@code
   * 00FF/0004}, {@code 00FF/0014}, and so on to {@code 00FF/00F4}.
   *
   * @return the parts, in the order of that digit; an unmodifiable list
   * @throws IllegalArgumentException if this has 16 digits
   */
  public List<HashMask> split() {
    int digits = digits();
    if (digits == DIGITS_MAX) {
      throw new IllegalArgumentException("cannot be split, no mask is deeper: " + this);
    }
    return LongStream.range(0, PARTS)
        .mapToObj(digit -> new HashMask(mask(digits + 1), value | (digit << (4 * digits))))
        .toList();
  }

  /**
   * What this is a sixteenth of.
   *
   * @return the hashmask with one digit less
   * @throws IllegalArgumentException if this has one digit only
   */
  public HashMask parent() {
    if (digits() == 1) {
      throw new IllegalArgumentException("has no parent, no mask is shallower: " + this);
    }
    return of(value, digits() - 1);
  }

  @Override
  public int compareTo(HashMask other) {
    int byMask = Long.compareUnsigned(mask, other.mask);
    return byMask != 0 ? byMask : Long.compareUnsigned(value, other.value);
  }

  /**
   * Mask and value in hex digits, four or as many as the mask has.
   *
   * @return {@code 000F/0009}
   */
  @Override
  public String toString() {
    return text(mask, value);
  }

  /** Digits up to the highest bit; a broken mask does not equal the whole mask of that many. */
  private static int digits(long mask) {
    return (Long.SIZE + 3 - Long.numberOfLeadingZeros(mask)) / 4;
  }

  /** So many digits F; 0 to 16. */
  static long mask(int digits) {
    return digits == 0 ? 0 : -1L >>> (Long.SIZE - 4 * digits);
  }

  private static String text(long mask, long value) {
    int digits = Math.max(DIGITS_PRINTED_LEAST, Math.max(digits(mask), digits(value)));
    return hex(mask, digits) + '/' + hex(value, digits);
  }

  private static String hex(long number, int digits) {
    return HEX.toHexDigits(number, Math.max(digits, digits(number)));
  }
}
