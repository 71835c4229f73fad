package io.horae.jgroups;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jgroups.JChannel;
import org.jgroups.protocols.Discovery;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.FRAG2;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.stack.Protocol;

/**
 * Channels for several nodes on one machine: TCP on the loopback interface, no multicast, and quick
 * to notice that a member has died. For tests, demonstrations and to try things out; clusters of
 * many machines bring a configuration of their own. The members differ in how they find each other.
 */
public final class Stacks {

  private static final int HEARTBEAT_MS = 2_000;
  private static final int SILENT_MS = 10_000;

  private Stacks() {}

  /**
   * For members that are all in this process. Ports are the system's choice.
   *
   * @return a channel, not connected
   * @throws Exception if JGroups cannot make it
   */
  public static JChannel inProcess() throws Exception {
    return channel(0, new ProcessDiscovery());
  }

  /**
   * For members on this machine that share a directory, in which each leaves a file with its
   * address. Ports are the system's choice.
   *
   * @param directory the directory, of one cluster alone; made if it is not there
   * @return a channel, not connected
   * @throws Exception if JGroups cannot make it
   */
  public static JChannel sharedDirectory(Path directory) throws Exception {
    return channel(0, new DirectoryDiscovery(directory));
  }

  /**
   * For members on this machine whose ports are known.
   *
   * @param port this member's port
   * @param ports the ports of members that may be there, this one's or not
   * @return a channel, not connected
   * @throws Exception if JGroups cannot make it
   */
  public static JChannel ports(int port, Collection<Integer> ports) throws Exception {
    List<InetSocketAddress> hosts = new ArrayList<>();
    for (int other : ports) {
      hosts.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), other));
    }
    TCPPING discovery = new TCPPING();
    discovery.setInitialHosts(hosts);
    discovery.setPortRange(0);
    return channel(port, discovery);
  }

  private static JChannel channel(int port, Discovery discovery) throws Exception {
    TCP transport = new TCP();
    transport.setBindAddress(InetAddress.getLoopbackAddress()).setBindPort(port).setPortRange(0);
    transport.enableSuspectEvents(true);
    FD_ALL3 heartbeats = new FD_ALL3();
    heartbeats.setInterval(HEARTBEAT_MS).setTimeout(SILENT_MS);
    JChannel channel =
        new JChannel(
            new Protocol[] {
              transport,
              discovery,
              new MERGE3().setMinInterval(1_000).setMaxInterval(3_000),
              heartbeats,
              new VERIFY_SUSPECT2().setTimeout(500),
              new NAKACK2().useMcastXmit(false),
              new UNICAST3(),
              new STABLE(),
              new GMS().setJoinTimeout(1_000).printLocalAddress(false),
              new FRAG2()
            });
    transport.getDiagnosticsHandler().setEnabled(false); // there is none before
    return channel;
  }
}
