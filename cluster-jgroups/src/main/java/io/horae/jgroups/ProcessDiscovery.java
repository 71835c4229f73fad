package io.horae.jgroups;

import java.util.List;
import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.LOCAL_PING;
import org.jgroups.protocols.PingData;
import org.jgroups.util.Responses;
import org.jspecify.annotations.Nullable;

/** Members of one process find each other; unlike with LOCAL_PING alone, after a split too. */
final class ProcessDiscovery extends LOCAL_PING {

  ProcessDiscovery() {
    id = ClassConfigurator.getProtocolId(LOCAL_PING.class); // JGroups wants one; no header has it
  }

  @Override
  public void findMembers(@Nullable List<Address> members, boolean initial, Responses responses) {
    super.findMembers(members, initial, responses);
    if (!initial && discovery_rsp_callback != null) { // a merge wants to hear of it
      for (PingData member : responses) {
        discovery_rsp_callback.accept(member);
      }
    }
  }
}
