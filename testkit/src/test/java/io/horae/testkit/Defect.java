package io.horae.testkit;

import io.horae.placement.ChronosViewId;
import io.horae.placement.Node;
import io.horae.placement.RendezvousPlacement;
import io.horae.placement.SeededHash;
import io.horae.resync.Confirmation;
import io.horae.resync.Event;
import io.horae.resync.Message;
import io.horae.resync.Reference;
import io.horae.resync.TimerNode;
import io.horae.resync.TimerNodeOptions;
import io.horae.resync.TimerRecord;
import io.horae.resync.TimerStore;
import io.horae.resync.ViewStamp;
import io.horae.testkit.BrokenImplementations.SpoiledStore;
import io.horae.timer.Cursor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What could be wrong with a node, and which invariant must notice it within how many seeds. */
enum Defect implements Tampering {

  /** An exception of the store passes through the node. */
  STORE_THROWS("NothingThrown", 10) {
    @Override
    public TimerStore store(TimerStore store) {
      return new SpoiledStore() {
        @Override
        public void put(TimerRecord record, long atMs) {
          if (record.sequence() == 5) {
            throw new IllegalStateException("disk full");
          }
          super.put(record, atMs);
        }
      };
    }
  },

  /** A record that is sent starts earlier than it did. */
  TIMERS_START_EARLIER("NeverEarly", 50) {
    @Override
    public Message message(Cluster cluster, String from, String to, Message message) {
      return changed(message, record -> with(record, record.startMs() - 5_000, record.sequence()));
    }
  },

  /** The store hands timers over late. */
  TIMERS_ARE_LATE("PoppedInTime", 50) {
    @Override
    public TimerStore store(TimerStore store) {
      return new SpoiledStore() {
        @Override
        public void put(TimerRecord record, long atMs) {
          super.put(record, atMs + 30_000);
        }
      };
    }
  },

  /** The store forgets the last pops. */
  POPS_ARE_FORGOTTEN("SequenceNeverGoesBack", 50) {
    @Override
    public TimerStore store(TimerStore store) {
      return new SpoiledStore() {
        @Override
        public void put(TimerRecord record, long atMs) {
          boolean forgets = !record.ended() && record.sequence() == 6;
          super.put(forgets ? with(record, record.startMs(), 3) : record, atMs);
        }
      };
    }
  },

  /** The store keeps no tombstone in the place of a living timer. */
  TOMBSTONES_ARE_FORGOTTEN("DeletedStaysDeleted", 100) {
    @Override
    public TimerStore store(TimerStore store) {
      return new SpoiledStore() {
        @Override
        public void put(TimerRecord record, long atMs) {
          TimerRecord held = find(record.id());
          if (!record.ended() || held == null || held.ended()) {
            super.put(record, atMs);
          }
        }
      };
    }
  },

  /** The store loses a timer now and then. */
  TIMERS_ARE_LOST("NoTimerLost", 50) {
    @Override
    public TimerStore store(TimerStore store) {
      return new SpoiledStore() {
        @Override
        public void put(TimerRecord record, long atMs) {
          if (record.id() % 5 != 0) {
            super.put(record, atMs);
          }
        }
      };
    }
  },

  /** Nobody hears of others' pops. */
  POPS_ARE_KEPT_SECRET("OneActorPerLevel", 50) {
    @Override
    public Message message(Cluster cluster, String from, String to, Message message) {
      boolean tells =
          message instanceof Message.Replicate replicate
              && replicate.records().stream().anyMatch(record -> record.sequence() > 0);
      return tells ? null : message;
    }
  },

  /** Nobody hears that a timer has arrived, so nobody lets one go. */
  PROCESSED_VANISHES("RightHolders", 50) {
    @Override
    public Message message(Cluster cluster, String from, String to, Message message) {
      return message instanceof Message.Processed ? null : message;
    }
  },

