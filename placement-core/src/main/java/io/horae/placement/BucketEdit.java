package io.horae.placement;

import io.horae.placement.BucketDuty.Kind;
import io.horae.placement.BucketHoldings.Touch;
import io.horae.placement.BucketPage.Cell;
import io.horae.placement.BucketTree.Spot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A table on its way to the next: it shares the pages of the one it began with, and copies a page
 * before the first change to it. Several changes may be made, one after the other, and cost no more
 * copies than one. If one of them throws, the table that it began with is as it was.
 */
final class BucketEdit {

  private final BucketTable base;
  private final int backupsMax;
  private final Set<BucketPage> own = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Touch> touched = new HashSet<>();
  private final List<BucketDuty> duties = new ArrayList<>();
  private final List<HashMask> lost = new ArrayList<>();

  private long version;
  private BucketServers servers;
  private BucketPage root;
  private int size;
  private int[] counts;
  private long[][] holdings;

  BucketEdit(BucketTable base) {
    this.base = base;
    backupsMax = base.backupsMax();
    version = base.version();
    servers = base.servers;
    root = base.root;
    size = base.size();
    counts = base.counts.clone();
    holdings = base.holdings.clone();
  }

  BucketChange change() {
    return new BucketChange(table(), duties, lost);
  }

  BucketTable table() {
    settleHoldings();
    return new BucketTable(
        version, servers, backupsMax, base.keyHash(), root, size, counts, holdings);
  }

  // Transitions: each is a version.

  BucketEdit join(Node server) {
    add(server);
    version++;
    return this;
  }

  BucketEdit move(HashMask mask, Node server) {
    Spot spot = bucket(mask);
    int target = servers.index(server);
    Cell old = spot.cell();
    int source = old.primary();
    if (source == target) {
      throw new IllegalArgumentException(
          "bucket " + mask + " is with " + Node.quoted(server.id()) + " already");
    }
    Cell now = new Cell(target, pushed(source, target, old.backups()), next(old.epoch()));
    set(mask, old, now);
    if (!old.has(target)) {
      duties.add(new BucketDuty(node(source), Kind.SEND, mask, node(target)));
    }
    duty(target, Kind.BECOME_PRIMARY, mask);
    if (now.has(source)) {
      duty(source, Kind.BECOME_BACKUP, mask);
    }
    forgetWhatFellOff(mask, old, now);
    duty(source, Kind.PUBLISH, mask);
    duty(target, Kind.PUBLISH, mask);
    version++;
    return this;
  }

  BucketEdit split(HashMask mask) {
    Cell old = bucket(mask).cell();
    mask.split();
    set(mask, old, old.at(next(old.epoch())));
    deepen(mask);
    dutyOfHolders(old, Kind.SPLIT, mask);
    duty(old.primary(), Kind.PUBLISH, mask);
    version++;
    return this;
  }

  BucketEdit merge(HashMask mask) {
    // Read before anything changes: a page of this edit's own is changed in place.
    List<Cell> parts = parts(mask).stream().map(Spot::cell).toList();
    Cell first = parts.get(0);
    long epoch = 0;
    int[] common = first.backups();
    for (Cell cell : parts) {
      if (cell.primary() != first.primary()) {
        throw new IllegalArgumentException(
            "the parts of "
                + mask
                + " have different owners: "
                + Node.quoted(node(first.primary()).id())
                + " and "
                + Node.quoted(node(cell.primary()).id()));
      }
      epoch = Math.max(epoch, cell.epoch());
      common = filled(Arrays.stream(common).filter(backup -> backup >= 0 && cell.has(backup)));
    }
    Cell whole = new Cell(first.primary(), common, next(epoch));
    collapse(mask, whole);
    dutyOfHolders(whole, Kind.MERGE, mask);
    for (int i = 0; i < parts.size(); i++) {
      forgetWhatFellOff(mask.split().get(i), parts.get(i), whole);
    }
    duty(whole.primary(), Kind.PUBLISH, mask);
    version++;
    return this;
  }

