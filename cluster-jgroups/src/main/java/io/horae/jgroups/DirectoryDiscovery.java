package io.horae.jgroups;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.PhysicalAddress;
import org.jgroups.View;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.Discovery;
import org.jgroups.protocols.LOCAL_PING;
import org.jgroups.protocols.PingData;
import org.jgroups.util.NameCache;
import org.jgroups.util.Responses;
import org.jspecify.annotations.Nullable;

/**
 * Members of one machine find each other by a directory in which each has a file of its own, with
 * its name, address and port. The first member there is to be the coordinator. The coordinator
 * removes the files of members that have gone without doing so. After a split that may be the files
 * of the other side, so each member puts its own back when it is missing: else the two might never
 * find each other again.
 */
final class DirectoryDiscovery extends Discovery {

  private static final String SUFFIX = ".member";

  private final Path directory;

  /** Whether this member is to have a file. Guarded by this. */
  private boolean connected;

  DirectoryDiscovery(Path directory) {
    this.directory = directory;
    id = ClassConfigurator.getProtocolId(LOCAL_PING.class); // JGroups wants one; no header has it
  }

  @Override
  public boolean isDynamic() {
    return true;
  }

  @Override
  public void handleConnect() {
    try {
      Files.createDirectories(directory);
      synchronized (DirectoryDiscovery.class) { // a file lock is for processes
        try (FileChannel channel =
                FileChannel.open(
                    directory.resolve("lock"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE);
            FileLock lock = channel.lock()) {
          connect();
          keep(lock.isValid() && all().isEmpty());
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot write to " + directory, e);
    }
  }

  private synchronized void connect() {
    connected = true;
  }

  @Override
  public synchronized void handleDisconnect() {
    connected = false;
    forget(local_addr);
  }

  @Override
  protected void findMembers(
      @Nullable List<Address> members, boolean initial, Responses responses) {
    if (!initial && !Files.exists(file(local_addr))) { // every now and then, for a merge
      keepAgain();
    }
    for (PingData member : all()) {
      Address address = member.getAddress();
      addDiscoveryResponseToCaches(address, member.getLogicalName(), member.getPhysicalAddr());
      if (members == null || members.contains(address)) {
        responses.addResponse(member, false);
        if (!initial && discovery_rsp_callback != null) { // a merge wants to hear of it
          discovery_rsp_callback.accept(member);
        }
      }
    }
    responses.done();
  }

  @Override
  public Object down(Event event) {
    View before = view;
    boolean wasCoordinator = is_coord;
    Object result = super.down(event);
    if (event.type() == Event.VIEW_CHANGE && cluster_name != null) {
      for (PingData member : all()) {
        addDiscoveryResponseToCaches(
            member.getAddress(), member.getLogicalName(), member.getPhysicalAddr());
      }
      if (is_coord || wasCoordinator) {
        keepAgain();
      }
      if (is_coord && before != null) {
        View.leftMembers(before, view).forEach(this::forget);
      }
    }
    return result;
  }

  private void keepAgain() {
    try {
      keep(is_coord);
    } catch (IOException e) {
      log.warn("cannot write to %s: %s", directory, e);
    }
  }

  /** Writes this member's file, in one go, unless it has gone. */
  private synchronized void keep(boolean coordinator) throws IOException {
    if (!connected) {
      return;
    }
    PhysicalAddress own =
        (PhysicalAddress) down_prot.down(new Event(Event.GET_PHYSICAL_ADDRESS, local_addr));
    PingData data = new PingData(local_addr, true, NameCache.get(local_addr), own);
    Path written = Files.createTempFile(directory, "new", null);
    try (OutputStream out = Files.newOutputStream(written)) {
      write(List.of(data.coord(coordinator)), out);
    } catch (Exception e) { // as JGroups declares it
      throw new IOException(e);
    }
    Files.move(written, file(local_addr), StandardCopyOption.ATOMIC_MOVE);
  }

  private void forget(Address member) {
    try {
      Files.deleteIfExists(file(member));
    } catch (IOException e) {
      log.warn("cannot delete from %s: %s", directory, e);
    }
  }

  private Path file(Address member) {
    return directory.resolve(addressAsString(member) + SUFFIX);
  }

  private List<PingData> all() {
    List<PingData> all = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
      for (Path file : files) {
        try (InputStream in = Files.newInputStream(file)) {
          all.addAll(Objects.requireNonNullElse(read(in), List.of()));
        } catch (NoSuchFileException e) {
          log.debug("%s has gone", file);
        }
      }
    } catch (IOException e) {
      log.warn("cannot read %s: %s", directory, e);
    }
    return all;
  }
}
