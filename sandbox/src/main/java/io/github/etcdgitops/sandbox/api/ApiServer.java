package io.github.etcdgitops.sandbox.api;

import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.PodLogs;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/// The objects over HTTP, on loopback alone and without any authentication.
public final class ApiServer implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";
    private static final int MOST_REQUESTS = 10_000;

    private final Server server;
    private final ServerConnector connector;
    private final ApiHandler handler;
    private final Streams streams;

    private ApiServer(Server server, ServerConnector connector, ApiHandler handler, Streams streams) {
        this.server = server;
        this.connector = connector;
        this.handler = handler;
        this.streams = streams;
    }

    /// Port 0 takes any that is free.
    public static ApiServer start(KubeObjects objects, PodLogs logs, int port) {
        var server = new Server(new VirtualThreadPool(MOST_REQUESTS));
        var configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        var connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(configuration));
        connector.setHost(LOOPBACK);
        connector.setPort(port);
        // A quiet watch is no idle one.
        connector.setIdleTimeout(0);
        server.addConnector(connector);
        var streams = new Streams();
        var handler = new ApiHandler(objects, logs, streams, new Upgrades(objects, streams, server));
        server.setHandler(handler);
        run(server::start, "the API server does not start");
        connector.setPort(connector.getLocalPort());
        return new ApiServer(server, connector, handler, streams);
    }

    public int port() {
        return connector.getPort();
    }

    /// As in a kubeconfig.
    public String url() {
        return "http://" + LOOPBACK + ":" + port();
    }

    /// While it lasts connections are refused, and those that were open are cut.
    public synchronized void outage(boolean on) {
        if (on && connector.isRunning()) {
            run(connector::stop, "the API server's port does not close");
            streams.cut();
        } else if (!on && !connector.isRunning()) {
            run(connector::start, "the API server's port does not open again");
        }
    }

    /// How often what was asked for, as `list pods`, `create pods/eviction` or `get /version`.
    public SortedMap<String, Long> calls() {
        var counted = new TreeMap<String, Long>();
        handler.calls().forEach((call, count) -> counted.put(call, count.sum()));
        return Collections.unmodifiableSortedMap(counted);
    }

    @Override
    public void close() {
        streams.cut();
        run(server::stop, "the API server does not stop");
    }

    private interface Work {
        void run() throws Exception;
    }

    private static void run(Work work, String trouble) {
        try {
            work.run();
        } catch (Exception e) {
            throw new IllegalStateException(trouble, e);
        }
    }
}