  BucketEdit fail(Node server) {
    int failed = goer(server);
    List<HashMask> orphans = new ArrayList<>();
    for (Spot spot : heldBy(failed)) {
      Cell old = spot.cell();
      int[] rest = filled(Arrays.stream(old.backups()).filter(i -> i >= 0 && i != failed));
      if (old.primary() != failed) {
        set(spot.mask(), old, new Cell(old.primary(), rest, next(old.epoch())));
        duty(old.primary(), Kind.PUBLISH, spot.mask());
      } else if (rest.length == 0 || rest[0] < 0) {
        orphans.add(spot.mask());
      } else {
        int heir = rest[0];
        int[] others = filled(Arrays.stream(rest).filter(i -> i >= 0 && i != heir));
        takeOver(spot.mask(), old, new Cell(heir, others, next(old.epoch())));
      }
    }
    for (HashMask mask : orphans) {
      Cell old = bucket(mask).cell();
      int heir = leastLoaded(failed, old);
      takeOver(mask, old, new Cell(heir, old.backups(), next(old.epoch())));
    }
    lost.addAll(orphans);
    remove(failed);
    version++;
    return this;
  }

  private void takeOver(HashMask mask, Cell old, Cell now) {
    set(mask, old, now);
    duty(now.primary(), Kind.BECOME_PRIMARY, mask);
    duty(now.primary(), Kind.PUBLISH, mask);
  }

  BucketEdit leave(Node server) {
    int leaver = goer(server);
    for (Spot spot : heldBy(leaver)) {
      HashMask mask = spot.mask();
      Cell old = spot.cell();
      int target = old.primary() == leaver ? leastLoaded(leaver, old) : old.primary();
      int[] rest =
          filled(Arrays.stream(old.backups()).filter(i -> i >= 0 && i != leaver && i != target));
      set(mask, old, new Cell(target, rest, next(old.epoch())));
      if (target != old.primary()) {
        if (!old.has(target)) {
          duties.add(new BucketDuty(node(leaver), Kind.SEND, mask, node(target)));
        }
        duty(target, Kind.BECOME_PRIMARY, mask);
      }
      duty(leaver, Kind.FORGET, mask);
      duty(target, Kind.PUBLISH, mask);
    }
    remove(leaver);
    version++;
    return this;
  }

  /** The moves that would empty a server while it still belongs to the table. */
  static List<BucketPlan.Move> emptying(BucketTable table, Node server) {
    BucketEdit edit = new BucketEdit(table);
    int leaver = edit.goer(server);
    List<BucketPlan.Move> moves = new ArrayList<>();
    for (Spot spot : edit.heldBy(leaver)) {
      Cell cell = spot.cell();
      if (cell.primary() == leaver) {
        int target = edit.leastLoaded(leaver, cell);
        edit.counts[target]++;
        moves.add(new BucketPlan.Move(spot.mask(), server, edit.node(target)));
      }
    }
    return moves;
  }

  /** The server with the fewest buckets; among such, one that has a copy, else the first. */
  private int leastLoaded(int except, Cell cell) {
    int least = -1;
    for (int i = 0; i < servers.size(); i++) {
      if (i != except
          && (least < 0
              || counts[i] < counts[least]
              || (counts[i] == counts[least] && cell.has(i) && !cell.has(least)))) {
        least = i;
      }
    }
    return least;
  }

  private int goer(Node server) {
    int index = servers.index(server);
    if (servers.size() == 1) {
      throw new IllegalArgumentException("the last server cannot go: " + Node.quoted(server.id()));
    }
    return index;
  }

  // What is learned from others: no version of its own.

  /** Takes an entry where it is newer than what is known. */
  BucketEdit learn(Bucket bucket) {
    HashMask mask = bucket.mask();
    Spot known = BucketTree.locate(root, mask.value());
    if (known.mask().digits() <= mask.digits()) {
      if (known.epoch() < bucket.epoch()) {
        Cell old = known.cell();
        Cell now = cell(bucket);
        for (int digits = known.mask().digits(); digits < mask.digits(); digits++) {
          deepen(HashMask.of(mask.value(), digits));
        }
        set(mask, old, now);
      }
      return this;
    }
    List<Spot> parts = BucketTree.within(root, mask);
    if (parts.stream().allMatch(part -> part.epoch() < bucket.epoch())) {
      collapse(mask, cell(bucket));
      return this;
    }
    for (Spot part : parts) {
      if (part.epoch() < bucket.epoch()) {
        set(part.mask(), part.cell(), cell(bucket));
      }
    }
    return this;
  }

  /**
   * Takes a later table's servers, in their order; behind them stay those that hold something
   * still.
   */
  BucketEdit become(long laterVersion, List<Node> nodes) {
    settleHoldings();
    List<Node> after = new ArrayList<>(nodes);
    BucketServers listed = BucketServers.of(nodes);
    for (int i = 0; i < servers.size(); i++) {
      if (listed.find(node(i)) == null && holdings[i].length > 0) {
        after.add(node(i));
      }
    }
    for (Node node : nodes) {
      if (servers.find(node) == null) {
        add(node);
      }
    }
    renumber(BucketServers.of(after));
    version = laterVersion;
    return this;
  }

