package io.horae.testkit;

import io.horae.placement.Bucket;
import io.horae.placement.BucketPlan;
import io.horae.placement.BucketTable;
import io.horae.placement.HashMask;
import io.horae.placement.Node;
import io.horae.resync.BucketMessage;
import io.horae.resync.BucketMessage.Accept;
import io.horae.resync.BucketMessage.Answer;
import io.horae.resync.BucketMessage.Claims;
import io.horae.resync.BucketMessage.Forward;
import io.horae.resync.BucketMessage.Forwarded;
import io.horae.resync.BucketMessage.Items;
import io.horae.resync.BucketMessage.Kind;
import io.horae.resync.BucketMessage.Last;
import io.horae.resync.BucketMessage.Leaving;
import io.horae.resync.BucketMessage.Offer;
import io.horae.resync.BucketMessage.Outcome;
import io.horae.resync.BucketMessage.Publish;
import io.horae.resync.BucketMessage.Request;
import io.horae.resync.BucketNode;
import io.horae.resync.BucketNodeOptions;
import io.horae.resync.Item;
import io.horae.resync.ItemStore;
import io.horae.resync.ItemVersion;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What could be wrong with buckets, and which promise must notice it within how many seeds. */
enum BucketDefect implements BucketTampering {

  /** An exception of the store passes through. */
  STORE_THROWS("NothingIsThrown", 10) {
    @Override
    public ItemStore store(ItemStore store) {
      return new SpoiledItems(store) {
        @Override
        public void put(Item item) {
          if (item.version().sequence() == 3) {
            throw new IllegalStateException("disk full");
          }
          super.put(item);
        }
      };
    }
  },

  /** The target is told that the first window was the last, and is the primary at once. */
  FLIP_BEFORE_THE_LAST_ITEM("OnePrimary", 50) {
    @Override
    public List<BucketMessage> message(
        BucketWorld world, String from, String to, BucketMessage message) {
      BucketHost source = world.host(from);
      BucketTable table = source == null ? null : source.table();
      if (message instanceof Items items
          && items.window() == 0
          && !items.items().isEmpty()
          && table != null) {
        Bucket bucket = table.bucketAt(items.items().get(0).hash());
        long sequence = SEQUENCES.getOrDefault(items.transfer(), 0L);
        Bucket next =
            new Bucket(bucket.mask(), Node.of(to), List.of(Node.of(from)), bucket.epoch() + 1);
        return List.of(
            new Items(items.view(), items.transfer(), 0, items.items(), items.receipts(), true),
            new Last(items.view(), items.transfer(), next, sequence));
      }
      if (message instanceof Offer offer) {
        SEQUENCES.put(offer.transfer(), offer.sequence());
      }
      return List.of(message);
    }

    private static final Map<Long, Long> SEQUENCES = new ConcurrentHashMap<>();
  },

  /** Items vanish from the windows of a transfer. */
  ITEMS_VANISH("ReadsNeverGoBack", 50) {
    @Override
    public List<BucketMessage> message(
        BucketWorld world, String from, String to, BucketMessage message) {
      return message instanceof Items items
          ? List.of(
              new Items(
                  items.view(),
                  items.transfer(),
                  items.window(),
                  List.of(),
                  items.receipts(),
                  items.last()))
          : List.of(message);
    }
  },

  /** Writes made meanwhile are not forwarded, and nobody notices. */
  WRITES_ARE_NOT_FORWARDED("AcknowledgedWritesAreKept", 200) {
    @Override
    public List<BucketMessage> message(
        BucketWorld world, String from, String to, BucketMessage message) {
      return message instanceof Forward forward && forward.transfer() != 0
          ? List.of(emptied(forward))
          : List.of(message);
    }
  },

  /** What is forwarded to backups says nothing. */
  BACKUPS_GET_NOTHING("CopiesAgree", 50) {
    @Override
    public List<BucketMessage> message(
        BucketWorld world, String from, String to, BucketMessage message) {
      return message instanceof Forward forward && forward.transfer() == 0
          ? List.of(emptied(forward))
          : List.of(message);
    }
  },

  /** Backups say that they have what they are yet to get. */
  BACKUPS_PROMISE_TOO_MUCH("CopiesAgree", 50) {
    @Override
    public List<BucketMessage> message(
        BucketWorld world, String from, String to, BucketMessage message) {
      if (message instanceof Forward forward
          && forward.transfer() == 0
          && !forward.writes().isEmpty()) {
        long sequence = forward.writes().get(forward.writes().size() - 1).version().sequence();
        world
            .network()
            .send(
                to,
                from,
                new Forwarded(forward.view(), 0, forward.bucket(), forward.epoch(), sequence));
        return List.of();
      }
      return List.of(message);
    }
  },

