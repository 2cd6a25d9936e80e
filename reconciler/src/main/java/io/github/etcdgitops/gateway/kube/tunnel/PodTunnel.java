package io.github.etcdgitops.gateway.kube.tunnel;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A port on loopback that leads to a pod's port through the API server, one WebSocket for each connection.
///
/// The client library's own port-forward notices a missing pod only at the first connection, logs a stack
/// trace for most connections that end, and keeps a platform thread for each. Here the first WebSocket is
/// opened at once: opening fails when the pod cannot be reached, and this WebSocket serves the first
/// connection.
///
/// Unsafe on shared machines: while it is open, every user of this machine can reach the member through it.
final class PodTunnel implements MemberAccess.Route {
    private static final int CHUNK = 32 * 1024;
    private static final int BACKLOG = 50;

    private final ServerSocket server;
    private final PodPort target;
    private final String name;
    private final PortStreams streams;
    private final Consumer<PodTunnel> closed;
    private final AtomicReference<@Nullable PortStream> spare;
    private final Set<AutoCloseable> open = ConcurrentHashMap.newKeySet();
    private final Thread acceptor;

    private PodTunnel(
            ServerSocket server, PodPort target, PortStreams streams, PortStream first, Consumer<PodTunnel> closed) {
        this.server = server;
        this.target = target;
        this.name = target.authority() + ":" + target.port() + " at " + server.getLocalPort();
        this.streams = streams;
        this.spare = new AtomicReference<>(first);
        this.closed = closed;
        open.add(first);
        this.acceptor = Thread.ofVirtual().name("tunnel " + name).unstarted(this::accept);
    }

    static PodTunnel open(KubeConnection connection, PodPort target, Consumer<PodTunnel> closed) {
        var pod = target.pod();
        var streams = new PortStreams(connection, pod, target.port());
        PortStream first = streams.connect();
        try {
            var server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
            var tunnel = new PodTunnel(server, target, streams, first, closed);
            tunnel.acceptor.start();
            return tunnel;
        } catch (IOException e) {
            first.close();
            throw new GatewayException(Kind.UNREACHABLE, false, "no local port for a port-forward to " + pod.name(), e);
        }
    }

    @Override
    public String host() {
        return server.getInetAddress().getHostAddress();
    }

    @Override
    public int port() {
        return server.getLocalPort();
    }

    @Override
    public String authority() {
        return target.authority();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                track(socket);
                Thread.ofVirtual().name("tunnel up " + name).start(() -> serve(socket));
            } catch (IOException _) {
                // Closed, or a connection that was gone before it was accepted.
            }
        }
    }

    private void serve(Socket socket) {
        Optional<PortStream> stream = stream();
        stream.ifPresent(s -> {
            Thread.ofVirtual().name("tunnel down " + name).start(() -> down(s, socket));
            up(socket, s);
            s.close();
        });
        drop(socket);
        stream.ifPresent(open::remove);
    }

    /// The one opened in advance, unless it has ended since; else a new one. Empty when the pod cannot be
    /// reached now.
    private Optional<PortStream> stream() {
        PortStream first = spare.getAndSet(null);
        if (first != null && !first.ended()) {
            return Optional.of(first);
        }
        try {
            PortStream fresh = streams.connect();
            track(fresh);
            return Optional.of(fresh);
        } catch (GatewayException _) {
            return Optional.empty();
        }
    }

    private static void up(Socket socket, PortStream stream) {
        var chunk = new byte[CHUNK];
        try {
            var in = socket.getInputStream();
            for (int n = in.read(chunk); n >= 0 && stream.send(chunk, n); ) {
                n = in.read(chunk);
            }
        } catch (IOException _) {
            // The caller went away.
        }
    }

    private void down(PortStream stream, Socket socket) {
        try {
            OutputStream out = socket.getOutputStream();
            for (Optional<byte[]> data = stream.next(); data.isPresent(); data = stream.next()) {
                out.write(data.get());
            }
        } catch (IOException _) {
            // The caller went away.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        drop(socket);
    }

    /// A resource that is opened while the tunnel closes is closed at once.
    private void track(AutoCloseable resource) {
        open.add(resource);
        if (server.isClosed()) {
            drop(resource);
        }
    }

    private void drop(AutoCloseable resource) {
        open.remove(resource);
        try {
            resource.close();
        } catch (Exception _) {
            // It is closing: there is no caller to report to.
        }
    }

    @Override
    public MemberAccess.Way way() {
        return MemberAccess.Way.PORT_FORWARD;
    }

    @Override
    public MemberAccess.Door door() {
        return target.door();
    }

    @Override
    public Optional<ClusterRef> ring() {
        return target.ring();
    }

    @Override
    public void close() {
        drop(server);
        awaitRefusal();
        open.forEach(this::drop);
        closed.accept(this);
    }

    /// The port is free only when no thread accepts on it any more.
    private void awaitRefusal() {
        try {
            acceptor.join(Duration.ofSeconds(1));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
