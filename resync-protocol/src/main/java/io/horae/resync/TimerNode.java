package io.horae.resync;

import io.horae.placement.ClusterView;
import io.horae.placement.Node;
import io.horae.placement.Placement;
import io.horae.placement.RendezvousPlacement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One member's state machine: it keeps timers, pops them, and sees to it that they are where they
 * belong. {@link io.horae.resync} is the guide for hosts.
 *
 * <p>What becomes of a timer that this node holds, seen from here. "Own" is a timer that this node
 * is a replica of under the current view, "in place" one whose record has the replicas of that view
 * too:
 *
 * <table>
 *   <caption>Transitions</caption>
 *   <tr><th>from</th><th>when</th><th>to</th></tr>
 *   <tr><td>unknown</td><td>a client or another node brings its record, and it is own</td>
 *     <td>own, in place</td></tr>
 *   <tr><td>own, in place</td><td>its deadline comes, and the skew of this node's level</td>
 *     <td>popping</td></tr>
 *   <tr><td>popping</td><td>success</td><td>own, in place, with the next deadline; or tombstone;
 *     the other replicas are told</td></tr>
 *   <tr><td>popping</td><td>failure, or no word in time</td><td>own, in place, to be tried again
 *     when the other levels have had their turn</td></tr>
 *   <tr><td>popping</td><td>another replica was first</td><td>own, in place, with the next
 *     deadline; or tombstone</td></tr>
 *   <tr><td>own, in place</td><td>a view in which it has other replicas, this node among them</td>
 *     <td>own, out of place: acts as before</td></tr>
 *   <tr><td>own, out of place</td><td>in a resync, if this node's level does not rise</td>
 *     <td>own, in place; those that it displaces are told</td></tr>
 *   <tr><td>own, out of place</td><td>a replica below it has taken its place</td>
 *     <td>own, in place</td></tr>
 *   <tr><td>own</td><td>a view in which this node is not its replica</td>
 *     <td>another's: acts as before</td></tr>
 *   <tr><td>another's</td><td>a replica retires this node, or the record comes with its new
 *     replicas</td><td>another's: acts one level behind the last</td></tr>
 *   <tr><td>another's</td><td>all replicas have said that they hold it, and its pop is neither due
 *     here nor with the host</td><td>unknown</td></tr>
 *   <tr><td>any</td><td>it is deleted</td><td>tombstone, which is own or another's as before</td>
 *     </tr>
 *   <tr><td>tombstone</td><td>it is changed by a later operation</td><td>as that says</td></tr>
 *   <tr><td>tombstone</td><td>its time is over</td><td>unknown</td></tr>
 * </table>
 *
 * <p>Calls throw for bad arguments and nothing else; what a peer sends never makes them throw. An
 * exception of the outbox or of the store passes on, and the node stays usable.
 *
 * <p>Not safe for use by several threads.
 */
public final class TimerNode {

  private static final Logger LOG = LoggerFactory.getLogger(TimerNode.class);

  /** Times up to here, and sums of them, are far from overflow. */
  private static final long TIME_MS_MAX = 1L << 61;

  private final Member member;
  private final Function<List<Node>, Placement> placements;
  private final TimerIds ids;
  private final Holdings holdings;
  private final Handover handover;
  private final Operations operations;
  private final Pops pops;
  private final Pages pages;
  private final Resync resync;
  private boolean busy;

  private TimerNode(Builder builder, Outbox outbox) {
    int instance = TimerIds.instance(builder.self, builder.incarnation);
    placements = builder.placements;
    ids = new TimerIds(instance);
    member = new Member(builder.self, instance, builder.options, outbox);
    holdings = new Holdings(member, builder.store);
    handover = new Handover(member, holdings);
    operations = new Operations(member, holdings, handover);
    pops = new Pops(member, holdings, handover, operations);
    pages = new Pages(member, holdings, handover);
    resync = new Resync(member, holdings, handover);
  }

  /**
   * A node to be set up.
   *
   * @param self its id, as the views have it
   * @return the builder
   * @throws IllegalArgumentException if the id is null or blank
   */
  public static Builder builder(String self) {
    return new Builder(Node.of(self).id());
  }

