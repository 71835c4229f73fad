package io.horae.jgroups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jgroups.JChannel;
import org.jgroups.View;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.pbcast.GMS;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryDiscoveryTest {

  @TempDir Path directory;

  /** After a split each side takes the other for dead, and removes its files. */
  @Test
  void findMembers_sidesRemovedEachOthersFiles_merge() throws Exception {
    try (JChannel a = connected("a");
        JChannel b = connected("b")) {
      assertTrue(TransportTest.await(() -> a.getView().size() == 2 && b.getView().size() == 2));
      long before = a.getView().getViewId().getId();
      alone(a, before + 1);
      alone(b, before + 1);
      removeAll();
      assertTrue(
          TransportTest.await(() -> a.getView().size() == 2 && b.getView().size() == 2),
          () -> a.getView() + ", " + b.getView());
      assertEquals(2, members().size());
    }
    assertEquals(List.of(), members());
  }

  private JChannel connected(String name) throws Exception {
    JChannel channel = Stacks.sharedDirectory(directory).setName(name);
    MERGE3 merge = channel.getProtocolStack().findProtocol(MERGE3.class);
    merge.setMinInterval(200).setMaxInterval(400);
    return channel.connect("split");
  }

  private static void alone(JChannel channel, long number) {
    GMS membership = channel.getProtocolStack().findProtocol(GMS.class);
    View alone = View.create(channel.getAddress(), number, List.of(channel.getAddress()));
    membership.installView(alone);
  }

  private void removeAll() throws IOException {
    for (Path member : members()) {
      Files.delete(member);
    }
  }

  private List<Path> members() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".member")).toList();
    }
  }
}
