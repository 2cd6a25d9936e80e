package io.github.etcdgitops.sandbox.api;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.jspecify.annotations.Nullable;

/// Connections to ports of a pod within one WebSocket. The first byte of a frame is its channel: port number
/// n of the request has 2n for data and 2n+1 for trouble, and each begins with a frame that repeats the port.
///
/// Public because Jetty calls it by method handles.
public final class PortForward implements Session.Listener, AutoCloseable {
    private static final int CHUNK = 32 * 1024;
    private static final int CONNECT_MILLIS = 5_000;

    private final String address;
    private final List<Integer> ports;
    private final Streams streams;
    private final Map<Integer, Socket> sockets = new ConcurrentHashMap<>();
    private volatile @Nullable Session session;

    PortForward(String address, List<Integer> ports, Streams streams) {
        this.address = address;
        this.ports = List.copyOf(ports);
        this.streams = streams;
    }

    @Override
    public void onWebSocketOpen(Session opened) {
        session = opened;
        streams.add(this);
        Thread.ofVirtual().name("forward " + address).start(() -> start(opened));
    }

    private void start(Session session) {
        try {
            for (int n = 0; n < ports.size(); n++) {
                int port = ports.get(n);
                byte[] greeting = {(byte) port, (byte) (port >> Byte.SIZE)};
                send(session, 2 * n, greeting, greeting.length);
                send(session, 2 * n + 1, greeting, greeting.length);
            }
            for (int n = 0; n < ports.size(); n++) {
                connect(session, n);
            }
            if (sockets.isEmpty()) {
                session.close();
            } else {
                session.demand();
            }
        } catch (IOException _) {
            streams.end(this);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            streams.end(this);
        }
    }

    private void connect(Session session, int n) throws IOException, InterruptedException {
        var socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(address, ports.get(n)), CONNECT_MILLIS);
        } catch (IOException e) {
            socket.close();
            byte[] why = ("error forwarding port " + ports.get(n) + ": " + e.getMessage())
                    .getBytes(java.nio.charset.StandardCharsets.UTF_8);
            send(session, 2 * n + 1, why, why.length);
            return;
        }
        sockets.put(n, socket);
        Thread.ofVirtual().name("forward from " + address).start(() -> down(session, n, socket));
    }

    private void down(Session session, int n, Socket socket) {
        var chunk = new byte[CHUNK];
        try (socket) {
            for (int read = socket.getInputStream().read(chunk); read >= 0; ) {
                send(session, 2 * n, chunk, read);
                read = socket.getInputStream().read(chunk);
            }
        } catch (IOException _) {
            // One of both sides has gone, and the other one is told by that.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        sockets.remove(n);
        if (sockets.isEmpty()) {
            session.close();
        }
    }

    private static void send(Session session, int channel, byte[] data, int length)
            throws IOException, InterruptedException {
        ByteBuffer frame = ByteBuffer.allocate(length + 1)
                .put((byte) channel)
                .put(data, 0, length)
                .flip();
        Upgrades.await(Callback.Completable.with(done -> session.sendBinary(frame, done)));
    }

    /// The next frame is asked for when the pod has taken this one.
    @Override
    public void onWebSocketBinary(ByteBuffer frame, Callback callback) {
        try {
            int channel = frame.hasRemaining() ? frame.get() : -1;
            Socket socket = channel >= 0 && channel % 2 == 0 ? sockets.get(channel / 2) : null;
            if (socket != null) {
                var data = new byte[frame.remaining()];
                frame.get(data);
                socket.getOutputStream().write(data);
            }
            callback.succeed();
            Objects.requireNonNull(session).demand();
        } catch (IOException e) {
            callback.fail(e);
        }
    }

    @Override
    public void onWebSocketClose(int code, String reason, Callback done) {
        streams.end(this);
        done.succeed();
    }

    @Override
    public void onWebSocketError(Throwable cause) {
        streams.end(this);
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : sockets.values()) {
            socket.close();
        }
    }
}
