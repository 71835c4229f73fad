package io.horae.jgroups;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.resync.Confirmation;
import io.horae.resync.TimerSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.crypto.spec.SecretKeySpec;
import org.jgroups.JChannel;
import org.jgroups.protocols.ASYM_ENCRYPT;
import org.jgroups.protocols.AUTH;
import org.jgroups.protocols.SYM_ENCRYPT;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.stack.Protocol;
import org.jgroups.util.TLSClientAuth;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecurityTest {

  private static final String SECRET = "what only members may read";

  private static final String PASSWORD = "correct horse";

  @TempDir Path directory;

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
  }

  /** Makes a channel that listens to one port, and knows another. */
  private interface Stack {
    JChannel channel(int port, int knownPort) throws Exception;
  }

  /** Makes a channel that listens to a port. */
  private interface Listener {
    JChannel channel(int port) throws Exception;
  }

  /** The wire between a member and the others: what goes over it is seen by whoever listens. */
  private static final class Wire implements AutoCloseable {
    private final ServerSocket end = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int memberPort;
    private final List<ByteArrayOutputStream> seen = new CopyOnWriteArrayList<>();

    Wire(int memberPort) throws IOException {
      this.memberPort = memberPort;
      run(this::accept);
    }

    int port() {
      return end.getLocalPort();
    }

    private interface Work {
      void run() throws IOException;
    }

    private static void run(Work work) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  work.run();
                } catch (IOException e) {
                  return; // one of the two has closed, or both
                }
              },
              "wire");
      thread.setDaemon(true);
      thread.start();
    }

    private void accept() throws IOException {
      while (true) {
        Socket from = end.accept();
        Socket to = new Socket(InetAddress.getLoopbackAddress(), memberPort);
        run(() -> carry(from, to));
        run(() -> carry(to, from));
      }
    }

    private void carry(Socket from, Socket to) throws IOException {
      ByteArrayOutputStream copy = new ByteArrayOutputStream();
      seen.add(copy);
      byte[] buffer = new byte[8_192];
      try (from;
          to) {
        InputStream in = from.getInputStream();
        for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
          copy.write(buffer, 0, length);
          to.getOutputStream().write(buffer, 0, length);
        }
      }
    }

    /** How many connections there were. */
    int connections() {
      return seen.size() / 2;
    }

    long bytes() {
      return seen.stream().mapToLong(ByteArrayOutputStream::size).sum();
    }

    boolean sawSecret() {
      return seen.stream().anyMatch(copy -> copy.toString(ISO_8859_1).contains(SECRET));
    }

    @Override
    public void close() throws IOException {
      end.close();
    }
  }

  /** Puts a wire before a member: the others reach it by no other way. */
  private Wire wire(JChannel member, int port) throws Exception {
    Wire wire = new Wire(port);
    open.add(wire);
    member
        .getProtocolStack()
        .getTransport()
        .setExternalAddr(InetAddress.getLoopbackAddress())
        .setExternalPort(wire.port());
    return wire;
  }

  private static void store(KeyStore store, Path file) throws Exception {
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, PASSWORD.toCharArray());
    }
  }

  private static KeyStore emptyStore() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, PASSWORD.toCharArray());
    return store;
  }

  /** A file with a secret key. */
  private Path secretKey(String name, byte first) throws Exception {
    byte[] key = new byte[32];
    key[0] = first;
    KeyStore store = emptyStore();
    store.setEntry(
        "horae",
        new KeyStore.SecretKeyEntry(new SecretKeySpec(key, "AES")),
        new KeyStore.PasswordProtection(PASSWORD.toCharArray()));
    Path file = directory.resolve(name);
    store(store, file);
    return file;
  }

  /** A file with a key and its certificate, made as the configuration says. */
  private Path keyPair(String name) throws Exception {
    Path file = directory.resolve(name);
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "horae",
                "-keyalg",
                "EC",
                "-dname",
                "CN=horae",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, keytool.waitFor(), said);
    return file;
  }

  /** A file with the certificate alone, which is no secret. */
  private Path certificate(Path keyPair) throws Exception {
    KeyStore store = emptyStore();
    KeyStore from = KeyStore.getInstance(keyPair.toFile(), PASSWORD.toCharArray());
    store.setCertificateEntry("horae", from.getCertificate("horae"));
    Path file = directory.resolve("certificate of " + keyPair.getFileName());
    store(store, file);
    return file;
  }

  /** Channels by a configuration that comes with the library. */
  private static Stack configured(String configuration, Path keystore, Path truststore) {
    return (port, knownPort) -> {
      Map<String, String> properties =
          Map.of(
              "horae.bind_addr",
              "127.0.0.1",
              "horae.bind_port",
              String.valueOf(port),
              "horae.initial_hosts",
              "127.0.0.1[" + knownPort + "]",
              "horae.keystore",
              keystore.toString(),
              "horae.keystore.password",
              PASSWORD,
              "horae.truststore",
              truststore.toString());
      properties.forEach(System::setProperty);
      try {
        return new JChannel(configuration);
      } finally {
        properties.keySet().forEach(System::clearProperty);
      }
    };
  }

  /** Who finds nobody is alone soon: the first member, and strangers. */
  private static JChannel hasty(JChannel channel) {
    GMS membership = channel.getProtocolStack().findProtocol(GMS.class);
    membership.setJoinTimeout(1_000).setMaxJoinAttempts(2);
    return channel;
  }

  /** Who knows that somebody is there waits for an answer, on a busy machine too. */
  private static JChannel patient(JChannel channel) {
    GMS membership = channel.getProtocolStack().findProtocol(GMS.class);
    membership.setJoinTimeout(20_000);
    return channel;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Its port was free a moment ago; should somebody have taken it meanwhile, there are others. */
  private JGroupsHost host(String id, Listener listener, CountDownLatch popped) throws Exception {
    ExecutionException taken = null;
    for (int tries = 0; tries < 10; tries++) {
      JGroupsHost host =
          JGroupsHost.builder(id)
              .channel(listener.channel(freePort()))
              .pops(
                  pop -> {
                    popped.countDown();
                    return true;
                  })
              .build();
      open.add(0, host);
      try {
        host.start().get(120, TimeUnit.SECONDS);
        return host;
      } catch (ExecutionException e) {
        taken = e;
      }
    }
    throw new AssertionError("no port", taken);
  }

  /** Two members with the right credentials and, maybe, somebody else. */
  private Wire twoMembers(Stack members, @Nullable Stack strangers) throws Exception {
    CountDownLatch popped = new CountDownLatch(1);
    Wire[] wires = new Wire[1];
    JGroupsHost a =
        host(
            "a",
            port -> {
              JChannel channel = hasty(members.channel(port, port));
              wires[0] = wire(channel, port);
              return channel;
            },
            popped);
    Wire wire = wires[0];
    JGroupsHost b = host("b", port -> patient(members.channel(port, wire.port())), popped);
    assertTrue(TransportTest.await(() -> JGroupsHostTest.areSettled(List.of(a, b))));

    CountDownLatch stolen = new CountDownLatch(1);
    int connections = wire.connections();
    JGroupsHost stranger =
        strangers == null
            ? null
            : host("stranger", port -> hasty(strangers.channel(port, wire.port())), stolen);
    Confirmation confirmation =
        a.create(TimerSpec.once(100, SECRET.getBytes(UTF_8))).get(120, TimeUnit.SECONDS);
    assertEquals(2, confirmation.confirmed());
    assertTrue(popped.await(120, TimeUnit.SECONDS));
    assertEquals(2, a.view().after().size());
    assertEquals(2, a.channel().getView().size());
    if (stranger != null) {
      assertTrue(TransportTest.await(() -> wire.connections() > connections), "it tries");
      assertEquals(1, stranger.view().after().size());
      assertEquals(1, stranger.channel().getView().size());
      assertEquals(0, stranger.statistics().messagesReceived());
      assertEquals(1, stolen.getCount());
    }
    assertTrue(wire.bytes() > 0);
    return wire;
  }

  @Test
  void secretKey_sameKey_join_otherKey_neitherJoinsNorReads() throws Exception {
    Path right = secretKey("right.p12", (byte) 1);
    Path wrong = secretKey("wrong.p12", (byte) 2);
    Wire wire =
        twoMembers(
            configured("horae-tcp-secure.xml", right, right),
            configured("horae-tcp-secure.xml", wrong, wrong));
    assertFalse(wire.sawSecret());
  }

  @Test
  void tls_trustedCertificate_join_otherCertificate_neitherJoinsNorReads() throws Exception {
    Path right = keyPair("right.p12");
    Path wrong = keyPair("wrong.p12");
    Wire wire =
        twoMembers(
            configured("horae-tcp-tls.xml", right, right),
            configured("horae-tcp-tls.xml", wrong, certificate(right)));
    assertFalse(wire.sawSecret());
  }

  @Test
  void tls_noCertificate_doesNotJoin() throws Exception {
    Path right = keyPair("right.p12");
    Stack none = (port, knownPort) -> Stacks.ports(port, List.of(knownPort));
    assertFalse(twoMembers(configured("horae-tcp-tls.xml", right, right), none).sawSecret());
  }

  /** So whoever listens to the wire would have seen it. */
  @Test
  void unsecured_isReadable() throws Exception {
    Stack plain = (port, knownPort) -> Stacks.ports(port, List.of(knownPort));
    assertTrue(twoMembers(plain, null).sawSecret());
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
