package io.horae.testkit;

import io.horae.placement.ClusterView;
import io.horae.resync.Confirmation;
import io.horae.resync.Event;
import io.horae.resync.Message;
import io.horae.resync.Pop;
import org.jspecify.annotations.Nullable;

/** Something that can be seen from outside: what invariants judge by, and traces show. */
sealed interface Happening
    permits Happening.Asked,
        Happening.Confirmed,
        Happening.Popped,
        Happening.PopOutcome,
        Happening.Sent,
        Happening.Delivered,
        Happening.Reported,
        Happening.Started,
        Happening.Stopped,
        Happening.Viewed,
        Happening.Resynced,
        Happening.Stepped,
        Happening.Noted,
        Happening.Threw {

  /** Whether it is about a timer. */
  default boolean concernsTimer(long id) {
    return false;
  }

  /** What it says of a timer; of all, if there is none. */
  default String describe(@Nullable Long timer) {
    return toString();
  }

  /** Whether it is about a node. */
  default boolean concernsNode(String id) {
    return false;
  }

  /** A client asked a node for something. */
  record Asked(Operation operation) implements Happening {
    @Override
    public boolean concernsTimer(long id) {
      return operation.story().id() == id;
    }

    @Override
    public String toString() {
      return "client: " + operation;
    }
  }

  /** A node told a client how its operation stands. */
  record Confirmed(Operation operation, Confirmation confirmation) implements Happening {
    @Override
    public boolean concernsTimer(long id) {
      return operation.story().id() == id;
    }

    @Override
    public String toString() {
      return operation.host().id()
          + ": operation "
          + operation.number()
          + " confirmed by "
          + confirmation.confirmed()
          + " of "
          + confirmation.replicas()
          + (confirmation.ended() ? ", ended" : "");
    }
  }

  /** A node handed a pop to its host. */
  record Popped(SimulatedHost host, Pop pop) implements Happening {
    @Override
    public boolean concernsTimer(long id) {
      return pop.timer().id() == id;
    }

    @Override
    public String toString() {
      return host.id() + ": POP " + pop.sequence() + " of operation " + Payload.operation(pop);
    }
  }

  /** A host told its node how a pop went. */
  record PopOutcome(SimulatedHost host, Pop pop, long handedMs, boolean success)
      implements Happening {
    @Override
    public boolean concernsTimer(long id) {
      return pop.timer().id() == id;
    }

    @Override
    public String toString() {
      return host.id() + ": pop " + pop.sequence() + (success ? " went well" : " failed");
    }
  }

  /** A node sent a message. */
  record Sent(String from, String to, Message message) implements Happening {
    @Override
    public boolean concernsTimer(long id) {
      return Mentions.contains(message, id);
    }

    @Override
    public String describe(@Nullable Long timer) {
      return from + " -> " + to + ": sends " + Mentions.describe(message, timer);
    }
  }

  /** A message reached a node that was up. */
  record Delivered(String from, String to, Message message) implements Happening {
    @Override
    public boolean concernsTimer(long id) {
      return Mentions.contains(message, id);
    }

    @Override
    public String describe(@Nullable Long timer) {
      return to + " <- " + from + ": gets " + Mentions.describe(message, timer);
    }
  }

  /** A node reported something to its host. */
  record Reported(SimulatedHost host, Event event) implements Happening {
    @Override
    public boolean concernsNode(String id) {
      boolean isDetail =
          event instanceof Event.ResyncProgress progress
              && !progress.ended()
              && progress.nodesDone() > 0;
      return host.id().equals(id) && !isDetail;
    }

    @Override
    public String toString() {
      return host.id() + ": reports " + event;
    }
  }

  /** A node began, with an empty store or with the one of its last life. */
  record Started(SimulatedHost host, boolean empty) implements Happening {
    @Override
    public boolean concernsNode(String id) {
      return true;
    }

    @Override
    public String toString() {
      return host.id() + ": starts" + (empty ? " empty" : " with its memory");
    }
  }

  /** A node ended. */
  record Stopped(SimulatedHost host, boolean memoryLost, boolean drained) implements Happening {
    @Override
    public boolean concernsNode(String id) {
      return true;
    }

    @Override
    public String toString() {
      return host.id()
          + (drained
              ? ": goes, drained"
              : memoryLost ? ": crashes and loses its memory" : ": crashes and keeps its memory");
    }
  }

  /** A node learned of a view, maybe again or late. */
  record Viewed(SimulatedHost host, ClusterView view) implements Happening {
    @Override
    public boolean concernsNode(String id) {
      return host.id().equals(id);
    }

    @Override
    public String toString() {
      return host.id() + ": is told of " + view;
    }
  }

  /** A node was told to resync. */
  record Resynced(SimulatedHost host) implements Happening {
    @Override
    public boolean concernsNode(String id) {
      return host.id().equals(id);
    }

    @Override
    public String toString() {
      return host.id() + ": is told to resync";
    }
  }

  /** A machine's clock was set forward or back. */
  record Stepped(SimulatedHost host, long byMs) implements Happening {
    @Override
    public boolean concernsNode(String id) {
      return true;
    }

    @Override
    public String toString() {
      return host.id() + ": clock is set by " + byMs + " ms";
    }
  }

  /** Something else went wrong, or right again. */
  record Noted(String what) implements Happening {
    @Override
    public boolean concernsNode(String id) {
      return true;
    }

    @Override
    public String toString() {
      return what;
    }
  }

  /** An exception came out of a node. */
  record Threw(SimulatedHost host, Throwable what) implements Happening {
    @Override
    public boolean concernsNode(String id) {
      return host.id().equals(id);
    }

    @Override
    public String toString() {
      return host.id() + ": throws " + what;
    }
  }
}