  /** What a page lists, but does not carry, is not said. */
  REFERENCES_VANISH_FROM_PAGES("RightHolders", 500) {
    @Override
    public Message message(Cluster cluster, String from, String to, Message message) {
      return message instanceof Message.Page page
          ? new Message.Page(page.request(), page.view(), List.of(), List.of(), page.next())
          : message;
    }
  },

  /** Nobody gets an answer in a resync. */
  PAGES_VANISH("ResyncEnds", 50) {
    @Override
    public Message message(Cluster cluster, String from, String to, Message message) {
      return message instanceof Message.Page ? null : message;
    }
  },

  /** A node that moves up, or out, leaves its place before anybody has taken it. */
  LEVEL_RULE_IS_SKIPPED("OneActorPerLevel", 1_000) {
    @Override
    public void on(Cluster cluster, Happening happening) {
      if (happening instanceof Happening.Viewed viewed) {
        SimulatedHost host = viewed.host();
        cluster.agenda().after(1, () -> Forgery.displace(host));
      }
    }
  },

  /** A resync says nothing of what is over, nor does a node that offers what it holds. */
  TOMBSTONES_VANISH_FROM_PAGES("RightHolders", 500) {
    @Override
    public Message message(Cluster cluster, String from, String to, Message message) {
      if (message instanceof Message.Page page) {
        return new Message.Page(
            page.request(),
            page.view(),
            page.records().stream().filter(record -> !record.ended()).toList(),
            living(page.references()),
            page.next());
      }
      return message instanceof Message.Offer offer
          ? new Message.Offer(offer.view(), living(offer.references()))
          : message;
    }

    private List<Reference> living(List<Reference> references) {
      return references.stream().filter(reference -> !reference.ended()).toList();
    }
  },

  /** Nobody hears that a change was taken. */
  ACKNOWLEDGEMENTS_VANISH("OperationsEnd", 50) {
    @Override
    public @Nullable Message message(Cluster cluster, String from, String to, Message message) {
      return message instanceof Message.Acknowledge ? null : message;
    }
  },

  /** One replica's acknowledgement counts for all. */
  ONE_ACKNOWLEDGES_FOR_ALL("NoTimerLost", 100) {
    @Override
    public Confirmation confirmation(Confirmation it) {
      return new Confirmation(it.operation(), it.timer(), it.replicas(), it.replicas(), it.ended());
    }
  },

  /** A page ends between timers of one deadline, and the next begins after them. */
  CURSORS_COMPARE_BY_TIME_ALONE("RightHolders", 300) {
    @Override
    public Message message(Cluster cluster, String from, String to, Message message) {
      return message instanceof Message.Page page && page.next() != null
          ? new Message.Page(
              page.request(),
              page.view(),
              page.records(),
              page.references(),
              new Cursor(page.next().deadline() + 1, Long.MIN_VALUE))
          : message;
    }

    @Override
    Simulation.Builder simulation(long seed) {
      return super.simulation(seed).nodes(3).timers(300).burst(100);
    }
  },

  /** The same page is asked for again and again, as long as its timers have one deadline. */
  CURSORS_STAND_STILL("ResyncEnds", 200) {
    @Override
    public Message message(Cluster cluster, String from, String to, Message message) {
      return message instanceof Message.FetchPage fetch && !fetch.from().equals(Cursor.START)
          ? new Message.FetchPage(
              fetch.request(),
              fetch.view(),
              fetch.extent(),
              new Cursor(fetch.from().deadline(), Long.MIN_VALUE),
              fetch.limit())
          : message;
    }

    @Override
    Simulation.Builder simulation(long seed) {
      return super.simulation(seed).nodes(3).timers(300).burst(100);
    }
  },

  /** A timer gets lost between any two pages. */
  PAGES_SKIP_A_TIMER("RightHolders", 1_000) {
    @Override
    public Message message(Cluster cluster, String from, String to, Message message) {
      return message instanceof Message.Page page && page.next() != null
          ? new Message.Page(
              page.request(),
              page.view(),
              page.records().stream().skip(1).toList(),
              page.references().stream().skip(1).toList(),
              page.next())
          : message;
    }

    @Override
    Simulation.Builder simulation(long seed) {
      return super.simulation(seed).nodes(3).timers(100);
    }
  },