  /**
   * Tells the node who is in the cluster. From now on timers that change or pop go to the replicas
   * that they have under this view; {@link #resync} takes the others there too. An older view, or
   * another of the same epoch, is refused and {@linkplain Event.ViewRefused reported}; the same
   * again changes nothing.
   *
   * @param nowMs the time
   * @param view the view
   * @throws IllegalArgumentException if the view is null
   */
  public void view(long nowMs, ClusterView view) {
    if (view == null) {
      throw new IllegalArgumentException("view must not be null");
    }
    during(
        nowMs,
        () -> {
          ViewStamp stamp = ViewStamp.of(view);
          Cluster current = member.clusterOrNull();
          if (current != null && stamp.equals(current.stamp())) {
            return;
          }
          if (current != null && stamp.epoch() <= current.epoch()) {
            boolean conflicting = stamp.epoch() == current.epoch();
            LOG.warn("{} refuses view {}, it has {}", member.self, stamp, current.stamp());
            member.outbox.report(new Event.ViewRefused(stamp, current.stamp(), conflicting));
            return;
          }
          LOG.info("{} adopts {}", member.self, view);
          member.adopt(new Cluster(view, placements));
          resync.viewChanged();
          pages.viewChanged(current == null);
          handover.viewChanged();
          operations.viewChanged();
        });
  }

  /**
   * Takes the timers to where they belong under the current view: asks the other nodes for those
   * that are to be here. To be called, after {@link #view}, on every node that remains; it may be
   * called again at any time. {@link Event.ResyncProgress} tells how it goes.
   *
   * @param nowMs the time
   * @throws IllegalStateException if the node has no view yet
   */
  public void resync(long nowMs) {
    during(
        nowMs,
        () -> {
          handover.activate();
          pages.prepare();
          resync.start();
        });
  }

  /**
   * Creates a timer; it starts now.
   *
   * @param nowMs the time
   * @param spec what is wanted
   * @return the number of the operation, and the handle of the timer
   * @throws IllegalArgumentException if the spec is null or its payload too large
   * @throws IllegalStateException if the node has no view yet
   * @throws RejectedExecutionException if the node has too much to do or too many timers
   */
  public Ticket create(long nowMs, TimerSpec spec) {
    return called(
        nowMs,
        () -> {
          checked(spec);
          checkRoom();
          long id = ids.next(member.nowMs());
          return change(id, record(id, spec), 0);
        });
  }

  /**
   * Changes a timer, which starts anew; or creates it, if there is none with this handle any more.
   *
   * @param nowMs the time
   * @param timer the client's handle
   * @param spec what is wanted, with the replication factor of the handle
   * @return the number of the operation, and the timer's handle from now on
   * @throws IllegalArgumentException if the handle or the spec is null, the spec's payload too
   *     large, or its replication factor another
   * @throws IllegalStateException if the node has no view yet
   * @throws RejectedExecutionException if the node has too much to do or too many timers
   */
  public Ticket update(long nowMs, TimerId timer, TimerSpec spec) {
    return called(
        nowMs,
        () -> {
          checked(timer);
          checked(spec);
          if (spec.replicationFactor() != timer.replicationFactor()) {
            throw new IllegalArgumentException(
                "the replication factor of "
                    + timer
                    + " cannot be changed to "
                    + spec.replicationFactor());
          }
          if (holdings.find(timer.id()) == null) {
            checkRoom();
          }
          return change(timer.id(), record(timer.id(), spec), timer.replicas());
        });
  }

  /**
   * Deletes a timer, whether or not there is one.
   *
   * @param nowMs the time
   * @param timer the client's handle
   * @return the number of the operation, and the timer's handle
   * @throws IllegalArgumentException if the handle is null
   * @throws IllegalStateException if the node has no view yet
   * @throws RejectedExecutionException if the node has too much to do
   */
  public Ticket delete(long nowMs, TimerId timer) {
    return called(
        nowMs,
        () -> {
          checked(timer);
          TimerSpec any = TimerSpec.once(1, new byte[0]).onReplicas(timer.replicationFactor());
          TimerRecord record = record(timer.id(), any);
          return change(timer.id(), record.buried(member.nowMs()), timer.replicas());
        });
  }

