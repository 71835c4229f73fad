package io.horae.resync;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.horae.placement.ClusterView;
import io.horae.placement.Node;
import io.horae.placement.RendezvousPlacement;
import io.horae.resync.Message.Extent;
import io.horae.timer.Cursor;
import io.horae.timer.Page;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How often the answering side of a resync looks at its timers, and whom it tells of which. */
class PagesTest {

  private static final int TIMERS = 1_000;
  private static final int REPLICAS = 3;

  private final List<Node> five = Stream.of("a", "b", "c", "d", "e").map(Node::of).toList();
  private final List<Node> six = Stream.of("a", "b", "c", "d", "e", "f").map(Node::of).toList();
  private final ClusterView view = ClusterView.of(7, five).next(six);
  private final CountingStore store = new CountingStore();
  private final Answers answers = new Answers();
  private final TimerNode node = TimerNode.builder("a").store(store).outbox(answers).build();
  private final List<Long> timers = new ArrayList<>();
  private long requests;

  /** A node with timers, in a cluster that has just grown. */
  PagesTest() {
    node.view(0, ClusterView.of(7, five));
    for (int i = 0; i < TIMERS; i++) {
      TimerSpec spec = TimerSpec.once(36_000_000 + i, new byte[0]).onReplicas(REPLICAS);
      timers.add(node.create(0, spec).timer().id());
    }
    timers.removeIf(id -> store.find(id) == null);
    node.view(0, view);
    store.looks = 0;
  }

  @Test
  void timers_areLookedAtOnce_howeverManyAskForHoweverManyPages() {
    ask(Extent.CHANGES, "b", "c", "d", "e", "f");
    ask(Extent.CHANGES, "c", "f");
    assertEquals(timers.size(), store.looks);
  }

  @Test
  void timers_areLookedAtOnceMore_howeverManyMayHaveMissedSome() {
    ask(Extent.CHANGES, "f");
    ask(Extent.CHECK, "b", "c", "d", "e");
    assertEquals(2 * timers.size(), store.looks);
  }

  @Test
  void check_tellsEachOfAllThatIsTheirs() {
    RendezvousPlacement placement = RendezvousPlacement.of(six);
    ask(Extent.CHECK, "b", "c", "d", "e")
        .forEach((asker, told) -> assertEquals(theirs(placement, asker), told, asker));
    ask(Extent.CHECK, "d")
        .forEach((asker, told) -> assertEquals(theirs(placement, asker), told, asker));
  }

  @Test
  void check_afterAnother_knowsWhatHasComeSince() {
    ask(Extent.CHECK, "b");
    long id = node.create(0, TimerSpec.once(9_000, new byte[0]).onReplicas(6)).timer().id();
    assertEquals(Set.of(true), contains(ask(Extent.CHECK, "b", "c"), id));
  }

  private static Set<Boolean> contains(Map<String, Set<Long>> told, long id) {
    return told.values().stream().map(ids -> ids.contains(id)).collect(Collectors.toSet());
  }

  private Set<Long> theirs(RendezvousPlacement placement, String asker) {
    return timers.stream()
        .filter(id -> placement.replicas(id, REPLICAS).contains(Node.of(asker)))
        .collect(Collectors.toSet());
  }

  /** All pages for all askers, in turn: the ids of the timers that each is told of. */
  private Map<String, Set<Long>> ask(Extent extent, String... askers) {
    Map<String, Set<Long>> told = new LinkedHashMap<>();
    Map<String, Cursor> open = new LinkedHashMap<>();
    for (String asker : askers) {
      told.put(asker, new HashSet<>());
      open.put(asker, Cursor.START);
    }
    while (!open.isEmpty()) {
      for (String asker : List.copyOf(open.keySet())) {
        Cursor from = open.remove(asker);
        ViewStamp stamp = ViewStamp.of(view);
        node.receive(0, asker, new Message.FetchPage(++requests, stamp, extent, from, 100));
        Message.Page page = (Message.Page) answers.last;
        page.records().forEach(record -> told.get(asker).add(record.id()));
        page.references().forEach(reference -> told.get(asker).add(reference.id()));
        if (page.next() != null) {
          open.put(asker, page.next());
        }
      }
    }
    return told;
  }

  /** Keeps what was said last. */
  private static final class Answers implements Outbox {
    private @Nullable Message last;

    @Override
    public void send(String to, Message message) {
      last = message;
    }

    @Override
    public void pop(Pop pop) {}

    @Override
    public void confirmed(Confirmation confirmation) {}

    @Override
    public void report(Event event) {}
  }

  /** Counts the timers that are scanned. */
  private static final class CountingStore implements TimerStore {
    private final TimerStore timers = TimerStore.inMemory();
    private int looks;

    @Override
    public @Nullable TimerRecord find(long id) {
      return timers.find(id);
    }

    @Override
    public void put(TimerRecord record, long atMs) {
      timers.put(record, atMs);
    }

    @Override
    public boolean remove(long id) {
      return timers.remove(id);
    }

    @Override
    public int size() {
      return timers.size();
    }

    @Override
    public int due(long nowMs, int limit, Consumer<TimerRecord> handler) {
      return timers.due(nowMs, limit, handler);
    }

    @Override
    public long nextDueMs() {
      return timers.nextDueMs();
    }

    @Override
    public Page<TimerRecord> scan(Cursor from, int limit) {
      Page<TimerRecord> page = timers.scan(from, limit);
      looks += page.timers().size();
      return page;
    }
  }
}
