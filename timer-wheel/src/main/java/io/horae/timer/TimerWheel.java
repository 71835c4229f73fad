package io.horae.timer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A passive, hierarchical timer wheel: it keeps timers and, whenever it is told the time, hands
 * over those that are due.
 *
 * <pre>{@code
 * TimerWheel<String> wheel = TimerWheel.startingAt(now);
 * wheel.schedule(17, now + 2_000, "call back");
 * wheel.advance(now + 1_999, 100, handler);   // nothing yet
 * wheel.advance(now + 2_000, 100, handler);   // handler.take(17, now + 2_000, "call back")
 * }</pre>
 *
 * <p>Times are numbers of whatever unit and origin the caller likes, over the whole range of {@code
 * long}. Ids are the caller's, so a stale {@code cancel} never hits another's timer.
 *
 * <h2>Promises</h2>
 *
 * <ul>
 *   <li>A timer never fires before its deadline; it fires at the first advance whose time has
 *       reached it, rounded up to a whole {@linkplain Builder#tick(long) tick}.
 *   <li>An advance fires everything that is due, tick after tick, unless its limit or the handler
 *       ends it; then the next one goes on from there. Within a tick the order is unspecified, or
 *       by deadline and then id if the wheel was {@linkplain Builder#ordered() asked} for that.
 *   <li>What a handler schedules for a tick that the wheel has not reached yet still fires in the
 *       same advance, if the advance gets that far; for the tick being fired or an earlier one, in
 *       the next.
 *   <li>Time does not run backwards: an earlier time than the last counts as the last.
 * </ul>
 *
 * <h2>Structure</h2>
 *
 * <p>After Varghese and Lauck, "Hashed and Hierarchical Timing Wheels" (1987). A tick number is
 * read as eight digits to the base 256, and for each digit there is a ring of 256 spokes. A timer
 * hangs on the ring of the highest digit in which its tick differs from the wheel's position, on
 * the spoke of its own value of that digit. So a ring's occupied spokes all lie ahead of the
 * position, everything on a lower ring is due before anything on a higher one, and a bit set of
 * occupied spokes leads to the next timer at once, however far ahead. When the position reaches a
 * spoke of a higher ring, its timers move on to lower ones: a timer moves at most once for each
 * ring.
 *
 * <p>Scheduling, cancelling and firing take constant time on average, and no object. A timer takes
 * 28 bytes beside its payload, its place in the index by id 5 to 11, and what arrays have to spare
 * an eighth of that at most once there are many; they shrink when three quarters are unused.
 *
 * <p>Not safe for use by several threads.
 *
 * @param <T> what a timer carries
 */
public final class TimerWheel<T> {

  private static final int RINGS = 8;
  private static final int DIGIT_BITS = 8;
  private static final int SPOKES = 1 << DIGIT_BITS;
  private static final int SPOKE_WORDS = SPOKES / Long.SIZE;

  /** The list of the timers of the tick that is being fired, and of those it did not get to. */
  private static final int DUE = RINGS * SPOKES;

  /** The list of the timers that were due when they were scheduled: for the next advance. */
  private static final int LATE = DUE + 1;

  private static final int LISTS = LATE + 1;

  private final long tick;
  private final boolean ordered;

  /** Every timer of a tick up to this one has fired, or is on the lists DUE and LATE. */
  private long position;

  /** The last tick that an advance was to reach; the position is behind if it was ended early. */
  private long target;

  private Slab slab = new Slab();
  private SlotIndex index = new SlotIndex(slab);

  /** The first slot of each list: the spokes', ring by ring, then DUE and LATE. */
  private final int[] heads = new int[LISTS];

  /** A bit for each spoke that has timers, ring by ring; and one for each ring that has any. */
  private final long[] spokesInUse = new long[RINGS * SPOKE_WORDS];

  private int ringsInUse;

  /** The earliest deadline, while {@link #earliestKnown}. */
  private long earliest;

  private boolean earliestKnown;

  private boolean advancing;

  /** The slot that the handler is looking at; none once the handler has moved or cancelled it. */
  private int firing = Slab.NONE;

  private TimerWheel(Builder builder) {
    tick = builder.tick;
    ordered = builder.ordered;
    position = tickReached(builder.start);
    target = position;
    Arrays.fill(heads, Slab.NONE);
  }

  /**
   * A wheel whose tick is one unit of time, and which fires in no particular order within a tick.
   *
   * @param <T> what a timer carries
   * @param now the time; a timer that is due by then fires at the first advance
   * @return the wheel, empty
   */
  public static <T> TimerWheel<T> startingAt(long now) {
    return new Builder().start(now).build();
  }

  /**
   * A wheel to be set up.
   *
   * @return the builder: starting at time 0, with a tick of 1, not ordered
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Schedules a timer, or moves the one that has this id.
   *
   * @param id any number
   * @param deadline when it is to fire; it may have passed
   * @param payload what it carries; replaces that of a timer that is moved
   * @return {@code true} if the timer is new, {@code false} if it was moved
   * @throws IllegalArgumentException if the payload is null
   */
  public boolean schedule(long id, long deadline, T payload) {
    if (payload == null) {
      throw new IllegalArgumentException("payload of timer " + id + " must not be null");
    }
    int slot = index.find(id);
    boolean isNew = slot == SlotIndex.ABSENT;
    if (isNew) {
      slot = slab.add(id, deadline, payload);
      index.add(slot);
    } else {
      forget(slot);
      slab.deadline(slot, deadline);
      slab.payload(slot, payload);
    }
    push(listFor(slot, LATE), slot);
    if (earliestKnown && deadline < earliest) {
      earliest = deadline;
    }
    return isNew;
  }

  /**
   * Cancels a timer.
   *
   * @param id its id
   * @return {@code true} if it was there; it will not fire
   */
  public boolean cancel(long id) {
    int slot = index.find(id);
    if (slot == SlotIndex.ABSENT) {
      return false;
    }
    remove(slot);
    shrinkIfRoomy();
    return true;
  }

  /**
   * Whether there is a timer with this id.
   *
   * @param id the id
   * @return {@code true} if it is outstanding
   */
  public boolean contains(long id) {
    return index.find(id) != SlotIndex.ABSENT;
  }

  /**
   * When a timer is due.
   *
   * @param id its id
   * @return its deadline
   * @throws IllegalArgumentException if there is no such timer
   */
  public long deadline(long id) {
    int slot = index.find(id);
    if (slot == SlotIndex.ABSENT) {
      throw new IllegalArgumentException("no timer has the id " + id);
    }
    return slab.deadline(slot);
  }

  /**
   * What a timer carries.
   *
   * @param id its id
   * @return its payload; {@code null} if there is no such timer
   */
  public @Nullable T payload(long id) {
    int slot = index.find(id);
    return slot == SlotIndex.ABSENT ? null : payloadAt(slot);
  }

  /**
   * The timers outstanding.
   *
   * @return their number
   */
  public int size() {
    return slab.size();
  }

  /**
   * When the next timer is due; it fires at the end of its tick, if ticks are longer than 1. It may
   * take a visit to every timer on the first spoke.
   *
   * @return the earliest deadline, which may have passed; {@link Long#MAX_VALUE} if there is no
   *     timer
   */
  public long nextDeadline() {
    if (!earliestKnown) {
      earliest = findEarliest();
      earliestKnown = true;
    }
    return earliest;
  }

  /** When an advance will next find something to do: the end of the tick of the next deadline. */
  long nextAdvance() {
    long due = tickOf(nextDeadline());
    return due > Long.MAX_VALUE / tick ? Long.MAX_VALUE : due * tick;
  }

  private long findEarliest() {
    long least = Math.min(leastDeadline(DUE), leastDeadline(LATE));
    if (heads[DUE] < 0 && heads[LATE] < 0 && ringsInUse != 0) {
      least = leastDeadline(firstSpoke());
    }
    return least;
  }

  private long leastDeadline(int list) {
    long least = Long.MAX_VALUE;
    for (int slot = heads[list]; slot >= 0; slot = slab.next(slot)) {
      least = Math.min(least, slab.deadline(slot));
    }
    return least;
  }

  /**
   * Tells the wheel the time, and fires what is due.
   *
   * @param now the time
   * @param limit how many timers to fire at most, at least 1
   * @param handler takes them
   * @return how many fired; if it is {@code limit}, there may be more
   * @throws IllegalArgumentException if the limit is below 1 or the handler is null
   * @throws IllegalStateException if called by a handler
   */
  public int advance(long now, int limit, ExpiryHandler<? super T> handler) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1: " + limit);
    }
    if (handler == null) {
      throw new IllegalArgumentException("handler must not be null");
    }
    if (advancing) {
      throw new IllegalStateException("a handler must not advance the wheel that called it");
    }
    advancing = true;
    target = Math.max(target, tickReached(now));
    try {
      return sweep(limit, handler);
    } finally {
      advancing = false;
      firing = Slab.NONE;
      shrinkIfRoomy();
    }
  }

  private int sweep(int limit, ExpiryHandler<? super T> handler) {
    collectLate();
    int fired = 0;
    do {
      for (int slot = heads[DUE]; slot >= 0; slot = heads[DUE]) {
        firing = slot;
        if (fired == limit || !handler.take(slab.id(slot), slab.deadline(slot), payloadAt(slot))) {
          return fired;
        }
        fired++;
        if (firing == slot) {
          remove(slot);
        }
      }
    } while (turn());
    position = target;
    return fired;
  }

  /**
   * Turns to the next spoke with timers, up to the target, and puts those that are due on the list
   * DUE.
   *
   * @return {@code false} if there is nothing up to the target
   */
  private boolean turn() {
    if (ringsInUse == 0) {
      return false;
    }
    int spoke = firstSpoke();
    long start = firstTick(spoke);
    if (start > target) {
      return false;
    }
    position = start;
    int slot = heads[spoke];
    heads[spoke] = Slab.NONE;
    markUnused(spoke);
    if (spoke < SPOKES) {
      heads[DUE] = slot;
      slab.previous(slot, ~DUE);
    } else {
      while (slot >= 0) {
        int next = slab.next(slot);
        push(listFor(slot, DUE), slot);
        slot = next;
      }
    }
    if (ordered) {
      sort(DUE);
    }
    return true;
  }

  /** Late timers are of any tick up to the position: they go first, in order. */
  private void collectLate() {
    if (heads[LATE] < 0) {
      return;
    }
    for (int slot = heads[LATE]; slot >= 0; ) {
      int next = slab.next(slot);
      push(DUE, slot);
      slot = next;
    }
    heads[LATE] = Slab.NONE;
    sort(DUE);
  }

  /**
   * Reads timers in the order of their deadlines and, of equal deadlines, of their ids. A scan goes
   * on with the cursor of the page before, and meanwhile the wheel may change: a timer that is
   * there all the while, with the same deadline, is read exactly once.
   *
   * <p>A page costs a visit to every timer on the spokes that it reads from, so larger pages are
   * cheaper in all.
   *
   * @param from where to begin
   * @param limit how many timers to read at most, at least 1
   * @return the timers
   * @throws IllegalArgumentException if the cursor is null or the limit below 1
   */
  public Page<T> scan(Cursor from, int limit) {
    if (from == null) {
      throw new IllegalArgumentException("cursor must not be null: start with Cursor.START");
    }
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1: " + limit);
    }
    List<Page.Timer<T>> timers = new ArrayList<>();
    EarliestSlots page = new EarliestSlots(slab, from, Math.min(limit, slab.size()));
    page.offer(heads[DUE]);
    page.offer(heads[LATE]);
    int spoke = nextSpoke(0);
    while (true) {
      for (int slot : page.take()) {
        timers.add(new Page.Timer<>(slab.id(slot), slab.deadline(slot), payloadAt(slot)));
      }
      if (spoke < 0 || timers.size() == limit) {
        break;
      }
      if (lastTick(spoke) >= tickReached(from.deadline())) {
        page.offer(heads[spoke]);
      }
      spoke = nextSpoke(spoke + 1);
    }
    boolean ended = timers.size() < limit;
    return new Page<>(List.copyOf(timers), ended ? null : timers.get(limit - 1).next());
  }

  /** Removes every timer. The time stays. */
  public void clear() {
    slab = new Slab();
    index = new SlotIndex(slab);
    Arrays.fill(heads, Slab.NONE);
    Arrays.fill(spokesInUse, 0);
    ringsInUse = 0;
    earliestKnown = false;
    firing = Slab.NONE;
  }

  // Ticks.

  /** The last tick that has begun by a time; the end of time ends the tick that it cuts short. */
  private long tickReached(long time) {
    if (tick == 1 || time == Long.MAX_VALUE) {
      return tickOf(time);
    }
    return Math.floorDiv(time, tick);
  }

  /** The first tick that begins at or after a time. */
  private long tickOf(long deadline) {
    if (tick == 1) {
      return deadline;
    }
    long reached = Math.floorDiv(deadline, tick);
    return reached * tick == deadline ? reached : reached + 1;
  }

  // Spokes. They are numbered through, ring by ring.

  /** The spoke that a timer belongs on; the list {@code ifDue} if the position has reached it. */
  private int listFor(int slot, int ifDue) {
    long due = tickOf(slab.deadline(slot));
    if (due <= position) {
      return ifDue;
    }
    int ring = (Long.SIZE - 1 - Long.numberOfLeadingZeros(due ^ position)) / DIGIT_BITS;
    return ring * SPOKES + ((int) (unsigned(due) >>> (ring * DIGIT_BITS)) & (SPOKES - 1));
  }

  /** Where the timers are that are due first, if there is one that is not due yet. */
  private int firstSpoke() {
    int ring = Integer.numberOfTrailingZeros(ringsInUse);
    int word = ring * SPOKE_WORDS;
    while (spokesInUse[word] == 0) {
      word++;
    }
    return word * Long.SIZE + Long.numberOfTrailingZeros(spokesInUse[word]);
  }

  /** The first tick of a spoke: the position's higher digits, the spoke's own, then zeros. */
  private long firstTick(int spoke) {
    int shift = spoke / SPOKES * DIGIT_BITS;
    // Two shifts, so that nothing is left above the highest digit.
    long higher = unsigned(position) & (-1L << shift << DIGIT_BITS);
    return unsigned(higher | (long) (spoke % SPOKES) << shift);
  }

  /** The last tick of a spoke. */
  private long lastTick(int spoke) {
    return firstTick(spoke) | ~(-1L << (spoke / SPOKES * DIGIT_BITS));
  }

  /** The first spoke with timers from this one on, in the order in which they are due. */
  private int nextSpoke(int from) {
    for (int word = from / Long.SIZE; word < spokesInUse.length; word++) {
      long bits = spokesInUse[word] & (word == from / Long.SIZE ? -1L << from : -1L);
      if (bits != 0) {
        return word * Long.SIZE + Long.numberOfTrailingZeros(bits);
      }
    }
    return -1;
  }

  /** Maps ticks to numbers of the same order when read as unsigned, and back. */
  private static long unsigned(long due) {
    return due ^ Long.MIN_VALUE;
  }

  private void markUsed(int spoke) {
    spokesInUse[spoke / Long.SIZE] |= 1L << spoke;
    ringsInUse |= 1 << (spoke / SPOKES);
  }

  private void markUnused(int spoke) {
    spokesInUse[spoke / Long.SIZE] &= ~(1L << spoke);
    int word = spoke / SPOKES * SPOKE_WORDS;
    if ((spokesInUse[word] | spokesInUse[word + 1] | spokesInUse[word + 2] | spokesInUse[word + 3])
        == 0) {
      ringsInUse &= ~(1 << (spoke / SPOKES));
    }
  }

  // Lists. The previous link of a list's first slot is the complement of the list's number.

  private void push(int list, int slot) {
    int first = heads[list];
    slab.link(slot, ~list, first);
    heads[list] = slot;
    if (first >= 0) {
      slab.previous(first, slot);
    } else if (list < DUE) {
      markUsed(list);
    }
  }

  private void unlink(int slot) {
    int previous = slab.previous(slot);
    int next = slab.next(slot);
    if (next >= 0) {
      slab.previous(next, previous);
    }
    if (previous >= 0) {
      slab.next(previous, next);
    } else {
      int list = ~previous;
      heads[list] = next;
      if (next < 0 && list < DUE) {
        markUnused(list);
      }
    }
  }

  private void sort(int list) {
    int first = slab.sorted(heads[list]);
    heads[list] = first;
    if (first >= 0) {
      slab.previous(first, ~list);
    }
  }

  /** Takes a timer off its list, wherever it goes next. */
  private void forget(int slot) {
    unlink(slot);
    if (slab.deadline(slot) == earliest) {
      earliestKnown = false;
    }
    if (slot == firing) {
      firing = Slab.NONE;
    }
  }

  private void remove(int slot) {
    forget(slot);
    index.remove(slot);
    slab.remove(slot);
  }

  /** Moves all timers into a smaller slab, list by list; not while a handler looks at a slot. */
  private void shrinkIfRoomy() {
    if (advancing || !slab.isRoomy()) {
      return;
    }
    Slab old = slab;
    slab = old.smaller();
    index = new SlotIndex(slab);
    for (int list = 0; list < LISTS; list++) {
      int previous = ~list;
      for (int slot = heads[list]; slot >= 0; slot = old.next(slot)) {
        int moved = slab.add(old.id(slot), old.deadline(slot), old.payload(slot));
        index.add(moved);
        slab.link(moved, previous, Slab.NONE);
        if (previous < 0) {
          heads[list] = moved;
        } else {
          slab.next(previous, moved);
        }
        previous = moved;
      }
    }
  }

  /** Checks all that must hold between calls; for tests, as it visits everything. */
  void checkConsistency() {
    int found = 0;
    for (int list = 0; list < LISTS; list++) {
      boolean marked = list < DUE && (spokesInUse[list / Long.SIZE] >>> list & 1) == 1;
      check(list >= DUE || marked == heads[list] >= 0, "mark of list", list);
      int previous = ~list;
      for (int slot = heads[list]; slot >= 0; slot = slab.next(slot)) {
        check(slab.previous(slot) == previous, "link back from slot", slot);
        check(index.find(slab.id(slot)) == slot, "index of slot", slot);
        check(listFor(slot, list >= DUE ? list : -1) == list, "list of slot", slot);
        previous = slot;
        found++;
      }
    }
    check(found == slab.size(), "number of timers", found);
    for (int ring = 0; ring < RINGS; ring++) {
      int first = nextSpoke(ring * SPOKES);
      boolean inUse = first >= 0 && first < (ring + 1) * SPOKES;
      check((ringsInUse >> ring & 1) == 1 == inUse, "mark of ring", ring);
    }
    check(!earliestKnown || earliest == findEarliest(), "earliest deadline of slots", found);
  }

  private static void check(boolean holds, String what, int where) {
    if (!holds) {
      throw new AssertionError(what + " " + where);
    }
  }

  @SuppressWarnings("unchecked") // only payloads of type T get in
  private T payloadAt(int slot) {
    return (T) slab.payload(slot);
  }

  /** Sets up a {@link TimerWheel}. */
  public static final class Builder {

    private long start;
    private long tick = 1;
    private boolean ordered;

    private Builder() {}

    /**
     * The time to start at.
     *
     * @param now any time; a timer that is due by then fires at the first advance
     * @return this builder
     */
    public Builder start(long now) {
      start = now;
      return this;
    }

    /**
     * How finely deadlines are told apart: a timer fires up to a tick late. Ticks begin at the
     * multiples of this length.
     *
     * @param length in units of time, at least 1
     * @return this builder
     * @throws IllegalArgumentException if the length is below 1
     */
    public Builder tick(long length) {
      if (length < 1) {
        throw new IllegalArgumentException("length of a tick must be at least 1: " + length);
      }
      tick = length;
      return this;
    }

    /**
     * Fires the timers of a tick in the order of their deadlines and, of equal deadlines, of their
     * ids. It costs sorting them.
     *
     * @return this builder
     */
    public Builder ordered() {
      ordered = true;
      return this;
    }

    /**
     * Builds the wheel.
     *
     * @param <T> what a timer carries
     * @return the wheel, empty
     */
    public <T> TimerWheel<T> build() {
      return new TimerWheel<>(this);
    }
  }
}
