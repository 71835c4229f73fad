package io.horae.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.horae.placement.Bucket;
import io.horae.placement.BucketTable;
import io.horae.placement.HashMask;
import io.horae.placement.Node;
import io.horae.resync.BucketMessage.Answer;
import io.horae.resync.BucketMessage.Outcome;
import io.horae.resync.BucketMessage.Role;
import io.horae.resync.BucketResult;
import io.horae.resync.BucketStatistics;
import io.horae.resync.Item;
import io.horae.resync.ItemVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A promise about buckets, checked as the run goes and at its end, when all has been quiet. */
abstract class BucketJudge {

  final BucketWorld world;
  long judged;

  BucketJudge(BucketWorld world) {
    this.world = world;
  }

  static List<BucketJudge> all(BucketWorld world) {
    return List.of(
        new NothingIsThrown(world),
        new OnePrimary(world),
        new ReadsNeverGoBack(world),
        new WritesAreDoneOnce(world),
        new BackupsHaveWhatWasTold(world),
        new EverythingFitsIntoOneOrder(world),
        new AcknowledgedWritesAreKept(world),
        new EveryBucketHasAnOwner(world),
        new TransfersEnd(world),
        new LeaversAreDrained(world),
        new DrainedHoldNothing(world),
        new TablesAgree(world),
        new CopiesAgree(world),
        new ForgottenIsGone(world),
        new HopsAreBounded(world));
  }

  String name() {
    return getClass().getSimpleName();
  }

  /** How many times it could have said no. */
  long judged() {
    return judged;
  }

  void thrown(BucketHost host, Throwable failure) {}

  void put(Item item) {}

  void answered(String client, String server, Answer answer) {}

  void ended(BucketStep step, BucketResult result) {}

  void check() {}

  /** A server that says that it may be stopped is about to be. */
  void drained(BucketHost host) {}

  /** All has healed and been quiet for long; clients have not begun to read everything yet. */
  void quiet() {}

  /** The end, after a client of the first day has read everything. */
  void end() {}

  final List<BucketHost> members() {
    List<BucketHost> members = new ArrayList<>();
    for (BucketHost host : world.hosts()) {
      if (host.running() && world.isMember(host)) {
        members.add(host);
      }
    }
    return members;
  }

  static final class NothingIsThrown extends BucketJudge {
    NothingIsThrown(BucketWorld world) {
      super(world);
    }

    @Override
    void thrown(BucketHost host, Throwable failure) {
      StringBuilder where = new StringBuilder(host.id() + " throws " + failure);
      for (int i = 0; i < Math.min(8, failure.getStackTrace().length); i++) {
        where.append("\n    at ").append(failure.getStackTrace()[i]);
      }
      throw world.broken(this, where.toString());
    }

    @Override
    void check() {
      judged++;
    }
  }

  /** Under one view no two servers serve the same hash. */
  static final class OnePrimary extends BucketJudge {
    /** Of the key that is looked at, by view. */
    private final Map<Long, BucketHost> primaries = new HashMap<>();

    OnePrimary(BucketWorld world) {
      super(world);
    }

    @Override
    void check() {
      for (BucketKey key : world.keys()) {
        primaries.clear();
        for (BucketHost host : world.hosts()) {
          if (host.roleAt(key.hash()) == Role.PRIMARY) {
            judged++;
            BucketHost other = primaries.put(host.viewEpoch(), host);
            if (other != null) {
              throw world.broken(
                  this, other.id() + " and " + host.id() + " both serve " + key.name());
            }
          }
        }
      }
    }
  }

  /**
   * A client never sees an older version of a key than it has seen before, nor finds nothing where
   * nobody can have deleted what it has seen.
   */
  static final class ReadsNeverGoBack extends BucketJudge {
    private final Map<String, BucketStep> seen = new HashMap<>();

    ReadsNeverGoBack(BucketWorld world) {
      super(world);
    }

    @Override
    void ended(BucketStep step, BucketResult result) {
      if (!step.succeeded() || step.key().lost()) {
        return;
      }
      judged++;
      String client = step.client() + " " + step.key().name();
      boolean absent = result.outcome() == BucketResult.Outcome.ABSENT;
      BucketStep before = absent ? seen.get(client) : seen.put(client, step);
      if (before != null && (absent ? !mayBeGone(before) : isLater(before, step))) {
        throw world.broken(this, step + " is older than what it has seen: " + before);
      }
    }

