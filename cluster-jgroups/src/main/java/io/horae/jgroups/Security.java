package io.horae.jgroups;

import java.net.InetAddress;
import java.util.List;
import org.jgroups.JChannel;
import org.jgroups.protocols.ASYM_ENCRYPT;
import org.jgroups.protocols.AUTH;
import org.jgroups.protocols.SHARED_LOOPBACK;
import org.jgroups.protocols.SYM_ENCRYPT;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TP;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack;
import org.jgroups.util.TLSClientAuth;

/** Whether strangers can have a part in a channel. */
final class Security {

  private Security() {}

  /**
   * Refuses a channel that is bound to another address than the loopback, if it does not keep
   * strangers out: by a secret key, by TLS with certificates of both sides, or by AUTH together
   * with encryption.
   */
  static void check(JChannel channel) {
    ProtocolStack stack = channel.getProtocolStack();
    check(stack.getTransport(), stack.getProtocols());
  }

  static void check(TP transport, List<Protocol> protocols) {
    InetAddress address = transport.getBindAddress();
    if (transport instanceof SHARED_LOOPBACK
        || (address != null && address.isLoopbackAddress())
        || isSecure(transport, protocols)) {
      return;
    }
    throw new IllegalStateException(
        "the channel is bound to "
            + address
            + ", where others can reach it, but keeps nobody out. Give it SYM_ENCRYPT, TLS with "
            + "client_auth=\"NEED\", or AUTH with ASYM_ENCRYPT or TLS; or bind it to the loopback "
            + "address; or, where the network itself is safe, call allowUnsecured()");
  }

  private static boolean isSecure(TP transport, List<Protocol> protocols) {
    if (has(protocols, SYM_ENCRYPT.class)) {
      return true;
    }
    boolean authenticates = has(protocols, AUTH.class);
    boolean encrypts = has(protocols, ASYM_ENCRYPT.class);
    if (transport instanceof TCP tcp && tcp.tls().enabled()) {
      encrypts = true;
      authenticates |= tcp.tls().getClientAuth() == TLSClientAuth.NEED;
    }
    return authenticates && encrypts;
  }

  private static boolean has(List<Protocol> protocols, Class<? extends Protocol> type) {
    return protocols.stream().anyMatch(type::isInstance);
  }
}
