package io.horae.resync;

import io.horae.placement.BucketBalancer;
import io.horae.placement.BucketPlan;
import io.horae.placement.BucketTable;
import io.horae.placement.ClusterView;
import io.horae.placement.HashMask;
import io.horae.placement.KeyHash;
import io.horae.placement.Node;
import io.horae.resync.BucketMessage.BetweenServers;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One server's state machine for items in buckets: it serves the buckets that it is primary of,
 * sends them to others while they are being used, and takes over those whose primary is gone.
 * {@link io.horae.resync} is the guide for hosts.
 *
 * <p>What a server's copy of a bucket is, and becomes:
 *
 * <table>
 *   <caption>Transitions</caption>
 *   <tr><th>from</th><th>when</th><th>to</th></tr>
 *   <tr><td>none</td><td>the primary offers it, and this server accepts</td><td>filling: items and
 *     forwarded writes join by their versions</td></tr>
 *   <tr><td>none</td><td>under a new view nobody has a copy, and this is the first member</td>
 *     <td>primary, empty</td></tr>
 *   <tr><td>filling</td><td>the primary says that this was the last item, and all are here</td>
 *     <td>primary, under the next epoch</td></tr>
 *   <tr><td>filling</td><td>the primary says that this server is a backup, and all items are
 *     here</td><td>copy</td></tr>
 *   <tr><td>filling</td><td>the primary ends it, or is gone, or is silent for too long</td>
 *     <td>none</td></tr>
 *   <tr><td>primary</td><td>a transfer begins; the other refuses it, is gone, or is silent</td>
 *     <td>primary, with the same epoch</td></tr>
 *   <tr><td>primary</td><td>a backup comes or goes</td><td>primary, under the next epoch</td></tr>
 *   <tr><td>primary</td><td>it is to be split, and every write is on all backups</td><td>primary of
 *     sixteen parts, each under the next epoch</td></tr>
 *   <tr><td>primary</td><td>the next primary and all backups have everything: the last item is
 *     sent</td><td>yielding: clients are told to ask again</td></tr>
 *   <tr><td>yielding</td><td>the next primary is heard of under a later epoch</td><td>copy, as the
 *     first backup; none if there are to be no backups</td></tr>
 *   <tr><td>yielding</td><td>the other refuses the last item, which is final</td><td>primary, with
 *     the same epoch</td></tr>
 *   <tr><td>yielding</td><td>a new view, under which no member is the primary of a later
 *     epoch</td><td>primary, under an epoch of that view</td></tr>
 *   <tr><td>copy</td><td>the last item comes in a move to a backup</td><td>primary, under the next
 *     epoch</td></tr>
 *   <tr><td>copy</td><td>a new view without its primary, and no copy is ahead of this one</td>
 *     <td>primary, under an epoch of that view</td></tr>
 *   <tr><td>copy</td><td>a later epoch does not list this server</td><td>none: the items are
 *     forgotten</td></tr>
 *   <tr><td>primary, yielding</td><td>a view that is not the next one, or is without this
 *     server</td><td>copy, until it is known what was missed</td></tr>
 * </table>
 *
 * <p><b>Who decides.</b> The epoch of a bucket is raised by its primary alone, one by one; by the
 * next primary when it has the last item; and under a new view by the heir of a primary that is not
 * in it. Epochs count on from the epoch of the view, so an heir's is higher than any that the
 * primary can have raised. Servers go by what is said under their own view only. When a server
 * takes a view it tells every other member what it has. Since from then on nothing is taken that
 * was under way, these claims are one picture, of which all compute the same heirs. An heir acts
 * when it has heard all members; a member that does not answer holds that up, until a view is
 * without it.
 *
 * <p><b>One owner.</b> Before the next primary may serve a bucket its source has stopped. A source
 * that has sent the last item, and does not know whether it arrived, answers clients with {@link
 * BucketMessage.Outcome#RETRY} until the other says so, refuses, or is gone from the view.
 *
 * <p><b>Writes.</b> Each gets a version from the primary: epoch and number. It is answered when
 * every backup has it and goes by the epoch that the primary has. So whoever of them takes over has
 * all writes that were answered; a crash loses none while a backup lives that is in the bucket's
 * list. A bucket has fewer backups than wanted while there are fewer servers, and until a new
 * backup has everything; with none, its items are lost with its primary.
 *
 * <p><b>What holds between clients.</b> For each key, writes are linearizable, and each is done
 * once, however often it is sent. One client's reads and writes, each begun when the one before has
 * ended, are linearizable too. Between clients a read may be stale in one case: its server has been
 * removed by a view that it has not heard of yet. With {@link BucketNodeOptions#readsConfirmed}
 * there is no such case while the bucket has a backup: reads and writes of all clients are
 * linearizable for each key, at the price of a round trip to the backups for each read. A view that
 * removes every server that a bucket lists loses the bucket, or goes back to what a former backup
 * still has, and these promises begin anew for it.
 *
 * <p>Calls throw for bad arguments and nothing else; what others send never makes them throw. An
 * exception of the outbox or of the store passes on, and the node stays usable.
 *
 * <p>Not safe for use by several threads.
 */
public final class BucketNode {

  private static final long TIME_MS_MAX = 1L << 61;

  private final BucketSeat seat;
  private final Publications publications;
  private final Replication replication;
  private final Transfers transfers;
  private final Arrivals arrivals;
  private final Custody custody;
  private final Exchange exchange;
  private final Balance balance;
  private final Departure departure;
  private final Service service;
  private long sweepAtMs = Long.MAX_VALUE;
  private boolean busy;

  private BucketNode(Builder builder, BucketOutbox outbox) {
    seat =
        new BucketSeat(
            builder.self,
            builder.incarnation,
            builder.options,
            outbox,
            builder.store,
            builder.hash);
    publications = new Publications(seat);
    replication = new Replication(seat, publications);
    transfers = new Transfers(seat, replication);
    arrivals = new Arrivals(seat, replication);
    custody = new Custody(seat, replication, transfers, arrivals);
    exchange = new Exchange(seat);
    balance = new Balance(seat, replication, transfers, builder.planner);
    departure = new Departure(seat);
    service = new Service(seat, replication);
    replication.watched(this::progress);
  }

  private void progress(BucketCopy copy) {
    if (copy.transfer != null) {
      transfers.progress(copy.transfer);
    }
    balance.progress(copy);
  }

  /**
   * A server to be set up.
   *
   * @param self its id, as the views have it
   * @return the builder
   * @throws IllegalArgumentException if the id is null or blank
   */
  public static Builder builder(String self) {
    return new Builder(Node.of(self).id());
  }

  /**
   * Tells the server who is in the cluster. An older view, or another of the same epoch, is refused
   * and {@linkplain BucketEvent.ViewRefused reported}; the same again changes nothing.
   *
   * @param nowMs the time
   * @param view the view
   * @throws IllegalArgumentException if the view is null, or its epoch above 2<sup>42</sup>
   */
  public void view(long nowMs, ClusterView view) {
    if (view == null) {
      throw new IllegalArgumentException("view must not be null");
    }
    if (view.epoch() > BucketSeat.VIEW_EPOCH_MAX) {
      throw new IllegalArgumentException(
          "epoch of a view must be at most " + BucketSeat.VIEW_EPOCH_MAX + ": " + view.epoch());
    }
    during(nowMs, () -> adopt(view));
  }

  private void adopt(ClusterView view) {
    ViewStamp stamp = ViewStamp.of(view);
    ViewStamp current = seat.viewOrNull();
    if (current != null && stamp.epoch() <= current.epoch()) {
      if (!stamp.equals(current)) {
        boolean conflicting = stamp.epoch() == current.epoch();
        BucketSeat.LOG.warn("{} refuses view {}, it has {}", seat.self, stamp, current);
        seat.report(new BucketEvent.ViewRefused(stamp, current, conflicting));
      }
      return;
    }
    BucketSeat.LOG.info("{} adopts {}", seat.self, view);
    boolean wasMember = seat.isMember(seat.self);
    boolean isNext = current != null && stamp.epoch() == current.epoch() + 1;
    seat.adopt(stamp, view.after());
    publications.viewChanged();
    balance.viewChanged();
    departure.viewChanged();
    boolean goesOn = wasMember && isNext && seat.isMember(seat.self);
    exchange.begin(custody.viewChanged(goesOn));
    custody.dropTheGone();
    settleIfHeard();
  }

  private void settleIfHeard() {
    if (exchange.isDue()) {
      custody.settle(exchange.all());
      balance.stir();
    }
  }

  /**
   * Takes a message of another server or of a client. Never throws for what it says: what is bad,
   * stale or unknown is rejected and counted.
   *
   * @param nowMs the time
   * @param from the server that sent it; or a name by which the outbox finds the client
   * @param message what it says
   * @throws IllegalArgumentException if the sender or the message is null
   */
  public void receive(long nowMs, String from, BucketMessage message) {
    if (from == null || message == null) {
      throw new IllegalArgumentException(
          (from == null ? "sender" : "message") + " must not be null");
    }
    during(nowMs, () -> accept(from, message));
  }

  private void accept(String from, BucketMessage message) {
    BucketSeat.LOG.trace("{} receives from {}: {}", seat.self, from, message);
    if (message instanceof BucketMessage.Request request) {
      service.request(from, request);
    } else if (message instanceof BetweenServers said && isUnderView(from, said)) {
      accept(from, said);
      balance.stir();
    } else if (message instanceof BucketMessage.Answer) {
      seat.reject(BucketStatistics.Rejection.UNEXPECTED);
    }
  }

  private boolean isUnderView(String from, BetweenServers message) {
    ViewStamp mine = seat.viewOrNull();
    ViewStamp its = message.view();
    BucketStatistics.Rejection rejection = null;
    if (mine == null || its.epoch() > mine.epoch()) {
      rejection = BucketStatistics.Rejection.VIEW_AHEAD;
    } else if (its.epoch() < mine.epoch()) {
      rejection = BucketStatistics.Rejection.VIEW_BEHIND;
    } else if (!its.equals(mine)) {
      rejection = BucketStatistics.Rejection.VIEW_DIFFERS;
    } else if (from.equals(seat.self) || !seat.isMember(from)) {
      rejection = BucketStatistics.Rejection.UNEXPECTED;
    }
    if (rejection != null) {
      seat.reject(rejection);
    }
    return rejection == null;
  }

  private void accept(String from, BetweenServers said) {
    if (said instanceof BucketMessage.Forward forward) {
      arrivals.forwarded(from, forward);
    } else if (said instanceof BucketMessage.Forwarded forwarded) {
      replication.forwarded(from, forwarded);
    } else if (said instanceof BucketMessage.Items items) {
      arrivals.items(from, items);
    } else if (said instanceof BucketMessage.Taken taken) {
      transfers.taken(from, taken);
    } else if (said instanceof BucketMessage.Claims claims) {
      exchange.claimed(from, claims);
      settleIfHeard();
    } else if (said instanceof BucketMessage.Offer offer) {
      arrivals.offered(from, offer);
    } else if (said instanceof BucketMessage.Accept accept) {
      transfers.accepted(from, accept);
    } else if (said instanceof BucketMessage.Refuse refuse) {
      transfers.refused(from, refuse);
    } else if (said instanceof BucketMessage.Cancel cancel) {
      arrivals.cancelled(from, cancel);
    } else if (said instanceof BucketMessage.Last last) {
      arrivals.last(from, last);
    } else if (said instanceof BucketMessage.Configure configure) {
      custody.configured(from, configure);
    } else if (said instanceof BucketMessage.Publish publish) {
      publish.entries().forEach(custody::learn);
      if (publish.number() != 0) {
        seat.send(from, new BucketMessage.Published(seat.view(), publish.number()));
      }
    } else if (said instanceof BucketMessage.Published published) {
      publications.published(from, published);
    } else if (said instanceof BucketMessage.Leaving) {
      balance.leaves(from);
    }
  }

  /**
   * Has a plan carried out, as far as it concerns buckets that this server is primary of; for hosts
   * that decide for themselves. What cannot be done any more is left out.
   *
   * @param nowMs the time
   * @param plan the plan
   * @throws IllegalArgumentException if the plan is null
   */
  public void carryOut(long nowMs, BucketPlan plan) {
    if (plan == null) {
      throw new IllegalArgumentException("plan must not be null");
    }
    during(nowMs, () -> balance.add(plan));
  }

  /**
   * Splits a bucket of this server's, as soon as its open writes are on all backups; within {@link
   * BucketNodeOptions#drainMs} or not at all. A transfer of it is given up, and begins again with
   * the parts.
   *
   * @param nowMs the time
   * @param bucket the bucket
   * @return whether this server is its primary, and it can be split
   * @throws IllegalArgumentException if the bucket is null
   */
  public boolean split(long nowMs, HashMask bucket) {
    if (bucket == null) {
      throw new IllegalArgumentException("bucket must not be null");
    }
    return called(nowMs, () -> balance.split(bucket));
  }

  /**
   * Has the server leave in good order: it hands its buckets over to the members that stay, while
   * they are being used, takes no more, and others find other backups for those that it is a backup
   * of. When it holds nothing any more it reports {@link BucketEvent.Drained}; then it may be
   * stopped, and a view without it brought. A server that has begun to leave goes on under further
   * views; there is no way back but to start it anew. If all members wish to leave, nobody can, and
   * all goes on as if nobody did until another joins.
   *
   * <p>Unlike a timer node it is not told so by a view in which it is {@linkplain
   * ClusterView#leaving leaving}: that may be as well since it is dead, and who is out of a view
   * serves nothing.
   *
   * @param nowMs the time
   */
  public void leave(long nowMs) {
    during(
        nowMs,
        () -> {
          departure.wish();
          balance.leaves(seat.self);
        });
  }

  /**
   * Lets the server do what is due. To be called at {@link #nextTickMs} at the latest.
   *
   * @param nowMs the time
   */
  public void tick(long nowMs) {
    during(
        nowMs,
        () -> {
          sweep();
          if (seat.viewOrNull() == null) {
            return;
          }
          exchange.tick();
          replication.tick();
          transfers.tick();
          arrivals.tick();
          publications.tick();
          departure.tick();
          balance.tickSplits();
          balance.tick();
        });
  }

  /** Forgets receipts that are too old, a few times in their life. */
  private void sweep() {
    if (sweepAtMs <= seat.nowMs()) {
      sweepAtMs = Long.MAX_VALUE;
      for (BucketCopy copy : seat.copies.all()) {
        if (copy.receipts.soonestMs() <= seat.nowMs()) {
          copy.receipts.expire(seat.nowMs());
        }
        if (copy.receipts.clients() > 0) {
          sweepAtMs = nextSweepMs();
        }
      }
    }
  }

  private long nextSweepMs() {
    return seat.nowMs() + seat.options.receiptMs() / 4 + 1;
  }

  /**
   * When {@link #tick} will next have something to do.
   *
   * @return the time, which may have passed; {@link Long#MAX_VALUE} if never
   */
  public long nextTickMs() {
    long next = Math.min(exchange.nextTickMs(), replication.nextTickMs());
    next = Math.min(next, Math.min(transfers.nextTickMs(), arrivals.nextTickMs()));
    next = Math.min(next, Math.min(publications.nextTickMs(), balance.nextTickMs()));
    return Math.min(next, Math.min(departure.nextTickMs(), sweepAtMs));
  }

  /**
   * The table as this server knows it.
   *
   * @return the table; null before the first view is settled
   */
  public @Nullable BucketTable table() {
    return seat.table();
  }

  /**
   * What this server's copy of a bucket is, for hosts that watch.
   *
   * @param hash a hash in the bucket
   * @return the role; null if it has no whole copy
   */
  public BucketMessage.@Nullable Role roleAt(long hash) {
    BucketCopy copy = seat.copies.at(hash);
    if (copy == null) {
      return null;
    }
    return switch (copy.role) {
      case PRIMARY -> BucketMessage.Role.PRIMARY;
      case YIELDING -> BucketMessage.Role.YIELDING;
      case COPY -> BucketMessage.Role.COPY;
      case FILLING -> null;
    };
  }

  /**
   * What the server holds and has done.
   *
   * @return a snapshot
   */
  public BucketStatistics statistics() {
    Map<BucketCopy.Role, Integer> roles = new EnumMap<>(BucketCopy.Role.class);
    long open = 0;
    for (BucketCopy copy : seat.copies.all()) {
      roles.merge(copy.role, 1, Integer::sum);
      open += copy.isPrimary() ? copy.log.sequence() - copy.log.committed() : 0;
    }
    return new BucketStatistics(
        seat.isReady(),
        roles.getOrDefault(BucketCopy.Role.PRIMARY, 0),
        roles.getOrDefault(BucketCopy.Role.YIELDING, 0),
        roles.getOrDefault(BucketCopy.Role.COPY, 0),
        roles.getOrDefault(BucketCopy.Role.FILLING, 0),
        transfers.size(),
        transfers.done(),
        transfers.failed(),
        transfers.itemsSent(),
        arrivals.itemsTaken(),
        service.reads(),
        service.writes(),
        open,
        service.repeated(),
        service.redirects(),
        service.retries(),
        seat.rejected);
  }

  private void during(long nowMs, Runnable call) {
    called(
        nowMs,
        () -> {
          call.run();
          return this;
        });
  }

  private <R> R called(long nowMs, Supplier<R> call) {
    if (busy) {
      throw new IllegalStateException("the outbox must not call the server that called it");
    }
    if (nowMs < -TIME_MS_MAX || nowMs > TIME_MS_MAX) {
      throw new IllegalArgumentException("nowMs must be within ±2^61: " + nowMs);
    }
    busy = true;
    try {
      seat.time(nowMs);
      if (sweepAtMs == Long.MAX_VALUE) {
        sweepAtMs = nextSweepMs();
      }
      R result = call.get();
      if (seat.viewOrNull() != null) {
        publications.flush();
        departure.reportIfDrained();
      }
      return result;
    } finally {
      busy = false;
    }
  }

  /** Sets up a {@link BucketNode}. */
  public static final class Builder {

    private final String self;
    private long incarnation;
    private BucketNodeOptions options = BucketNodeOptions.defaults();
    private ItemStore store = ItemStore.inMemory();
    private KeyHash hash = KeyHash.md5();
    private Function<BucketTable, BucketPlan> planner = BucketBalancer.byCounts()::plan;
    private @Nullable BucketOutbox outbox;

    private Builder(String self) {
      this.self = self;
    }

    /**
     * Tells one run of this server from another.
     *
     * @param incarnation another number at each start, such as the time; 0 unless it is set
     * @return this builder
     */
    public Builder incarnation(long incarnation) {
      this.incarnation = incarnation;
      return this;
    }

    /**
     * Limits and times.
     *
     * @param options the options; the defaults unless it is set
     * @return this builder
     */
    public Builder options(BucketNodeOptions options) {
      this.options = options;
      return this;
    }

    /**
     * Where items are kept.
     *
     * @param store a store of this server's own, empty; in memory unless it is set
     * @return this builder
     */
    public Builder store(ItemStore store) {
      this.store = store;
      return this;
    }

    /**
     * How clients hash their keys.
     *
     * @param hash the hash, the same everywhere; MD5 unless it is set
     * @return this builder
     */
    public Builder keyHash(KeyHash hash) {
      this.hash = hash;
      return this;
    }

    /**
     * What is to be split and moved.
     *
     * @param planner makes a plan for a table, the same on all servers; {@link
     *     BucketBalancer#byCounts} unless it is set
     * @return this builder
     */
    public Builder planner(Function<BucketTable, BucketPlan> planner) {
      this.planner = planner;
      return this;
    }

    /**
     * The server's effects.
     *
     * @param outbox the host
     * @return this builder
     */
    public Builder outbox(BucketOutbox outbox) {
      this.outbox = outbox;
      return this;
    }

    /**
     * Builds the server. It has no view yet.
     *
     * @return the server
     * @throws IllegalArgumentException if there is no outbox, or anything was set to null
     */
    public BucketNode build() {
      if (outbox == null || options == null || store == null || hash == null || planner == null) {
        throw new IllegalArgumentException(
            "a server needs an outbox, options, a store, a hash and a planner, none of them null");
      }
      return new BucketNode(this, outbox);
    }
  }
}
