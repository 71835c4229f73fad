package io.horae.testkit;

import io.horae.resync.Message;
import io.horae.resync.Pop;
import io.horae.resync.Reference;
import io.horae.resync.TimerNodeOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Every limit of the options is kept, always: how much is in a message, how many nodes are asked at
 * once, how many timers are asked for by name or on offer, how many pops come of one tick and wait
 * for their hosts, and how many operations wait for their replicas. And no node sends to itself.
 *
 * <p>What is under way is counted from outside, and so at its least: a request that could have been
 * given up or repeated counts no longer, nor does a pop that could have timed out.
 */
final class LimitsKept implements Invariant {

  private record Asked(String from, String to) {}

  private record Handed(SimulatedHost host, long life, Pop pop) {}

  private record Tick(long atMs, int pops) {}

  private final Cluster cluster;
  private final Map<Asked, Long> fetches = new HashMap<>();

  /** The timers that nodes have asked for by name, and when; and those that they offer. */
  private final Map<String, Map<Long, Long>> fetched = new HashMap<>();

  private final Map<String, Map<Long, Long>> offered = new HashMap<>();
  private final Map<Handed, Long> pops = new HashMap<>();

  /** How many pops each host was handed in its last tick. */
  private final Map<SimulatedHost, Tick> ticks = new HashMap<>();

  private long judged;

  LimitsKept(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public void on(Happening happening) {
    if (happening instanceof Happening.Sent sent) {
      judgeSent(sent);
    } else if (happening instanceof Happening.Delivered delivered) {
      if (delivered.message() instanceof Message.Page
          || delivered.message() instanceof Message.Rejected) {
        fetches.remove(new Asked(delivered.to(), delivered.from()));
      }
      Map<Long, Long> fetchedHere = fetched.getOrDefault(delivered.to(), new HashMap<>());
      Mentions.records(delivered.message()).forEach(record -> fetchedHere.remove(record.id()));
      Map<Long, Long> offeredHere = offered.getOrDefault(delivered.to(), new HashMap<>());
      Mentions.references(delivered.message()).forEach(known -> offeredHere.remove(known.id()));
      // What another replica has popped waits for nobody here.
      pops.keySet()
          .removeIf(
              handed ->
                  handed.host.id().equals(delivered.to())
                      && Mentions.contains(delivered.message(), handed.pop.timer().id()));
    } else if (happening instanceof Happening.Popped popped) {
      judgePopped(popped);
    } else if (happening instanceof Happening.PopOutcome outcome) {
      pops.remove(new Handed(outcome.host(), outcome.host().life(), outcome.pop()));
    } else if (happening instanceof Happening.Asked asked) {
      judgeAsked(asked.operation().host());
      // What a client has changed waits for nobody.
      pops.keySet()
          .removeIf(
              handed ->
                  handed.host == asked.operation().host()
                      && handed.pop.timer().id() == asked.operation().story().id());
    } else if (happening instanceof Happening.Stopped stopped) {
      forget(stopped.host());
    } else if (happening instanceof Happening.Resynced resynced) {
      // What was asked before is forgotten.
      fetches.keySet().removeIf(fetch -> fetch.from.equals(resynced.host().id()));
    } else if (happening instanceof Happening.Stepped stepped) {
      forget(stepped.host()); // for it time has passed, and it may have given others up
    }
  }

  /** Nothing is known to be under way for a node. */
  private void forget(SimulatedHost host) {
    fetches.keySet().removeIf(fetch -> fetch.from.equals(host.id()));
    fetched.remove(host.id());
    offered.remove(host.id());
    pops.keySet().removeIf(handed -> handed.host == host);
  }

  private void judgeSent(Happening.Sent sent) {
    TimerNodeOptions options = cluster.scenario().optionsOf(sent.from());
    Message message = sent.message();
    if (sent.from().equals(sent.to())) {
      throw cluster.broken(this, null, sent.from(), "to itself: " + sent);
    }
    int references = Mentions.references(message).size();
    int records = Mentions.records(message).size();
    if (message instanceof Message.Page) {
      atMost(options.pageTimersMax(), references + records, sent);
    } else {
      atMost(options.referencesPerMessageMax(), references, sent);
      atMost(options.pageTimersMax(), records, sent);
    }
    if (message instanceof Message.FetchTimers fetch) {
      atMost(options.pageTimersMax(), fetch.ids().size(), sent);
      judgeOpen(fetched, options.fetchTimersMax(), fetch.ids(), options, sent);
    } else if (message instanceof Message.Offer offer) {
      List<Long> ids = offer.references().stream().map(Reference::id).toList();
      judgeOpen(offered, options.offerTimersMax(), ids, options, sent);
    } else if (message instanceof Message.FetchPage fetch) {
      atMost(options.pageTimersMax(), fetch.limit(), sent);
      long nowMs = cluster.nowMs();
      fetches.values().removeIf(sentMs -> sentMs + options.retryMs() / 3 < nowMs);
      fetches.put(new Asked(sent.from(), sent.to()), nowMs);
      long open = fetches.keySet().stream().filter(it -> it.from.equals(sent.from())).count();
      atMost(options.fetchesInFlightMax(), open, sent);
    }
  }

  /** Counts the timers that a node has said something about and waits for an answer to. */
  private void judgeOpen(
      Map<String, Map<Long, Long>> all,
      int limit,
      List<Long> timers,
      TimerNodeOptions options,
      Happening.Sent sent) {
    Map<Long, Long> open = all.computeIfAbsent(sent.from(), unknown -> new HashMap<>());
    long nowMs = cluster.nowMs();
    open.values().removeIf(sentMs -> sentMs + options.retryMs() / 3 < nowMs);
    timers.forEach(timer -> open.put(timer, nowMs));
    atMost(limit, open.size(), sent);
  }

  private void judgePopped(Happening.Popped popped) {
    SimulatedHost host = popped.host();
    TimerNodeOptions options = cluster.scenario().optionsOf(host.id());
    long nowMs = cluster.nowMs();
    // A node ticks once in a millisecond at most, and pops in no other call.
    Tick tick =
        ticks.merge(
            host,
            new Tick(nowMs, 1),
            (last, one) -> last.atMs == nowMs ? new Tick(nowMs, last.pops + 1) : one);
    atMost(options.sweepTimersMax(), tick.pops, popped);
    pops.values().removeIf(handedMs -> handedMs + options.popTimeoutMs() / 2 < nowMs);
    pops.put(new Handed(host, host.life(), popped.pop()), nowMs);
    long open = pops.keySet().stream().filter(it -> it.host == host).count();
    atMost(options.popsInFlightMax(), open, popped);
  }

  private void judgeAsked(SimulatedHost host) {
    int limit = cluster.scenario().optionsOf(host.id()).operationsMax();
    if (limit < 1_000) {
      long open = cluster.log().open().stream().filter(it -> it.host() == host).count();
      // The one just asked for may be confirmed already, though the host has not been told yet.
      if (open > limit + 1L) {
        throw cluster.broken(this, null, host.id(), open + " operations, allowed: " + limit);
      }
    }
  }

  private void atMost(long limit, long count, Happening happening) {
    judged++;
    if (count > limit) {
      throw cluster.broken(this, null, null, count + ", allowed: " + limit + ": " + happening);
    }
  }

  @Override
  public long judged() {
    return judged;
  }
}