  /** Puts what was read into a bucket that {@link #deepen} has made room for. */
  void place(HashMask mask, Cell read) {
    Cell now = new Cell(read.primary(), filled(Arrays.stream(read.backups())), read.epoch());
    set(mask, bucket(mask).cell(), now);
  }

  private Cell cell(Bucket bucket) {
    int primary = known(bucket.primary());
    int[] backups = bucket.backups().stream().mapToInt(this::known).toArray();
    return new Cell(primary, filled(Arrays.stream(backups)), bucket.epoch());
  }

  private int known(Node node) {
    Integer index = servers.find(node);
    return index != null ? index : add(node);
  }

  // Cells.

  private Node node(int index) {
    return servers.nodes().get(index);
  }

  private static long next(long epoch) {
    return Math.addExact(epoch, 1);
  }

  /** The first backups, filled up to their number. */
  private int[] filled(IntStream backups) {
    int[] first = backups.limit(backupsMax).toArray();
    int[] filled = Arrays.copyOf(first, backupsMax);
    Arrays.fill(filled, first.length, backupsMax, BucketPage.NONE);
    return filled;
  }

  /** The backups after a move: the owner until now goes in front. */
  private int[] pushed(int source, int target, int[] backups) {
    return filled(
        IntStream.concat(
            IntStream.of(source), Arrays.stream(backups).filter(i -> i >= 0 && i != target)));
  }

  private void duty(int server, Kind kind, HashMask mask) {
    duties.add(new BucketDuty(node(server), kind, mask, null));
  }

  private void dutyOfHolders(Cell cell, Kind kind, HashMask mask) {
    duty(cell.primary(), kind, mask);
    Arrays.stream(cell.backups()).filter(i -> i >= 0).forEach(i -> duty(i, kind, mask));
  }

  private void forgetWhatFellOff(HashMask mask, Cell old, Cell now) {
    if (!now.has(old.primary())) {
      duty(old.primary(), Kind.FORGET, mask);
    }
    Arrays.stream(old.backups())
        .filter(i -> i >= 0 && !now.has(i))
        .forEach(i -> duty(i, Kind.FORGET, mask));
  }

  // Finding.

  private Spot bucket(HashMask mask) {
    return BucketTable.bucket(root, mask);
  }

  /** The sixteen buckets that make up a hashmask. */
  private List<Spot> parts(HashMask mask) {
    List<Spot> parts =
        BucketTree.children(root, Nodes.present(mask, "mask").value(), mask.digits());
    if (mask.digits() == HashMask.DIGITS_MAX || parts.size() < HashMask.PARTS) {
      throw new IllegalArgumentException("not split into sixteen buckets: " + mask);
    }
    return parts;
  }

  private List<Spot> heldBy(int server) {
    settleHoldings();
    return BucketTable.heldBy(root, holdings[server], server);
  }

  // Changing pages, and keeping count of what they hold.

  private void set(HashMask mask, Cell old, Cell now) {
    uncount(mask, old);
    count(mask, now);
    root = put(root, mask.value(), mask.digits(), now);
  }

  /** Cuts a bucket into sixteen with the same content. */
  void deepen(HashMask mask) {
    Cell cell = bucket(mask).cell();
    uncount(mask, cell);
    for (HashMask part : mask.split()) {
      count(part, cell);
    }
    root = deepen(root, mask.value(), mask.digits());
  }

  /** Makes one bucket of all that is within a hashmask. */
  private void collapse(HashMask mask, Cell whole) {
    BucketTree.walkWithin(root, mask, spot -> uncount(spot.mask(), spot.cell()));
    count(mask, whole);
    root = collapse(root, mask.value(), mask.digits(), whole);
  }

  private void count(HashMask mask, Cell cell) {
    size++;
    counts[cell.primary()]++;
    touch(mask, cell);
  }

  private void uncount(HashMask mask, Cell cell) {
    size--;
    counts[cell.primary()]--;
    touch(mask, cell);
  }

  private void touch(HashMask mask, Cell cell) {
    long group = BucketHoldings.group(mask);
    touched.add(new Touch(cell.primary(), group));
    for (int backup : cell.backups()) {
      if (backup >= 0) {
        touched.add(new Touch(backup, group));
      }
    }
  }

  private BucketPage own(BucketPage page) {
    return own.contains(page) ? page : owned(page.copy());
  }

  private BucketPage owned(BucketPage page) {
    own.add(page);
    return page;
  }