    private static boolean isLater(BucketStep one, BucketStep other) {
      return one.version().compareTo(other.version()) > 0;
    }

    /** Whether it was a deletion, or one came behind it, or may have. */
    private static boolean mayBeGone(BucketStep seen) {
      return seen.deletes()
          || seen.key().steps().stream()
              .anyMatch(step -> step.deletes() && (!step.succeeded() || isLater(step, seen)));
    }
  }

  /** A write that a client was told of is not done again. */
  static final class WritesAreDoneOnce extends BucketJudge {
    private final Map<String, ItemVersion> done = new HashMap<>();

    WritesAreDoneOnce(BucketWorld world) {
      super(world);
    }

    @Override
    void ended(BucketStep step, BucketResult result) {
      if (step.succeeded() && step.puts()) {
        done.put(step.value(), result.version());
      }
    }

    @Override
    void put(Item item) {
      String value = new String(item.value(), UTF_8);
      ItemVersion version = done.get(value);
      judged += version == null ? 0 : 1;
      if (version != null && version.compareTo(item.version()) < 0) {
        for (BucketKey key : world.keys()) {
          if (key.hash() == item.hash() && key.lost()) {
            return;
          }
        }
        throw world.broken(
            this, value + " was done as v" + version + ", and again as v" + item.version());
      }
    }
  }

  /**
   * What a client has been told of is on every backup that the primary lists: so any of them can
   * take over. What a server tells that is out, and alone with its bucket, is as good as lost.
   */
  static final class BackupsHaveWhatWasTold extends BucketJudge {
    private final Map<BucketKey, ItemVersion> toldByOutsiders = new HashMap<>();
    private boolean byOutsider;

    BackupsHaveWhatWasTold(BucketWorld world) {
      super(world);
    }

    @Override
    void answered(String client, String server, Answer answer) {
      BucketHost host = world.host(server);
      byOutsider = host == null || !world.isMember(host);
    }

    @Override
    void ended(BucketStep step, BucketResult result) {
      BucketKey key = step.key();
      if (byOutsider && step.succeeded()) {
        toldByOutsiders.put(key, step.version());
      }
      if (key.known().equals(toldByOutsiders.get(key))) {
        return;
      }
      BucketHost primary = primary(key);
      BucketTable table = primary == null ? null : primary.table();
      if (!step.succeeded() || key.lost() || primary == null || table == null) {
        return;
      }
      key.settle();
      for (Node backup : table.bucketAt(key.hash()).backups()) {
        BucketHost host = world.host(backup.id());
        if (host != null && host.roleAt(key.hash()) == Role.COPY) {
          judged++;
          if (!host.has(key)) {
            throw world.broken(
                this, primary.id() + " tells of " + step + ", and " + host.id() + " lacks it");
          }
        }
      }
    }

    /** Who has the table of the latest view, and serves a key under it. */
    private @Nullable BucketHost primary(BucketKey key) {
      for (BucketHost host : members()) {
        BucketStatistics statistics = host.statistics();
        if (host.roleAt(key.hash()) == Role.PRIMARY
            && host.viewEpoch() == world.view().epoch()
            && statistics != null
            && statistics.ready()) {
          return host;
        }
      }
      return null;
    }
  }

  /** All that clients did and saw is as if it had been done one after the other. */
  static final class EverythingFitsIntoOneOrder extends BucketJudge {
    EverythingFitsIntoOneOrder(BucketWorld world) {
      super(world);
    }

    @Override
    void end() {
      for (BucketKey key : world.keys()) {
        if (key.lost()) {
          continue;
        }
        List<BucketStep> steps = new ArrayList<>(key.steps());
        steps.forEach(this::findsWhatWasPut);
        if (!world.readsAreCurrent()) {
          steps.removeIf(BucketStep::reads);
          orderOfVersions(steps);
          continue;
        }
        judged++;
        String unfit = Linearization.unfit(steps);
        if (!unfit.isEmpty()) {
          throw world.broken(this, unfit + " fits into no order of\n  " + steps);
        }
      }
    }

