package io.github.etcdgitops.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Stands between a client and a server on loopback, counts what passes, and cuts: after so many bytes in
/// one direction all connections are reset, once or for good.
public final class Relay implements AutoCloseable {
    public enum Direction {
        TO_SERVER,
        TO_CLIENT
    }

    /// Looks at what is about to pass, and may hold it up. Answers how much of it may pass; where that is
    /// not all, this connection is ended afterwards, and no other.
    @FunctionalInterface
    public interface Tap {
        int allowed(Object connection, Direction direction, byte[] bytes, int count);
    }

    private final Tap tap;
    private final ServerSocket listening;
    private final InetSocketAddress server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private long toServer;
    private long toClient;
    private long cutAt = Long.MAX_VALUE;
    private Direction cutDirection = Direction.TO_SERVER;
    private boolean forGood;
    private int cuts;
    private boolean dead;

    public Relay(URI server) {
        this(server, (_, _, _, count) -> count);
    }

    public Relay(URI server, Tap tap) {
        this.tap = tap;
        this.server = new InetSocketAddress(server.getHost(), server.getPort());
        try {
            this.listening = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + listening.getLocalPort());
    }

    /// Counted from now on.
    public synchronized void cutAfter(Direction direction, long bytes, boolean stayDead) {
        toServer = 0;
        toClient = 0;
        cutDirection = direction;
        cutAt = bytes;
        forGood = stayDead;
    }

    public synchronized long passed(Direction direction) {
        return direction == Direction.TO_SERVER ? toServer : toClient;
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                var upstream = new Socket(server.getAddress(), server.getPort());
                if (!admitted(client, upstream)) {
                    reset(client);
                    reset(upstream);
                    continue;
                }
                Thread.ofVirtual().start(() -> pump(client, client, upstream, Direction.TO_SERVER));
                Thread.ofVirtual().start(() -> pump(client, upstream, client, Direction.TO_CLIENT));
            } catch (IOException _) {
                // Closed, or the server is gone: whoever waits is told by the connection.
            }
        }
    }

    /// One that comes at the moment of a cut for good must not outlive it.
    private synchronized boolean admitted(Socket client, Socket upstream) {
        if (dead) {
            return false;
        }
        open.add(client);
        open.add(upstream);
        return true;
    }

    private void pump(Socket connection, Socket from, Socket to, Direction direction) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8192];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                int tapped = tap.allowed(connection, direction, buffer, count);
                if (tapped < count) {
                    out.write(buffer, 0, tapped);
                    return;
                }
                int allowed = allowed(direction, count);
                out.write(buffer, 0, allowed);
                out.flush();
                if (allowed < count) {
                    cut();
                    return;
                }
            }
        } catch (IOException _) {
            // The other side is closed with it.
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private synchronized int allowed(Direction direction, int count) {
        long before = passed(direction);
        int allowed = direction == cutDirection ? (int) Math.min(count, Math.max(0, cutAt - before)) : count;
        if (direction == Direction.TO_SERVER) {
            toServer += allowed;
        } else {
            toClient += allowed;
        }
        return allowed;
    }

    /// Connections are accepted again.
    public synchronized void revive() {
        dead = false;
        cutAt = Long.MAX_VALUE;
    }

    public synchronized int cuts() {
        return cuts;
    }

    private synchronized void cut() {
        cuts++;
        dead = forGood;
        cutAt = Long.MAX_VALUE;
        open.forEach(Relay::reset);
        open.clear();
    }

    private static void reset(Socket socket) {
        try (socket) {
            socket.setSoLinger(true, 0);
        } catch (IOException _) {
            // Gone already.
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        open.forEach(Relay::reset);
    }
}