  private void checked(TimerSpec spec) {
    if (spec == null) {
      throw new IllegalArgumentException("spec must not be null");
    }
    if (spec.payload().length > member.options.payloadBytesMax()) {
      throw new IllegalArgumentException(
          "payload must have at most "
              + member.options.payloadBytesMax()
              + " bytes: "
              + spec.payload().length);
    }
  }

  private void checkRoom() {
    if (holdings.size() >= member.options.timersMax()) {
      member.outbox.report(new Event.LimitReached("timersMax", member.options.timersMax()));
      throw new RejectedExecutionException(
          "timersMax: the node holds " + holdings.size() + " timers, and takes no more");
    }
  }

  private static void checked(TimerId timer) {
    if (timer == null) {
      throw new IllegalArgumentException("timer must not be null");
    }
  }

  private TimerRecord record(long id, TimerSpec spec) {
    Assignment assignment = member.cluster().assign(id, spec.replicationFactor());
    TimerRecord held = holdings.find(id);
    if (held != null) {
      member.seen(held.stamp());
    }
    return new TimerRecord(
        id,
        member.nextStamp(),
        member.nowMs(),
        spec.intervalMs(),
        spec.repeatForMs(),
        0,
        spec.replicationFactor(),
        assignment,
        spec.payload(),
        false);
  }

  /** Takes a client's change to the timer's replicas, and to those it had before. */
  private Ticket change(long id, TimerRecord change, long replicasBefore) {
    if (operations.isFull()) {
      member.outbox.report(new Event.LimitReached("operationsMax", member.options.operationsMax()));
      throw new RejectedExecutionException(
          "operationsMax: " + operations.size() + " operations wait for confirmation");
    }
    Set<String> targets = new LinkedHashSet<>(change.assignment().replicas());
    TimerId handle = new TimerId(id, change.replicationFactor(), replicasBefore);
    if (replicasBefore != 0) {
      for (Node node : member.cluster().everyone().values()) {
        if (handle.mayBeOn(node)) {
          targets.add(node.id());
        }
      }
    }
    TimerRecord held = holdings.find(id);
    if (held != null) {
      targets.addAll(held.assignment().replicas());
    }
    if (held != null || change.assignment().contains(member.self)) {
      handover.keep(change);
    }
    long number = operations.startForClient(change, targets);
    return new Ticket(number, member.handle(change));
  }

  /**
   * The outcome of a pop.
   *
   * @param nowMs the time
   * @param pop the pop, as the outbox got it
   * @param success whether it is done; if not, another replica, or later this one, tries again
   * @throws IllegalArgumentException if the pop is null
   */
  public void popped(long nowMs, Pop pop, boolean success) {
    if (pop == null) {
      throw new IllegalArgumentException("pop must not be null");
    }
    during(nowMs, () -> pops.outcome(pop, success));
  }

  /**
   * Takes a message. Never throws for what it says: what is bad, stale or unknown is rejected and
   * counted.
   *
   * @param nowMs the time
   * @param from the id of the node that sent it
   * @param message what it says
   * @throws IllegalArgumentException if the sender or the message is null
   */
  public void receive(long nowMs, String from, Message message) {
    if (from == null || message == null) {
      throw new IllegalArgumentException(
          (from == null ? "sender" : "message") + " must not be null");
    }
    during(nowMs, () -> accept(from, message));
  }

