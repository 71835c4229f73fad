package io.horae.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.horae.placement.BucketTable;
import io.horae.placement.ClusterView;
import io.horae.placement.Node;
import io.horae.resync.BucketClient;
import io.horae.resync.BucketClientOutbox;
import io.horae.resync.BucketEvent;
import io.horae.resync.BucketMessage;
import io.horae.resync.BucketNode;
import io.horae.resync.BucketNodeOptions;
import io.horae.resync.BucketOutbox;
import io.horae.resync.BucketResult;
import io.horae.resync.BucketResult.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A map whose entries are kept in buckets by a cluster of servers, all in this process: the whole
 * of a host, with a queue in the place of a network, and a clock that this class moves. Servers
 * join, leave and die while the map is used.
 *
 * <p>For one thread: a call runs the servers until it has its answer. A real host has a thread for
 * each server, which takes inputs from a queue.
 */
public final class MapInBuckets {

  private static final String CLIENT = "client";

  private final Queue<Runnable> network = new ArrayDeque<>();
  private final Map<String, BucketNode> servers = new TreeMap<>();
  private final Map<Long, BucketResult> results = new HashMap<>();
  private final Set<String> drained = new HashSet<>();
  private final BucketClient client;
  private ClusterView view;
  private long nowMs;
  private long incarnations;
  private long transfers;

  /**
   * A map on one server.
   *
   * @param first the server's id
   */
  public MapInBuckets(String first) {
    view = ClusterView.of(1, List.of(Node.of(first)));
    client =
        BucketClient.builder(1)
            .table(BucketTable.initial(Node.of(first)))
            .outbox(
                new BucketClientOutbox() {
                  @Override
                  public void send(String server, BucketMessage.Request request) {
                    deliver(CLIENT, server, request);
                  }

                  @Override
                  public void done(BucketResult result) {
                    results.put(result.number(), result);
                  }
                })
            .build();
    start(first);
    tell();
  }

  /** One more run of a server, which has nothing and knows nothing yet. */
  private void start(String id) {
    BucketOutbox outbox =
        new BucketOutbox() {
          @Override
          public void send(String to, BucketMessage message) {
            deliver(id, to, message);
          }

          @Override
          public void report(BucketEvent event) {
            if (event instanceof BucketEvent.TransferEnded ended && ended.success()) {
              transfers++;
            } else if (event instanceof BucketEvent.Changed changed) {
              network.add(
                  () -> client.learn(changed.entries())); // else it may know none that lives
            } else if (event instanceof BucketEvent.Drained) {
              drained.add(id);
            }
          }
        };
    servers.put(
        id,
        BucketNode.builder(id)
            .incarnation(++incarnations)
            .options(BucketNodeOptions.builder().windowItemsMax(20).seed(incarnations).build())
            .outbox(outbox)
            .build());
  }

  /** The transport: messages wait in a queue, and whoever is not there does not get them. */
  private void deliver(String from, String to, BucketMessage message) {
    network.add(
        () -> {
          BucketNode server = servers.get(to);
          if (to.equals(CLIENT)) {
            client.receive(nowMs, from, message);
          } else if (server != null) {
            server.receive(nowMs, from, message);
          }
        });
  }

  private void tell() {
    servers.values().forEach(server -> server.view(nowMs, view));
  }

  /** Lets a millisecond pass. */
  private void step() {
    while (!network.isEmpty()) {
      network.remove().run();
    }
    nowMs++;
    for (BucketNode server : servers.values()) {
      if (server.nextTickMs() <= nowMs) {
        server.tick(nowMs);
      }
    }
    if (client.nextTickMs() <= nowMs) {
      client.tick(nowMs);
    }
  }

  /**
   * Lets time pass.
   *
   * @param ms how long
   */
  public void run(long ms) {
    long untilMs = nowMs + ms;
    while (nowMs < untilMs) {
      step();
    }
  }

  /**
   * A server joins. It is sent buckets from now on, while the map is used.
   *
   * @param id the server's id
   */
  public void join(String id) {
    start(id);
    List<Node> members = new ArrayList<>(view.after());
    members.add(Node.of(id));
    view = view.next(members);
    tell();
  }

  /**
   * A server leaves: it hands over what it has, and is stopped when it has nothing any more.
   *
   * @param id the server's id
   * @throws IllegalArgumentException if there is no such server or no other
   */
  public void leave(String id) {
    BucketNode server = servers.get(id);
    if (server == null || servers.size() == 1) {
      throw new IllegalArgumentException("cannot leave " + servers.keySet() + ": " + id);
    }
    server.leave(nowMs);
    while (!drained.remove(id)) {
      step();
    }
    kill(id);
  }

  /**
   * A server dies. Its backups take over.
   *
   * @param id the server's id
   */
  public void kill(String id) {
    servers.remove(id);
    view = view.next(view.after().stream().filter(node -> !node.id().equals(id)).toList());
    tell();
  }

  private BucketResult await(long operation) {
    while (!results.containsKey(operation)) {
      step();
    }
    BucketResult result = results.remove(operation);
    if (result.outcome() == Outcome.GIVEN_UP || result.outcome() == Outcome.TOO_LARGE) {
      throw new IllegalStateException("no answer but " + result.outcome());
    }
    return result;
  }

  /**
   * Puts a value under a key.
   *
   * @param key the key
   * @param value the value
   */
  public void put(String key, String value) {
    await(client.put(nowMs, key.getBytes(UTF_8), value.getBytes(UTF_8)));
  }

  /**
   * What is under a key.
   *
   * @param key the key
   * @return the value; null if there is none
   */
  public @Nullable String get(String key) {
    BucketResult result = await(client.get(nowMs, key.getBytes(UTF_8)));
    return result.outcome() == Outcome.FOUND ? new String(result.value(), UTF_8) : null;
  }

  /**
   * Removes what is under a key.
   *
   * @param key the key
   */
  public void remove(String key) {
    await(client.delete(nowMs, key.getBytes(UTF_8)));
  }

  /**
   * How many buckets each server serves.
   *
   * @return the numbers, by the servers' ids
   */
  public Map<String, Integer> buckets() {
    Map<String, Integer> buckets = new TreeMap<>();
    servers.forEach((id, server) -> buckets.put(id, server.statistics().primaries()));
    return buckets;
  }

  /**
   * How many buckets have been sent.
   *
   * @return the number
   */
  public long transfers() {
    return transfers;
  }

  /**
   * A map of a thousand entries on one server, then on two, on three, on two and on one.
   *
   * @param args not used
   */
  public static void main(String[] args) {
    MapInBuckets map = new MapInBuckets("a");
    for (int i = 0; i < 1_000; i++) {
      map.put("key " + i, "value " + i);
    }
    System.out.println("buckets on each server: " + map.buckets());
    map.join("b");
    map.put("key 7", "changed while buckets move");
    map.run(10_000);
    System.out.println("b joins: " + map.buckets());
    map.join("c");
    map.remove("key 8");
    map.run(10_000);
    System.out.println("c joins: " + map.buckets());
    map.kill("a");
    map.run(10_000);
    System.out.println("a dies: " + map.buckets());
    map.leave("b");
    System.out.println("b leaves: " + map.buckets());
    int found = 0;
    for (int i = 0; i < 1_000; i++) {
      found += map.get("key " + i) == null ? 0 : 1;
    }
    System.out.println(found + " keys left, key 7: " + map.get("key 7"));
  }
}