  /** The first page passes for the last. */
  ONLY_THE_FIRST_PAGE("RightHolders", 200) {
    @Override
    public Message message(Cluster cluster, String from, String to, Message message) {
      return message instanceof Message.Page page
          ? new Message.Page(page.request(), page.view(), page.records(), page.references(), null)
          : message;
    }

    @Override
    Simulation.Builder simulation(long seed) {
      return super.simulation(seed).nodes(3).timers(300).burst(100);
    }
  },

  /** Views are told apart by the union of their members' Bloom filters, as in Chronos. */
  VIEW_IDS_ARE_BLOOM_FILTERS("RightHolders", 100) {
    @Override
    public Message message(Cluster cluster, String from, String to, Message message) {
      return Forgery.restamped(
          cluster,
          to,
          message,
          (theirs, ours) -> ChronosViewId.of(theirs).equals(ChronosViewId.of(ours)));
    }

    @Override
    Simulation.Builder simulation(long seed) {
      return super.simulation(seed).nodes(30).timers(400);
    }
  },

  /** What was said under another view is taken as if it were of this one. */
  EPOCHS_ARE_NOT_FENCED("RightHolders", 100) {
    @Override
    public Message message(Cluster cluster, String from, String to, Message message) {
      return Forgery.restamped(cluster, to, message, (theirs, ours) -> true);
    }
  },

  /** A node whose place another has taken never hears of it. */
  PLACES_ARE_NOT_TOLD("RightHolders", 50) {
    @Override
    public @Nullable Message message(Cluster cluster, String from, String to, Message message) {
      boolean tells =
          message instanceof Message.Refer
              || message instanceof Message.Retire
              || message instanceof Message.Processed;
      SimulatedHost host = cluster.host(to);
      return tells && host != null && cluster.membership().isMember(host) ? null : message;
    }
  },

  /** A node says that it holds what it is still to fetch. */
  PROCESSED_BEFORE_IT_IS_HELD("NoTimerLost", 100) {
    @Override
    public @Nullable Message message(Cluster cluster, String from, String to, Message message) {
      return message instanceof Message.FetchTimers fetch
          ? Forgery.processed(cluster.host(to), fetch.ids())
          : message;
    }
  },

  /** A former replica lets a timer go as soon as one new replica has it. */
  LETS_GO_TOO_EARLY("NoTimerLost", 2_000) {
    @Override
    public void on(Cluster cluster, Happening happening) {
      if (happening instanceof Happening.Delivered delivered
          && delivered.message() instanceof Message.Processed processed) {
        Forgery.letGo(cluster.host(delivered.to()), processed.references());
      }
    }
  },

  /** A leaving node is sent away before it is drained. */
  DRAINED_TOO_EARLY("NoTimerLost", 100) {
    @Override
    public void on(Cluster cluster, Happening happening) {
      if (happening instanceof Happening.Viewed viewed
          && viewed.view().leaving().contains(viewed.host().member())) {
        cluster
            .agenda()
            .after(
                1,
                () ->
                    cluster
                        .membership()
                        .reported(viewed.host(), new Event.Drained(ViewStamp.of(viewed.view()))));
      }
    }
  },

  /** That a node is no longer a replica passes for the end of the timer. */
  RETIRED_MEANS_DELETED("NoTimerLost", 50) {
    @Override
    public @Nullable Message message(Cluster cluster, String from, String to, Message message) {
      return message instanceof Message.Retire retire
          ? Forgery.buried(cluster.host(to), retire.references())
          : message;
    }
  },

  /** All levels act at once. */
  SKEW_IS_IGNORED("OneActorPerLevel", 100) {
    @Override
    public TimerNode.Builder node(TimerNode.Builder builder) {
      return builder.options(
          TimerNodeOptions.builder().skewMs(0).tombstoneMs(Scenario.TOMBSTONE_MS).build());
    }
  },