  private BucketPage put(BucketPage shared, long rest, int digits, Cell cell) {
    BucketPage page = own(shared);
    int slot = page.slot(rest);
    if (digits > 2) {
      BucketPage below = page.below(slot);
      page.putBelow(slot, put(below, rest >>> BucketPage.WIDE_BITS, digits - 2, cell));
    } else {
      fill(page, slot, digits, cell);
    }
    return page;
  }

  private static void fill(BucketPage page, int slot, int digits, Cell cell) {
    if (digits == 1) {
      for (int i = slot & (BucketPage.NARROW - 1);
          i < page.primaries.length;
          i += BucketPage.NARROW) {
        page.put(i, 1, cell);
      }
    } else {
      page.put(slot, digits, cell);
    }
  }

  private BucketPage deepen(BucketPage shared, long rest, int digits) {
    BucketPage page = shared.isWide() ? own(shared) : owned(shared.widened());
    int slot = page.slot(rest);
    if (digits > 2) {
      BucketPage below = page.below(slot);
      page.putBelow(slot, deepen(below, rest >>> BucketPage.WIDE_BITS, digits - 2));
    } else if (digits == 1) {
      for (int i = slot & (BucketPage.NARROW - 1); i < BucketPage.WIDE; i += BucketPage.NARROW) {
        page.digits[i] = 2;
      }
    } else {
      if (page.below == null) {
        page = owned(page.withRoomBelow());
      }
      page.putBelow(slot, owned(BucketPage.filled(BucketPage.NARROW, page.cell(slot))));
    }
    return page;
  }

  private BucketPage collapse(BucketPage shared, long rest, int digits, Cell cell) {
    BucketPage page = own(shared);
    int slot = page.slot(rest);
    if (digits > 2) {
      BucketPage below = page.below(slot);
      page.putBelow(slot, collapse(below, rest >>> BucketPage.WIDE_BITS, digits - 2, cell));
      return page;
    }
    fill(page, slot, digits, cell);
    return page.comparesOneDigitEverywhere() && page.isWide() ? owned(page.narrowed()) : page;
  }

  /** Looks again at every group in which something changed for a server. */
  private void settleHoldings() {
    BucketHoldings.byServer(touched)
        .forEach(
            (server, groups) -> {
              groups.replaceAll((group, held) -> holds(server, group));
              holdings[server] = BucketHoldings.updated(holdings[server], groups);
            });
    touched.clear();
  }

  private boolean holds(int server, long group) {
    long value = BucketHoldings.value(group);
    return !BucketTree.childrenHeldBy(root, value, BucketHoldings.digits(group), server).isEmpty();
  }

  // Changing servers.

  private int add(Node server) {
    servers = servers.with(server);
    counts = Arrays.copyOf(counts, servers.size());
    holdings = Arrays.copyOf(holdings, servers.size());
    holdings[servers.size() - 1] = new long[0];
    return servers.size() - 1;
  }

  /** The last server takes the place of one that holds nothing any more. */
  private void remove(int server) {
    settleHoldings();
    List<Node> after = new ArrayList<>(servers.nodes());
    Node last = after.remove(after.size() - 1);
    if (server < after.size()) {
      after.set(server, last);
    }
    renumber(BucketServers.of(after));
  }

  private void renumber(BucketServers after) {
    int[] numbers = new int[servers.size()];
    Set<Spot> renumbered = new HashSet<>();
    for (int i = 0; i < numbers.length; i++) {
      Integer number = after.find(node(i));
      numbers[i] = number == null ? BucketPage.NONE : number;
      if (number == null && holdings[i].length > 0) {
        throw new AssertionError("still holds something: " + node(i));
      }
      if (numbers[i] != i) {
        renumbered.addAll(heldBy(i));
      }
    }
    for (Spot spot : renumbered) {
      Cell cell = spot.cell();
      int[] backups = Arrays.stream(cell.backups()).map(i -> i < 0 ? i : numbers[i]).toArray();
      Cell now = new Cell(numbers[cell.primary()], backups, cell.epoch());
      root = put(root, spot.mask().value(), spot.mask().digits(), now);
    }
    int[] countsBefore = counts;
    long[][] holdingsBefore = holdings;
    counts = new int[after.size()];
    holdings = new long[after.size()][];
    for (int i = 0; i < numbers.length; i++) {
      if (numbers[i] >= 0) {
        counts[numbers[i]] = countsBefore[i];
        holdings[numbers[i]] = holdingsBefore[i];
      }
    }
    servers = after;
  }
}
