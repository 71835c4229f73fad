package io.horae.testkit;

import io.horae.placement.Node;
import io.horae.placement.Placement;
import io.horae.placement.RendezvousPlacement;
import io.horae.placement.SeededHash;
import io.horae.resync.Message;
import io.horae.resync.TimerRecord;
import io.horae.resync.TimerStore;
import io.horae.timer.Cursor;
import io.horae.timer.Page;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Disabled;

/**
 * What the contract tests must not let pass. Nobody runs these but {@link ContractsCanFailTest}.
 */
final class BrokenImplementations {

  private BrokenImplementations() {}

  /** A store that can be spoiled. */
  abstract static class SpoiledStore implements TimerStore {
    final TimerStore sound = TimerStore.inMemory();

    @Override
    public TimerRecord find(long id) {
      return sound.find(id);
    }

    @Override
    public void put(TimerRecord record, long atMs) {
      sound.put(record, atMs);
    }

    @Override
    public boolean remove(long id) {
      return sound.remove(id);
    }

    @Override
    public int size() {
      return sound.size();
    }

    @Override
    public int due(long nowMs, int limit, Consumer<TimerRecord> handler) {
      return sound.due(nowMs, limit, handler);
    }

    @Override
    public long nextDueMs() {
      return sound.nextDueMs();
    }

    @Override
    public Page<TimerRecord> scan(Cursor from, int limit) {
      return sound.scan(from, limit);
    }
  }