    /** What a read finds was put under the key, not later, as the version that the read says. */
    private void findsWhatWasPut(BucketStep read) {
      if (!read.reads() || read.found().isEmpty()) {
        return;
      }
      judged++;
      for (BucketStep put : read.key().steps()) {
        if (put.puts() && put.value().equals(read.found()) && put.begun() < read.ended()) {
          if (put.succeeded() && !put.version().equals(read.version())) {
            throw world.broken(this, read + " is another version of " + put);
          }
          return;
        }
      }
      throw world.broken(this, read + " finds what nobody had put");
    }

    /** A write that begins when another has ended comes behind it. */
    private void orderOfVersions(List<BucketStep> writes) {
      for (BucketStep one : writes) {
        for (BucketStep other : writes) {
          boolean after = one.succeeded() && other.succeeded() && one.ended() < other.begun();
          judged += after ? 1 : 0;
          if (after && one.version().compareTo(other.version()) >= 0) {
            throw world.broken(this, one + " came before " + other);
          }
        }
      }
    }
  }

  /** At the end the owner has, of every key, what clients were told of, or what came after it. */
  static final class AcknowledgedWritesAreKept extends BucketJudge {
    AcknowledgedWritesAreKept(BucketWorld world) {
      super(world);
    }

    @Override
    void quiet() {
      for (BucketKey key : world.keys()) {
        key.settle();
        for (BucketHost host : members()) {
          if (!key.lost() && host.roleAt(key.hash()) == Role.PRIMARY) {
            judged++;
            if (!host.has(key)) {
              throw world.broken(
                  this, host.id() + " has not got v" + key.known() + " of " + key.name());
            }
          }
        }
      }
    }
  }

  /** Every hash is served by one server, and every client is answered. */
  static final class EveryBucketHasAnOwner extends BucketJudge {
    EveryBucketHasAnOwner(BucketWorld world) {
      super(world);
    }

    @Override
    void quiet() {
      for (BucketKey key : world.keys()) {
        judged++;
        if (members().stream().noneMatch(host -> host.roleAt(key.hash()) == Role.PRIMARY)) {
          throw world.broken(this, "nobody serves " + key.name());
        }
      }
    }

    @Override
    void end() {
      for (BucketUser user : world.users()) {
        judged++;
        if (!user.idle()) {
          throw world.broken(this, "a client waits for its answer");
        }
      }
    }
  }

  /** When all is quiet no bucket is under way. */
  static final class TransfersEnd extends BucketJudge {
    TransfersEnd(BucketWorld world) {
      super(world);
    }

    @Override
    void quiet() {
      for (BucketHost host : members()) {
        BucketStatistics statistics = host.statistics();
        judged++;
        if (statistics == null
            || !statistics.ready()
            || statistics.sending() + statistics.filling() + statistics.yielding() > 0
            || statistics.writesOpen() > 0) {
          throw world.broken(this, host.id() + " has not come to rest: " + statistics);
        }
      }
    }
  }

  /** When all is quiet nobody still wishes to leave, unless nobody stays. */
  static final class LeaversAreDrained extends BucketJudge {
    LeaversAreDrained(BucketWorld world) {
      super(world);
    }

    @Override
    void quiet() {
      boolean somebodyStays = !members().stream().allMatch(BucketHost::leaving);
      for (BucketHost host : members()) {
        judged++;
        if (host.leaving() && somebodyStays) {
          throw world.broken(this, host.id() + " cannot leave: " + host.statistics());
        }
      }
    }
  }

  /** Who may be stopped has nothing that could be lost by it. */
  static final class DrainedHoldNothing extends BucketJudge {
    DrainedHoldNothing(BucketWorld world) {
      super(world);
    }

    @Override
    void drained(BucketHost host) {
      for (BucketKey key : world.keys()) {
        judged++;
        Item item = host.store().find(key.hash(), key.bytes());
        if (item != null || host.roleAt(key.hash()) != null) {
          throw world.broken(this, host.id() + " holds " + key.name() + ": " + item);
        }
      }
    }
  }

  /** When all is quiet all servers have the same table, which is even and says what is. */
  static final class TablesAgree extends BucketJudge {
    TablesAgree(BucketWorld world) {
      super(world);
    }