  private void accept(String from, Message message) {
    LOG.trace("{} receives from {}: {}", member.self, from, message);
    if (from.equals(member.self)) {
      member.reject(Statistics.Rejection.UNEXPECTED);
    } else if (message instanceof Message.Replicate replicate) {
      replicate(from, replicate);
    } else if (message instanceof Message.Acknowledge acknowledge) {
      if (operations.acknowledged(from, acknowledge)) {
        miss(from, acknowledge.known());
      }
    } else if (message instanceof Message.FetchTimers fetch) {
      fetchTimers(from, fetch);
    } else if (member.clusterOrNull() == null) {
      member.reject(Statistics.Rejection.VIEW_AHEAD);
    } else if (message instanceof Message.FetchPage request) {
      fetchPage(from, request);
    } else if (message instanceof Message.Page page) {
      if (member.mismatch(page.view()) == null && areSound(page.records())) {
        resync.page(from, page);
      }
    } else if (message instanceof Message.Rejected rejected) {
      resync.rejected(from, rejected);
    } else if (message instanceof Message.Offer offer) {
      offer(from, offer);
    } else if (message instanceof Message.Processed processed) {
      miss(from, handover.processed(from, processed.view(), processed.references()));
    } else if (message instanceof Message.Refer refer) {
      if (member.mismatch(refer.view()) == null) {
        handover.activate();
        miss(from, handover.referred(from, refer.view(), refer.references()));
      }
    } else if (message instanceof Message.Retire retire) {
      if (member.mismatch(retire.view()) == null) {
        handover.activate();
        miss(from, handover.processed(from, retire.view(), retire.references()));
      }
    } else {
      member.reject(Statistics.Rejection.UNEXPECTED); // it is about buckets
    }
  }

  private void replicate(String from, Message.Replicate message) {
    if (!areSound(message.records())) {
      return;
    }
    List<Reference> known = new ArrayList<>();
    boolean isUnsure = false;
    for (TimerRecord record : message.records()) {
      isUnsure |= handover.isMistaken(record) || mayHaveLetGo(record);
      known.add(handover.keep(member.incoming(record)));
    }
    if (message.operation() != 0) {
      if (!isUnsure) {
        boolean empty = !member.isComplete();
        member.send(from, new Message.Acknowledge(message.operation(), empty, known));
      }
    } else if (member.clusterOrNull() != null) {
      handover.confirm(from, known);
      resync.arrived(known);
    }
  }

  /**
   * Whether a record is of a view before the last one: in between this node may have let the timer
   * go, and others may have changed it. Until they have told, its word does not count.
   */
  private boolean mayHaveLetGo(TimerRecord record) {
    return member.clusterOrNull() != null
        && record.assignment().view().epoch() < member.epochBefore()
        && !resync.hasEnded();
  }

  /** Whether the numbers in records are such that no sum of them overflows. */
  private boolean areSound(List<TimerRecord> records) {
    for (TimerRecord record : records) {
      if (record.startMs() > TimerSpec.REPEAT_FOR_MS_MAX
          || record.startMs() < -2 * TimerSpec.REPEAT_FOR_MS_MAX
          || record.stamp().version() > Member.VERSION_MAX) {
        member.reject(Statistics.Rejection.MALFORMED);
        return false;
      }
    }
    return true;
  }

  private void fetchTimers(String from, Message.FetchTimers message) {
    List<TimerRecord> records = new ArrayList<>();
    for (long id : message.ids()) {
      TimerRecord record = holdings.find(id);
      if (record != null) {
        records.add(member.outgoing(record));
      }
      if (records.size() == member.options.pageTimersMax()) {
        member.send(from, new Message.Replicate(0, records));
        records.clear();
      }
    }
    if (!records.isEmpty()) {
      member.send(from, new Message.Replicate(0, records));
    }
  }

  private void fetchPage(String from, Message.FetchPage request) {
    Message.Reason mismatch = member.mismatch(request.view());
    if (mismatch != null) {
      member.send(from, new Message.Rejected(request.request(), mismatch, member.view()));
      return;
    }
    if (request.limit() < 1 || !member.cluster().remains(from)) {
      member.reject(Statistics.Rejection.MALFORMED);
      Message.Reason malformed = Message.Reason.MALFORMED;
      member.send(from, new Message.Rejected(request.request(), malformed, member.view()));
      return;
    }
    handover.activate();
    handover.postpone();
    member.send(from, pages.answer(from, request));
  }

  private void offer(String from, Message.Offer offer) {
    if (offer.view().epoch() > member.view().epoch()) {
      member.mismatch(offer.view());
      return;
    }
    if (offer.view().equals(member.view())) {
      handover.activate();
    }
    miss(from, handover.offered(from, offer.view(), offer.references()));
  }

  /** Timers that others have and this node has not: fetched now, or once the resync is done. */
  private void miss(String from, List<Reference> missing) {
    if (resync.isRunning()) {
      resync.miss(from, missing);
    } else {
      resync.fetch(from, missing.stream().map(Reference::id).toList());
    }
  }

