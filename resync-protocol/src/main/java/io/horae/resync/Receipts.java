package io.horae.resync;

import io.horae.placement.HashMask;
import io.horae.resync.BucketMessage.Receipt;
import io.horae.resync.BucketMessage.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which writes of which clients are in a copy of a bucket, so that one that comes again is not done
 * again. A client says with each write up to where it waits for nothing any more; what lies before
 * is forgotten, and so is a client that has not written for long.
 */
final class Receipts {

  private static final class Client {
    private long oldest;
    private long untilMs;
    private final TreeMap<Long, Receipt> receipts = new TreeMap<>();

    void oldest(long number) {
      if (number > oldest) {
        oldest = number;
        receipts.headMap(number).clear();
      }
    }
  }

  private final Map<Long, Client> clients = new HashMap<>();
  private long soonestMs = Long.MAX_VALUE;

  /** What a write has become; null if it is not known. */
  @Nullable ItemVersion find(long client, long number) {
    Client known = clients.get(client);
    Receipt receipt = known == null ? null : known.receipts.get(number);
    return receipt == null ? null : receipt.version();
  }

  /** Whether a client has said that it does not wait for this any more. */
  boolean isPast(long client, long number) {
    Client known = clients.get(client);
    return known != null && number < known.oldest;
  }

  void add(Write write, long untilMs) {
    if (write.kind() != BucketMessage.Kind.GET) {
      add(
          new Receipt(
              write.client(), write.oldest(), write.number(), write.hash(), write.version()),
          untilMs);
    }
  }

  void add(Receipt receipt, long untilMs) {
    Client client = clients.computeIfAbsent(receipt.client(), unknown -> new Client());
    client.untilMs = Math.max(client.untilMs, untilMs);
    client.oldest(receipt.oldest());
    if (receipt.number() >= client.oldest) {
      client.receipts.put(receipt.number(), receipt);
    }
    soonestMs = Math.min(soonestMs, untilMs);
  }

  List<Receipt> all() {
    List<Receipt> all = new ArrayList<>();
    clients.values().forEach(client -> all.addAll(client.receipts.values()));
    return all;
  }

  /** How many clients are known. */
  int clients() {
    return clients.size();
  }

  boolean knows(long client) {
    return clients.containsKey(client);
  }

  /** Whether so many writes of a client are remembered of those from a number on. */
  boolean hasAsMany(int receiptsMax, long client, long oldest) {
    Client known = clients.get(client);
    return known != null
        && known.receipts.size() >= receiptsMax
        && known.receipts.tailMap(oldest, true).size() >= receiptsMax;
  }

  /** The receipts for a part of the hashes, and all that clients have said they do not wait for. */
  Receipts part(HashMask mask) {
    Receipts part = new Receipts();
    for (Client client : clients.values()) {
      for (Receipt receipt : client.receipts.values()) {
        if (mask.contains(receipt.hash()) || receipt.oldest() == client.oldest) {
          part.add(receipt, client.untilMs);
        }
      }
    }
    return part;
  }

  /** When there is something to forget. */
  long soonestMs() {
    return soonestMs;
  }

  void expire(long nowMs) {
    soonestMs = Long.MAX_VALUE;
    Iterator<Client> each = clients.values().iterator();
    while (each.hasNext()) {
      Client client = each.next();
      if (client.untilMs <= nowMs) {
        each.remove();
      } else {
        soonestMs = Math.min(soonestMs, client.untilMs);
      }
    }
  }
}
