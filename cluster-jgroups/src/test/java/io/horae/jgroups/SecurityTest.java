package io.horae.jgroups;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.resync.TimerSpec;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.crypto.spec.SecretKeySpec;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.protocols.ASYM_ENCRYPT;
import org.jgroups.protocols.AUTH;
import org.jgroups.protocols.SYM_ENCRYPT;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack;
import org.jgroups.util.MessageBatch;
import org.jgroups.util.TLSClientAuth;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecurityTest {

  private static final String SECRET = "what only members may read";

  @TempDir Path directory;

  private final List<JGroupsHost> hosts = new ArrayList<>();
  private final Tap tap = new Tap();

  @AfterEach
  void close() {
    hosts.forEach(JGroupsHost::close);
  }

  /** Sees what goes over the wire. */
  private static final class Tap extends Protocol {
    final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();

    @Override
    public Object down(Message message) {
      see(message);
      return super.down(message);
    }

    @Override
    public Object up(Message message) {
      see(message);
      return super.up(message);
    }

    @Override
    public void up(MessageBatch batch) {
      batch.forEach(this::see);
      super.up(batch);
    }

    private void see(Message message) {
      if (message.hasArray() && message.getLength() > 0) {
        seen.add(new String(message.getArray(), message.getOffset(), message.getLength(), UTF_8));
      }
    }

    boolean sawSecret() {
      return seen.stream().anyMatch(text -> text.contains(SECRET));
    }
  }

  private Path keystore(String name, byte first) throws Exception {
    byte[] key = new byte[32];
    key[0] = first;
    KeyStore store = KeyStore.getInstance("PKCS12");
    char[] password = "correct horse".toCharArray();
    store.load(null, password);
    store.setEntry(
        "horae",
        new KeyStore.SecretKeyEntry(new SecretKeySpec(key, "AES")),
        new KeyStore.PasswordProtection(password));
    Path file = directory.resolve(name);
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, password);
    }
    return file;
  }

  /** A channel by the configuration that comes with the library. */
  private static JChannel secured(Path keystore, int port, int knownPort) throws Exception {
    System.setProperty("horae.bind_addr", "127.0.0.1");
    System.setProperty("horae.bind_port", String.valueOf(port));
    System.setProperty("horae.initial_hosts", "127.0.0.1[" + knownPort + "]");
    System.setProperty("horae.keystore", keystore.toString());
    System.setProperty("horae.keystore.password", "correct horse");
    try {
      JChannel channel = new JChannel("horae-tcp-secure.xml");
      GMS membership = channel.getProtocolStack().findProtocol(GMS.class);
      membership.setJoinTimeout(1_000).setMaxJoinAttempts(2);
      return channel;
    } finally {
      for (String name :
          List.of("bind_addr", "bind_port", "initial_hosts", "keystore", "keystore.password")) {
        System.clearProperty("horae." + name);
      }
    }
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private JGroupsHost host(String id, JChannel channel, CountDownLatch popped) throws Exception {
    JGroupsHost host =
        JGroupsHost.builder(id)
            .channel(channel)
            .pops(
                pop -> {
                  popped.countDown();
                  return true;
                })
            .build();
    hosts.add(host);
    host.start().get(120, TimeUnit.SECONDS);
    return host;
  }

  @Test
  void secured_sameKey_join_wrongKey_neitherJoinsNorReads() throws Exception {
    Path right = keystore("right.p12", (byte) 1);
    Path wrong = keystore("wrong.p12", (byte) 2);
    CountDownLatch popped = new CountDownLatch(1);
    int port = freePort();
    JGroupsHost a = host("a", secured(right, port, port), popped);
    JChannel second = secured(right, freePort(), port);
    second.getProtocolStack().insertProtocol(tap, ProtocolStack.Position.ABOVE, TP.class);
    JGroupsHost b = host("b", second, popped);
    assertEquals(2, b.view().after().size());
    assertTrue(TransportTest.await(() -> a.view().after().size() == 2));

    CountDownLatch stolen = new CountDownLatch(1);
    JGroupsHost stranger = host("stranger", secured(wrong, freePort(), port), stolen);
    assertEquals(1, stranger.view().after().size());
    a.create(TimerSpec.once(100, SECRET.getBytes(UTF_8))).get(60, TimeUnit.SECONDS);
    assertTrue(popped.await(60, TimeUnit.SECONDS));
    assertEquals(2, a.view().after().size());
    assertEquals(2, a.channel().getView().size());
    assertEquals(1, stranger.channel().getView().size());
    assertEquals(0, stranger.statistics().messagesReceived());
    assertEquals(1, stolen.getCount());
    assertFalse(tap.seen.isEmpty());
    assertFalse(tap.sawSecret());
  }

  /** So the tap would have seen it. */
  @Test
  void unsecured_isReadable() throws Exception {
    CountDownLatch popped = new CountDownLatch(1);
    JGroupsHost a = host("a", Stacks.sharedDirectory(directory), popped);
    JChannel second = Stacks.sharedDirectory(directory);
    second.getProtocolStack().insertProtocol(tap, ProtocolStack.Position.ABOVE, TP.class);
    host("b", second, popped);
    assertTrue(TransportTest.await(() -> a.view().after().size() == 2));
    a.create(TimerSpec.once(100, SECRET.getBytes(UTF_8))).get(60, TimeUnit.SECONDS);
    assertTrue(tap.sawSecret());
  }

  private static TCP bound(String address) throws Exception {
    TCP transport = new TCP();
    transport.setBindAddress(InetAddress.getByName(address));
    return transport;
  }

  private static void assertRefused(TP transport, Protocol... protocols) {
    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class, () -> Security.check(transport, List.of(protocols)));
    assertTrue(refused.getMessage().contains("SYM_ENCRYPT"), refused::getMessage);
  }

  @Test
  void check_loopback_needsNothing() throws Exception {
    Security.check(bound("127.0.0.1"), List.of());
    Security.check(bound("::1"), List.of());
  }

  @Test
  void check_reachableByOthers_needsAuthenticationAndEncryption() throws Exception {
    assertRefused(bound("0.0.0.0"));
    TCP reachable = bound("192.0.2.1");
    assertRefused(reachable);
    assertRefused(reachable, new AUTH());
    assertRefused(reachable, new ASYM_ENCRYPT());
    Security.check(reachable, List.of(new SYM_ENCRYPT()));
    Security.check(reachable, List.of(new ASYM_ENCRYPT(), new AUTH()));
  }

  @Test
  void check_tls_needsCertificatesOfBothSides() throws Exception {
    TCP transport = bound("192.0.2.1");
    transport.tls().enabled(true).setClientAuth(TLSClientAuth.WANT);
    assertRefused(transport);
    transport.tls().setClientAuth(TLSClientAuth.NEED);
    Security.check(transport, List.of());
    transport.tls().setClientAuth(TLSClientAuth.NONE);
    assertRefused(transport);
    Security.check(transport, List.of(new AUTH()));
  }

  @Test
  void start_unsecured_isRefusedUnlessAllowed() throws Exception {
    JChannel channel = Stacks.inProcess();
    channel.getProtocolStack().getTransport().setBindAddress(InetAddress.getByName("0.0.0.0"));
    HostBuilder builder = JGroupsHost.builder("a").channel(channel).pops(pop -> true);
    assertThrows(IllegalStateException.class, () -> builder.build().start());
  }
}
