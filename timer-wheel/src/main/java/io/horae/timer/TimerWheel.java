package io.horae.timer;

import java.util.ArrayList;
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
 * <p>A {@link Dial} says on which of many spokes a timer belongs, and which of them is next. Timers
 * far ahead share a spoke with others, and when its time comes, move to spokes of their own, by way
 * of seven others at most.
 *
 * <p>Timers are slots of a {@link Slab}, found by their ids in a {@link SlotIndex}. What hangs on a
 * spoke is one of the {@link SlotLists}, and what is being fired is in {@link DueSlots}. Nothing
 * but its deadline and the position says which spoke a timer is on.
 *
 * <p>Scheduling, cancelling and firing take constant time on average, and no object. A timer takes
 * 28 bytes beside its payload and its entry in the index by id 5 to 11; arrays are in pages, and
 * have little more than one of them to spare. They shrink when seven eighths are unused, unless
 * they are small.
 *
 * <p>Not safe for use by several threads.
 *
 * @param <T> what a timer carries
 */
public final class TimerWheel<T> {

  /** The list of the timers that were due when they were scheduled: for the next advance. */
  private static final int LATE = Dial.SPOKES;

  /** The list of the slots that were used and are free. */
  private static final int FREE = LATE + 1;

  private static final int LISTS = FREE + 1;

  /** In the place of a list: with the timers that are being fired. */
  private static final int DUE = -1;

  private static final int NONE = Slab.NONE;

  /** Arrays for no more timers than this do not shrink. */
  private static final int CAPACITY_KEPT = 1 << 10;

  private final boolean ordered;
  private final Dial dial;

  /** Whether ids are handles that the wheel gives out. */
  private final boolean withHandles;

  /** How many handles were given out before the slab was allocated. */
  private long handlesBefore;

  private Slab slab;
  private Index index;

  /** The spokes, ring by ring, then LATE and FREE. */
  private SlotLists lists;

  /** The timers of the tick that is being fired, and of those that were late when it began. */
  private DueSlots due;

  /** The earliest deadline, while {@link #earliestKnown}. */
  private long earliest;

  private boolean earliestKnown;

  private boolean advancing;

  private TimerWheel(Builder builder, boolean withHandles) {
    ordered = builder.ordered;
    dial = builder.dial();
    this.withHandles = withHandles;
    allocate();
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
    int entry = index.find(id);
    boolean isNew = entry < 0;
    if (isNew) {
      int slot = add(id, deadline, payload);
      index.add(entry, slot);
      start(slot, deadline);
    } else {
      int slot = index.slotAt(entry);
      move(slot, deadline);
      slab.payload(slot, payload);
    }
    return isNew;
  }

  /** Schedules a timer of a wheel with handles; returns its handle. */
  long schedule(long deadline, T payload) {
    SlotHandles handles = (SlotHandles) index;
    int slot = freeSlot();
    long id = handles.next(slot);
    slab.fill(slot, id, deadline, payload);
    handles.add(slot, slot);
    start(slot, deadline);
    return id;
  }

  /** Gives a timer another deadline; returns whether it is there. */
  boolean reschedule(long id, long deadline) {
    int entry = index.find(id);
    if (entry >= 0) {
      move(index.slotAt(entry), deadline);
    }
    return entry >= 0;
  }

  private void move(int slot, long deadline) {
    unlink(slot);
    slab.deadline(slot, deadline);
    start(slot, deadline);
  }

  /** Puts a timer where it belongs, with the deadline that it has got. */
  private void start(int slot, long deadline) {
    link(slot, LATE);
    if (earliestKnown && deadline < earliest) {
      earliest = deadline;
    }
  }

  /**
   * Cancels a timer.
   *
   * @param id its id
   * @return {@code true} if it was there; it will not fire
   */
  public boolean cancel(long id) {
    int entry = index.find(id);
    if (entry < 0) {
      return false;
    }
    remove(entry);
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
    return index.find(id) >= 0;
  }

  /**
   * When a timer is due.
   *
   * @param id its id
   * @return its deadline
   * @throws IllegalArgumentException if there is no such timer
   */
  public long deadline(long id) {
    int entry = index.find(id);
    if (entry < 0) {
      throw new IllegalArgumentException("no timer has the id " + id);
    }
    return slab.deadline(index.slotAt(entry));
  }

  /**
   * What a timer carries.
   *
   * @param id its id
   * @return its payload; {@code null} if there is no such timer
   */
  public @Nullable T payload(long id) {
    int entry = index.find(id);
    return entry < 0 ? null : payloadAt(index.slotAt(entry));
  }

