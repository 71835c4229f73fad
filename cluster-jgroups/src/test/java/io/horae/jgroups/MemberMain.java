package io.horae.jgroups;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.horae.resync.Event;
import io.horae.resync.Pop;
import io.horae.resync.Statistics;
import io.horae.resync.TimerNodeOptions;
import io.horae.resync.TimerSpec;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.TP;
import org.jgroups.stack.ProtocolStack;

/**
 * A process with one member, told what to do by lines on its standard input, and telling what
 * happens by lines on its standard output. It ends with its input, so none outlives the test.
 */
final class MemberMain {

  private static final PrintStream OUT =
      new PrintStream(new FileOutputStream(FileDescriptor.out), false, UTF_8);

  private static final int CREATED_AT_ONCE = 500;

  private final JGroupsHost host;
  private final DISCARD discard = new DISCARD();

  private MemberMain(String id, Path directory, int silentMs) throws Exception {
    JChannel channel = Stacks.sharedDirectory(directory);
    channel.getProtocolStack().insertProtocol(discard, ProtocolStack.Position.ABOVE, TP.class);
    FD_ALL3 heartbeats = channel.getProtocolStack().findProtocol(FD_ALL3.class);
    heartbeats.setInterval(silentMs / 5).setTimeout(silentMs);
    MERGE3 merge = channel.getProtocolStack().findProtocol(MERGE3.class);
    merge.setMinInterval(300).setMaxInterval(600);
    host =
        JGroupsHost.builder(id)
            .channel(channel)
            .options(
                TimerNodeOptions.builder()
                    .skewMs(ClusterProcesses.SKEW_MS)
                    .popsInFlightMax(20_000)
                    .build())
            .pops(
                pop -> {
                  say("POP", number(pop), pop.sequence(), pop.stamp(), pop.dueMs(), Driver.nowMs());
                  return true;
                })
            .listener(this::tell)
            .build();
  }

  public static void main(String[] arguments) throws Exception {
    MemberMain member =
        new MemberMain(arguments[0], Path.of(arguments[1]), Integer.parseInt(arguments[2]));
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    Future<?> unused = member.host.start(); // who commands this process waits for its VIEW
    Thread settling = new Thread(member::tellWhenSettled, "settling");
    settling.setDaemon(true);
    settling.start();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      member.obey(line.split(" ", -1));
    }
    Runtime.getRuntime().halt(0);
  }

  private static int number(Pop pop) {
    return Integer.parseInt(new String(pop.payload(), UTF_8));
  }

  private static synchronized void say(Object... words) {
    StringBuilder line = new StringBuilder();
    for (Object word : words) {
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    OUT.println(line);
    OUT.flush(); // what is in the pipe outlives this process
  }

  private void tell(HostEvent event) {
    if (event instanceof HostEvent.ViewInstalled installed) {
      say(
          "VIEW",
          installed.view().epoch(),
          installed.view().after().size(),
          installed.view().leaving().size(),
          Driver.nowMs());
    } else if (event instanceof HostEvent.NodeReported reported) {
      if (reported.event() instanceof Event.ResyncProgress progress) {
        if (progress.ended()) {
          say("RESYNCED", progress.view().epoch(), progress.nodesGivenUp(), progress.timers());
        }
      } else {
        say("EVENT", reported.event());
      }
    }
  }

  /** Tells, once for each view, that this member holds what it should and owes nobody anything. */
  private void tellWhenSettled() {
    long toldEpoch = 0;
    while (true) {
      Statistics node = host.statistics().node();
      Event.ResyncProgress resync = node.resync();
      if (resync != null
          && resync.ended()
          && resync.nodesGivenUp() == 0
          && resync.view().epoch() > toldEpoch
          && node.timersOfOthers() == 0
          && node.timersUnsettled() == 0) {
        toldEpoch = resync.view().epoch();
        say("SETTLED", toldEpoch);
      }
      LockSupport.parkNanos(20_000_000);
    }
  }

  private void obey(String[] words) throws Exception {
    switch (words[0]) {
      case "create" -> create(Integer.parseInt(words[1]), Integer.parseInt(words[2]), words);
      case "leave" -> {
        Future<?> unused =
            host.leave().whenComplete((none, failure) -> say("LEFT", failure == null));
      }
      case "ignore" -> ignore(List.of(words).subList(1, words.length));
      case "heal" -> discard.resetIgnoredMembers();
      case "statistics" -> say("STATISTICS", host.statistics());
      default -> throw new IOException("not a command: " + words[0]);
    }
  }

  /** Creates timers that are due after at least so long, and spread over so long. */
  private void create(int from, int to, String[] words) throws Exception {
    long beganNanos = System.nanoTime();
    long leastMs = Long.parseLong(words[3]);
    long spreadMs = Long.parseLong(words[4]);
    Semaphore free = new Semaphore(CREATED_AT_ONCE);
    for (int i = from; i < to; i++) {
      free.acquire();
      int number = i;
      long passedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
      long laterMs = (number - from) * spreadMs / (to - from) - passedMs;
      byte[] payload = String.valueOf(number).getBytes(UTF_8);
      TimerSpec spec = TimerSpec.once(leastMs + Math.max(0, laterMs), payload);
      Future<?> unused =
          host.create(spec)
              .whenComplete(
                  (confirmation, failure) -> {
                    free.release();
                    say(failure == null ? "CREATED" : "FAILED " + failure, number);
                  });
    }
    free.acquire(CREATED_AT_ONCE);
    say("ALL_CREATED");
  }

  /** From now on nothing comes from these nodes, nor goes to them: they must do the same. */
  private void ignore(List<String> nodes) {
    Set<Address> addresses = new HashSet<>();
    for (Address member : host.channel().getView().getMembers()) {
      if (nodes.contains(member.toString())) {
        addresses.add(member);
      }
    }
    if (addresses.size() != nodes.size()) {
      throw new AssertionError(nodes + " are not all in " + host.channel().getView());
    }
    addresses.forEach(discard::addIgnoreMember);
    say("IGNORING");
  }
}