    @Override
    void quiet() {
      BucketTable first = null;
      for (BucketHost host : members()) {
        BucketTable table = host.table();
        judged++;
        if (table == null || (first != null && !first.buckets().equals(table.buckets()))) {
          throw world.broken(
              this, host.id() + " has another table: " + table + "\n" + text(table) + text(first));
        }
        first = table;
        for (Bucket bucket : table.buckets()) {
          boolean isMine = bucket.primary().id().equals(host.id());
          if (isMine != (host.roleAt(bucket.mask().value()) == Role.PRIMARY)) {
            throw world.broken(this, host.id() + " is not what its table says: " + bucket);
          }
        }
      }
      if (first != null) {
        int least = Integer.MAX_VALUE;
        int most = 0;
        for (Node node : first.nodes()) {
          least = Math.min(least, first.count(node));
          most = Math.max(most, first.count(node));
        }
        if (most - least > 1) {
          throw world.broken(this, "not balanced: " + least + " to " + most);
        }
      }
    }

    private static String text(@Nullable BucketTable table) {
      return table == null ? "" : table.toText();
    }
  }

  /** When all is quiet every copy of a bucket has the same items. */
  static final class CopiesAgree extends BucketJudge {
    CopiesAgree(BucketWorld world) {
      super(world);
    }

    @Override
    void quiet() {
      for (BucketKey key : world.keys()) {
        List<Item> found = new ArrayList<>();
        int copies = 0;
        for (BucketHost host : members()) {
          if (host.roleAt(key.hash()) != null) {
            copies++;
            Item item = host.store().find(key.hash(), key.bytes());
            if (item != null) {
              found.add(item);
            }
          }
        }
        judged++;
        if (found.stream().distinct().count() > 1 || (!found.isEmpty() && found.size() < copies)) {
          throw world.broken(this, copies + " copies of " + key.name() + ": " + found);
        }
      }
    }
  }

  /** When all is quiet there are as many copies as wanted, and nothing else is kept. */
  static final class ForgottenIsGone extends BucketJudge {
    ForgottenIsGone(BucketWorld world) {
      super(world);
    }

    @Override
    void quiet() {
      int wanted = Math.min(world.backupsMax() + 1, members().size());
      for (BucketKey key : world.keys()) {
        long copies = members().stream().filter(host -> host.roleAt(key.hash()) != null).count();
        judged++;
        if (copies != wanted) {
          throw world.broken(this, copies + " copies of " + key.name() + " and not " + wanted);
        }
      }
      for (BucketHost host : members()) {
        for (long digit = 0; digit < 16; digit++) {
          for (Item item : host.store().items(HashMask.of(digit, 1), null, 10_000)) {
            if (host.roleAt(item.hash()) == null) {
              throw world.broken(this, host.id() + " keeps " + item);
            }
          }
        }
      }
    }
  }

  /**
   * A client of the first day finds its way by one hop once it has asked a member. A server that is
   * out of the cluster and does not know it may send the client on to another such, each but once,
   * since every hop leads to a later epoch.
   */
  static final class HopsAreBounded extends BucketJudge {
    private boolean isQuiet;

    /** How often members have sent the client on in what it is about. */
    private int sentOn;

    HopsAreBounded(BucketWorld world) {
      super(world);
    }

    @Override
    void quiet() {
      isQuiet = true;
    }

    @Override
    void answered(String client, String server, Answer answer) {
      BucketHost host = world.host(server);
      boolean isMember = host != null && world.isMember(host);
      if (isQuiet
          && client.equals(BucketSimulation.DAY_ONE)
          && isMember
          && answer.outcome() == Outcome.NOT_MINE
          && ++sentOn > 1) {
        throw world.broken(this, server + " sends on who was sent by a member: " + answer);
      }
    }

    @Override
    void ended(BucketStep step, BucketResult result) {
      if (isQuiet && step.client().equals(BucketSimulation.DAY_ONE)) {
        judged++;
        sentOn = 0;
        if (result.hops() > 1 + outsiders() || !step.succeeded()) {
          throw world.broken(
              this, step + " took " + result.hops() + " hops, outsiders: " + outsiders());
        }
      }
    }

    /** How many servers run that the view is without. */
    private long outsiders() {
      return world.hosts().stream().filter(host -> host.running() && !world.isMember(host)).count();
    }
  }
}
