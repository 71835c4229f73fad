package io.horae.examples.service;

import com.sun.net.httpserver.HttpServer;
import io.horae.jgroups.JGroupsHost;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jgroups.JChannel;

/**
 * Timers over HTTP: a node of a JGroups cluster behind the JDK's server. Every member takes
 * requests for all timers; callbacks come from whichever member a timer falls due on. {@link
 * TimerApi} says what can be asked.
 *
 * <p>Whoever reaches the port can have the service call any address, so it listens on the loopback
 * interface unless it is told otherwise.
 */
public final class TimerService implements AutoCloseable {

  private static final int JOINED_WITHIN_SECONDS = 30;

  /** Pops and requests wait for others most of the time. */
  private static final int THREADS = 32;

  private final JGroupsHost host;
  private final HttpServer server;
  private final ExecutorService executor;

  private TimerService(JGroupsHost host, HttpServer server, ExecutorService executor) {
    this.host = host;
    this.server = server;
    this.executor = executor;
  }

  /**
   * Starts a member; returns when it takes requests.
   *
   * @param id the node's id, unique in the cluster
   * @param channel how it reaches the other members, not connected
   * @param address where it listens; port 0 for any that is free
   */
  public static TimerService start(String id, JChannel channel, InetSocketAddress address)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    ExecutorService executor = Executors.newFixedThreadPool(THREADS, TimerService::daemon);
    ListedStore store = new ListedStore();
    JGroupsHost host =
        JGroupsHost.builder(id)
            .clusterName("horae-timers")
            .channel(channel)
            .store(store)
            .executor(executor)
            .pops(new CallbackSender())
            .build();
    HttpServer server = HttpServer.create(address, 0);
    TimerService service = new TimerService(host, server, executor);
    try {
      host.start().get(JOINED_WITHIN_SECONDS, TimeUnit.SECONDS);
      server.createContext("/", new TimerApi(host, store));
      server.setExecutor(Executors.newFixedThreadPool(THREADS, TimerService::daemon));
      server.start();
      return service;
    } catch (InterruptedException | ExecutionException | TimeoutException | RuntimeException e) {
      service.close();
      throw e;
    }
  }

  private static Thread daemon(Runnable action) {
    Thread thread = new Thread(action, "timer-service");
    thread.setDaemon(true);
    return thread;
  }

  /** Where it listens. */
  public URI uri() {
    InetSocketAddress address = server.getAddress();
    String host = address.getAddress().getHostAddress();
    return URI.create(
        "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort());
  }

  /** Takes no more requests, hands its timers to the other members, and ends. */
  public void leave(int withinSeconds) throws InterruptedException {
    server.stop(0);
    try {
      host.leave().get(withinSeconds, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // The last of the cluster has nobody to hand its timers to.
      System.getLogger(TimerService.class.getName())
          .log(System.Logger.Level.INFO, "ends without handing over", e);
    }
    close();
  }

  /** Ends at once; timers live on where they have other replicas. */
  @Override
  public void close() {
    server.stop(0);
    host.close();
    executor.shutdown();
  }
}