  @Disabled("fails on purpose")
  static class KeepsTheFirstRecord extends TimerStoreContract {
    @Override
    protected TimerStore newStore() {
      return new SpoiledStore() {
        @Override
        public void put(TimerRecord record, long atMs) {
          TimerRecord before = find(record.id());
          sound.put(before == null ? record : before, atMs);
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class ForgetsWhatItHandsOver extends TimerStoreContract {
    @Override
    protected TimerStore newStore() {
      return new SpoiledStore() {
        @Override
        public int due(long nowMs, int limit, Consumer<TimerRecord> handler) {
          return sound.due(
              nowMs,
              limit,
              record -> {
                sound.remove(record.id());
                handler.accept(record);
              });
        }
      };
    }
  }

  /** The cursor compares by time alone: of many timers with one deadline a page gets some. */
  @Disabled("fails on purpose")
  static class PagesByTimeAlone extends TimerStoreContract {
    @Override
    protected TimerStore newStore() {
      return new SpoiledStore() {
        @Override
        public Page<TimerRecord> scan(Cursor from, int limit) {
          Page<TimerRecord> page = sound.scan(from, limit);
          Cursor next = page.next();
          return next == null
              ? page
              : new Page<>(page.timers(), new Cursor(next.deadline() + 1, Long.MIN_VALUE));
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class IgnoresTheLimit extends TimerStoreContract {
    @Override
    protected TimerStore newStore() {
      return new SpoiledStore() {
        @Override
        public int due(long nowMs, int limit, Consumer<TimerRecord> handler) {
          return sound.due(nowMs, Integer.MAX_VALUE, handler);
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class KeepsNoTombstones extends TimerStoreContract {
    @Override
    protected TimerStore newStore() {
      return new SpoiledStore() {
        @Override
        public void put(TimerRecord record, long atMs) {
          if (record.ended()) {
            sound.remove(record.id());
          } else {
            sound.put(record, atMs);
          }
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class HandsOverEarly extends TimerStoreContract {
    @Override
    protected TimerStore newStore() {
      return new SpoiledStore() {
        @Override
        public int due(long nowMs, int limit, Consumer<TimerRecord> handler) {
          return sound.due(nowMs + 1, limit, handler);
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class HandsOverWhatWasDue extends TimerStoreContract {
    @Override
    protected TimerStore newStore() {
      return new SpoiledStore() {
        @Override
        public int due(long nowMs, int limit, Consumer<TimerRecord> handler) {
          List<TimerRecord> due =
              sound.scan(Cursor.START, limit).timers().stream()
                  .filter(timer -> timer.deadline() <= nowMs)
                  .map(Page.Timer::payload)
                  .toList();
          due.forEach(handler);
          return due.size();
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class KeepsHalfOfTheTime extends TimerStoreContract {
    @Override
    protected TimerStore newStore() {
      return new SpoiledStore() {
        @Override
        public void put(TimerRecord record, long atMs) {
          sound.put(record, atMs << 32 >> 32);
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class FindsNoNegativeIds extends TimerStoreContract {
    @Override
    protected TimerStore newStore() {
      return new SpoiledStore() {
        @Override
        public TimerRecord find(long id) {
          return id < 0 ? null : sound.find(id);
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class IsAlwaysDue extends TimerStoreContract {
    @Override
    protected TimerStore newStore() {
      return new SpoiledStore() {
        @Override
        public long nextDueMs() {
          return Math.min(0, sound.nextDueMs());
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class RemovesWhatIsNotThere extends TimerStoreContract {
    @Override
    protected TimerStore newStore() {
      return new SpoiledStore() {
        @Override
        public boolean remove(long id) {
          sound.remove(id);
          return true;
        }
      };
    }
  }

  /** A placement that can be spoiled. */
  abstract static class SpoiledPlacement implements Placement {
    final Placement sound;

    SpoiledPlacement(List<Node> nodes) {
      sound = RendezvousPlacement.of(nodes);
    }

    @Override
    public List<Node> nodes() {
      return sound.nodes();
    }

    @Override
    public int replicas(long key, int[] into) {
      return sound.replicas(key, into);
    }

    @Override
    public int replicas(String key, int[] into) {
      return sound.replicas(key, into);
    }
  }

  @Disabled("fails on purpose")
  static class NamesOneNodeTwice extends PlacementContract {
    @Override
    protected Placement placement(List<Node> nodes) {
      return new SpoiledPlacement(nodes) {
        @Override
        public int replicas(long key, int[] into) {
          int count = sound.replicas(key, into);
          if (count > 1 && key % 100 == 0) {
            into[1] = into[0];
          }
          return count;
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class OrdersByCount extends PlacementContract {
    @Override
    protected Placement placement(List<Node> nodes) {
      return new SpoiledPlacement(nodes) {
        @Override
        public int replicas(long key, int[] into) {
          return sound.replicas(key + into.length, into);
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class DependsOnTheProcess extends PlacementContract {
    @Override
    protected Placement placement(List<Node> nodes) {
      Object mine = new Object();
      return new SpoiledPlacement(nodes) {
        @Override
        public int replicas(long key, int[] into) {
          return sound.replicas(key ^ System.identityHashCode(mine), into);
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class ForgetsToLookAtItsInput extends PlacementContract {
    @Override
    protected Placement placement(List<Node> nodes) {
      return new SpoiledPlacement(nodes) {
        @Override
        public int replicas(String key, int[] into) {
          return sound.replicas(String.valueOf(key), into);
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class LeavesSomebodyOut extends PlacementContract {
    @Override
    protected Placement placement(List<Node> nodes) {
      return new SpoiledPlacement(nodes) {
        @Override
        public int replicas(long key, int[] into) {
          int[] all = new int[nodes().size()];
          sound.replicas(key, all);
          if (all[0] == 0 && all.length > 1) {
            all[0] = all[1];
            all[1] = 0;
          }
          int count = Math.min(all.length, into.length);
          System.arraycopy(all, 0, into, 0, count);
          return count;
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class SpoilsTheSeeds extends SeededHashContract {
    @Override
    protected SeededHash hash() {
      return new SeededHash() {
        @Override
        public int hash(byte[] key, int seed) {
          return SeededHash.murmur3().hash(key, seed);
        }

        @Override
        public void hashAll(long key, int[] seeds, int[] hashes) {
          SeededHash.murmur3().hashAll(key, seeds, hashes);
          Arrays.fill(seeds, 0);
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class LiesAboutItself extends SeededHashContract {
    @Override
    protected SeededHash hash() {
      return new SeededHash() {
        @Override
        public int hash(byte[] key, int seed) {
          return SeededHash.murmur3().hash(key, seed & ~1);
        }

        @Override
        public boolean injectiveInSeed() {
          return true;
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class TurnsItsNodesRound extends PlacementContract {
    @Override
    protected Placement placement(List<Node> nodes) {
      return new SpoiledPlacement(nodes) {
        @Override
        public List<Node> nodes() {
          List<Node> sorted = new ArrayList<>(sound.nodes());
          Collections.reverse(sorted);
          return List.copyOf(sorted);
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class LetsItsNodesBeChanged extends PlacementContract {
    @Override
    protected Placement placement(List<Node> nodes) {
      return new SpoiledPlacement(nodes) {
        @Override
        public List<Node> nodes() {
          return new ArrayList<>(sound.nodes());
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class DependsOnTheThread extends PlacementContract {
    @Override
    protected Placement placement(List<Node> nodes) {
      return new SpoiledPlacement(nodes) {
        private final Thread maker = Thread.currentThread();

        @Override
        public int replicas(long key, int[] into) {
          return sound.replicas(Thread.currentThread() == maker ? key : ~key, into);
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class CountsItsCalls extends SeededHashContract {
    private int calls;

    @Override
    protected SeededHash hash() {
      return (key, seed) -> SeededHash.murmur3().hash(key, seed) + calls++;
    }
  }

  @Disabled("fails on purpose")
  static class HashesByThread extends SeededHashContract {
    private final Thread maker = Thread.currentThread();

    @Override
    protected SeededHash hash() {
      return (key, seed) -> {
        int hash = SeededHash.murmur3().hash(key, seed);
        return Thread.currentThread() == maker ? hash : ~hash;
      };
    }
  }

  @Disabled("fails on purpose")
  static class IsNeverNegative extends SeededHashContract {
    @Override
    protected SeededHash hash() {
      return (key, seed) -> SeededHash.murmur3().hash(key, seed) & Integer.MAX_VALUE;
    }
  }

  @Disabled("fails on purpose")
  static class Checksum extends SeededHashContract {
    @Override
    protected SeededHash hash() {
      return (key, seed) -> {
        CRC32 crc = new CRC32();
        crc.update(seed);
        crc.update(key);
        return (int) crc.getValue();
      };
    }
  }

  @Disabled("fails on purpose")
  static class AddsTheSeed extends SeededHashContract {
    @Override
    protected SeededHash hash() {
      return (key, seed) -> SeededHash.murmur3().hash(key, 0) + seed;
    }
  }

  @Disabled("fails on purpose")
  static class HashesNumbersBackwards extends SeededHashContract {
    @Override
    protected SeededHash hash() {
      return new SeededHash() {
        @Override
        public int hash(byte[] key, int seed) {
          return SeededHash.murmur3().hash(key, seed);
        }

        @Override
        public int hash(long key, int seed) {
          return SeededHash.murmur3().hash(Long.reverseBytes(key), seed);
        }
      };
    }
  }

  @Disabled("fails on purpose")
  static class RefusesLargeMessages extends QueueTransport {
    @Override
    protected void send(String from, String to, Message message) {
      if (Mentions.records(message).size() < 50) {
        super.send(from, to, message);
      }
    }
  }

  @Disabled("fails on purpose")
  static class AnswersAtOnce extends QueueTransport {
    @Override
    protected void send(String from, String to, Message message) {
      super.send(from, to, message);
      settle();
    }
  }

  @Disabled("fails on purpose")
  static class TellsEverybody extends QueueTransport {
    @Override
    protected void send(String from, String to, Message message) {
      Set<String> all = new HashSet<>(receivers.keySet());
      all.forEach(each -> super.send(from, each, message));
    }
  }

  @Disabled("fails on purpose")
  static class DropsThePayload extends QueueTransport {
    @Override
    protected void send(String from, String to, Message message) {
      if (message instanceof Message.Replicate replicate) {
        List<TimerRecord> records = new ArrayList<>();
        for (TimerRecord it : replicate.records()) {
          records.add(
              new TimerRecord(
                  it.id(),
                  it.stamp(),
                  it.startMs(),
                  it.intervalMs(),
                  it.repeatForMs(),
                  it.sequence(),
                  it.replicationFactor(),
                  it.assignment(),
                  new byte[0],
                  it.ended()));
        }
        super.send(from, to, new Message.Replicate(replicate.operation(), records));
      } else {
        super.send(from, to, message);
      }
    }
  }

  @Disabled("fails on purpose")
  static class ThrowsAtUnknownNodes extends QueueTransport {
    @Override
    protected void send(String from, String to, Message message) {
      if (!receivers.containsKey(to)) {
        throw new IllegalArgumentException(to);
      }
      super.send(from, to, message);
    }
  }

  /** Several threads deliver a message at once. */
  @Disabled("fails on purpose")
  static class DeliversInParallel extends QueueTransport {
    @Override
    protected void open(String node, Receiver receiver) {
      super.open(
          node,
          (from, message) ->
              ManyThreads.ask(
                  () -> {
                    receiver.receive(from, message);
                    return message;
                  }));
    }
  }
}