  /** Backups say that they have what they have not, and get it a little later. */
  BACKUPS_PROMISE_TOO_SOON("BackupsHaveWhatWasTold", 50) {
    @Override
    public List<BucketMessage> message(
        BucketWorld world, String from, String to, BucketMessage message) {
      BucketHost host = world.host(to);
      if (host != null
          && message instanceof Forward forward
          && forward.transfer() == 0
          && !forward.writes().isEmpty()) {
        long sequence = forward.writes().get(forward.writes().size() - 1).version().sequence();
        world
            .network()
            .send(
                to,
                from,
                new Forwarded(forward.view(), 0, forward.bucket(), forward.epoch(), sequence));
        long life = host.life();
        world
            .agenda()
            .after(
                700,
                () -> {
                  if (host.life() == life) {
                    host.receive(from, message);
                  }
                });
        return List.of();
      }
      return List.of(message);
    }
  },

  /** No epoch: what was said under another view counts, and so does what was said of old. */
  NO_EPOCH("OnePrimary", 300) {
    @Override
    public List<BucketMessage> message(
        BucketWorld world, String from, String to, BucketMessage message) {
      return message instanceof Claims claims
          ? List.of(
              new Claims(
                  claims.view(),
                  claims.incarnation(),
                  claims.wanted(),
                  claims.claims().stream()
                      .map(
                          claim ->
                              new BucketMessage.Claim(
                                  new Bucket(
                                      claim.bucket().mask(),
                                      claim.bucket().primary(),
                                      claim.bucket().backups(),
                                      1),
                                  claim.role(),
                                  claim.sequence()))
                      .toList()))
          : List.of(message);
    }
  },

  /** A request that is sent again has another number. */
  REPEATED_WRITES_ARE_NOT_KNOWN("WritesAreDoneOnce", 100) {
    @Override
    public List<BucketMessage> message(
        BucketWorld world, String from, String to, BucketMessage message) {
      if (message instanceof Request request && request.kind() == Kind.PUT) {
        Request again =
            new Request(
                request.client() + 1_000,
                request.number(),
                request.oldest(),
                request.kind(),
                request.bucket(),
                request.epoch(),
                request.hash(),
                request.key(),
                request.value());
        world.agenda().after(1_500, () -> world.network().send(from, to, again));
      }
      return List.of(message);
    }
  },

  /** Some reads find what nobody ever wrote. */
  VALUES_ARE_MADE_UP("EverythingFitsIntoOneOrder", 50) {
    @Override
    public List<BucketMessage> message(
        BucketWorld world, String from, String to, BucketMessage message) {
      return message instanceof Answer answer
              && answer.outcome() == Outcome.FOUND
              && answer.version().sequence() % 5 == 0
          ? List.of(
              new Answer(
                  answer.client(),
                  answer.number(),
                  answer.outcome(),
                  new byte[] {'?'},
                  answer.version(),
                  answer.entries()))
          : List.of(message);
    }
  },

  /** Some reads find something old. */
  SOME_READS_ARE_OLD("ReadsNeverGoBack", 50) {
    @Override
    public List<BucketMessage> message(
        BucketWorld world, String from, String to, BucketMessage message) {
      return message instanceof Answer answer && answer.outcome() == Outcome.FOUND && old(answer)
          ? List.of(
              new Answer(
                  answer.client(),
                  answer.number(),
                  answer.outcome(),
                  answer.value(),
                  new ItemVersion(1, 1),
                  answer.entries()))
          : List.of(message);
    }

    private boolean old(Answer answer) {
      return answer.version().sequence() % 7 == 0;
    }
  },

  /** Some reads find nothing. */
  SOME_READS_FIND_NOTHING("ReadsNeverGoBack", 50) {
    @Override
    public List<BucketMessage> message(
        BucketWorld world, String from, String to, BucketMessage message) {
      return message instanceof Answer answer
              && answer.outcome() == Outcome.FOUND
              && answer.version().sequence() % 7 == 0
          ? List.of(
              new Answer(
                  answer.client(),
                  answer.number(),
                  Outcome.ABSENT,
                  new byte[0],
                  new ItemVersion(0, 0),
                  answer.entries()))
          : List.of(message);
    }
  },

  /** Nobody hears of changes. */
  PUBLICATIONS_VANISH("TablesAgree", 50) {
    @Override
    public List<BucketMessage> message(
        BucketWorld world, String from, String to, BucketMessage message) {
      return message instanceof Publish ? List.of() : List.of(message);
    }
  },