  /**
   * Lets the node do what is due: pops, tries again, the next part of long work. To be called at
   * {@link #nextTickMs} at the latest.
   *
   * @param nowMs the time
   */
  public void tick(long nowMs) {
    during(
        nowMs,
        () -> {
          pops.tick();
          operations.tick();
          if (member.clusterOrNull() != null) {
            pages.tick();
            resync.tick();
            if (!resync.isRunning()) {
              handover.tick();
            }
          }
        });
  }

  /**
   * When {@link #tick} will next have something to do.
   *
   * @return the time, which may have passed; {@link Long#MAX_VALUE} if never
   */
  public long nextTickMs() {
    long next = Math.min(holdings.nextDueMs(), operations.nextTickMs());
    next = Math.min(next, Math.min(pages.nextTickMs(), resync.nextTickMs()));
    return resync.isRunning() ? next : Math.min(next, handover.nextTickMs());
  }

  /**
   * What the node holds and has done.
   *
   * @return a snapshot
   */
  public Statistics statistics() {
    return new Statistics(
        holdings.liveByLevel(),
        holdings.liveOfOthers(),
        holdings.tombstones(),
        operations.size(),
        pops.inFlight(),
        pops.pops(),
        pops.failedCount(),
        handover.duplicatesSuppressed(),
        member.rejected,
        resync.timersFetched(),
        handover.unsettled(),
        handover.letGoCount(),
        resync.progress());
  }

  /** Runs a call, at a time, not within another. */
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
      throw new IllegalStateException("the outbox must not call the node that called it");
    }
    if (nowMs < -TIME_MS_MAX || nowMs > TIME_MS_MAX) {
      throw new IllegalArgumentException("nowMs must be within ±2^61: " + nowMs);
    }
    busy = true;
    try {
      member.time(nowMs);
      R result = call.get();
      handover.reportIfDrained(operations.size() == 0);
      return result;
    } finally {
      busy = false;
    }
  }

  /** Sets up a {@link TimerNode}. */
  public static final class Builder {

    private final String self;
    private long incarnation;
    private Function<List<Node>, Placement> placements = RendezvousPlacement::of;
    private TimerNodeOptions options = TimerNodeOptions.defaults();
    private TimerStore store = TimerStore.inMemory();
    private @Nullable Outbox outbox;

    private Builder(String self) {
      this.self = self;
    }

    /**
     * Tells one run of this node from another, so that their timers' ids differ.
     *
     * @param incarnation another number at each start, such as the time; 0 unless it is set
     * @return this builder
     */
    public Builder incarnation(long incarnation) {
      this.incarnation = incarnation;
      return this;
    }

    /**
     * How timers are placed; the same on all nodes.
     *
     * @param placements makes the placement of a cluster; {@link RendezvousPlacement#of} unless it
     *     is set
     * @return this builder
     */
    public Builder placement(Function<List<Node>, Placement> placements) {
      this.placements = placements;
      return this;
    }

    /**
     * Limits and times.
     *
     * @param options the options; the defaults unless it is set
     * @return this builder
     */
    public Builder options(TimerNodeOptions options) {
      this.options = options;
      return this;
    }

    /**
     * Where timers are kept.
     *
     * @param store a store of this node's own, in memory unless it is set. If there are timers in
     *     it, they must be all that the node had when it ended: it goes on with them
     * @return this builder
     */
    public Builder store(TimerStore store) {
      this.store = store;
      return this;
    }

    /**
     * The node's effects.
     *
     * @param outbox the host
     * @return this builder
     */
    public Builder outbox(Outbox outbox) {
      this.outbox = outbox;
      return this;
    }

    /**
     * Builds the node. It has no view yet.
     *
     * @return the node
     * @throws IllegalArgumentException if there is no outbox, or anything was set to null
     */
    public TimerNode build() {
      if (outbox == null || placements == null || options == null || store == null) {
        throw new IllegalArgumentException(
            "a node needs an outbox, a placement, options and a store, none of them null");
      }
      return new TimerNode(this, outbox);
    }
  }
}