  /**
   * The timers outstanding.
   *
   * @return their number
   */
  public int size() {
    return index.size();
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

  private long findEarliest() {
    long least = leastDeadline(LATE);
    for (int at = due.head(); at < due.tail(); at++) {
      if (due.slot(at) != NONE) {
        least = Math.min(least, slab.deadline(due.slot(at)));
      }
    }
    boolean isNothingDue = due.first() == NONE && lists.isEmpty(LATE);
    int spoke = dial.first();
    if (!isNothingDue || spoke == Dial.NONE) {
      return least;
    }
    return dial.isSingleDeadline(spoke) ? dial.firesAt(spoke) : leastDeadline(spoke);
  }

  private long leastDeadline(int list) {
    long least = Long.MAX_VALUE;
    for (int cell = lists.last(list); cell != NONE; cell = lists.before(cell)) {
      least = Math.min(least, slab.deadline(lists.slot(cell)));
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
    dial.reach(now);
    try {
      return sweep(limit, handler);
    } finally {
      advancing = false;
      shrinkIfRoomy();
    }
  }

  private int sweep(int limit, ExpiryHandler<? super T> handler) {
    // Late timers are of any tick up to the position, as are those that were not reached before.
    due.merge(lists, LATE);
    int fired = 0;
    do {
      for (int slot = due.first(); slot != NONE; slot = due.first()) {
        if (fired == limit || !handler.take(slab.id(slot), slab.deadline(slot), payloadAt(slot))) {
          return fired;
        }
        fired++;
        // Unless the handler has moved or cancelled it.
        if (due.isStillFirst(slot)) {
          remove(index.find(slab.id(slot)));
        }
      }
    } while (turn());
    return fired;
  }

  /**
   * Turns to the next spoke with timers, up to the target. Those of its first tick are due; others
   * move to lower rings.
   *
   * @return {@code false} if there is nothing up to the target
   */
  private boolean turn() {
    int spoke = dial.turn();
    if (spoke == Dial.NONE) {
      return false;
    }
    if (dial.isNextToLast(spoke)) {
      expect(spoke);
    }
    for (int slot = lists.removeLast(spoke); slot != NONE; slot = lists.removeLast(spoke)) {
      link(slot, DUE);
    }
    if (ordered) {
      due.sort();
    }
    return true;
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
    EarliestSlots page = new EarliestSlots(slab, from, Math.min(limit, size()));
    for (int at = due.head(); at < due.tail(); at++) {
      if (due.slot(at) != NONE) {
        page.offer(due.slot(at));
      }
    }
    offer(LATE, page);
    int spoke = dial.nextFrom(0);
    while (true) {
      for (int slot : page.take()) {
        timers.add(new Page.Timer<>(slab.id(slot), slab.deadline(slot), payloadAt(slot)));
      }
      if (spoke == Dial.NONE || timers.size() == limit) {
        break;
      }
      if (dial.lastTick(spoke) >= dial.tickReached(from.deadline())) {
        offer(spoke, page);
      }
      spoke = dial.nextFrom(spoke + 1);
    }
    boolean ended = timers.size() < limit;
    return new Page<>(List.copyOf(timers), ended ? null : timers.get(limit - 1).next());
  }

  private void offer(int list, EarliestSlots page) {
    for (int cell = lists.last(list); cell != NONE; cell = lists.before(cell)) {
      page.offer(lists.slot(cell));
    }
  }

  /** Removes every timer. The time stays. */
  public void clear() {
    allocate();
    dial.markAllUnused();
    earliestKnown = false;
  }

  /** The list that a timer belongs on: a spoke, or {@code ifDue}. */
  private int listFor(int slot, int ifDue) {
    int spoke = dial.spokeFor(slab.deadline(slot));
    return spoke == Dial.NONE ? ifDue : spoke;
  }

  /**
   * Looks at all that it takes to fire the timers of a spoke. Later it would come from memory for
   * one timer after the other; now much of it comes at the same time.
   */
  private void expect(int spoke) {
    for (int cell = lists.last(spoke); cell != NONE; cell = lists.before(cell)) {
      int slot = lists.slot(cell);
      index.expect(slab.id(slot));
      check(!slab.isFree(slot), "payload of slot", slot);
    }
  }

  // Timers.

  private int add(long id, long deadline, Object payload) {
    int slot = freeSlot();
    slab.fill(slot, id, deadline, payload);
    return slot;
  }

  private int freeSlot() {
    int slot = lists.removeLast(FREE);
    return slot == NONE ? slab.fresh() : slot;
  }

  /** Puts a timer where it belongs. */
  private void link(int slot, int ifDue) {
    int list = listFor(slot, ifDue);
    if (list == DUE) {
      due.add(slot);
    } else {
      if (list < LATE && lists.isEmpty(list)) {
        dial.markUsed(list);
      }
      lists.add(list, slot);
    }
  }

  /** Takes a timer from where it is, wherever it goes next. */
  private void unlink(int slot) {
    if (slab.place(slot) < 0) {
      due.remove(slot);
    } else {
      int list = listFor(slot, LATE);
      lists.remove(list, slot);
      if (list < LATE && lists.isEmpty(list)) {
        dial.markUnused(list);
      }
    }
    if (slab.deadline(slot) == earliest) {
      earliestKnown = false;
    }
  }

  private void remove(int entry) {
    int slot = index.slotAt(entry);
    index.remove(entry);
    unlink(slot);
    slab.release(slot);
    lists.add(FREE, slot);
  }

  private void allocate() {
    if (withHandles && index != null) {
      handlesBefore = ((SlotHandles) index).count();
    }
    slab = new Slab();
    index = withHandles ? new SlotHandles(slab, handlesBefore) : new SlotIndex(slab);
    lists = new SlotLists(slab, LISTS);
    due = new DueSlots(slab, ordered);
  }

  /** Moves all timers into smaller arrays; not while a handler looks at one. */
  private void shrinkIfRoomy() {
    // Handles name their slots: those of a timer can't change.
    int sizeMax = withHandles ? 0 : slab.capacity() / 8 - 1;
    if (advancing || slab.capacity() <= CAPACITY_KEPT || size() > sizeMax) {
      return;
    }
    Slab oldSlab = slab;
    SlotLists oldLists = lists;
    DueSlots oldDue = due;
    allocate();
    for (int at = oldDue.head(); at < oldDue.tail(); at++) {
      if (oldDue.slot(at) != NONE) {
        due.add(copy(oldSlab, oldDue.slot(at)));
      }
    }
    for (int list = 0; list <= LATE; list++) {
      for (int cell = oldLists.last(list); cell != NONE; cell = oldLists.before(cell)) {
        lists.add(list, copy(oldSlab, oldLists.slot(cell)));
      }
    }
  }

  private int copy(Slab from, int slot) {
    long id = from.id(slot);
    int copy = add(id, from.deadline(slot), from.payload(slot));
    index.add(index.find(id), copy);
    return copy;
  }

  /** The size of the arrays, with references of four bytes; for tests. */
  long arrayBytes() {
    return slab.bytes() + index.bytes() + lists.bytes() + due.bytes();
  }

  /** Checks all that must hold between calls; for tests, as it visits everything. */
  void checkConsistency() {
    int found = 0;
    for (int at = due.head(); at < due.tail(); at++) {
      int slot = due.slot(at);
      if (slot != NONE) {
        check(slab.place(slot) == ~at, "place of slot", slot);
        check(listFor(slot, DUE) == DUE, "due slot", slot);
        check(index.slotAt(index.find(slab.id(slot))) == slot, "index of slot", slot);
        found++;
      }
    }
    for (int list = 0; list <= LATE; list++) {
      boolean marked = list < LATE && dial.isUsed(list);
      check(list == LATE || marked != lists.isEmpty(list), "mark of list", list);
      for (int cell = lists.last(list); cell != NONE; cell = lists.before(cell)) {
        int slot = lists.slot(cell);
        check(slab.place(slot) == cell, "place of slot", slot);
        check(listFor(slot, LATE) == list, "list of slot", slot);
        check(index.slotAt(index.find(slab.id(slot))) == slot, "index of slot", slot);
        found++;
      }
    }
    check(found == size(), "number of timers", found);
    int free = 0;
    for (int cell = lists.last(FREE); cell != NONE; cell = lists.before(cell)) {
      check(slab.isFree(lists.slot(cell)), "payload of free slot", lists.slot(cell));
      free++;
    }
    check(found + free == slab.used(), "slots lost of", slab.used());
    dial.checkConsistency();
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

    Dial dial() {
      return new Dial(start, tick);
    }

    TimeoutWheel buildForTimeouts() {
      return new TimeoutWheel(dial(), ordered);
    }

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
      return new TimerWheel<>(this, false);
    }

    /**
     * Builds a wheel that gives out handles, instead of being given ids.
     *
     * @param <T> what a timer carries
     * @return the wheel, empty
     */
    public <T> HandleTimerWheel<T> buildWithHandles() {
      return new HandleTimerWheel<>(new TimerWheel<>(this, true));
    }
  }
}