  /** Nobody hears what others have when there is a new view. */
  CLAIMS_VANISH("EveryBucketHasAnOwner", 50) {
    @Override
    public List<BucketMessage> message(
        BucketWorld world, String from, String to, BucketMessage message) {
      return message instanceof Claims ? List.of() : List.of(message);
    }
  },

  /** The last item never arrives. */
  THE_LAST_ITEM_VANISHES("TransfersEnd", 50) {
    @Override
    public List<BucketMessage> message(
        BucketWorld world, String from, String to, BucketMessage message) {
      return message instanceof Last ? List.of() : List.of(message);
    }
  },

  /** Nobody accepts what he is to be sent. */
  NOTHING_IS_ACCEPTED("TransfersEnd", 50) {
    @Override
    public List<BucketMessage> message(
        BucketWorld world, String from, String to, BucketMessage message) {
      return message instanceof Accept ? List.of() : List.of(message);
    }
  },

  /** Nobody hears that somebody wishes to leave. */
  LEAVING_IS_NOT_HEARD("LeaversAreDrained", 50) {
    @Override
    public List<BucketMessage> message(
        BucketWorld world, String from, String to, BucketMessage message) {
      return message instanceof Leaving ? List.of() : List.of(message);
    }
  },

  /** Who leaves keeps what it has handed over. */
  LEAVERS_KEEP_ITEMS("DrainedHoldNothing", 50) {
    @Override
    public ItemStore store(ItemStore store) {
      return new SpoiledItems(store) {
        @Override
        public void forget(HashMask bucket) {}
      };
    }
  },

  /** What should be forgotten is kept. */
  NOTHING_IS_FORGOTTEN("ForgottenIsGone", 50) {
    @Override
    public ItemStore store(ItemStore store) {
      return new SpoiledItems(store) {
        @Override
        public void forget(HashMask bucket) {}
      };
    }
  },

  /** Who is asked in vain does not say who would know. */
  REDIRECTS_SAY_NOTHING("HopsAreBounded", 50) {
    @Override
    public List<BucketMessage> message(
        BucketWorld world, String from, String to, BucketMessage message) {
      return message instanceof Answer answer && answer.outcome() == Outcome.NOT_MINE
          ? List.of(
              new Answer(
                  answer.client(),
                  answer.number(),
                  answer.outcome(),
                  answer.value(),
                  answer.version(),
                  List.of()))
          : List.of(message);
    }
  },

  /** Servers do not plan. */
  NOTHING_IS_PLANNED("TablesAgree", 50) {
    @Override
    public BucketNode.Builder node(BucketNode.Builder builder) {
      return builder.planner(table -> new BucketPlan(List.of(), List.of()));
    }
  },

  /** Nobody wants backups. */
  NO_BACKUPS("ForgottenIsGone", 50) {
    @Override
    public BucketNode.Builder node(BucketNode.Builder builder) {
      return builder.options(BucketNodeOptions.builder().backupsMax(0).build());
    }
  };

  private final String invariant;
  private final int seedsMax;

  BucketDefect(String invariant, int seedsMax) {
    this.invariant = invariant;
    this.seedsMax = seedsMax;
  }

  /** The promise that it breaks. */
  String invariant() {
    return invariant;
  }

  /** It is noticed within so many seeds. */
  int seedsMax() {
    return seedsMax;
  }

  /** The same writes, doing nothing. */
  private static Forward emptied(Forward forward) {
    return new Forward(
        forward.view(),
        forward.transfer(),
        forward.bucket(),
        forward.epoch(),
        forward.committed(),
        forward.writes().stream()
            .map(
                write ->
                    new BucketMessage.Write(
                        Kind.GET,
                        write.version(),
                        write.hash(),
                        write.key(),
                        new byte[0],
                        write.client(),
                        write.number(),
                        write.oldest()))
            .toList());
  }

  /** Items, of which some go wrong. */
  private abstract static class SpoiledItems implements ItemStore {
    private final ItemStore store;

    SpoiledItems(ItemStore store) {
      this.store = store;
    }

    @Override
    public @Nullable Item find(long hash, byte[] key) {
      return store.find(hash, key);
    }

    @Override
    public List<Item> items(HashMask bucket, @Nullable Item after, int itemsMax) {
      return store.items(bucket, after, itemsMax);
    }

    @Override
    public void put(Item item) {
      store.put(item);
    }

    @Override
    public void remove(long hash, byte[] key) {
      store.remove(hash, key);
    }

    @Override
    public void forget(HashMask bucket) {
      store.forget(bucket);
    }
  }
}