  /** Nodes forget at once that a timer is over. */
  TOMBSTONES_FADE_AT_ONCE("SequenceNeverGoesBack", 100) {
    @Override
    public TimerNode.Builder node(TimerNode.Builder builder) {
      return builder.options(TimerNodeOptions.builder().tombstoneMs(1).build());
    }
  },

  /** The times in messages are those of the sender's clock, which is some seconds off. */
  TIMES_ARE_ABSOLUTE("NeverEarly", 50) {
    @Override
    public Message message(Cluster cluster, String from, String to, Message message) {
      SimulatedHost sender = cluster.host(from);
      SimulatedHost receiver = cluster.host(to);
      if (sender == null || receiver == null) {
        return message;
      }
      long offMs = (sender.clockMs() - receiver.clockMs()) >> 30;
      return changed(message, it -> with(it, it.startMs() + offMs, it.sequence()));
    }
  },

  /** The hosts' failures pass for successes. */
  FAILURES_ARE_NOT_HEARD("PoppedInTime", 500) {
    @Override
    public boolean outcome(boolean success) {
      return true;
    }
  },

  /** Nodes place timers otherwise than they were told to. */
  NODES_PLACE_OTHERWISE("RightHolders", 50) {
    @Override
    public TimerNode.Builder node(TimerNode.Builder builder) {
      return builder.placement(
          nodes -> {
            List<Node> others = new ArrayList<>(nodes);
            Collections.reverse(others);
            return RendezvousPlacement.builder()
                .nodes(others)
                .hash((key, seed) -> SeededHash.murmur3().hash(key, seed + 1))
                .build();
          });
    }
  },

  /** Clients never hear how it ended. */
  LAST_WORDS_VANISH("OperationsEnd", 10) {
    @Override
    public Confirmation confirmation(Confirmation confirmation) {
      return confirmation.ended() ? null : confirmation;
    }
  },

  /** A node does not keep to its options. */
  LIMITS_ARE_IGNORED("LimitsKept", 50) {
    @Override
    public TimerNode.Builder node(TimerNode.Builder builder) {
      return builder.options(TimerNodeOptions.builder().tombstoneMs(Scenario.TOMBSTONE_MS).build());
    }
  },

  /** A node offers all that it has to offer at once, and asks for all; it keeps to other limits. */
  WINDOWS_ARE_IGNORED("LimitsKept", 100) {
    @Override
    public TimerNode.Builder node(TimerNode.Builder builder) {
      return builder.options(
          TimerNodeOptions.builder()
              .tombstoneMs(Scenario.TOMBSTONE_MS)
              .pageTimersMax(1)
              .referencesPerMessageMax(1)
              .fetchesInFlightMax(1)
              .operationsMax(1)
              .popsInFlightMax(1)
              .build());
    }
  };

  private final String invariant;
  private final int seedsMax;

  Defect(String invariant, int seedsMax) {
    this.invariant = invariant;
    this.seedsMax = seedsMax;
  }

  /** The name of the invariant that must notice. */
  String invariant() {
    return invariant;
  }

  /** Within how many seeds. */
  int seedsMax() {
    return seedsMax;
  }

  /** A run that has what it takes to notice. */
  Simulation.Builder simulation(long seed) {
    return Simulation.builder().seed(seed);
  }

  private static Message changed(Message message, UnaryOperator<TimerRecord> change) {
    return message instanceof Message.Replicate replicate
        ? new Message.Replicate(
            replicate.operation(), replicate.records().stream().map(change).toList())
        : message;
  }

  private static TimerRecord with(TimerRecord record, long startMs, int sequence) {
    return new TimerRecord(
        record.id(),
        record.stamp(),
        startMs,
        record.intervalMs(),
        record.repeatForMs(),
        sequence,
        record.replicationFactor(),
        record.assignment(),
        record.payload(),
        record.ended());
  }
}
